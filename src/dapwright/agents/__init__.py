"""What is installed for an agent: the server's entry in its configuration, the skill, and a subagent."""

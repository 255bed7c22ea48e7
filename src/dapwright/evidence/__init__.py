"""Evidence: one call, what the program did. A file a question."""

"""Real bugs of well-known packages, at the version that has them, and what the evidence tools show of each."""

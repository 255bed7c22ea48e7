"""Judgements without effects: what may be started, opened and shown."""

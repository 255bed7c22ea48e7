"""Judgements without effects: what may be done, seen and asked for."""

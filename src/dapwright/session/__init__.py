"""One debugging session. `session.py` holds what is known of it; each verb has a file of its own."""

from dapwright.session.session import Ask, Session

__all__ = ["Ask", "Session"]

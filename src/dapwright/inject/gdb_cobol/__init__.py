"""COBOL as its programmers wrote it, inside gdb: GnuCOBOL makes C of it, and keeps what leads back."""

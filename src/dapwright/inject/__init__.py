"""Code that runs inside the debugged program: standard library only, old interpreters too."""

"""The subcommands, one a file: its docstring is its help, `configure` its arguments, `run` what it does."""

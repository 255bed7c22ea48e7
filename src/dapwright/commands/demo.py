"""Play an agent's session against the real server, so that a person sees what it does."""

import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Take no argument: the story is always the same."""


def run(options: argparse.Namespace) -> int:
    """Play the story; 0 where every answer was as expected."""
    from dapwright.demo.play import main

    return main()

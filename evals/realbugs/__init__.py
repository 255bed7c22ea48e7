"""Real bugs of well-known packages, at the version that has them, and what the evidence tools show of each."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]  # the policies' own ways to read an answer are beside us

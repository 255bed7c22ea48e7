"""Templates: `{name}` in a description becomes what it stands for."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

HOLE = re.compile(r"\{(\w+)\}")


def fill(template: Any, words: Mapping[str, Any]) -> Any:
    """Fill every text in a structure; a text that is nothing but `{name}` becomes the value itself, list or table.

    A name that `words` lacks is left as it stands.
    """
    if isinstance(template, dict):
        return {key: fill(value, words) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(value, words) for value in template]
    if not isinstance(template, str):
        return template
    whole = HOLE.fullmatch(template)
    if whole and whole[1] in words:
        return words[whole[1]]
    return HOLE.sub(lambda hole: str(words[hole[1]]) if hole[1] in words else hole[0], template)


def fill_words(template: Sequence[str], words: Mapping[str, Any]) -> list[str]:
    """Fill a command; a word that stands for a list becomes that many words."""
    made: list[str] = []
    for word in template:
        filled = fill(word, words)
        made += [str(one) for one in filled] if isinstance(filled, list) else [str(filled)]
    return made

"""The pages for people say what is so."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def links(page):
    return re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_link_leads_somewhere(page):
    assert not [link for link in links(ROOT / page) if not (ROOT / link).exists()]


def test_every_target_that_a_page_names_is_in_the_makefile():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set()
    for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "changes/README.md"):
        named |= set(re.findall(r"(?:`|^)make ([a-z]+)", (ROOT / page).read_text(), re.MULTILINE))
    assert {"demo", "test", "check"} <= named <= targets


@pytest.mark.parametrize("chapter", ["Add a language", "Add a tool"])
def test_adding_takes_at_most_six_steps(chapter):
    text = (ROOT / "CONTRIBUTING.md").read_text().partition(f"## {chapter}\n")[2].partition("\n## ")[0]
    assert 1 <= len(re.findall(r"^\d+\. ", text, re.MULTILINE)) <= 6


def test_the_folders_that_the_steps_name_are_there():
    steps = (ROOT / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"`((?:src|tests|scripts|docs)/[\w./<>]*)`", steps))
    missing = [path for path in named if "<" not in path and not (ROOT / path).exists()]
    assert not missing


def test_a_decision_is_short():
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    assert len(decisions) >= 4
    assert not [path.name for path in decisions if len(path.read_text().splitlines()) > 16]

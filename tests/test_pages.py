"""The pages for people say what is so."""

import re
from pathlib import Path

import pytest

from dapwright.adapters import ours
from dapwright.policy.settings import READERS, variable
from dapwright.tools import every

ROOT = Path(__file__).parents[1]
SKILL = ROOT / "src" / "dapwright" / "agents" / "skill"
README = (ROOT / "README.md").read_text(encoding="utf-8")
THEIRS = ("tool_timeout_sec", "approval_pending")
"""Words with an underscore that are no tools of ours."""


def links(page):
    return re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")), *SKILL.glob("*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    assert not [link for link in links(page) if not (page.parent / link).exists()]


def test_every_page_of_docs_is_reached_from_the_index():
    reached = {(ROOT / "docs" / link).resolve() for link in links(ROOT / "docs" / "index.md")}
    pages = {page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "decisions"}
    assert not pages - reached - {ROOT / "docs" / "index.md"}


def test_the_readme_names_every_language_and_claims_no_run_that_its_adapter_does_not():
    rows = [row.split("|") for row in README.partition("## Languages")[2].partition("\n\nEach page")[0].splitlines()]
    ran = " ".join(row[1] for row in rows if len(row) > 3 and "not run" not in row[3])
    idle = " ".join(row[1] for row in rows if len(row) > 3 and "not run" in row[3])
    for adapter in ours().values():
        if adapter.language == "mock":
            continue
        name = "assembly" if adapter.language in ("asm", "nasm") else adapter.display_name.partition(" (")[0]
        assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", ran if adapter.tested.startswith("run for") else idle), (
            name
        )


def test_the_settings_page_has_every_setting():
    page = (ROOT / "docs" / "settings.md").read_text()
    assert set(re.findall(r"^\| `(DAPWRIGHT_\w+)`", page, re.MULTILINE)) == {variable(name) for name in READERS}


def test_the_troubleshooting_page_has_every_code():
    page = (ROOT / "docs" / "troubleshooting.md").read_text().partition("## Symptoms")[0]
    codes = set(re.findall(r"code = \"([\w-]+)\"", (ROOT / "src/dapwright/core/errors.py").read_text()))
    assert codes <= set(re.findall(r"`([\w-]+)`", page))


def test_the_skill_and_the_pages_name_only_tools_that_are_there():
    known = {one.name for one in every()} | set(THEIRS)
    told = [ROOT / "docs" / f"{name}.md" for name in ("workflow", "troubleshooting", "index")]
    for page in [*SKILL.parent.rglob("*.md"), ROOT / "README.md", *told]:
        named = set(re.findall(r"`([a-z]+_[a-z_]+)(?: \{[^`]*)?`", page.read_text()))
        assert not named - known, page.name


def test_what_an_agent_pays_for_the_skill_stays_small():
    assert len((SKILL / "SKILL.md").read_text()) <= 3_000
    assert sum(len(page.read_text()) for page in SKILL.glob("*.md")) <= 12_000


def test_the_modules_of_the_architecture_page_are_there():
    rows = re.findall(r"^\| (`[^|]+) \|", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert named and not [name for name in named if not (ROOT / "src" / "dapwright" / name).exists()]
    folders = {path.name for path in (ROOT / "src" / "dapwright").iterdir() if (path / "__init__.py").exists()}
    assert not folders - {name.rstrip("/") for name in named} - {"demo"}


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

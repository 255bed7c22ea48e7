"""Rules about what may be started: the first that matches a command line decides.

A rule is `allow: PATTERN`, `ask: PATTERN` or `deny: PATTERN`. In a pattern `*` stands for any
text, spaces too, and `?` for one character. `ask` and `deny` also match a command without
the folder of its program (`deny: rm *` is meant for `/bin/rm` too); `allow` does not, since
a program of that name in another folder is another program.

The workspace's own rules may only tighten: its `allow` counts for nothing until the person
trusts the workspace, and nothing that a repository says undoes a `deny` of the person's.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from dapwright.core.errors import UsageError
from dapwright.policy.permit import Request
from dapwright.policy.settings import VERDICTS, Rule

STRICTNESS = ("allow", "ask", "deny")
FREE = Rule("allow", "")
"""What is said of a command that no rule matches."""


def matches(rule: Rule, request: Request) -> bool:
    """Whether a rule speaks of a command."""
    if fnmatchcase(request.command, rule.pattern):
        return True
    return rule.verdict != "allow" and fnmatchcase(bare(request.command), rule.pattern)


def bare(command: str) -> str:
    """A command line without the folder of its program."""
    program, space, rest = command.partition(" ")
    return program.replace("\\", "/").rsplit("/", 1)[-1] + space + rest


def first(rules: Sequence[Rule], request: Request) -> Rule | None:
    """The first rule that matches."""
    return next((rule for rule in rules if matches(rule, request)), None)


def judge(request: Request, own: Sequence[Rule], workspace: Sequence[Rule] = (), *, trusted: bool = False) -> Rule:
    """The rule that decides about a command: the person's, tightened by the workspace's, or by a trusted one's word."""
    mine = first(own, request)
    if trusted:
        theirs = first(workspace, request)
        if theirs is not None and (mine is None or mine.verdict != "deny"):
            return theirs
        return mine or FREE
    theirs = first([rule for rule in workspace if rule.verdict != "allow"], request)
    return max((rule for rule in (mine, theirs) if rule), key=lambda rule: STRICTNESS.index(rule.verdict), default=FREE)


def read_rules(text: str) -> tuple[Rule, ...]:
    """The rules of a `.dapwright.toml`: `[approve] rules = ["deny: *"]`, then lists `deny`, `ask`, `allow`.

    Raises:
        UsageError: the file is no TOML, or the section is none.
    """
    import tomllib  # late: most workspaces have no such file

    try:
        section = tomllib.loads(text).get("approve", {})
        rules = [_rule(line) for line in section.get("rules", [])]
        for verdict in reversed(STRICTNESS):
            rules += [Rule(verdict, str(pattern)) for pattern in section.get(verdict, [])]
    except (tomllib.TOMLDecodeError, AttributeError, TypeError, ValueError) as wrong:
        raise UsageError(
            f"`.dapwright.toml` cannot be read, so nothing is started: {wrong}",
            'its section is `[approve]` with `rules = ["ask: PATTERN", ...]`; a person has to mend it',
        ) from None
    return tuple(rules)


def _rule(line: str) -> Rule:
    verdict, colon, pattern = line.partition(":")
    if verdict.strip() not in VERDICTS or not colon or not pattern.strip():
        raise ValueError(f"`{line}` is no rule")
    return Rule(verdict.strip(), pattern.strip())

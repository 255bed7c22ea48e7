"""Secrets that show by their own shape: keys with a known prefix, tokens, private keys.

Prefixes and lengths are those that the issuers document for secret scanning.
Each rule has a needle: most text holds none, and is left after a search for
plain strings. Every pattern is linear: repetitions are possessive or bounded.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from dapwright.core.lazy import regex
from dapwright.core.secrets.marks import OPENING

Span = tuple[int, int, str]
"""Where a secret stands in a text, and what kind it is."""

_WORD = r"[A-Za-z0-9_-]"
_PREFIXES = {
    # prefixes: kind, characters of the rest, how many of them a whole one has at least
    "ghp_ gho_ ghu_ ghs_ ghr_": ("github-pat", r"[A-Za-z0-9_]", 20),
    "github_pat_": ("github-pat", r"[A-Za-z0-9_]", 20),
    "glpat- gldt- glrt- glcbt- glptt- glsoat- glft- glagent- glimt- gloas- glffct-": (
        "gitlab-token",
        r"[A-Za-z0-9_.-]",
        16,
    ),
    "GR1348941": ("gitlab-token", _WORD, 16),
    "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp-": ("slack-token", r"[A-Za-z0-9-]", 10),
    "xapp-": ("slack-token", r"[A-Za-z0-9-]", 16),
    "rk_live_ sk_live_ rk_test_ sk_test_ rk_prod_ sk_prod_": ("stripe-key", r"[A-Za-z0-9_]", 10),
    "whsec_": ("stripe-key", r"[A-Za-z0-9+/=]", 20),
    "sk-ant-": ("anthropic-key", _WORD, 16),
    "sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1- sk-lf- sk-test- sk-live-": ("openai-key", _WORD, 16),
    "sk-": ("openai-key", _WORD, 20),
    "gsk_": ("groq-key", r"[A-Za-z0-9]", 20),
    "xai-": ("xai-key", r"[A-Za-z0-9]", 32),
    "pplx-": ("perplexity-key", r"[A-Za-z0-9]", 32),
    "r8_": ("replicate-key", r"[A-Za-z0-9]", 32),
    "hf_": ("huggingface-token", r"[A-Za-z0-9]", 24),
    "AIza": ("google-key", _WORD, 30),
    "GOCSPX-": ("google-secret", _WORD, 20),
    "ya29.": ("google-token", r"[A-Za-z0-9_.-]", 20),
    "AKIA ASIA ABIA ACCA": ("aws-key", r"[A-Z0-9]", 16),
    "npm_": ("npm-token", r"[A-Za-z0-9]", 30),
    "pypi-": ("pypi-token", _WORD, 40),
    "rubygems_": ("rubygems-key", r"[a-f0-9]", 32),
    "SG.": ("sendgrid-key", r"[A-Za-z0-9_.-]", 30),
    "SK": ("twilio-key", r"[0-9a-f]", 32),
    "key-": ("mailgun-key", r"[0-9a-f]", 32),
    "doo_v1_ dop_v1_ dor_v1_": ("digitalocean-token", r"[a-f0-9]", 32),
    "shpat_ shpca_ shppa_ shpss_": ("shopify-token", r"[A-Za-z0-9]", 32),
    "sq0atp- sq0csp- sq0idp-": ("square-token", _WORD, 20),
    "dckr_pat_ dckr_oat_": ("docker-token", _WORD, 20),
    "hvs. hvb. hvr.": ("vault-token", _WORD, 20),
    "glsa_ glc_": ("grafana-token", r"[A-Za-z0-9_=+/]", 32),
    "lin_api_": ("linear-key", r"[A-Za-z0-9]", 32),
    "ntn_": ("notion-token", r"[A-Za-z0-9]", 32),
    "figd_ figo_ figu_ figr_": ("figma-token", _WORD, 32),
    "PMAK-": ("postman-key", r"[a-f0-9-]", 40),
    "NRAK-": ("newrelic-key", r"[A-Z0-9]", 24),
    "dapi": ("databricks-token", r"[0-9a-f-]", 32),
    "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.": ("doppler-token", r"[A-Za-z0-9_.-]", 32),
    "pscale_tkn_ pscale_pw_ pscale_oauth_": ("planetscale-token", r"[A-Za-z0-9_.-]", 24),
    "sba_ sbp_ sb_secret_": ("supabase-key", r"[A-Za-z0-9_]", 24),
    "pul-": ("pulumi-token", r"[0-9a-f]", 32),
    "tskey-": ("tailscale-key", _WORD, 16),
    "sntrys_ sntryu_": ("sentry-token", r"[A-Za-z0-9_=+/-]", 32),
    "AGE-SECRET-KEY-1": ("age-key", r"[A-Z0-9]", 40),
    "ATATT3 ATBB ATCTT3": ("atlassian-token", r"[A-Za-z0-9_=-]", 24),
    "HRKU-": ("heroku-key", _WORD, 30),
    "nfp_": ("netlify-token", r"[A-Za-z0-9]", 32),
    "phx_": ("posthog-key", r"[A-Za-z0-9]", 32),
    "EAACEdEose0cBA": ("facebook-token", r"[A-Za-z0-9]", 10),
    "cio": ("crates-token", r"[A-Za-z0-9]", 32),
    "eyJhbGci eyJ0eXAi eyJraWQi eyJlbmMi eyJjdHki eyJ4NXQi eyJhbGwi eyJwIj eyJpc3Mi eyJzdWIi": (
        "jwt",
        r"[A-Za-z0-9_=.-]",
        12,
    ),
}
LOOSE = frozenset(("sk-", "key-", "hf_", "npm_", "r8_", "cio", "SK", "SG.", "xai-", "pul-", "dapi", "hvs.", "ghs_"))
"""Prefixes that ordinary names have too: a short rest must look random."""

_SPLIT = r"(?:[\"'][ \t]{0,4}\+?[ \t]{0,4}[\"'])?+"
"""A source may join a key of two literals: `"ghp_" + "..."`."""

MORE = regex(r"\.{2,3}|…|\[\.\.\.\]|\\u2026")
"""How engines say that they cut a value."""


class Rule(NamedTuple):
    """A prefix: what follows it, and how much of it a whole secret has at least."""

    needle: str
    kind: str
    pattern: re.Pattern[str]
    whole: int


PREFIXES = [
    Rule(prefix, kind, regex(f"{re.escape(prefix)}{_SPLIT}({body}{{3,}}+)"), whole)
    for prefixes, (kind, body, whole) in _PREFIXES.items()
    for prefix in prefixes.split()
]
_GAP = r"(?:\\[rnt\\]|\s|[\"'+,])*+"
_PEM = (
    rf"PRIVATE KEY(?: BLOCK)?-----{_GAP}"
    rf"(?:[A-Z][A-Za-z]{{2,12}}(?:-[A-Za-z]{{2,8}})?: [^\n\\\"]{{0,200}}{_GAP})*+"
    rf"((?:[A-Za-z0-9+/=]{{16,}}+{_GAP})++[A-Za-z0-9+/=]{{0,64}}+{_GAP}(?:-----END [A-Z0-9 ]{{0,40}}-----)?)"
)
PATTERNS = [
    ("PRIVATE KEY", "private-key", regex(_PEM)),
    ("hooks.slack.com/", "slack-webhook", regex(r"hooks\.slack\.com/[a-z]{5,12}/([\w/-]{20,400}+)")),
    ("/api/webhooks/", "discord-webhook", regex(r"/api/webhooks/\d{6,24}/([\w-]{20,200}+)")),
    ("/webhookb2/", "teams-webhook", regex(r"/webhookb2/([\w@/-]{40,400}+)")),
    (":AA", "telegram-token", regex(r":(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])")),
    ("-us", "mailchimp-key", regex(r"(?<![0-9a-f])([0-9a-f]{32}-us[0-9]{1,2})\b")),
    ("Q~", "azure-secret", regex(r"(?<![A-Za-z0-9_~.-])([A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34})")),
    ("$", "password-hash", regex(r"(\$2[abxy]?\$[0-9]{2}\$[./A-Za-z0-9]{20,}+)")),
    ("$argon2", "password-hash", regex(r"(\$argon2(?:id|i|d)\$[^\s\"']{20,}+)")),
    ("$", "password-hash", regex(r"(\$[156]\$[^\s$\"']{1,32}+\$[./A-Za-z0-9]{20,}+)")),
    ("eyJ", "jwt", regex(r"(?<![A-Za-z0-9])(eyJ[A-Za-z0-9_-]{8,}+\.eyJ[A-Za-z0-9_-]{4,}+(?:\.[A-Za-z0-9_-]*+)?)")),
    ("earer ", "bearer", regex(r"earer +(?=[A-Za-z._~+/-]{0,200}[0-9])([A-Za-z0-9._~+/-]{12,}+=*+)")),
]
_RUN = regex(r"[A-Za-z0-9_.~$-]{7,}+")
_DISCORD = regex(r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}")
_JOINED = ('_" ', "_' ", '-" ', "-' ", '_""', 'A" ')


def spans(text: str) -> Iterator[Span]:
    """Find secrets by shape. Spans may overlap."""
    runs = [run for run in _RUN.findall(text) if not (run.islower() and run.isalpha())]
    sample = text if any(joint in text for joint in _JOINED) else "\n".join(runs)
    if sample:
        for rule in PREFIXES:
            if rule.needle in sample:
                yield from _prefixed(rule, text)
    for needle, kind, pattern in PATTERNS:
        if needle in text:
            yield from ((*match.span(1), kind) for match in pattern.finditer(text))
    yield from _discord(text, runs)


def _prefixed(rule: Rule, text: str) -> Iterator[Span]:
    for match in rule.pattern.finditer(text):
        start, end = match.span()
        if _inside_a_word(text, start) or not _likely(rule, match[1], text, end):
            continue
        yield start, end, rule.kind


def _inside_a_word(text: str, start: int) -> bool:
    """Say whether a letter precedes, unless it is that of an escape (`\\n`) in the text of a literal."""
    if not start or not text[start - 1].isalnum():
        return False
    return not (start > 1 and text[start - 2] == "\\" and text[start - 1] in "nrtbfv")


def _likely(rule: Rule, rest: str, text: str, end: int) -> bool:
    """Say whether the rest is one: whole and random; or cut off (by an engine, or the text's end) and random so far."""
    random = any(c.isdigit() for c in rest) or not (rest.islower() or rest.isupper())
    if len(rest) >= rule.whole:
        return random
    quoted = end + (text[end : end + 1] in ('"', "'", "`"))
    cut = end >= len(text.rstrip("\"'`\n")) or MORE.match(text, quoted) or rest.endswith("..")
    random = random or (rest.isupper() and len(rest) >= 8 and rule.kind == "aws-key")
    if rule.needle in LOOSE or not cut:
        return bool(cut) and len(rest) >= 8 and any(c.isdigit() for c in rest) and any(c.isupper() for c in rest)
    return random


def _discord(text: str, runs: list[str]) -> Iterator[Span]:
    """A bot token of Discord has no prefix: three parts of known lengths."""
    if any(_is_discord(run) for run in runs):
        for match in _RUN.finditer(text):  # each of them: one may stand there many times
            if _is_discord(match[0]):
                yield *match.span(), "discord-token"


def _is_discord(run: str) -> bool:
    return len(run) >= 58 and _DISCORD.fullmatch(run) is not None and OPENING not in run

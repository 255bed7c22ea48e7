"""The marks that stand in a secret's place: `<redacted:github-pat #3f2a>`.

The suffix is a keyed hash of the secret alone, so two marks are equal where
the secrets are (but for one chance in 65,536), whatever found them. The key is
given by the edge (`configure`): until then it is a fixed one, good for tests
only, since anyone could compute the suffix of a guess.
"""

import msgspec

from dapwright.core.lazy import regex

MARK = regex(r"<redacted:[a-z0-9-]{1,24} #[0-9a-f]{4}>")
"""A mark, as it is written."""

OPENING = "<redacted:"
JOINT = regex(r"[\"']\s{0,4}[+.]?\s{0,4}[\"']")


class Settings(msgspec.Struct):
    """What the edge decides: whether to redact, and the key of the marks."""

    salt: bytes = b"not configured"
    enabled: bool = True


settings = Settings()


def configure(*, salt: bytes | None = None, enabled: bool | None = None) -> None:
    """Set the key of the marks (at most 64 bytes, random, one a process) and whether anything is redacted."""
    if salt is not None:
        settings.salt = salt[:64]
    if enabled is not None:
        settings.enabled = enabled


def mark(kind: str, secret: str) -> str:
    """Return the mark of a secret; string literals that a source joins with `+` count as one."""
    from hashlib import blake2b  # OpenSSL comes with it: half as much again as the rest of a start

    plain = JOINT.sub("", secret).strip("\"'").encode("utf-8", "surrogatepass")
    return f"{OPENING}{kind} #{blake2b(plain, digest_size=2, key=settings.salt).hexdigest()}>"

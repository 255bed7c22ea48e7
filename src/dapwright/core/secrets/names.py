"""Which names say that their value is a secret.

A name is split into words (`dbPassword`, `DB_PASSWORD` and `db-password` are
`db password`) and its last words decide: `password` is secret, and
`password_length` is not, `api_key` is and `primary_key` is not.
"""

from functools import lru_cache
from typing import NamedTuple

from dapwright.core.lazy import regex


class Verdict(NamedTuple):
    """What a name says: `sure` masks any value, otherwise only one that looks random."""

    kind: str
    sure: bool


WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
IDENTIFIER = regex(r"[A-Za-z_][A-Za-z0-9_-]*")
STEM = regex(r"(?i)pass|pwd|pw|secret|token|key|auth|cred|cookie|otp|pin|cvv|cvc|phrase|mnemonic|pat|jwt")
STEMS: tuple[str, ...] = ("pass", "pw", "secret", "token", "key", "auth", "cred", "cookie", "otp", "pin", "cv")
STEMS += ("phrase", "mnemonic", "pat", "jwt", "code")
"""One of these is in the lower-case form of every name that `judge` finds secret."""


def listed(text: str) -> frozenset[str]:
    """Return the set of the words of a text: how the lists here are written."""
    return frozenset(text.split())


NOISE = listed(
    "value val str string text plain plaintext cleartext raw bytes hex encoded decoded env var hash hashed digest enc"
    " encrypted confirm confirmation confirmed again repeat repeated old new current copy orig original primary"
    " secondary backup default prod production dev staging live test"
)
"""Endings that leave a secret a secret: `password_confirmation`, `API_KEY_PROD`."""

ASKING = listed(
    "is has had needs need require requires required show hide use uses can should allow allows enable enabled disable"
    " num max min count n total len no forgot"
)
"""Beginnings of a question or a number: `has_password`, `max_tokens`."""

OWNERS = listed(
    "db database user usr smtp imap admin root mail email ftp sftp redis mysql pg postgres pgsql mongo mongodb rabbitmq"
    " amqp http https proxy login my account acct app api auth ssh ldap bind keystore truststore cert ssl tls wifi"
    " service svc master client server sudo jdbc oracle mssql sql broker kafka repo registry docker nexus owner"
)
SURE = {
    "password": "password",
    "passwords": "password",
    "passwd": "password",
    "passwds": "password",
    "passphrase": "passphrase",
    "passphrases": "passphrase",
    "passcode": "passcode",
    "passwort": "password",
    "contrasena": "password",
    "secret": "secret",
    "secrets": "secret",
    "credential": "credential",
    "credentials": "credential",
    "cred": "credential",
    "creds": "credential",
    "authorization": "authorization",
    "otp": "otp",
    "totp": "otp",
    "cvv": "cvv",
    "cvc": "cvv",
    "mnemonic": "passphrase",
}
ENDINGS = {
    "password": "password",
    "passwd": "password",
    "passphrase": "passphrase",
    "secret": "secret",
    "apikey": "api-key",
    "apikeys": "api-key",
    "secretkey": "secret-key",
    "privatekey": "private-key",
    "accesskey": "access-key",
    "accountkey": "account-key",
    "authkey": "auth-key",
    "encryptionkey": "encryption-key",
    "signingkey": "signing-key",
    "sshkey": "private-key",
    "authtoken": "token",
    "accesstoken": "token",
    "refreshtoken": "token",
    "bearertoken": "token",
    "sessiontoken": "token",
    "apitoken": "token",
    "usertoken": "token",
    "csrftoken": "token",
    "idtoken": "token",
}
"""Compounds written as one word: `dbpassword`, `myapikey`."""

KEYS = listed(
    "api access secret private signing sign encryption encrypt decryption crypto cipher master account shared auth"
    " license licence storage service deploy ssh session hmac aes rsa des jwt jwk subscription webhook stripe openai"
    " anthropic sendgrid mailgun twilio datadog admin app application consumer integration ingest write host pgp gpg"
    " vault kms azure aws gcp google github gitlab slack algolia segment sentry heroku cloudflare newrelic"
)
OTHER_KEYS = listed(
    "primary foreign sort partition cache public group index lookup dict map hash row column object natural composite"
    " unique surrogate routing search range item entry parent child json yaml config message translation i18n"
    " registry hot press pressed arrow last next prev first by per s3 bucket storage query field cursor storekey"
    " idempotency dedupe lock event state shortcut modifier publishable site candidate merge join order sorted"
)
OTHER_TOKENS = listed(
    "next page continuation cancellation cancel stop eos bos pad unk sep mask cls special lex current cur prev previous"
    " last first start end sync string input output prompt completion word sub peek lookahead this parse parser"
    " syntax operator keyword punctuation comment whitespace identifier number cached reasoning expected unexpected"
    " left right open close closing opening a the of or and by per for invalid bad"
)
MANY_TOKENS = listed("access auth api refresh bearer session id csrf bot oauth user secret device push personal")
FOLDERS = listed("old o current initial working base project start orig original prev cwd saved last")
PHRASES = listed("pass seed recovery secret backup mnemonic wallet security")
CODES = listed("recovery backup otp mfa totp auth authorization verification passcode pairing security")


def words(name: str) -> list[str]:
    """Split a name into lower-case words: `apiKey2` is `["api", "key"]`."""
    return [word.lower() for word in WORD.findall(name)]


@lru_cache(maxsize=4096)
def judge(name: str) -> Verdict | None:
    """Say whether a name (an identifier, a header, a dotted path) announces a secret; None where it does not."""
    if len(name) > 160 or not STEM.search(name):
        return None
    parts = words(name)
    while len(parts) > 1 and (parts[-1] in NOISE or (parts[-1] == "header" and parts[-2].startswith("auth"))):
        parts.pop()
    if not parts or (len(parts) > 1 and parts[0] in ASKING):
        return None
    last, owner = parts[-1], parts[-2] if len(parts) > 1 else ""
    if last in SURE:
        return Verdict(SURE[last], True)
    for ending, kind in ENDINGS.items():
        if last.endswith(ending):
            return Verdict(kind, True)
    return _compound(last, owner, parts)


def _compound(last: str, owner: str, parts: list[str]) -> Verdict | None:
    """Judge a last word that is a secret only with the right word before it."""
    match last:
        case "token":
            return None if owner in OTHER_TOKENS else Verdict("token", bool(owner))
        case "tokens":
            return Verdict("token", True) if owner in MANY_TOKENS else None
        case "key" | "keys":
            return _key(last, owner, parts)
        case "pwd" | "pw":
            return Verdict("password", True) if owner and owner not in FOLDERS else _alone(last, owner)
        case "pass":
            return Verdict("password", True) if owner in OWNERS else _alone(last, owner)
        case "auth":
            return Verdict("authorization", owner in ("basic", "http", "proxy"))
        case "cookie" | "cookies":
            return Verdict("cookie", "session" in parts or "set" in parts)
        case "pin" if owner in OWNERS or owner in ("card", "sim", "device"):
            return Verdict("pin", True)
        case "pin" | "code" if owner in CODES or "pin" in parts[:-1]:
            return Verdict("code", True)
        case "phrase" if owner in PHRASES:
            return Verdict("passphrase", True)
        case "pat" if owner in KEYS:
            return Verdict("token", True)
        case "dbpwd" | "userpwd" | "dbpass" | "userpass" | "pgpass" | "smtppass":
            return Verdict("password", True)
        case "jwt":
            return Verdict("jwt", False)
    return None


def _alone(last: str, owner: str) -> Verdict | None:
    """`pwd` is a folder; `pass` and `pw` may be anything, so that the value decides."""
    return None if owner or last == "pwd" else Verdict("password", False)


def _key(last: str, owner: str, parts: list[str]) -> Verdict | None:
    if owner in KEYS:
        kind = "private-key" if owner in ("private", "ssh", "rsa") else f"{owner}-key"
        return Verdict(kind if owner in ("api", "access", "secret", "account") or "private" in kind else "key", True)
    if last == "keys" or not owner or owner in OTHER_KEYS or set(parts) & {"public", "cache"}:
        return None
    return Verdict("key", False)


@lru_cache(maxsize=1024)
def judge_expression(expression: str) -> Verdict | None:
    """Judge a name, or any name inside an expression (`user.password.upper()`, `environ['API_TOKEN']`)."""
    found = judge(expression)
    if found or IDENTIFIER.fullmatch(expression) or len(expression) > 2000:
        return found
    return next((verdict for part in IDENTIFIER.findall(expression) if (verdict := judge(part))), None)

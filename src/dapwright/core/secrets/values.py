"""Which values are worth masking, once a name says that they are secret."""

import re

from dapwright.core.lazy import regex
from dapwright.core.secrets.marks import MARK, OPENING
from dapwright.core.secrets.names import Verdict, judge, listed, words

NOTHING = listed(
    "none null nil undefined true false yes no on off nan empty unset missing unknown required optional default"
    " str string bytes int integer float bool boolean object any text varchar char number symbol unit void dict list"
    " tuple set bearer basic digest jwt optional[str] &str std::string nothing hidden masked redacted filtered"
    " invalid incorrect wrong expired valid accepted rejected ok failed is was not"
)
"""Words that stand where a secret would, and are none."""

HIDDEN = regex(r"[*•xX.…]{3,}|[\[<(]?\s?(?:redacted|hidden|filtered|masked|secret|omitted)[^\n]{0,40}[\])>]", re.I)
TEMPLATE = regex(
    r"\$\{[^}\n]*\}|\$[A-Za-z_]\w*|\$\(.*\)|\{\{.*\}\}|\{[\w.\[\]'\"!:()]*\}|%[sdr]|%\(\w+\)s|%\w+%|:\w+|\?"
    r"|<[\w -]*>|#\{[^}]*\}"
)
"""`${DB_PASSWORD}`, `{password}`, `%s`, `<your token>`: a place for a secret."""

OBJECT = regex(
    r"<[^<>\n]*(?:\bat 0x[0-9a-fA-F]+|function|class|module|method|object|generator|enum|Element)[^\n]*"
    r"|(?:class|def|function|fn|func|lambda|async|new|await|import|from|return|\[Function|\[class|ƒ)\b.*"
    r"|[\w.$]+@[0-9a-f]{4,16}|\{?\.{3}\}?|\[\]|\{\}|\(\)|0x[0-9a-fA-F]{1,16}"
)
"""How debuggers write functions, classes, addresses and objects without their content."""

NUMBER = regex(r"[+-]?\d{1,5}(?:\.\d*)?|[+-]?\d+\.\d+")
PROSE = regex(
    r"(?i)\b(?:must|required|cannot|can't|invalid|incorrect|too (?:short|long|weak)|characters|blank|missing|expired"
    r"|at least|should|please|enter|forgot|wrong|not found|failed|does not|do not|is not|match|your)\b"
)
"""What forms and validators say about a password."""

CALL = regex(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*\s?\(.*\)")
PATHS = regex(r"(?:self|this|cls|args|opts|options|config|cfg|settings|os|process|env|ctx|request|req|app|@)[.\[>:-]")
DOTTED = regex(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
NAMED = regex(r"[A-Za-z_]\w*")
FOLDER = regex(r"(?:[A-Za-z]:)?[/\\~].*|\.{1,2}(?:[/\\].*)?")
NEAR = regex(r"(?:~|\.{1,2})[/\\]|[A-Za-z]:\\")
UUID_OR_DATE = regex(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d.*|v?\d+(?:\.\d+)+", re.I)
HEX = regex(r"(?:0x)?[0-9a-fA-F]+")
RANDOM = regex(r"[A-Za-z0-9+/=_.~:-]+")


def worth(verdict: Verdict, name: str, value: str, *, quoted: bool, spaced: bool = False) -> bool:
    """Say whether a value that stands for `name` is a secret.

    `quoted`: it is the text of a literal. `spaced`: it is bare, and blanks stood
    around the equals sign, as in source code, where a word is another variable.
    """
    plain = value.strip()
    if not plain or plain.lower() in NOTHING or MARK.fullmatch(plain) or HIDDEN.fullmatch(plain):
        return False
    if not any(c.isalnum() for c in TEMPLATE.sub("", plain)) and TEMPLATE.search(plain):
        return False
    if TEMPLATE.fullmatch(plain) or (" " in plain and PROSE.search(plain)) or _label(name, plain):
        return False
    if plain.startswith(OPENING) and not quoted:
        return False
    if not quoted and (NUMBER.fullmatch(plain) or OBJECT.fullmatch(plain) or _code(name, plain, spaced)):
        return False
    if not quoted and NEAR.match(plain):
        return False
    if verdict.kind == "password" and FOLDER.fullmatch(plain) and words(name)[-1:] in (["pwd"], ["pw"]):
        return False
    return verdict.sure or _random(verdict.kind, plain)


def _label(name: str, value: str) -> bool:
    """`password: "Password"` names a field, and `"password": "api_token"` another."""
    if value[0].isupper() and value.replace("-", "").isalpha() and judge(value):
        return True
    return words(value) == words(name) and value.replace("_", "").replace(" ", "").isalpha() and len(words(value)) < 4


def _code(name: str, value: str, spaced: bool) -> bool:
    """Say whether a bare value reads as source code: a call, an attribute, another variable."""
    if CALL.match(value) or PATHS.match(value) or name.endswith(value) or (spaced and DOTTED.fullmatch(value)):
        return True
    if not NAMED.fullmatch(value):
        return False
    return (spaced and not any(c.isdigit() for c in value)) or (judge(value) is not None and value.islower())


def _random(kind: str, value: str) -> bool:
    """Say whether a value looks like a key rather than a word, a path, a date or an id."""
    if not RANDOM.fullmatch(value) or UUID_OR_DATE.fullmatch(value):
        return False
    digits, letters = any(c.isdigit() for c in value), any(c.isalpha() for c in value)
    if kind == "key":
        mixed = any(c.isupper() for c in value) and any(c.islower() for c in value)
        return len(value) >= 20 and digits and mixed and not HEX.fullmatch(value) and not set(value) & set(":.")
    return len(value) >= 6 and letters and (digits or len(value) >= 16)

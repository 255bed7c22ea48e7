"""Which language a file is in, and how that language marks comments and strings."""

import re

from msgspec import Struct

EXTENSIONS: dict[str, str] = {
    extension: language
    for language, extensions in {
        "python": "py pyw pyi pyx",
        "javascript": "js mjs cjs jsx es6",
        "typescript": "ts mts cts",
        "tsx": "tsx",
        "go": "go",
        "rust": "rs",
        "c": "c h",
        "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl cu cuh",
        "objc": "m mm",
        "java": "java",
        "kotlin": "kt kts",
        "scala": "scala sc",
        "groovy": "groovy gradle",
        "ruby": "rb rake gemspec ru",
        "php": "php phtml php5 php7 inc",
        "csharp": "cs csx",
        "fsharp": "fs fsx fsi",
        "vb": "vb",
        "cobol": "cob cbl cpy cobol",
        "bash": "sh bash zsh ksh bats",
        "lua": "lua",
        "perl": "pl pm t",
        "swift": "swift",
        "dart": "dart",
        "fortran": "f f77 f90 f95 f03 f08 for ftn",
        "pascal": "pas pp lpr dpr",
        "ada": "adb ads",
        "zig": "zig",
        "d": "d",
        "haskell": "hs",
        "ocaml": "ml mli",
        "elixir": "ex exs",
        "erlang": "erl hrl",
        "nim": "nim",
        "odin": "odin",
        "crystal": "cr",
        "julia": "jl",
        "r": "r",
        "powershell": "ps1 psm1",
    }.items()
    for extension in extensions.split()
}
INTERPRETERS = (
    ("python", "python"), ("node", "javascript"), ("deno", "typescript"), ("bun", "typescript"), ("ruby", "ruby"),
    ("php", "php"), ("perl", "perl"), ("lua", "lua"), ("bash", "bash"), ("zsh", "bash"), ("sh", "bash"),
)  # fmt: skip
"""What a `#!` line names, and the language that it means; the first that fits."""
NAMES = {"rakefile": "ruby", "gemfile": "ruby"}


def language_of(path: str, head: bytes = b"") -> str:
    """Name the language of a file by its extension, else by its `#!` line; "" where neither tells."""
    name = re.split(r"[/\\]", path)[-1]
    stem, dot, extension = name.rpartition(".")
    if dot and stem and extension.lower() in EXTENSIONS:
        return "cpp" if extension in ("C", "H") else EXTENSIONS[extension.lower()]
    if name.lower() in NAMES:
        return NAMES[name.lower()]
    if head.startswith(b"#!"):
        words = head.split(b"\n")[0].decode("utf-8", "replace").split()
        called = next((w for w in words[1:] if not w.startswith("-")), words[0]) if "env" in words[0] else words[0]
        program = called.rpartition("/")[2]
        return next((language for start, language in INTERPRETERS if program.startswith(start)), "")
    return ""


class Marks(Struct, frozen=True):
    """What opens comments and strings, for a reader without a grammar. Patterns are regular expressions."""

    line: tuple[str, ...] = ()
    """What begins a comment that ends with its line."""
    block: tuple[tuple[str, str], ...] = ()
    nested: bool = False
    """Block comments hold block comments."""
    strings: tuple[str, ...] = ()
    """Whole literals that stay within a line."""
    long: tuple[tuple[str, str], ...] = ()
    """What opens and what closes a literal of several lines."""
    heredoc: str = ""
    """What opens a heredoc; the group `tag` is the word that ends it, alone on its line."""


DOUBLE, SINGLE, CHARACTER = (
    r'"(?:[^"\\\n]|\\.)*+"?',
    r"'(?:[^'\\\n]|\\.)*+'?",
    r"'(?:[^'\\\n]|\\[^\n]{1,9}?)'",
)
DOUBLED_SINGLE, DOUBLED_DOUBLE = r"'(?:[^'\n]|'')*+'?", r'"(?:[^"\n]|"")*+"?'
SLASHES = (r"//",)
C_BLOCK = ((r"/\*", r"\*/"),)
LIKE_C = Marks(SLASHES, C_BLOCK, strings=(DOUBLE, CHARACTER))
LIKE_SHELL = Marks((r"(?<![^\s;&|(){}])#",), strings=(), long=((r'"', r'(?<!\\)(?:\\\\)*"'), (r"'", r"'")))
BACKTICK = ((r"`", r"(?<!\\)(?:\\\\)*`"),)
TRIPLE = ((r'"""', r'"""'),)
HASH = Marks((r"#",), strings=(DOUBLE, SINGLE))

MARKS: dict[str, Marks] = {
    "python": Marks((r"#",), strings=(r'"(?!"")(?:[^"\\\n]|\\(?s:.))*+"?', r"'(?!'')(?:[^'\\\n]|\\(?s:.))*+'?"),
                    long=((r'"""', r'(?<!\\)(?:\\\\)*"""'), (r"'''", r"(?<!\\)(?:\\\\)*'''"))),
    "javascript": Marks(SLASHES, C_BLOCK, strings=(DOUBLE, SINGLE), long=BACKTICK),
    "typescript": Marks(SLASHES, C_BLOCK, strings=(DOUBLE, SINGLE), long=BACKTICK),
    "tsx": Marks(SLASHES, C_BLOCK, strings=(DOUBLE, SINGLE), long=BACKTICK),
    "go": Marks(SLASHES, C_BLOCK, strings=(DOUBLE, CHARACTER), long=((r"`", r"`"),)),
    "rust": Marks(SLASHES, C_BLOCK, True, (CHARACTER,), ((r'r#"', r'"#'), (r'r"', r'"'), (r'"', r'(?<!\\)(?:\\\\)*"'))),
    "java": Marks(SLASHES, C_BLOCK, strings=(DOUBLE, CHARACTER), long=TRIPLE),
    "kotlin": Marks(SLASHES, C_BLOCK, True, (DOUBLE, CHARACTER), TRIPLE),
    "scala": Marks(SLASHES, C_BLOCK, True, (DOUBLE, CHARACTER), TRIPLE),
    "groovy": Marks(SLASHES, C_BLOCK, False, (DOUBLE, SINGLE), (*TRIPLE, (r"'''", r"'''"))),
    "swift": Marks(SLASHES, C_BLOCK, True, (DOUBLE,), TRIPLE),
    "dart": Marks(SLASHES, C_BLOCK, True, (DOUBLE, SINGLE), (*TRIPLE, (r"'''", r"'''"))),
    "csharp": Marks(SLASHES, C_BLOCK, False, (DOUBLE, CHARACTER), (*TRIPLE, (r'\$?@\$?"', r'"'))),
    "fsharp": Marks(SLASHES, ((r"\(\*(?!\))", r"\*\)"),), True, (DOUBLE, CHARACTER), TRIPLE),
    "vb": Marks((r"'", r"(?i:\bREM\b)"), strings=(DOUBLED_DOUBLE,)),
    "d": Marks(SLASHES, (*C_BLOCK, (r"/\+", r"\+/")), True, (DOUBLE, CHARACTER), ((r"`", r"`"),)),
    "zig": Marks(SLASHES, strings=(DOUBLE, CHARACTER)),
    "odin": Marks(SLASHES, C_BLOCK, True, (DOUBLE, CHARACTER), ((r"`", r"`"),)),
    "php": Marks((r"//", r"#(?!\[)"), C_BLOCK, strings=(), long=LIKE_SHELL.long,
                 heredoc=r"<<<[ \t]*[\"']?(?P<tag>\w+)[\"']?"),
    "ruby": Marks((r"#(?!\{)",), ((r"^=begin\b", r"^=end\b"),), strings=(DOUBLE, SINGLE),
                  heredoc=r"<<[~-]?[\"'`]?(?P<tag>[A-Z_]\w*)[\"'`]?"),
    "bash": Marks(LIKE_SHELL.line, long=LIKE_SHELL.long, strings=(r"\\.", r"\$\{?#\}?"),
                  heredoc=r"(?<!<)<<-?[ \t]*\\?[\"']?(?P<tag>\w+)[\"']?"),
    "perl": Marks((r"(?<![$@%&])#",), ((r"^=\w+", r"^=cut\b"),), strings=(DOUBLE, SINGLE),
                  heredoc=r"<<~?[\"']?(?P<tag>[A-Z_]\w*)[\"']?"),
    "lua": Marks((r"--(?!\[=*\[)",), ((r"--\[\[", r"\]\]"),), False, (DOUBLE, SINGLE), ((r"\[\[", r"\]\]"),)),
    "haskell": Marks((r"--+(?![^\s\w])",), ((r"\{-", r"-\}"),), True, (DOUBLE, CHARACTER)),
    "ocaml": Marks((), ((r"\(\*(?!\))", r"\*\)"),), True, (CHARACTER,), ((r'"', r'(?<!\\)(?:\\\\)*"'),)),
    "pascal": Marks(SLASHES, ((r"\{", r"\}"), (r"\(\*", r"\*\)")), False, (DOUBLED_SINGLE,)),
    "ada": Marks((r"--",), strings=(DOUBLED_DOUBLE, r"'[^'\n]'")),
    "fortran": Marks((r"!",), strings=(DOUBLED_DOUBLE, DOUBLED_SINGLE)),
    "cobol": Marks((r"\*>", r"^.{6}[*/]"), strings=(DOUBLED_DOUBLE, DOUBLED_SINGLE)),
    "elixir": Marks((r"#(?!\{)",), strings=(r'"(?!"")(?:[^"\\\n]|\\.)*+"?',), long=TRIPLE),
    "erlang": Marks((r"%",), strings=(DOUBLE, SINGLE, r"\$.")),
    "julia": Marks((r"#(?!=)",), ((r"#=", r"=#"),), True, (r'"(?!"")(?:[^"\\\n]|\\.)*+"?', CHARACTER), TRIPLE),
    "nim": Marks((r"#(?!\[)",), ((r"#\[", r"\]#"),), True, (r'"(?!"")(?:[^"\\\n]|\\.)*+"?', CHARACTER), TRIPLE),
    "crystal": Marks((r"#(?!\{)",), strings=(DOUBLE, CHARACTER)),
    "r": HASH,
    "powershell": Marks((r"(?<![`\w])#",), ((r"<#", r"#>"),), False, (DOUBLED_SINGLE,), ((r'"', r'(?<!`)"'),)),
    "c": LIKE_C,
    "cpp": LIKE_C,
    "objc": LIKE_C,
}  # fmt: skip
UNKNOWN = Marks()
"""Nothing is a comment where we do not know the language."""

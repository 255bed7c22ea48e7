"""Paths and texts as odd as they come: what counts as a line, and what is the same text, is the language's to say."""

import unicodedata
from pathlib import Path

import pytest

pytestmark = pytest.mark.live

ODD = {
    "latin.py": "# -*- coding: latin-1 -*-\ns = 'größe'\nt = s + 'é'\n".encode("latin-1"),
    "marked.py": b"\xef\xbb\xbfx = 1\r\nif x:\r\n\ty = 2\r\n",
    "lone.py": b"a = 1\rb = 2\rc = 3\r",
    "mixed.py": b"a = 1\r\nb = 2\rc = 3\nd = 4\n",
    "fed.py": "a = 1\n\x0cdef f():\n\treturn 2\n\x0c\nb = 'x\x85y\u2028z'\nf()\n".encode(),
    unicodedata.normalize("NFD", "é ö.py"): "größe = 1\nprint(größe)\n".encode(),
}
WANTED = {
    ("latin.py", "t = s + 'é'"): 3,
    ("marked.py", "x = 1"): 1,
    ("marked.py", "y = 2"): 3,
    ("lone.py", "b = 2"): 2,
    ("mixed.py", "d = 4"): 4,
    ("fed.py", "return 2"): 3,
    ("fed.py", "f()"): 6,
    (unicodedata.normalize("NFC", "é ö.py"), "print(größe)"): 2,
}
OTHERS = {
    "javascript": (
        "main.js",
        "let a = 1;\rlet s = 'x\x85y'; // c\r\nlet b = 2;\rconsole.log(a, b, s);\r",
        "let b = 2;",
        "node",
    ),
    "ruby": ("main.rb", "a = 'x\u2028\x0cy'\r\nb = 2\r\nputs a, b\r\n", "b = 2", "rdbg"),
    "java": (
        "Main.java",
        'public class Main {\r\tpublic static void main(String[] a) {\r\n\t\tString s = "\u2028\x85";\r\t\tint b = 2;\n'
        "\t\tSystem.out.println(b + s);\r\t}\r}\r",
        "int b = 2;",
        "javac",
    ),
}


def test_python_lines_are_counted_as_python_counts_them(served, tmp_path):
    main = tmp_path / "main.py"
    for name, data in ODD.items():
        (tmp_path / name).write_bytes(data)
    main.write_text("import runpy, sys\nfor name in sys.argv[1:]:\n    runpy.run_path(name)\n")
    places = [{"file": str(tmp_path / name), "statement": text} for name, text in WANTED]
    session = served.ok("create_debug_session", language="python")["sessionId"]
    told = [served.ok("set_breakpoint", sessionId=session, **place) for place in places]
    assert [one["line"] for one in told] == list(WANTED.values())
    args = [str(tmp_path / name) for name in ODD]
    stop = served.settled(
        served.ok("start_debugging", sessionId=session, scriptPath=str(main), args=args, cwd=str(tmp_path), wait=40)
    )
    seen = []
    while stop["state"] == "paused":
        seen.append((unicodedata.normalize("NFC", Path(stop["location"]["file"]).name), stop["content"]))
        stop = served.go(stop)
    assert sorted(seen) == sorted(WANTED) and stop["exitCode"] == 0


@pytest.mark.parametrize("language", OTHERS)
def test_lines_are_counted_as_the_engine_counts_them(served, tmp_path, language, request):
    import toolchains

    name, text, statement, tool = OTHERS[language]
    toolchains.needs(tool)
    (tmp_path / name).write_bytes(text.encode())
    place = {"file": str(tmp_path / name), "statement": statement}
    stop = served.run(language, place, scriptPath=str(tmp_path / name))
    assert stop["state"] == "paused" and stop["content"] == statement and "warning" not in stop
    assert served.go(stop)["exitCode"] == 0


def test_a_text_with_its_letters_composed_otherwise_is_told_apart(served, tmp_path):
    file = tmp_path / "main.py"
    file.write_text(unicodedata.normalize("NFD", "a = 'größe'\nprint(a)\n"))
    session = served.ok("create_debug_session", language="python")["sessionId"]
    asked = unicodedata.normalize("NFC", "a = 'größe'")
    told = served.call("set_breakpoint", sessionId=session, file=str(file), statement=asked)
    assert "differs only in how its letters are composed" in told["error"] and "`line` 1" in told["hint"]


@pytest.mark.needs("node")
def test_javascript_tells_of_the_line_ends_that_v8_alone_counts(served, tmp_path):
    file = tmp_path / "main.js"
    file.write_text("let s = 'x\u2028y';\nlet b = 2;\nconsole.log(s, b);\n")
    session = served.ok("create_debug_session", language="javascript")["sessionId"]
    at = {"sessionId": session, "file": str(file)}
    assert "U+2028" in served.ok("set_breakpoint", **at, statement="let b = 2;")["warning"]
    assert "warning" not in served.ok("set_breakpoint", **at, line=1)

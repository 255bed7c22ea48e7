"""`launch.json`, as the editors write it."""

import pytest

from dapwright.core.configurations import (
    Surroundings,
    chosen,
    filled,
    inputs,
    names,
    plain,
    read,
    task_command,
    translated,
)
from dapwright.core.errors import NotSupported, UsageError

AROUND = Surroundings("/w/shop", file="/w/shop/src/a.b.py", home="/home/u", env={"X": "1"}, inputs={"who": "me"})
TEXT = """
{
  // a comment with "quotes" and a trailing comma after it
  "configurations": [
    {"name": "one", "type": "debugpy", "program": "http://not//a comment", /* , ] */ },
    {"name": "two", "type": "go", "request": "launch", "program": "${workspaceFolder}", "args": ["a,]", "b // c",],},
  ],
  "compounds": [
    {"name": "both", "configurations": ["one", {"name": "two"}], "preLaunchTask": "build"},
    {"name": "odd", "configurations": ["no"]}
  ],
  "inputs": [{"id": "who", "type": "promptString"}, {"id": "pick", "type": "command", "command": "x"}],
}
"""


def test_comments_and_trailing_commas_are_read_and_texts_are_kept():
    file = read(TEXT)
    assert names(file) == ["one", "two", "both", "odd"]
    assert chosen(file, "one")[0]["program"] == "http://not//a comment"
    assert chosen(file, "two")[0]["args"] == ["a,]", "b // c"]
    assert plain('{"a": "\\"//x"}') == '{"a": "\\"//x"}'


@pytest.mark.parametrize("text", ["{", "[]", '{"a": }'])
def test_what_is_no_json_is_told(text):
    with pytest.raises(UsageError, match=r"launch\.json"):
        read(text)


def test_a_compound_is_its_configurations_and_its_task_comes_first():
    both = chosen(read(TEXT), "both")
    assert [one["name"] for one in both] == ["one", "two"] and both[0]["preLaunchTask"] == "build"
    with pytest.raises(UsageError, match="`no`"):
        chosen(read(TEXT), "odd")


def test_an_unknown_name_lists_the_names():
    with pytest.raises(UsageError) as unknown:
        chosen(read(TEXT), "three")
    assert "`one`, `two`, `both`" in unknown.value.hint


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${workspaceFolder}/x", "/w/shop/x"),
        ("${workspaceFolderBasename}", "shop"),
        ("${file}|${fileBasename}|${fileBasenameNoExtension}|${fileExtname}", "/w/shop/src/a.b.py|a.b.py|a.b|.py"),
        ("${fileDirname} ${relativeFile} ${relativeFileDirname}", "/w/shop/src src/a.b.py src"),
        ("${env:X}${env:NONE}${userHome}${/}${pathSeparator}", "1/home/u//"),
        ("${input:who}", "me"),
    ],
)
def test_variables_are_filled_in_wherever_they_stand(text, value):
    assert filled({"a": [text, {"b": text}], "n": 1}, AROUND) == {"a": [value, {"b": value}], "n": 1}


@pytest.mark.parametrize("text", ["${command:pick}", "${config:x}", "${fileUnknown}", "${nope}"])
def test_what_only_an_editor_knows_is_refused_by_name(text):
    with pytest.raises(UsageError) as refused:
        filled(text, AROUND)
    assert text in str(refused.value)


def test_the_open_file_must_be_told():
    with pytest.raises(UsageError, match="open file") as refused:
        filled("${file}", Surroundings("/w"))
    assert "scriptPath" in refused.value.hint


def test_inputs_are_found_once_and_those_of_the_editor_refused():
    file = read(TEXT)
    asked = inputs([{"a": "${input:who}"}, {"b": ["${input:who}"]}], file)
    assert [one["id"] for one in asked] == ["who"]
    with pytest.raises(NotSupported):
        inputs(["${input:pick}"], file)
    with pytest.raises(UsageError, match="not declared"):
        inputs(["${input:none}"], file)


@pytest.mark.parametrize(
    ("kind", "language"),
    [
        ("debugpy", "python"),
        ("pwa-node", "javascript"),
        ("cppdbg", "cpp"),
        ("codelldb", "cpp"),
        ("go", "go"),
        ("java", "java"),
        ("rdbg", "ruby"),
        ("coreclr", "dotnet"),
        ("bashdb", "bash"),
        ("haskell", "haskell"),
    ],
)
def test_types_of_editors_are_our_languages(kind, language):
    assert translated({"name": "n", "type": kind, "program": "x"}, AROUND).language == language


def test_a_launch_is_told_in_our_words_and_the_rest_goes_on_to_the_adapter():
    made = translated(
        {
            "name": "n",
            "type": "cppdbg",
            "request": "launch",
            "program": "${workspaceFolder}/a.out",
            "args": "-v 'a b'",
            "environment": [{"name": "A", "value": "1"}],
            "stopAtEntry": True,
            "MIMode": "gdb",
            "externalConsole": False,
            "preLaunchTask": "build",
            "linux": {"program": "/on/linux"},
            "presentation": {"hidden": False},
        },
        AROUND,
    )
    assert made.task == "build" and not made.attaches
    assert made.arguments == {
        "scriptPath": "/on/linux",
        "args": ["-v", "a b"],
        "env": {"A": "1"},
        "stopOnEntry": True,
        "debugger": "gdb",
        "adapterLaunchConfig": {"externalConsole": False},
    }


def test_an_attachment_is_told_in_our_words():
    connect = {"host": "localhost", "port": 5678}
    mappings = [{"localRoot": "${workspaceFolder}", "remoteRoot": "/app"}]
    raw = {"name": "n", "type": "debugpy", "request": "attach", "connect": connect, "pathMappings": mappings}
    made = translated({**raw, "justMyCode": False}, AROUND)
    assert made.attaches and made.arguments == {
        "port": 5678,
        "host": "localhost",
        "justMyCode": False,
        "pathMappings": [{"local": "/w/shop", "remote": "/app"}],
    }


def test_a_task_is_a_command_or_refused_by_name():
    file = {"tasks": [{"label": "a", "type": "shell", "command": "make", "args": ["x y"]}]}
    file["tasks"] += [{"label": "b", "type": "process", "command": "cc", "args": ["-g"], "options": {"cwd": "/x"}}]
    file["tasks"] += [
        {"label": "c", "type": "npm", "script": "x"},
        {**file["tasks"][0], "label": "d", "dependsOn": "a"},
    ]
    assert task_command(file, "a") == (["sh", "-c", "make 'x y'"], {})
    assert task_command(file, "b") == (["cc", "-g"], {"cwd": "/x"})
    for label in ("c", "d", "none"):
        with pytest.raises(NotSupported, match=f"`{label}`"):
            task_command(file, label)

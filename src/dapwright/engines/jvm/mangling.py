"""Names of Scala, Groovy, Clojure and Kotlin as people wrote them: what their compilers made of them, undone."""

import re

CAPTURED = {
    **{f"kotlin.jvm.internal.Ref${kind}Ref": "element" for kind in
       ("Int", "Long", "Boolean", "Double", "Float", "Char", "Short", "Byte", "Object")},
    **{f"scala.runtime.{volatile}{kind}Ref": "elem" for volatile in ("", "Volatile") for kind in
       ("Int", "Long", "Boolean", "Double", "Float", "Char", "Short", "Byte", "Object")},
    "groovy.lang.Reference": "value",
}  # fmt: skip
"""Classes in which compilers keep a variable that a closure changes, and the field that holds its value."""
SYMBOLS = {
    "$plus": "+", "$minus": "-", "$times": "*", "$div": "/", "$percent": "%", "$less": "<", "$greater": ">",
    "$eq": "=", "$bang": "!", "$amp": "&", "$bar": "|", "$up": "^", "$tilde": "~", "$qmark": "?", "$colon": ":",
    "$at": "@", "$hash": "#", "$bslash": "\\",
}  # fmt: skip
MUNGED = {
    "_BANG_": "!", "_QMARK_": "?", "_STAR_": "*", "_PLUS_": "+", "_GT_": ">", "_LT_": "<", "_EQ_": "=",
    "_SLASH_": "/", "_AMPERSAND_": "&", "_PERCENT_": "%", "_BAR_": "|", "_SINGLEQUOTE_": "'", "_DOT_": ".",
    "_COLON_": ":", "_SHARP_": "#", "_TILDE_": "~", "_CIRCA_": "@",
}  # fmt: skip
LISP = (".clj", ".cljc")
CALLS = ("invokeStatic", "invoke", "doInvoke", "invokePrim", "applyTo")
FUNCTION = "<function>"
ADAPTED = "$adapted"
"""The end of the name of what boxes values for a function of Scala, and calls it."""
RESUMES = "invokeSuspend"
"""Kotlin's method by which a suspended function, or a lambda that suspends, goes on."""


def scala_name(name: str) -> str:
    """A name of Scala's compiler as it was written.

    >>> scala_name("$plus$eq"), scala_name("odd$u0020name"), scala_name("total$$anonfun$1")
    ('+=', 'odd name', 'total.<function>')
    >>> scala_name("$anonfun$total$1"), scala_name("$anonfun$1")
    ('total.<function>', '<function>')
    """
    if (inner := re.fullmatch(r"(.*?)\$\$anonfun\$.*", name)) and inner[1]:
        return f"{scala_name(inner[1])}.{FUNCTION}"
    if inner := re.fullmatch(r"\$anonfun(?:\$adapted)?\$(?:(\D.*)\$)?\d+(?:\$adapted)?", name):
        return f"{scala_name(inner[1])}.{FUNCTION}" if inner[1] else FUNCTION
    name = re.sub(r"\$u([0-9a-fA-F]{4})", lambda hit: chr(int(hit[1], 16)), name)
    return re.sub(r"\$[a-z]+", lambda hit: SYMBOLS.get(hit[0], hit[0]), name)


def lisp_name(class_name: str) -> str:
    """A function of Clojure by its class.

    >>> lisp_name("my.cart$total_sum"), lisp_name("cart$_main"), lisp_name("cart$all_QMARK_$fn__12")
    ('my.cart/total-sum', 'cart/-main', 'cart/all?/fn')
    """
    space, *parts = class_name.split("$")
    parts = [re.sub(r"(fn|eval)?__?\d+$", lambda hit: hit[1] or "", part) for part in parts]
    return "/".join(_unmunged(part) for part in (space, *parts))


def _unmunged(name: str) -> str:
    for munged, written in MUNGED.items():
        name = name.replace(munged, written)
    return name.replace("_", "-")


def plain_function(class_name: str, owner: str, method: str, file: str) -> str:
    """A function as its language's people say it; `owner` is the class's name told with dots, without a package."""
    if file.endswith(LISP) and "$" in class_name and method in CALLS:
        return lisp_name(class_name)
    if file.endswith(".scala"):
        owner = re.sub(r"(?:^|\.)[^.]*\.package$", "", owner)  # functions that stand in no class
        owner = owner.rstrip("$.")  # an object's class
        return ".".join(filter(None, (scala_name(owner), scala_name(method))))
    if file.endswith((".kt", ".kts")):
        return _kotlin(owner, method)
    if file.endswith(".groovy") and method in ("doCall", "call"):
        closure = re.fullmatch(r"(.*)[.$]_(\w+)_closure\d+.*", owner)
        return f"{closure[1]}.{closure[2]}.<closure>" if closure else f"{owner}.{method}"
    return f"{owner}.{method}"


def _kotlin(owner: str, method: str) -> str:
    """Kotlin's lambdas and coroutines, in the function that they were written in.

    >>> _kotlin("FlowKt$main$run$1", "invokeSuspend"), _kotlin("FlowKt", "main$lambda$2")
    ('FlowKt.main.run.<suspend>', 'FlowKt.main.<lambda>')
    """
    if inside := re.fullmatch(r"(.*?)((?:\$\w+?)*?)\$\d+", owner) if method in (RESUMES, "invoke") else None:
        what = "<suspend>" if method == RESUMES else "<lambda>"
        parts = [part for part in inside[2].split("$") if part and not part.isdigit()]
        return ".".join([inside[1], *parts, what])
    return re.sub(r"\$lambda\$[\d$]+(?:lambda\$\d+)*$", ".<lambda>", f"{owner}.{method}")


def is_forwarder(method: str, file: str) -> bool:
    """Tell whether a method only hands on to the one that was written."""
    return (file.endswith(LISP) and method in CALLS[1:]) or (file.endswith(".scala") and method.endswith(ADAPTED))


def plain_variable(name: str) -> str:
    """A captured variable's name, without the number that Scala's compiler gave it."""
    return re.sub(r"\$\d+$", "", name)

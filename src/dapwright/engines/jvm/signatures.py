"""Java's names and the JVM's signatures of types, both ways."""

PRIMITIVES = {
    "B": "byte",
    "C": "char",
    "S": "short",
    "I": "int",
    "J": "long",
    "F": "float",
    "D": "double",
    "Z": "boolean",
    "V": "void",
}
LAMBDA = "$$Lambda"
"""The name of a lambda's class goes on with numbers, and a `.` that is no package's."""
LETTERS = {name: letter for letter, name in PRIMITIVES.items()}
INTERNAL = ("java.", "javax.", "jdk.", "sun.", "com.sun.", "kotlin.", "kotlinx.", "scala.", "groovy.", "clojure.")
"""Packages of the platform and of the languages' own libraries: stepped over, never guessed by a bare name."""
INTERNAL_TOO = ("org.codehaus.groovy.", "org.apache.groovy.")


def name_of(signature: str) -> str:
    """Return Java's name of a type signature: `[Ljava/lang/String;` is `java.lang.String[]`."""
    dimensions = len(signature) - len(signature.lstrip("["))
    core = signature[dimensions:]
    name = PRIMITIVES.get(core) or core.removeprefix("L").removesuffix(";").replace("/", ".")
    return name + "[]" * dimensions


def signature_of(name: str) -> str:
    """Return the signature of a type's name, as `Class.getName` or Java writes it."""
    core = name.rstrip("[] ")
    dimensions = name.count("[")
    return "[" * dimensions + (LETTERS.get(core) or f"L{core.replace('.', '/')};")


def short(name: str) -> str:
    """Return a type's name as people say it: no package, `.` between nested classes."""
    if LAMBDA in name:
        name = name.partition(LAMBDA)[0] + LAMBDA
        return name.rpartition(".")[2]
    simple = name.rpartition(".")[2]
    parts = [part for part in simple.split("$") if part]
    if len(parts) < 2 or any(part[0].isdigit() for part in parts):
        return simple
    return ".".join(parts)


def dotted(name: str) -> str:
    """Return a class's binary name with nested classes told by `.` where they have names of their own."""
    package, dot, _ = name.partition(LAMBDA)[0].rpartition(".")
    return package + dot + short(name)


def package_of(name: str) -> str:
    return name.partition(LAMBDA)[0].rpartition(".")[0]


def parameters(signature: str) -> list[str]:
    """Return the signatures of a method's parameters: `(I[JLa/B;)V` has `I`, `[J`, `La/B;`."""
    found, at, end = [], 1, signature.index(")")
    while at < end:
        start = at
        while signature[at] == "[":
            at += 1
        at = signature.index(";", at) + 1 if signature[at] == "L" else at + 1
        found.append(signature[start:at])
    return found


def result(signature: str) -> str:
    """Return the signature of what a method returns."""
    return signature[signature.index(")") + 1 :]


def is_internal(name: str) -> bool:
    """Tell whether a class belongs to the platform or to a language's own library."""
    return name.startswith(INTERNAL) or name.startswith(INTERNAL_TOO)

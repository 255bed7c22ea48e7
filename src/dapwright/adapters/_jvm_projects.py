"""Projects of Maven and Gradle: their modules, and class paths asked of the tools themselves."""

import hashlib
import posixpath
import re
from collections.abc import Generator

from dapwright.core.errors import BuildError, SetupError
from dapwright.core.model import Host, Ran, Run

ClassPath = Generator[Run, Ran, tuple[list[str], tuple[str, ...]]]
"""Ends with the entries, and what to tell of how they were found."""
WORDS = 6_000
"""Characters of a compiler's messages that are told."""
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""Maven colours even what nobody sees."""
MARK = "dapwright-classpath:"
MODULE = re.compile(r"<module>\s*([^<]+?)\s*</module>")
PARENT = re.compile(r"<parent>(.*?)</parent>", re.DOTALL)
RELATIVE = re.compile(r"<relativePath>\s*([^<]+?)\s*</relativePath>")
XML_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
INCLUDE = re.compile(r"^\s*include\b((?:[^\n]*,\s*\n)*[^\n]*)", re.MULTILINE)
QUOTED = re.compile(r"""["']:?([\w:./-]+)["']""")
OUTPUT = re.compile(r"(.+)/(?:target|build)/[^:;]*")
"""What a module's build makes lies below one of these folders of it."""


def run(wanted: Run, what: str) -> Generator[Run, Ran, Ran]:
    """Run one step of a build.

    Raises:
        BuildError: it failed; the message holds its own words.
    """
    ran = yield wanted
    if ran.code != 0:
        words = [COLOURS.sub("", text).strip() for text in (ran.stderr, ran.stdout)]
        said = "\n".join(filter(None, words))[:WORDS] or f"`{wanted.argv[0]}` ended with {ran.code}"
        raise BuildError(f"{what} does not compile: {said}", "mend the source and start again")
    return ran


def base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def parent(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[0]


def project(path: str, host: Host) -> str:
    """The nearest folder, from `path` upwards, with a build of Maven or Gradle; "" where there is none.

    A module of Gradle needs no build file of its own: the settings above it list it.
    """
    folder = path.replace("\\", "/").rstrip("/")
    if not host.is_dir(folder):
        folder = parent(folder)
    inside = folder + "/"
    while folder:
        if any(host.is_file(f"{folder}/{name}") for name in ("pom.xml", "build.gradle", "build.gradle.kts")):
            return max([folder, *(one for one in _listed(folder, host) if inside.startswith(one + "/"))], key=len)
        folder = parent(folder)
    return ""


def modules(folder: str, host: Host) -> list[str]:
    """The folder of a project, and those of its modules, as the builds list them."""
    found: list[str] = []
    waiting = [folder]
    while waiting:
        one = waiting.pop(0)
        if one not in found:
            found.append(one)
            waiting += _listed(one, host)
    return found


def _listed(folder: str, host: Host) -> list[str]:
    names = MODULE.findall(XML_COMMENT.sub("", host.read(f"{folder}/pom.xml")))
    for settings in ("settings.gradle", "settings.gradle.kts"):
        lines = INCLUDE.findall(host.read(f"{folder}/{settings}"))
        names += [name.replace(":", "/") for line in lines for name in QUOTED.findall(line)]
    places = [posixpath.normpath(f"{folder}/{name}") for name in names]
    return [parent(place) if place.endswith(".xml") else place for place in places]


def reactor(folder: str, host: Host) -> str:
    """The outermost folder whose build lists this one among its modules, else the folder itself.

    From there Maven builds, and finds, the modules that this one needs: they need not be installed.
    """
    chain = [folder]
    while True:
        above = (one for one in _above(chain[-1], host) if one not in chain)
        listing = next((one for one in above if chain[-1] in _listed(one, host)), None)
        if listing is None:
            return chain[-1]
        chain.append(listing)


def _above(folder: str, host: Host) -> list[str]:
    """Folders whose build may list this one: its parent's as its pom tells it, and all that it lies in."""
    inherits = PARENT.search(XML_COMMENT.sub("", host.read(f"{folder}/pom.xml")))
    told = RELATIVE.search(inherits[1]) if inherits else None
    place = posixpath.normpath(f"{folder}/{told[1]}") if told else ""
    found = [parent(place) if place.endswith(".xml") else place] if place else []
    while folder := parent(folder):
        found.append(folder)
    return found


def source_folders(folder: str) -> list[str]:
    """Where a module has its sources, by custom."""
    kinds = ("java", "kotlin", "scala", "groovy")
    return [f"{folder}/src/{part}/{kind}" for part in ("main", "test") for kind in kinds]


def source_roots(folder: str, entries: list[str], host: Host) -> tuple[str, ...]:
    """The folders of sources of a module and of those whose classes are on its class path."""
    built = [found[1] for entry in entries if (found := OUTPUT.fullmatch(entry))]
    return tuple(path for one in dict.fromkeys([folder, *built]) for path in source_folders(one) if host.is_dir(path))


def class_path(folder: str, host: Host, *, test: bool) -> ClassPath:
    """Build a project and ask its own tool for the class path.

    Raises:
        SetupError: the tool is missing.
        BuildError: it does not compile.
    """
    if host.is_file(f"{folder}/pom.xml"):
        return (yield from _maven(folder, host, test))
    return (yield from _gradle(folder, host, test))


def _tool(folder: str, host: Host, wrapper: str, name: str, install: str) -> str:
    wrapper += ".bat" if host.platform == "win32" and wrapper == "gradlew" else ""
    above, found = folder, ""
    while above and not found:  # a module's build is started by the wrapper of the whole
        found = f"{above}/{wrapper}" if host.is_file(f"{above}/{wrapper}") else ""
        above = parent(above)
    found = found or host.which(name) or ""
    if not found:
        raise SetupError(f"there is no {name} to build `{folder}` with", install)
    return found


def chosen(folder: str, root: str) -> tuple[str, ...]:
    """Maven's words for one module of a build, and all that it needs of the others."""
    return () if folder == root else ("-pl", posixpath.relpath(folder, root), "-am")


def _maven(folder: str, host: Host, test: bool) -> ClassPath:
    tool = _tool(folder, host, "mvnw", "mvn", "apt-get install maven")
    phase, scope = ("test-compile", "test") if test else ("compile", "runtime")
    root = reactor(folder, host)
    argv = (tool, "-q", "-B", *chosen(folder, root), phase)
    argv += ("dependency:build-classpath", f"-Dmdep.includeScope={scope}")
    out = f"{host.cache}/jvm/classpath-{hashlib.sha256(f'{folder} {scope}'.encode()).hexdigest()[:16]}.txt"
    # Every module of the build writes there, the one that needs the others last.
    yield from run(Run((*argv, f"-Dmdep.outputFile={out}"), cwd=root, purpose="build"), f"`{base(folder)}`")
    separator = ";" if host.platform == "win32" else ":"
    jars = [jar for jar in host.read(out).strip().split(separator) if jar]
    own = [f"{folder}/target/test-classes"] if test else []
    return [*own, f"{folder}/target/classes", *jars], ("built with Maven",)


def _gradle(folder: str, host: Host, test: bool) -> ClassPath:
    tool = _tool(folder, host, "gradlew", "gradle", "https://gradle.org/install")
    script = host.packages.get("inject", "") + "/classpath.gradle"
    kind = "test" if test else "main"
    task = "testClasses" if test else "classes"
    argv = (
        tool,
        "-q",
        "--console=plain",
        "--no-daemon",  # nothing that we start outlives us
        "-I",
        script,
        task,
        f"-PdapwrightSet={kind}",
        "dapwrightClassPath",
    )
    ran = yield from run(Run(argv, cwd=folder, purpose="build"), f"`{base(folder)}`")
    lines = [line.partition(MARK)[2] for line in ran.stdout.splitlines() if line.startswith(MARK)]
    if not lines:
        raise BuildError(f"Gradle told no class path for `{folder}`", "pass adapterLaunchConfig.classpath")
    return lines, ("built with Gradle",)

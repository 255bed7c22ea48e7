"""Which change makes a build an old one: sources of its project, and nothing that the build writes."""

import os

import pytest

from dapwright import freshness


@pytest.fixture
def project(tmp_path):
    """A function that adds files to a repository, and returns its folder."""
    (tmp_path / ".git").mkdir()

    def add(*names):
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
        return tmp_path

    return add


TO_COME = 4e9
"""A time that no file of a test has unless it is given."""


@pytest.mark.parametrize("name", ["src/main.rs", "Makefile", "lib/CMakeLists.txt", "pom.xml", "build/tool.c", "a.CPP"])
def test_a_source_or_a_description_counts(project, name):
    folder = project(name, "Cargo.toml")
    os.utime(folder / "Cargo.toml", (TO_COME - 2, TO_COME - 2))
    assert freshness.changed(str(folder), (), TO_COME) == ""
    os.utime(folder / name, (TO_COME + 2, TO_COME + 2))
    assert freshness.changed(str(folder), (), TO_COME) == str(folder / name)


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("target/debug/build/made.rs", "Cargo.toml"),
        ("target/generated-sources/Made.java", "pom.xml"),
        ("build/generated/Made.java", "build.gradle"),
        ("build/probe.c", "build/CMakeCache.txt"),
        ("builddir/probe.c", "builddir/meson-info/x"),
        ("out/debug/CTestTestfile.cmake", "out/debug/CMakeCache.txt"),
        ("out/sub/Makefile", "out/CMakeCache.txt"),
        ("made/probe.c", "made/meson-info/x"),
        ("cmake-build-debug/probe.c", "notes.txt"),
        ("node_modules/x/x.c", "notes.txt"),
        (".cache/x.c", "notes.txt"),
        ("main.o", "notes.txt"),
        ("Cargo.lock", "notes.txt"),
    ],
)
def test_what_a_build_writes_does_not(project, name, beside):
    folder = project(name, beside)
    os.utime(folder / name, (TO_COME, TO_COME))
    assert freshness.changed(str(folder), (), TO_COME - 1) == ""


@pytest.mark.parametrize(
    ("mark", "description"), [("CMakeCache.txt", "CMakeLists.txt"), ("meson-info/x", "meson.build")]
)
def test_sources_that_are_built_where_they_lie_count(project, mark, description):
    folder = project("app/main.c", f"app/{mark}", f"app/{description}")
    os.utime(folder / "app/main.c", (TO_COME, TO_COME))
    assert freshness.changed(str(folder / "app"), (), TO_COME - 1) == str(folder / "app/main.c")


def test_sources_below_the_folder_that_cmake_builds_in_count(project):
    folder = project("app/CMakeCache.txt", "app/src/CMakeLists.txt", "app/src/main.c")
    (folder / "app/CMakeCache.txt").write_text(f"# cache\nCMAKE_HOME_DIRECTORY:INTERNAL={folder}/app/src\n")
    os.utime(folder / "app/src/main.c", (TO_COME, TO_COME))
    assert freshness.changed(str(folder), (), TO_COME - 1) == str(folder / "app/src/main.c")


def test_the_whole_repository_is_looked_at_from_a_package_of_it(project):
    folder = project("app/cmd/main.go", "lib/lib.go")
    os.utime(folder / "lib/lib.go", (TO_COME, TO_COME))
    assert freshness.changed(str(folder / "app/cmd"), (), TO_COME - 1) == str(folder / "lib/lib.go")


def test_a_header_beside_the_source_that_a_command_names_counts(project, tmp_path_factory):
    folder, elsewhere = project("one.c", "one.h"), tmp_path_factory.mktemp("cache")
    os.utime(folder / "one.h", (TO_COME, TO_COME))
    argv = ("cc", "-g", str(folder / "one.c"), "-o", "one")
    assert freshness.changed(str(elsewhere), argv, TO_COME - 1) == str(folder / "one.h")


def test_without_a_repository_the_outermost_description_is_the_root(tmp_path):
    inner = tmp_path / "module" / "src"
    inner.mkdir(parents=True)
    (tmp_path / "pom.xml").write_text("")
    (tmp_path / "module" / "pom.xml").write_text("")
    assert freshness.root(str(inner)) == str(tmp_path)


def test_a_home_that_is_a_repository_is_no_project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".git").mkdir()
    (tmp_path / "app").mkdir()
    assert freshness.root(str(tmp_path / "app")) == str(tmp_path / "app")


def test_a_folder_for_all_is_no_project(tmp_path, monkeypatch):
    monkeypatch.setattr(freshness.tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / "go.mod").write_text("")
    (tmp_path / "app").mkdir()
    assert freshness.root(str(tmp_path / "app")) == str(tmp_path / "app")

import pathspec


def test_a_later_pattern_of_a_directory_counts():
    spec = pathspec.GitIgnoreSpec.from_lines(["*", "!libfoo", "!libfoo/**"])
    assert not spec.match_file("./libfoo/__init__.py")

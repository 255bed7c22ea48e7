"""Where a function's own body begins, behind the functions that are declared at its head."""

from dapwright.engines.node.outline import outline

TEXT = """function outer(n) {
  function inner({ a } = {}) { return a; }
  async function later() { return 2; }
  return inner(n);
}
function plain() {
  return 1;
}
"""


def test_a_body_begins_behind_what_is_declared_at_its_head():
    found = outline(TEXT)
    places = {name: (found.named(name)[0].line, found.named(name)[0].column) for name in ("outer", "plain")}
    assert places["outer"] == (2, len("  async function later() { return 2; }"))
    assert places["plain"] == (5, len("function plain() {"))
    assert [each.line for each in found.named("outer.inner")] == [1]

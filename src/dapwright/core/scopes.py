"""The functions of a Python program's files, and which of them a name belongs to."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef
STATEMENTS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Scope:
    """A function, or a module: `line` is 0 there."""

    file: str
    name: str
    """Qualified: `Order.add`, `<module>`."""
    line: int = 0


def qualified(scope: Scope) -> str:
    """The last name of a scope: what a call would say."""
    return scope.name.rpartition(".")[2]


def named(node: ast.expr) -> tuple[str, str]:
    """(`name` or `attribute`, the name) of an expression; empty of any other."""
    if isinstance(node, ast.Name):
        return "name", node.id
    return ("attribute", node.attr) if isinstance(node, ast.Attribute) else ("", "")


@dataclass(slots=True)
class _Module:
    text: str
    tree: ast.Module
    scopes: dict[Scope, ast.Module | Function] = field(default_factory=dict[Scope, "ast.Module | Function"])
    outer: dict[Scope, Scope] = field(default_factory=dict[Scope, Scope])


class Program:
    """Files of a program as far as they can be read as Python."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._modules: dict[str, _Module] = {}
        self.unread: list[str] = []
        for file, text in texts.items():
            try:
                tree = ast.parse(text)
            except (SyntaxError, ValueError):
                self.unread.append(file)
                continue
            module = self._modules[file] = _Module(text, tree)
            top = Scope(file, "<module>")
            module.scopes[top] = tree
            self._enter(module, tree, top, "")

    def _enter(self, module: _Module, node: ast.AST, scope: Scope, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner, name = scope, prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inner = Scope(scope.file, prefix + child.name, child.lineno)
                module.scopes[inner], module.outer[inner] = child, scope
                name = f"{prefix}{child.name}."
            elif isinstance(child, ast.ClassDef):
                name = f"{prefix}{child.name}."
            self._enter(module, child, inner, name)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that were read."""
        return tuple(self._modules)

    def lines(self, file: str) -> list[str]:
        """A file's lines."""
        return self._modules[file].text.splitlines()

    def scopes(self) -> Iterator[Scope]:
        """Every module and function."""
        for module in self._modules.values():
            yield from module.scopes

    def scope_at(self, file: str, line: int) -> Scope:
        """The innermost function around a line, else the module."""
        found = Scope(file, "<module>")
        module = self._modules.get(file)
        for scope, node in module.scopes.items() if module else ():
            if isinstance(node, ast.Module):
                continue
            if node.lineno <= line <= (node.end_lineno or 0) and node.lineno >= found.line:
                found = scope
        return found

    def body(self, scope: Scope) -> Iterator[ast.stmt]:
        """A scope's own statements, in order; those of functions inside it are not its own, a class body's are."""
        node = self._modules[scope.file].scopes[scope]
        waiting: list[ast.AST] = list(node.body)
        while waiting:
            one = waiting.pop(0)
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if isinstance(one, ast.stmt):
                yield one
            inner = [part for part in ast.iter_child_nodes(one) if not isinstance(part, ast.expr)]
            waiting = [*inner, *waiting]

    def parameters(self, scope: Scope) -> tuple[str, ...]:
        """A function's parameters; none of a module."""
        module = self._modules.get(scope.file)
        node = module.scopes.get(scope) if module else None
        if node is None or isinstance(node, ast.Module):
            return ()
        given = node.args
        return tuple(one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs))

    def _binds(self, scope: Scope, name: str) -> bool:
        """Whether a name is a scope's own."""
        if name in self.parameters(scope):
            return True
        outside = {
            one for node in self.body(scope) if isinstance(node, (ast.Global, ast.Nonlocal)) for one in node.names
        }
        if name in outside:
            return False
        for node in self.body(scope):
            for part in _stored(node):
                if part == name:
                    return True
        return False

    def owner(self, name: str, scope: Scope) -> Scope:
        """The scope that a name belongs to, read in one: its own, one around it, the module, where it is from."""
        module = self._modules.get(scope.file)
        here: Scope | None = scope
        while module is not None and here is not None and here.line:
            if self._binds(here, name):
                return here
            here = module.outer.get(here)
        top = Scope(scope.file, "<module>")
        return self._imported(name, top) or top

    def _imported(self, name: str, top: Scope) -> Scope | None:
        if top.file not in self._modules:
            return None
        for node in ast.walk(self._modules[top.file].tree):
            if isinstance(node, ast.ImportFrom) and any((one.asname or one.name) == name for one in node.names):
                ending = "/" + (node.module or "").replace(".", "/")
                for file in self._modules:
                    plain = "/" + file.replace("\\", "/").removesuffix(".py").removesuffix("/__init__").lstrip("/")
                    if plain.endswith(ending):
                        return Scope(file, "<module>")
        return None

    def writers(self, name: str, scope: Scope | None) -> Iterator[Scope]:
        """The scopes whose statements may assign a name of a scope: itself, and those inside it that say so."""
        if scope is None or scope.file not in self._modules:
            return
        yield scope
        for other in self._modules[scope.file].scopes:
            if other != scope and not self._binds(other, name) and self.owner(name, other) == scope:
                yield other

    @cached_property
    def _by_name(self) -> dict[str, list[Scope]]:
        found: dict[str, list[Scope]] = {}
        for scope in self.scopes():
            if scope.line:
                found.setdefault(qualified(scope), []).append(scope)
        return found

    def functions(self, name: str) -> list[Scope]:
        """The functions and methods of a name."""
        return self._by_name.get(name, [])

    @cached_property
    def _sites(self) -> dict[str, list[tuple[Scope, ast.stmt, ast.Call]]]:
        found: dict[str, list[tuple[Scope, ast.stmt, ast.Call]]] = {}
        for scope in self.scopes():
            for statement in self.body(scope):
                for part in ast.iter_child_nodes(statement):
                    for node in ast.walk(part) if isinstance(part, (ast.expr, ast.withitem)) else ():
                        if isinstance(node, ast.Call) and (name := named(node.func)[1]):
                            found.setdefault(name, []).append((scope, statement, node))
        return found

    def calls(self, scope: Scope) -> list[tuple[Scope, ast.stmt, ast.Call]]:
        """Where a function is called by its name, a class's `__init__` by the class's."""
        name = qualified(scope)
        if name == "__init__":
            name = scope.name.split(".")[-2]
        return self._sites.get(name, [])

    def argument(self, scope: Scope, name: str, call: ast.Call) -> ast.expr | None:
        """What a call hands to a function's parameter; None where that cannot be read off, or is the default."""
        node = self._modules[scope.file].scopes[scope]
        if isinstance(node, ast.Module):
            return None
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        positional = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
        bound = positional[:1] in (["self"], ["cls"]) and (
            isinstance(call.func, ast.Attribute) or qualified(scope) == "__init__"
        )
        place = positional.index(name) - bound if name in positional else -1
        before = call.args[: place + 1]
        if place < 0 or len(before) <= place or any(isinstance(one, ast.Starred) for one in before):
            return None
        return call.args[place]


def _stored(node: ast.stmt) -> Iterator[str]:
    """Names that a statement itself assigns."""
    if isinstance(node, STATEMENTS):
        yield node.name
        return
    for part in ast.iter_child_nodes(node):
        for one in ast.walk(part) if isinstance(part, (ast.expr, ast.withitem)) else ():
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                yield one.id

"""Runs expression trees in a frame of a stopped thread."""

from collections.abc import Awaitable, Callable
from typing import Any

from dapwright.core.errors import UsageError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm import expressions_tree as tree
from dapwright.engines.jvm.expressions_arithmetic import RANK, binary, convert, tag_of, unary
from dapwright.engines.jvm.expressions_calls import BOXED, Operand
from dapwright.engines.jvm.expressions_names import TypeRef, UnknownName
from dapwright.engines.jvm.expressions_places import Place
from dapwright.engines.jvm.expressions_texts import Texts
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.signatures import name_of, signature_of


class Run(Texts):
    """One evaluation; call `done` at its end."""

    async def value(self, node: tree.Node) -> Operand:
        """The value of an expression.

        Raises:
            UsageError: it makes no sense here.
            Thrown: code that it called threw.
        """
        found = await self.run(node)
        if isinstance(found, TypeRef):
            raise UsageError(f"`{await self.machine.types.name(found.type)}` is a class, not a value")
        return found

    async def run(self, node: tree.Node) -> Operand | TypeRef:
        step: Callable[[Any], Awaitable[Operand | TypeRef]] = getattr(self, "_" + type(node).__name__.lower())
        return await step(node)

    async def _literal(self, node: tree.Literal) -> Operand:
        return node.value

    async def _name(self, node: tree.Name) -> Operand | TypeRef:
        if node.name in ("this", "super"):
            this = await self.scope.this()
            if not this.value:
                raise UsageError("there is no `this` in a static method")
            return this
        found = await self.scope.find(node.name)
        if found is not None:
            return await self.read(found)
        type_id = await self.scope.type(node.name)
        if type_id is not None:
            return TypeRef(type_id)
        hint = await self.scope.nameless()
        raise UnknownName(f"`{node.name}` is not a variable, field or class here", hint)

    async def _member(self, node: tree.Member) -> Operand | TypeRef:
        try:
            target = await self.run(node.target)
        except UnknownName:
            type_id = await self.scope.type(".".join(tree.names(node) or []))
            if type_id is None:
                raise
            return TypeRef(type_id)
        if isinstance(target, TypeRef):
            return await self._static_member(target, node.name)
        array = node.name == "length" and (await self.calls.signature(target)).startswith("[")
        if array and isinstance(target, Value):
            return Value("I", await self.machine.array_length(target.value))
        try:
            return await self.read(await self.field(target, node.name))
        except UnknownName:
            getter = await self.getter(target, node.name)
            if getter is None:
                raise
            return await self.calls.call(getter, [], on=(await self.calls.real(target)).value)

    async def _static_member(self, target: TypeRef, name: str) -> Operand | TypeRef:
        owner = await self.machine.types.name(target.type)
        if name == "this":
            return await self.outer(target)
        field = await self.scope.static_field(target.type, name)
        if field:
            return await self.read(field)
        type_id = await self.scope.type(f"{owner}${name}")
        if type_id is None:
            raise UnknownName(f"`{owner}` has no static field or class `{name}`")
        return TypeRef(type_id)

    async def _index(self, node: tree.Index) -> Value:
        return await self.read(await self.place(node))

    async def place(self, node: tree.Node) -> Place:
        """Where an assignment to `node` goes."""
        if isinstance(node, tree.Name):
            found = await self.scope.find(node.name)
            if found is None:
                raise UnknownName(f"`{node.name}` is not a variable or field here")
            return found
        if isinstance(node, tree.Member):
            target = await self.run(node.target)
            if not isinstance(target, TypeRef):
                return await self.field(target, node.name)
            static = await self.scope.static_field(target.type, node.name)
            if static is None:
                raise UnknownName(f"there is no static field `{node.name}`")
            return static
        if isinstance(node, tree.Index):
            array = await self.value(node.target)
            index = await self.calls.unbox(await self.value(node.index))
            return await self.item(array, index)
        raise UsageError("only a variable, a field or an array's item can be assigned")

    async def _assign(self, node: tree.Assign) -> Operand:
        place = await self.place(node.target)
        value = await self.value(node.value)
        if node.operator:
            before = await self.read(place)
            value = await self.apply(node.operator, before, value)
            if isinstance(value, Value) and value.tag in RANK and before.tag in RANK:
                value = convert(value, before.tag)
        await self.write(place, value)
        return await self.read(place)

    async def _step(self, node: tree.Step) -> Operand:
        place = await self.place(node.target)
        before = await self.calls.unbox(await self.read(place))
        if isinstance(before, str) or before.tag not in RANK:
            raise UsageError(f"`{node.operator}{node.operator}` needs a number")
        after = convert(binary(node.operator, before, Value("I", 1)), before.tag)
        await self.write(place, after)
        return after if node.before else before

    async def _unary(self, node: tree.Unary) -> Operand:
        operand = await self.calls.unbox(await self.value(node.operand))
        if isinstance(operand, str):
            raise UsageError(f"`{node.operator}` does not take a string")
        return unary(node.operator, operand)

    async def _binary(self, node: tree.Binary) -> Operand:
        left = await self.value(node.left)
        if node.operator in ("&&", "||"):
            first = await self.truth(left, node.operator)
            if first == (node.operator == "||"):
                return Value("Z", first)
            return Value("Z", await self.truth(await self.value(node.right), node.operator))
        return await self.apply(node.operator, left, await self.value(node.right))

    async def truth(self, value: Operand, what: str = "a condition") -> bool:
        """Raises UsageError: it is no boolean."""
        plain = await self.calls.unbox(value)
        if isinstance(plain, str) or plain.tag != "Z":
            raise UsageError(
                f"`{what}` needs a boolean, not a {name_of(await self.calls.signature(plain) or 'Lnull;')}"
            )
        return bool(plain.value)

    async def apply(self, operator: str, left: Operand, right: Operand) -> Operand:
        """A binary operator on two values: strings are joined, references compared, boxes opened."""
        sides = (left, right)
        strings = [isinstance(side, str) or side.tag == "s" for side in sides]
        if operator == "+" and any(strings):
            return await self.text(left) + await self.text(right)
        objects = [isinstance(side, str) or side.is_object for side in sides]
        if operator in ("==", "!=") and all(objects):
            ids = [(await self.calls.real(side)).value for side in sides]
            return Value("Z", (ids[0] == ids[1]) == (operator == "=="))
        a, b = await self.calls.unbox(left), await self.calls.unbox(right)
        if isinstance(a, str) or isinstance(b, str) or a.is_object or b.is_object:
            kinds = [name_of(await self.calls.signature(side) or "Lnull;") for side in sides]
            raise UsageError(f"`{operator}` does not take a {kinds[0]} and a {kinds[1]}")
        return binary(operator, a, b)

    async def _choice(self, node: tree.Choice) -> Operand:
        return await self.value(node.yes if await self.truth(await self.value(node.test), "?") else node.no)

    async def _instanceof(self, node: tree.InstanceOf) -> Value:
        value = await self.calls.real(await self.value(node.operand))
        return Value("Z", bool(value.value) and await self._is(value, node.type))

    async def _is(self, value: Value, name: str) -> bool:
        if name.endswith("[]"):
            return await self.calls.signature(value) == signature_of(name)
        type_id = await self.scope.type(name)
        if type_id is None:
            raise UnknownName(f"there is no class `{name}` here")
        wanted = await self.machine.types.signature(type_id)
        if wanted == "Ljava/lang/Object;":
            return True
        return await self.machine.types.is_a(await self.machine.type_of(value.value), wanted)

    async def _cast(self, node: tree.Cast) -> Operand:
        value = await self.value(node.operand)
        tag = tag_of(node.type)
        if tag:
            plain = await self.calls.unbox(value)
            if isinstance(plain, str):
                raise UsageError(f"a string cannot become a {node.type}")
            return convert(plain, tag)
        if isinstance(value, Value) and not value.is_object:
            return await self.calls.box(value)
        real = await self.calls.real(value)
        if real.value and not await self._is(real, node.type):
            found = name_of(await self.calls.signature(real))
            raise UsageError(f"java.lang.ClassCastException: a {found} is no {node.type}")
        return value

    async def _classliteral(self, node: tree.ClassLiteral) -> Value:
        if tag_of(node.type) in BOXED:
            boxed = tree.Member(tree.Name(BOXED[tag_of(node.type)]), "TYPE")
            return await self.calls.real(await self.value(boxed))
        type_id = await self.scope.type(node.type)
        if type_id is None:
            raise UnknownName(f"there is no class `{node.type}` here")
        reader = await self.machine.link.ask(codes.CLASS_OBJECT, self.machine.link.writer().type(type_id))
        return Value("c", reader.object())

    async def _newarray(self, node: tree.NewArray) -> Operand:
        if node.items is not None:
            return await self.calls.array(
                await self._array_signature(node.type), [await self.value(i) for i in node.items]
            )
        if len(node.sizes) > 1:
            raise tree.NeedsCompiler
        size = await self.calls.fit(await self.value(node.sizes[0]), "I")
        loaded = await self.machine.classes(await self._array_signature(node.type))
        if not loaded:
            raise tree.NeedsCompiler
        return await self.calls.hold(await self.machine.new_array(loaded[0].id, size.value))

    async def _array_signature(self, name: str) -> str:
        core = name.rstrip("[]")
        if tag_of(core):
            return signature_of(name)
        type_id = await self.scope.type(core)
        if type_id is None:
            raise UnknownName(f"there is no class `{core}` here")
        return "[" * name.count("[") + await self.machine.types.signature(type_id)

    async def _new(self, node: tree.New) -> Operand:
        type_id = await self.scope.type(node.type)
        if type_id is None:
            raise UnknownName(f"there is no class `{node.type}` here")
        args = [await self.value(arg) for arg in node.args]
        return await self.calls.call(await self.calls.choose(type_id, "<init>", args, static=True), args)

    async def _call(self, node: tree.Call) -> Operand:
        args_of = node.args
        if node.target is None:
            return await self._bare_call(node)
        target = await self.run(node.target)
        args = [await self.value(arg) for arg in args_of]
        if isinstance(target, TypeRef):
            return await self.static_call(target.type, node.name, args)
        quick = await self.quick(target, node.name, args)
        if quick is not None:
            return quick
        real = await self.calls.real(target)
        if not real.is_object:
            raise UsageError(f"a {name_of(real.tag)} has no methods")
        if not real.value:
            raise UsageError(f"java.lang.NullPointerException: `{node.name}()` on null")
        method = await self.calls.choose(await self.machine.type_of(real.value), node.name, args, static=False)
        return await self.calls.call(method, args, on=real.value)

    async def _bare_call(self, node: tree.Call) -> Operand:
        """A method of `this`, of what encloses it, or a static one around."""
        args = [await self.value(arg) for arg in node.args]
        this = await self.scope.this()
        around = await self.scope.enclosing()
        own_type = await self.machine.type_of(this.value) if this.value else 0
        if own_type and await self._has(own_type, node.name):
            method = await self.calls.choose(own_type, node.name, args, static=False)
            return await self.calls.call(method, args, on=0 if method.is_static else this.value)
        for type_id in around:
            if await self._has(type_id, node.name):
                method = await self.calls.choose(type_id, node.name, args, static=not this.value)
                outer = Value("L", 0) if method.is_static else await self.outer(TypeRef(type_id))
                return await self.calls.call(method, args, on=outer.value)
        own = await self.machine.types.name(around[0])
        raise UnknownName(f"`{own}` has no method `{node.name}` here")

    async def _has(self, type_id: int, name: str) -> bool:
        lineage = await self.machine.types.ancestry(type_id)
        for one in lineage:
            if name in [method.name for method in await self.machine.types.methods(one)]:
                return True
        return False

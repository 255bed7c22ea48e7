"""Which overload a call means, and its arguments made to fit."""

from collections.abc import Sequence

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.expressions_arithmetic import RANK, convert, widens
from dapwright.engines.jvm.expressions_names import load_class
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.signatures import PRIMITIVES, name_of, parameters, signature_of
from dapwright.engines.jvm.types import Method

Operand = Value | str
"""A value, or a string that need not exist in the JVM yet."""
BOXED = {
    "I": "Integer", "J": "Long", "S": "Short", "B": "Byte", "C": "Character", "Z": "Boolean", "F": "Float",
    "D": "Double",
}  # fmt: skip
UNBOXED = {f"Ljava/lang/{name};": tag for tag, name in BOXED.items()}
VARARGS = 0x80


class Calls:
    """Chooses and calls methods of one JVM, on one thread."""

    def __init__(self, machine: Machine, thread: int, seconds: float) -> None:
        self.machine = machine
        self.thread = thread
        self.seconds = seconds
        self.kept: list[int] = []
        """Objects held against the garbage collector until the evaluation's end."""

    async def hold(self, value: Value) -> Value:
        """Keep an object that only we know."""
        if value.is_object and value.value:
            await self.machine.keep(value.value)
            self.kept.append(value.value)
        return value

    async def real(self, value: Operand) -> Value:
        """The value, in the JVM."""
        return await self.hold(await self.machine.new_string(value)) if isinstance(value, str) else value

    async def signature(self, value: Operand) -> str:
        """The runtime type of a value; "" for null."""
        if isinstance(value, str) or value.tag == "s":
            return "Ljava/lang/String;" if isinstance(value, str) or value.value else ""
        if not value.is_object:
            return value.tag
        return await self.machine.types.signature(await self.machine.type_of(value.value)) if value.value else ""

    async def choose(self, type_id: int, name: str, args: Sequence[Operand], *, static: bool) -> Method:
        """The most fitting method of a class or its ancestors.

        Raises:
            UsageError: none fits.
        """
        best: tuple[int, Method] | None = None
        names: list[str] = []
        seen: set[str] = set()
        lineage = [type_id] if name == "<init>" else await self._lineage(type_id)
        for one in lineage:
            for method in await self.machine.types.methods(one):
                if (
                    method.name != name
                    or method.signature in seen
                    or (static and not method.is_static and name != "<init>")
                ):
                    continue
                seen.add(method.signature)
                names.append(", ".join(name_of(one) for one in parameters(method.signature)))
                cost = await self.cost(method, args)
                if cost is not None and (best is None or cost < best[0]):
                    best = (cost, method)
        if best is None:
            await self._refuse(type_id, name, args, names, static)
        assert best is not None
        return best[1]

    async def _lineage(self, type_id: int) -> list[int]:
        found = await self.machine.types.ancestry(type_id)
        roots = await self.machine.classes("Ljava/lang/Object;")
        return [*found, *(root.id for root in roots if root.id not in found)]

    async def _refuse(self, type_id: int, name: str, args: Sequence[Operand], names: list[str], static: bool) -> None:
        owner = await self.machine.types.name(type_id)
        given = ", ".join([name_of(await self.signature(arg) or "Lnull;") for arg in args])
        if not names:
            kind = "static method" if static else "method"
            raise UsageError(f"`{owner}` has no {kind} `{name}`")
        raise UsageError(f"`{owner}.{name}` does not take ({given}); it takes ({') or ('.join(names)})")

    async def cost(self, method: Method, args: Sequence[Operand]) -> int | None:
        """How far the arguments are from the parameters; None where they do not fit."""
        wanted = parameters(method.signature)
        spread = bool(method.flags & VARARGS)
        if len(wanted) == len(args):
            costs = [await self._distance(arg, one) for arg, one in zip(args, wanted, strict=True)]
            if None not in costs:
                return sum(cost for cost in costs if cost is not None)
        if spread and len(args) >= len(wanted) - 1:
            fixed = wanted[:-1] + [wanted[-1][1:]] * (len(args) - len(wanted) + 1)
            costs = [await self._distance(arg, one) for arg, one in zip(args, fixed, strict=True)]
            if None not in costs:
                return 1000 + sum(cost for cost in costs if cost is not None)
        return None

    async def _distance(self, value: Operand, wanted: str) -> int | None:
        given = await self.signature(value)
        if given == wanted:
            return 0
        if not given:
            return None if wanted in PRIMITIVES else 1
        if given in PRIMITIVES:
            if wanted in PRIMITIVES:
                return RANK[wanted] - RANK[given] + 1 if widens(given, wanted) else None
            return await self._distance_of_box(f"Ljava/lang/{BOXED[given]};", wanted)
        if wanted in PRIMITIVES:
            inner = UNBOXED.get(given)
            return 20 if inner and widens(inner, wanted) else None
        return await self._up(given, wanted, value)

    async def _distance_of_box(self, box: str, wanted: str) -> int | None:
        if box == wanted:
            return 20
        general = {"Ljava/lang/Object;": 30, "Ljava/lang/Number;": 25, "Ljava/lang/Comparable;": 26}
        general["Ljava/io/Serializable;"] = 27
        if wanted == "Ljava/lang/Number;" and box in ("Ljava/lang/Boolean;", "Ljava/lang/Character;"):
            return None
        return general.get(wanted)

    async def _up(self, given: str, wanted: str, value: Operand) -> int | None:
        if wanted == "Ljava/lang/Object;":
            return 15
        loaded = await self.machine.classes(given) if isinstance(value, str) else None
        type_id = loaded[0].id if loaded else await self.machine.type_of(value.value) if isinstance(value, Value) else 0
        if given.startswith("[") and wanted.startswith("["):
            inner = [one.id for one in await self.machine.classes(given[1:])] if given[1:] not in PRIMITIVES else []
            return 3 if inner and await self.machine.types.is_a(inner[0], wanted[1:]) else None
        for at, one in enumerate(await self.machine.types.ancestry(type_id)):
            if await self.machine.types.signature(one) == wanted:
                return at + 1
        return None

    async def fit(self, value: Operand, wanted: str) -> Value:
        """Turn an argument into what a parameter, a variable or a field takes.

        Raises:
            UsageError: it does not fit.
        """
        if wanted in PRIMITIVES:
            plain = await self.unbox(value)
            if isinstance(plain, str) or not (widens(plain.tag, wanted) or _constant_fits(plain, wanted)):
                given = name_of(await self.signature(value) or "Lnull;")
                raise UsageError(f"a {given} does not fit into a {name_of(wanted)}", "use a cast")
            return convert(plain, wanted) if plain.tag != wanted else plain
        if isinstance(value, Value) and not value.is_object:
            inner = UNBOXED.get(wanted)
            return await self.box(
                convert(value, inner) if inner and inner != value.tag and widens(value.tag, inner) else value
            )
        real = await self.real(value)
        if real.value and await self._distance(real, wanted) is None:
            raise UsageError(f"a {name_of(await self.signature(real))} is no {name_of(wanted)}")
        return real

    async def unbox(self, value: Operand) -> Operand:
        """The primitive in a box; anything else as it is."""
        held = isinstance(value, Value) and value.is_object and value.value
        if held and await self.signature(value) in UNBOXED:
            return await self.machine.detail(held, "value")
        return value

    async def box(self, value: Value) -> Value:
        owner = f"java.lang.{BOXED[value.tag]}"
        loaded = await self.machine.classes(signature_of(owner))
        type_id = loaded[0].id if loaded else await load_class(self.machine, self.thread, owner, 0) or 0
        wanted = f"({value.tag})L{owner.replace('.', '/')};"
        methods = await self.machine.types.methods(type_id)
        method = next(m for m in methods if m.name == "valueOf" and m.signature == wanted)
        return await self.hold(await self.machine.call(self.thread, method, [value], seconds=self.seconds))

    async def call(self, method: Method, args: Sequence[Operand], on: int = 0) -> Value:
        """Call a chosen method with arguments made to fit; what it returns is kept."""
        wanted = parameters(method.signature)
        if method.flags & VARARGS and not await self._whole(args, wanted):
            count = len(wanted) - 1
            args = [*args[:count], await self.array(wanted[-1], list(args[count:]))]
        fitted = [await self.fit(arg, one) for arg, one in zip(args, wanted, strict=True)]
        return await self.hold(await self.machine.call(self.thread, method, fitted, on=on, seconds=self.seconds))

    async def _whole(self, args: Sequence[Operand], wanted: list[str]) -> bool:
        return len(args) == len(wanted) and await self._distance(args[-1], wanted[-1]) is not None

    async def array(self, signature: str, items: Sequence[Operand]) -> Value:
        """A new array of a type (its signature) with these items."""
        loaded = await self.machine.classes(signature)
        if not loaded:
            raise UsageError(f"no `{name_of(signature)}` exists in the program yet")
        made = await self.hold(await self.machine.new_array(loaded[0].id, len(items)))
        for at, item in enumerate(items):
            await self.machine.set_array_item(made.value, at, await self.fit(item, signature[1:]))
        return made

    def done(self) -> None:
        """Let go of everything that was kept."""
        self.machine.release(self.kept)
        self.kept.clear()


def _constant_fits(value: Value, wanted: str) -> bool:
    """An int that fits goes into a byte, short or char, as constants do."""
    limits = {"B": (-128, 127), "S": (-32768, 32767), "C": (0, 65535)}
    return value.tag == "I" and wanted in limits and limits[wanted][0] <= value.value <= limits[wanted][1]

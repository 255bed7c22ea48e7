"""Strings in expressions: joined and compared here, without a call in the program where that can be."""

from dapwright.engines.jvm.expressions_calls import Operand
from dapwright.engines.jvm.expressions_places import Places
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.text import primitive


class Texts(Places):
    """What values are as strings."""

    async def text(self, value: Operand) -> str:
        """What `String.valueOf` makes of a value; calls `toString`."""
        if isinstance(value, str):
            return value
        if value.tag == "s":
            return await self.machine.string(value.value) if value.value else "null"
        plain = await self.calls.unbox(value)
        if isinstance(plain, str):
            return plain
        if not plain.is_object:
            return chr(plain.value) if plain.tag == "C" else primitive(plain)
        if not plain.value:
            return "null"
        type_id = await self.machine.type_of(plain.value)
        method = await self.calls.choose(type_id, "toString", [], static=False)
        told = await self.calls.call(method, [], on=plain.value)
        return await self.machine.string(told.value) if told.value else "null"

    async def quick(self, target: Operand, name: str, args: list[Operand]) -> Value | None:
        """`equals` and `isEmpty` of strings, without a call: conditions live by them."""
        text = await self._plain(target)
        if text is None:
            return None
        if name == "isEmpty" and not args:
            return Value("Z", not text)
        if name in ("equals", "startsWith", "endsWith") and len(args) == 1:
            other = await self._plain(args[0])
            if other is not None:
                tests = {
                    "equals": text == other,
                    "startsWith": text.startswith(other),
                    "endsWith": text.endswith(other),
                }
                return Value("Z", tests[name])
        return None

    async def _plain(self, value: Operand) -> str | None:
        if isinstance(value, str):
            return value
        return await self.machine.string(value.value) if value.tag == "s" and value.value else None

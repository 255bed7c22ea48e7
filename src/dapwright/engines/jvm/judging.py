"""Whether an event is worth a stop: conditions, counts, logpoints, exceptions, watched fields."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from dapwright.core.errors import DapwrightError
from dapwright.engines.jvm.codes import Kind, Policy
from dapwright.engines.jvm.events import Event
from dapwright.engines.jvm.handles import FrameHandle
from dapwright.engines.jvm.hits import read_hits
from dapwright.engines.jvm.packets import VOID, Value
from dapwright.engines.jvm.planted import Breakpoint
from dapwright.engines.jvm.planting import Plant
from dapwright.engines.jvm.stepping import STRANGERS
from dapwright.engines.jvm.stops import Stop
from dapwright.engines.jvm.template import Part, read_template
from dapwright.engines.jvm.watching import Watch

if TYPE_CHECKING:
    from dapwright.engines.jvm.session import Jvm

Told = Callable[[Breakpoint, str], None]


class Judge:
    """Turns events into stops, or into nothing."""

    def __init__(self, jvm: "Jvm", plant: Plant, log: Told, changed: Callable[[object], None]) -> None:
        self._jvm = jvm
        self._plant = plant
        self._log = log
        self._changed = changed
        self._exception = 0

    async def judge(self, event: Event) -> Stop | None:
        """The stop that an event makes; None where the program is to go on."""
        match event.kind:
            case Kind.BREAKPOINT:
                one = self._plant.of(event.request)
                if one is None:
                    await self._jvm.steps.leaving(event)
                return await self._breakpoint(one, event) if one else None
            case Kind.STEP:
                return await self._step(event)
            case Kind.EXCEPTION:
                return await self._thrown(event)
            case Kind.FIELD_ACCESS | Kind.FIELD_MODIFICATION:
                watch = self._jvm.watches.of(event)
                return await self._field(watch, event) if watch else None
        return None

    async def _breakpoint(self, one: Breakpoint, event: Event) -> Stop | None:
        if one.entry:
            await self._plant.want_entry([])
            return Stop("entry", event.thread)
        if one.condition and not await self._holds(one, one.condition, event):
            return None
        one.hits += await self._plant.hits_of(one, event.request)
        if one.counts is not None and not one.counts.holds(one.hits):
            return None
        if one.log:
            self._log(one, await self._message(one, event))
            return None
        reason = "function breakpoint" if one.function else "breakpoint"
        return Stop(reason, event.thread, one.policy, [one.id])

    async def _holds(self, one: Breakpoint | Watch, condition: str, event: Event) -> bool:
        """A condition that fails does not stop; the failure is told once, by the breakpoint."""
        try:
            held = await self._jvm.evaluation.is_true(FrameHandle(event.thread, 0), condition)
        except DapwrightError as bad:
            if self._jvm.machine.link.ended is not None:
                raise
            failure = f"the condition `{condition}` failed: {bad}"
            if one.failure != failure:
                one.failure = failure
                self._changed(one)
            return False
        return held

    async def _message(self, one: Breakpoint, event: Event) -> str:
        pieces = []
        for part in read_template(one.log):
            pieces.append(await self._piece(part, event) if part.expression else part.text)
        return "".join(pieces)

    async def _piece(self, part: Part, event: Event) -> str:
        evaluation = self._jvm.evaluation
        try:
            found = (await evaluation.evaluate(FrameHandle(event.thread, 0), part.text)).value
            if isinstance(found, str):
                return found
            if found.tag == "s" and found.value:
                return await self._jvm.machine.string(found.value)
            return (await self._jvm.values.show(found)).text
        except DapwrightError as bad:
            if self._jvm.machine.link.ended is not None:
                raise
            return f"{{{bad}}}"
        finally:
            self._jvm.machine.release(evaluation.kept)
            evaluation.kept.clear()

    async def _step(self, event: Event) -> Stop | None:
        step = await self._jvm.steps.landed(event)
        if step is None:
            return None
        stop = Stop("step", event.thread, step.policy)
        if step.strangers > STRANGERS:
            stop.extra["description"] = "it calls itself too often for its value to be told"
        if step.returned is not None and step.returned != VOID:
            shown = await self._jvm.values.show(step.returned)
            stop.extra["returnValue"] = {"value": shown.text, "type": shown.type}
        return stop

    async def _thrown(self, event: Event) -> Stop | None:
        jvm = self._jvm
        if event.exception == self._exception or not await jvm.exceptions.wants(event):
            return None  # thrown again on its way (a `finally`, a rethrow): it was told where it began
        self._exception = event.exception
        shown = await jvm.values.show(Value("L", event.exception), depth=0)
        name = await jvm.machine.types.name(await jvm.machine.type_of(event.exception))
        return Stop(
            "exception",
            event.thread,
            text=name,
            description=shown.text,
            exception=event.exception,
            catch_type=event.catch.type,
        )

    async def _field(self, watch: Watch, event: Event) -> Stop | None:
        if watch.condition and not await self._holds(watch, watch.condition, event):
            return None
        watch.hits += 1
        if watch.hit_words and not read_hits(watch.hit_words).holds(watch.hits):
            return None
        jvm = self._jvm
        field = watch.field
        if field.is_static:
            old = (await jvm.machine.read_statics(field.type, [field]))[0]
        else:
            old = (await jvm.machine.read_fields(event.object, [field]))[0]
        writes = event.kind is Kind.FIELD_MODIFICATION
        extra = {"expression": watch.expression, "oldValue": (await jvm.values.show(old)).text}
        if writes:
            extra["newValue"] = (await jvm.values.show(event.value)).text
        extra["access"] = "write" if writes else "read"
        return Stop("data breakpoint", event.thread, Policy.ALL, [watch.id], extra=dict(extra), quiet_step=writes)

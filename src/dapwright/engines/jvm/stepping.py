"""Steps: one at a time a thread, and what a function returned when stepped out of.

What a function returns is told by the event of its exit alone, and a request for exits tells those of the whole class:
a flood, where the function calls its neighbours in a loop. So breakpoints on the function's own return instructions
come first, and the exit is asked for at the one that is met in the frame that is left.
"""

from msgspec import Struct, field

from dapwright.engines.jvm import codes
from dapwright.engines.jvm.bytecode import returns
from dapwright.engines.jvm.codes import Kind, Policy
from dapwright.engines.jvm.events import Event
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.mangling import ADAPTED
from dapwright.engines.jvm.packets import Location, Value
from dapwright.engines.jvm.signatures import INTERNAL, INTERNAL_TOO, LAMBDA

INTO, OVER, OUT = 0, 1, 2
HIDDEN = ("access$",)
RETRIES = 200
"""How often a step goes on by itself from code that no person wrote."""
STRANGERS = 500
"""Returns of a function that calls itself, after which a step out of it no longer asks for what it returns."""


class Step(Struct):
    """A step that is under way."""

    request: int
    depth: int
    policy: Policy
    size: int = 1
    own_code: bool = True
    returns: list[int] = field(default_factory=list[int])
    """Requests for breakpoints on the return instructions of the frame that is left."""
    strangers: int = 0
    """Returns met in other frames of the same function: it calls itself."""
    exits: int = 0
    """The request for method exits, 0 without."""
    method: int = 0
    type: int = 0
    returned: Value | None = None
    left: int = RETRIES
    frames: int = 0


class Steps:
    """The steps under way, by thread."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.going: dict[int, Step] = {}

    async def begin(self, thread: int, depth: int, *, policy: Policy, own_code: bool, size: int = 1) -> None:
        """Ask for a step; the thread must then be resumed."""
        await self.cancel(thread)
        frames = await self.machine.frames(thread)
        step = Step(0, depth, policy, size, own_code, frames=len(frames))
        step.request = await self._ask(thread, step)
        self.going[thread] = step
        if depth == OUT and frames:
            place = frames[0].location
            step.method, step.type = place.method, place.type
            await self._await_return(thread, step, place)

    async def _await_return(self, thread: int, step: Step, place: Location) -> None:
        method = await self.machine.types.method(place.type, place.method)
        code = await self.machine.types.code(method) if method and not method.flags & codes.NATIVE else b""
        for index in returns(code):
            at = Location(place.tag, place.type, place.method, index)
            rest = self.machine.modifiers().thread(thread).location(at)
            step.returns.append(await self.machine.set_request(Kind.BREAKPOINT, Policy.THREAD, rest))
        if step.returns and place.index in returns(code):  # it stands at its return: no breakpoint is met any more
            await self._await_exit(thread, step)

    async def leaving(self, event: Event) -> None:
        """A return instruction was met: where it is that of the frame that is left, its value is asked for."""
        step = self.going.get(event.thread)
        if step is None or event.request not in step.returns or step.exits:
            return
        if await self.machine.depth(event.thread) == step.frames:
            await self._await_exit(event.thread, step)
            return
        step.strangers += 1
        if step.strangers > STRANGERS:
            await self._drop_returns(step)

    async def _await_exit(self, thread: int, step: Step) -> None:
        await self._drop_returns(step)
        rest = self.machine.modifiers().thread(thread).class_only(step.type).count(1)
        step.exits = await self.machine.set_request(Kind.METHOD_EXIT_WITH_VALUE, Policy.NONE, rest)

    async def _drop_returns(self, step: Step) -> None:
        requests, step.returns = step.returns, []
        for request in requests:
            await self.machine.clear_request(Kind.BREAKPOINT, request)

    async def _ask(self, thread: int, step: Step) -> int:
        rest = self.machine.modifiers().step(thread, size=step.size, depth=step.depth)
        if step.own_code:
            rest.class_exclude(*(package + "*" for package in INTERNAL + INTERNAL_TOO))
        return await self.machine.set_request(Kind.STEP, step.policy, rest.count(1))

    async def cancel(self, thread: int) -> None:
        """End a thread's step: it stopped for another reason."""
        step = self.going.pop(thread, None)
        if step is None:
            return
        await self.machine.clear_request(Kind.STEP, step.request)
        await self._drop_returns(step)
        if step.exits:
            await self.machine.clear_request(Kind.METHOD_EXIT_WITH_VALUE, step.exits)

    async def pop(self, thread: int, depth: int) -> None:
        """Drop the frames above and including `depth`: the thread stands at the call again.

        Raises:
            JdwpError: a native frame is among them.
        """
        await self.cancel(thread)
        frame = (await self.machine.frames(thread))[depth]
        await self.machine.link.ask(codes.POP_FRAMES, self.machine.link.writer().object(thread).frame(frame.id))
        self.machine.forget_frames()

    def returned(self, event: Event) -> None:
        """The function that is left returned."""
        step = self.going.get(event.thread)
        if step is not None and event.request == step.exits and event.location.method == step.method:
            step.returned = event.value

    async def landed(self, event: Event) -> Step | None:
        """The finished step; None where it was not asked for, or goes on from code that nobody wrote."""
        step = self.going.get(event.thread)
        if step is None or step.request != event.request:
            return None
        if step.left > 0 and await self._is_hidden(event, step):
            await self.machine.clear_request(Kind.STEP, step.request)
            step.left -= 1
            step.request = await self._ask(event.thread, step)
            return None
        await self.cancel(event.thread)
        return step

    async def _is_hidden(self, event: Event, step: Step) -> bool:
        types = self.machine.types
        method = await types.method(event.location.type, event.location.method)
        if method is None:
            return False
        if method.flags & codes.BRIDGE or method.name.startswith(HIDDEN) or method.name.endswith(ADAPTED):
            return True
        if LAMBDA in await types.name(event.location.type):  # the object that calls a lambda's body
            return step.size == 1
        line = await types.line_of(event.location)
        if line == 0:
            return step.size == 1 and step.depth == INTO
        chart = await types.source_map(event.location.type)
        return step.depth == OVER and chart.call_site(line) is not None

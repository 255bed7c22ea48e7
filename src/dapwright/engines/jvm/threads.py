"""Threads of a JVM and their frames."""

import asyncio
from collections.abc import Callable, Sequence

from msgspec import Struct

from dapwright.core.errors import NotSupported
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.connection import Connection, JdwpError
from dapwright.engines.jvm.packets import NULL, Location, Packet, Value
from dapwright.engines.jvm.types import Slot, Types


class JavaFrame(Struct, frozen=True):
    """A frame by the JVM's own id, which dies at every resume and every call of ours."""

    id: int
    location: Location


class Threads:
    """The commands for threads and frames."""

    def __init__(self, link: Connection) -> None:
        self.link = link
        self.types = Types(link)
        self.calling: set[int] = set()
        """Threads in a call of ours."""
        self.owed: dict[int, int] = {}
        """Suspensions that a thread in a call of ours was spared, and gets back after it."""
        self.counting: dict[int, asyncio.Future[Packet]] = {}
        """Threads about to be in a call of ours, and the question how often they are suspended."""
        self.on_late: Callable[[int], None] = lambda thread: None
        """Called when a call that ran out of time returns after all."""
        self.passed = 0
        """How many events were passed over in such calls."""
        self._frames: dict[int, list[JavaFrame]] = {}
        self._groups: dict[int, str] = {}

    def refuse_busy(self, thread: int) -> None:
        """Raise NotSupported for a thread that is still in a call of ours."""
        if thread in self.calling:
            raise NotSupported("that thread is still in a call of ours", "let the program run on, or wait for its end")

    async def threads(self) -> list[int]:
        reader = await self.link.ask(codes.ALL_THREADS)
        return [reader.object() for _ in range(reader.i32())]

    async def thread_name(self, thread: int) -> str:
        return (await self.link.ask(codes.THREAD_NAME, self.link.writer().object(thread))).text()

    async def main_thread(self) -> int:
        """The thread to show when nobody said which: `main`, else the first."""
        threads = await self.threads()
        names = [await self.thread_name(thread) for thread in threads]
        return dict(zip(names, threads, strict=True)).get("main") or (threads[0] if threads else 0)

    async def thread_state(self, thread: int) -> tuple[str, bool]:
        """The thread's state in a word, and whether it is suspended."""
        reader = await self.link.ask(codes.THREAD_STATUS, self.link.writer().object(thread))
        state, suspended = reader.i32(), reader.i32()
        return codes.STATES.get(state, "unknown"), bool(suspended)

    async def thread_group(self, thread: int) -> str:
        """The name of the thread's group: `main` holds the program's own, `system` the JVM's."""
        group = (await self.link.ask(codes.THREAD_GROUP, self.link.writer().object(thread))).object()
        if group not in self._groups:
            self._groups[group] = (await self.link.ask(codes.GROUP_NAME, self.link.writer().object(group))).text()
        return self._groups[group]

    async def is_virtual(self, thread: int) -> bool:
        """Tell whether it is a virtual thread; JVMs before 21 have none, and do not know the question."""
        try:
            return bool((await self.link.ask(codes.IS_VIRTUAL, self.link.writer().object(thread))).byte())
        except JdwpError:
            return False

    async def depth(self, thread: int) -> int:
        """How many frames a suspended thread has."""
        return (await self.link.ask(codes.FRAME_COUNT, self.link.writer().object(thread))).i32()

    async def top(self, thread: int, count: int) -> list[JavaFrame]:
        """The innermost frames of a suspended thread."""
        try:
            reader = await self.link.ask(codes.FRAMES, self.link.writer().object(thread).i32(0).i32(count))
        except JdwpError as refused:
            if refused.number != codes.INVALID_LENGTH:
                raise
            return []  # it has fewer: one that just began or ends
        return [JavaFrame(reader.frame(), reader.location()) for _ in range(reader.i32())]

    async def suspend(self) -> None:
        await self.link.ask(codes.SUSPEND_VM)

    async def resume(self) -> None:
        self._frames.clear()
        await self.link.ask(codes.RESUME_VM)

    async def resume_thread(self, thread: int) -> None:
        self._frames.pop(thread, None)
        await self.link.ask(codes.RESUME_THREAD, self.link.writer().object(thread))

    def spare(self, thread: int) -> None:
        """Take back one suspension of a thread in a call of ours: another thread's event brought it."""
        self.owed[thread] = self.owed.get(thread, 0) + 1
        self.link.send(codes.RESUME_THREAD, self.link.writer().object(thread))

    async def free(self, thread: int) -> None:
        """Bring a thread's suspensions down to the one that a call of ours needs: it takes one back, no more.

        Several threads that meet breakpoints at once suspend everything several times.
        """
        self.counting[thread] = future = self.link.send(codes.SUSPEND_COUNT, self.link.writer().object(thread))
        try:
            for _ in range((await self.link.result(future)).i32() - 1):
                self.spare(thread)
        finally:
            del self.counting[thread]

    def suspended_again(self) -> None:
        """An event suspended everything: threads in calls of ours, or counted just before one, are spared it."""
        counted = [thread for thread, answer in self.counting.items() if answer.done()]
        for thread in [*self.calling, *counted]:
            self.spare(thread)

    async def give_back(self, thread: int) -> None:
        """Suspend a thread as often as it was spared."""
        for _ in range(self.owed.pop(thread, 0)):
            await self.link.ask(codes.SUSPEND_THREAD, self.link.writer().object(thread))

    async def frames(self, thread: int) -> list[JavaFrame]:
        """The frames of a suspended thread, innermost first."""
        self.refuse_busy(thread)
        if thread not in self._frames:
            reader = await self.link.ask(codes.FRAMES, self.link.writer().object(thread).i32(0).i32(-1))
            self._frames[thread] = [JavaFrame(reader.frame(), reader.location()) for _ in range(reader.i32())]
        return self._frames[thread]

    def forget_frames(self) -> None:
        """Frame ids are dead: something ran."""
        self._frames.clear()

    async def frame_values(self, thread: int, frame: JavaFrame, slots: Sequence[Slot]) -> list[Value]:
        if not slots:
            return []
        writer = self.link.writer().object(thread).frame(frame.id).i32(len(slots))
        for slot in slots:
            writer.i32(slot.number).byte(ord(slot.signature[0]))
        reader = await self.link.ask(codes.FRAME_GET, writer)
        return [reader.tagged() for _ in range(reader.i32())]

    async def set_frame_value(self, thread: int, frame: JavaFrame, slot: Slot, value: Value) -> None:
        writer = self.link.writer().object(thread).frame(frame.id).i32(1).i32(slot.number).tagged(value)
        await self.link.ask(codes.FRAME_SET, writer)

    async def this(self, thread: int, frame: JavaFrame) -> Value:
        """The frame's receiver; null in a static or native method."""
        try:
            writer = self.link.writer().object(thread).frame(frame.id)
            return (await self.link.ask(codes.FRAME_THIS, writer)).tagged()
        except JdwpError as refused:
            if refused.number in (codes.NATIVE_METHOD, codes.OPAQUE_FRAME, codes.INVALID_FRAME):
                return NULL
            raise

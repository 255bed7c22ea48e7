"""Calls as they begin and end, threads apart, within limits: what was seen as events, told one by one.

How deep a frame lies is its caller's stack pointer, which needs no walk: the stack grows
downwards on every machine that gdb knows here, so what lies lower was called later.
"""

from .wiring import tell


class Call:
    """A call under way."""

    def __init__(self, number, key, depth, shown):
        self.number, self.key, self.depth, self.shown = number, key, depth, shown
        self.before = self.finish = None
        self.thrown = False


class Recorder:
    """The stacks of calls of all threads."""

    def __init__(self, most, depth, only):
        self.most, self.depth, self.only = most, depth, only
        self.stacks, self.errors = {}, {}
        self.seen = self.kept = 0
        self.found = False

    def full(self):
        """Nothing needs to be looked at any more."""
        return self.kept >= self.most or self.found

    def stack(self, thread):
        return self.stacks.setdefault(thread, [])

    def begin(self, thread, key, depth):
        """A function begins; None where its first instruction is only reached again, or it is only counted."""
        if self.seen + 1 < self.only:
            self.seen += 1
            return None
        self.unwind(thread, depth)
        stack = self.stack(thread)
        if stack and stack[-1].depth == depth and stack[-1].key == key and not stack[-1].thrown:
            return None
        self.unwind(thread, depth - 1)
        self.seen += 1
        under = not self.only or self.seen == self.only or any(each.number == self.only for each in stack)
        call = Call(self.seen, key, depth, under and (not self.depth or len(stack) < self.depth))
        stack.append(call)
        return call

    def began(self, thread, call, function, arguments, more):
        """Tell a call with its arguments."""
        stack = self.stack(thread)
        at = stack.index(call)
        parent = stack[at - 1].number if at else 0
        place = [function["name"], function["file"], function["line"]]
        self._tell(["call", call.number, parent, *place, arguments, more])

    def end(self, thread, call, value, changed):
        """A call returned."""
        stack = self.stack(thread)
        if call not in stack:
            return
        self.unwind(thread, call.depth)
        stack.remove(call)
        self._ended(call, ["return", call.number, value, changed])

    def throw(self, thread, error):
        """Something is thrown: whoever is gone at the next event was ended by it."""
        self.errors[thread] = error
        for call in self.stack(thread):
            call.thrown = True

    def catch(self, thread, depth):
        """It is known who catches it: whoever lies deeper is over."""
        self.unwind(thread, depth)
        for call in self.stack(thread):
            call.thrown = False

    def unwind(self, thread, depth):
        """What lies deeper than DEPTH is there no more."""
        stack = self.stack(thread)
        while stack and stack[-1].depth > depth:
            self._gone(thread, stack.pop())

    def finish(self):
        """The program has ended: of what was under way, that which threw is told as that."""
        for thread, stack in self.stacks.items():
            while stack:
                call = stack.pop()
                if call.thrown:
                    self._gone(thread, call)

    def _gone(self, thread, call):
        error = self.errors.get(thread) if call.thrown else None  # else a longjmp, which says nothing
        self._ended(call, ["raise", call.number, error or "<unknown>", {}])
        if call.finish is not None and call.finish.is_valid():
            call.finish.delete()

    def _ended(self, call, event):
        self.found = self.found or call.number == self.only
        if call.shown:
            self._tell(event)

    def _tell(self, event):
        if self.kept >= self.most:
            return
        self.kept += 1
        self.tell([event])

    def tell(self, events=()):
        """Tell events, and how many calls there were."""
        dropped = -1 if self.kept >= self.most else 0
        tell("dapwrightCalls", {"events": list(events), "calls": self.seen, "dropped": dropped})

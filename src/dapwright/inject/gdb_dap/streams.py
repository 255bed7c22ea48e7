"""The program's standard streams, as gdb should have given them.

gdb 18 hands the program its own stdout: chatter and output are mixed, stderr is lost
in it, bytes that are not UTF-8 end the reader, a line without its end never comes, and
stdin is /dev/null. So the program gets streams of ours: stdout is a raw pseudo-terminal
(the C library then flushes line by line, so that output is there at a stop), stderr and
stdin are pipes.
"""

import codecs
import os
import queue
import selectors
import termios
import threading
import time

from .wiring import server, startup, tell

CHUNK = 65536
MANY = 2000
"""Messages waiting to be written, beyond which the program is held back rather than our memory filled."""
TAIL = 4096


def _make_raw(fd, terminal):
    mode = termios.tcgetattr(fd)
    mode[1] &= ~termios.OPOST
    mode[3] &= ~(termios.ECHO | termios.ECHONL)
    if not terminal:
        mode[0] = 0
        mode[3] &= ~(termios.ICANON | termios.ISIG | termios.IEXTEN)
    termios.tcsetattr(fd, termios.TCSANOW, mode)


class Channel:
    """One stream of output: what is read, decoded, and cleared of our marks."""

    def __init__(self, category, reader, writer):
        self.category, self.reader, self.writer = category, reader, writer
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.mark = b"\x1e" + os.urandom(12).hex().encode() + b"\x1e"
        self.rest = b""
        self.seen = threading.Event()
        self.tail = ""
        os.set_blocking(writer, False)

    def take(self, data):
        """Tell what was read; marks are taken out, and whoever waits for one is woken."""
        data = self.rest + data
        self.rest = b""
        while self.mark in data:
            before, _, data = data.partition(self.mark)
            self.say(before)
            self.seen.set()
        keep = next((n for n in range(min(len(data), len(self.mark) - 1), 0, -1) if self.mark.startswith(data[-n:])), 0)
        if keep:
            self.rest, data = data[-keep:], data[:-keep]
        self.say(data)

    def say(self, data):
        text = self.decoder.decode(data)
        if text:
            self.tail = (self.tail + text)[-TAIL:]
            tell("output", {"category": self.category, "output": text})

    def ask(self):
        """Write a mark: once it comes out, all that was written before now is told. Whether it could be written."""
        self.seen.clear()
        try:
            os.write(self.writer, self.mark)
        except OSError:
            return False
        return True


class Streams:
    """The streams of one run of the program."""

    def __init__(self, terminal=False):
        self.terminal = terminal
        master, slave = os.openpty()
        _make_raw(slave, terminal)
        self.tty = os.ttyname(slave)
        self.channels = [Channel("stdout", master, slave)]
        if terminal:
            self.input, self.redirection = master, "<{0} >{0} 2>{0}".format(self.tty)
        else:
            error, self._error = os.pipe()
            self._input, self.input = os.pipe()
            self.channels.append(Channel("stderr", error, self._error))
            self.redirection = "<{0}/{1} >{2} 2>{0}/{3}".format(
                "/proc/%d/fd" % os.getpid(), self._input, self.tty, self._error
            )
        self._typed = queue.Queue()
        self._over = False
        startup.start_thread("program output", self._read)
        startup.start_thread("program input", self._write)

    def _read(self):
        chooser = selectors.DefaultSelector()
        for channel in self.channels:
            chooser.register(channel.reader, selectors.EVENT_READ, channel)
        while not self._over:
            while server._server._write_queue.qsize() > MANY:
                time.sleep(0.005)
            for key, _ in chooser.select(1.0):
                try:
                    data = os.read(key.fd, CHUNK)
                except OSError:
                    data = b""
                if data:
                    key.data.take(data)
                else:
                    chooser.unregister(key.fd)

    def _write(self):
        while True:
            data = self._typed.get()
            if data is None:
                return self._close_input()
            while data:
                data = data[os.write(self.input, data) :]

    def _close_input(self):
        if self.terminal:
            os.write(self.input, b"\x04")
        else:
            os.close(self.input)

    def type(self, text, close):
        """Feed standard input; CLOSE ends it."""
        if text:
            self._typed.put(text.encode("utf-8", "surrogateescape"))
        if close:
            self._typed.put(None)

    def flush(self, seconds=1.0):
        """Tell all that the program has written until now."""
        asked = [channel for channel in self.channels if channel.ask()]  # of all first: the reader wakes but once
        for channel in asked:
            channel.seen.wait(seconds)

    def last_words(self):
        """The end of what it wrote to stderr (of all, on a terminal)."""
        return self.channels[-1].tail

    def end(self):
        """Forget the streams: a new run gets new ones."""
        self._over = True

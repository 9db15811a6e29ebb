"""A pseudo-terminal whose screen pyte emulates."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from fcntl import ioctl

import pyte
from patience import PATIENCE

class Terminal:
    """A program in its own terminal, optionally with another standard output. `end()` returns its last line."""

    def __init__(self, *arguments: str, size: tuple[int, int] = (80, 44), output: int | None = None) -> None:
        self.screen = pyte.Screen(*size)
        self.drawn = b""
        self._stream = pyte.ByteStream(self.screen)
        self._terminal, end = pty.openpty()
        self._set_size(*size)
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.process = subprocess.Popen(
            [sys.executable, *arguments], stdin=end, stdout=end if output is None else output, stderr=end, env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(end)

    def close(self) -> None:
        """Ends the processes that are left. The kernel would not, because the terminal is not a controlling one."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._terminal)

    def _set_size(self, columns: int, lines: int) -> None:
        ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns: int, lines: int) -> None:
        """Resizes the terminal, and notifies the program."""
        self._set_size(columns, lines)
        self.screen.resize(lines, columns)
        os.kill(self.process.pid, signal.SIGWINCH)

    @property
    def is_echoing(self) -> bool:
        """Whether the terminal is in the mode for programs without a screen: echo, whole lines, and signals for Ctrl-C."""
        flags = termios.ECHO | termios.ICANON | termios.ISIG
        return bool(termios.tcgetattr(self._terminal)[3] & flags == flags)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def read(self, seconds: float) -> bool:
        """Reads the program's output; `False` at its end."""
        if select.select([self._terminal], [], [], seconds)[0]:
            try:
                data = os.read(self._terminal, 1 << 16)
            except OSError:  # EIO on Linux when the other end is closed.
                return False
            self.drawn += data
            self._stream.feed(data)
            return bool(data)
        return True

    def wait_for(self, text: str, *, gone: bool = False) -> None:
        """Waits until the screen contains the text, or no longer contains it."""
        deadline = time.monotonic() + PATIENCE
        while (text in self.text) == gone:
            if time.monotonic() > deadline or not self.read(0.1):
                raise AssertionError(f"waited for {text!r} in vain:\n{self.text}")

    def wait_until_still(self, text: str) -> None:
        """Waits until the screen contains the text and stays the same for a while, so that the focus has settled."""
        self.wait_for(text)
        before = ""
        while before != self.text:
            before, until = self.text, time.monotonic() + 0.7
            while time.monotonic() < until:
                self.read(0.1)

    def type(self, keys: str) -> None:
        """Types everything at once, as keys arrive over a slow connection."""
        os.write(self._terminal, keys.encode())

    def end(self) -> tuple[int, str]:
        """Returns the exit status and the last line of output."""
        deadline = time.monotonic() + PATIENCE
        while self.read(0.1):
            if time.monotonic() > deadline:
                raise AssertionError(f"the program is still running:\n{self.text}")
        status = self.process.wait(timeout=PATIENCE)
        last = self.drawn.decode(errors="replace").rstrip().splitlines()[-1]
        return status, last[last.find("{") :] if "{" in last else last

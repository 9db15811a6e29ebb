"""A terminal without a window: a pseudo-terminal, and pyte, which keeps its screen."""

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
    """A program in a terminal of its own, but for its standard output if another one is given. What it prints at the end is in `end()`."""

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
        """Ends what is left. Nobody would otherwise: the terminal is no controlling one."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._terminal)

    def _set_size(self, columns: int, lines: int) -> None:
        ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def resize(self, columns: int, lines: int) -> None:
        """Gives the terminal another size, and says so to the program."""
        self._set_size(columns, lines)
        self.screen.resize(lines, columns)
        os.kill(self.process.pid, signal.SIGWINCH)

    @property
    def is_echoing(self) -> bool:
        """Whether the terminal is as programs without a screen want it: it echoes, takes lines, and makes Ctrl-C a signal."""
        flags = termios.ECHO | termios.ICANON | termios.ISIG
        return bool(termios.tcgetattr(self._terminal)[3] & flags == flags)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def read(self, seconds: float) -> bool:
        """Takes what the program draws; `False` at its end."""
        if select.select([self._terminal], [], [], seconds)[0]:
            try:
                data = os.read(self._terminal, 1 << 16)
            except OSError:  # What Linux says where the other end is closed.
                return False
            self.drawn += data
            self._stream.feed(data)
            return bool(data)
        return True

    def wait_for(self, text: str, *, gone: bool = False) -> None:
        """Waits until the screen has the text, or has it no more."""
        deadline = time.monotonic() + PATIENCE
        while (text in self.text) == gone:
            if time.monotonic() > deadline or not self.read(0.1):
                raise AssertionError(f"waited for {text!r} in vain:\n{self.text}")

    def wait_until_still(self, text: str) -> None:
        """Waits until the screen has the text, and stays as it is for a while: the keyboard is where it belongs by then."""
        self.wait_for(text)
        before = ""
        while before != self.text:
            before, until = self.text, time.monotonic() + 0.7
            while time.monotonic() < until:
                self.read(0.1)

    def type(self, keys: str) -> None:
        """Types all of it at once, as keys come through a slow connection."""
        os.write(self._terminal, keys.encode())

    def end(self) -> tuple[int, str]:
        """The status, and the last line that was written."""
        deadline = time.monotonic() + PATIENCE
        while self.read(0.1):
            if time.monotonic() > deadline:
                raise AssertionError(f"the program goes on:\n{self.text}")
        status = self.process.wait(timeout=PATIENCE)
        last = self.drawn.decode(errors="replace").rstrip().splitlines()[-1]
        return status, last[last.find("{") :] if "{" in last else last

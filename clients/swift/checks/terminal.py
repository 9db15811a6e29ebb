"""A terminal in which a program runs, with an emulated screen."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import pyte

TIMEOUT = 60


class Screen(pyte.Screen):
    """The emulated screen, which also counts the rings of the bell."""

    bells = 0

    def bell(self, *_):
        self.bells += 1


class Terminal:
    def __init__(self, command, rows=24, columns=72, **environment):
        self.screen = Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = self.unread = b""
        self.master, terminal = pty.openpty()
        self.name = os.ttyname(terminal)
        self.resize(rows, columns)
        variables = {"TERM": "xterm-256color", **os.environ, **environment}
        self.process = subprocess.Popen(
            command,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            env={name: value for name, value in variables.items() if value is not None},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(terminal)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)

    def resize(self, rows, columns):
        """Changes the size of the terminal. The emulated screen keeps its first size."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys):
        os.write(self.master, keys.encode())

    def send(self, piece):
        """Sends bytes, and waits until the program has read them, so that the next bytes are another read."""
        terminal = os.open(self.name, os.O_RDWR | os.O_NOCTTY)
        try:
            end = time.monotonic() + TIMEOUT
            while piece or struct.unpack("i", fcntl.ioctl(terminal, termios.FIONREAD, b"\0" * 4))[0]:
                assert time.monotonic() < end, "nothing is read"
                if piece:
                    # A terminal holds 4,095 bytes.
                    piece = piece[os.write(self.master, piece[:2000]) :]
                self.read(0)
        finally:
            os.close(terminal)

    def has_modes(self, flags):
        """Whether the terminal has one of these local modes."""
        return termios.tcgetattr(self.master)[3] & flags != 0

    def set_modes(self, flags):
        """Sets local modes, as a shell does when it regains the terminal."""
        attributes = termios.tcgetattr(self.master)
        attributes[3] |= flags
        termios.tcsetattr(self.master, termios.TCSANOW, attributes)

    def read(self, seconds):
        """Reads available output. Returns False if there was none."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self.master, 1 << 16)
        except OSError:
            piece = b""
        self.written += piece
        # The emulator would drop the text after a zero-width mark.
        self.unread = re.sub(b"\xe2\x80[\x8e\x8f]", b"", self.unread + piece)
        end = len(self.unread) - len(re.search(rb"(\xe2\x80?)?\Z", self.unread)[0])
        self.stream.feed(self.unread[:end])
        self.unread = self.unread[end:]
        return bool(piece)

    def rows(self):
        return [row.rstrip() for row in self.screen.display]

    def wait(self, wanted):
        """Waits until a text is on the screen, or until a condition on this terminal holds."""
        is_met = wanted if callable(wanted) else lambda terminal: any(wanted in row for row in terminal.rows())
        end = time.monotonic() + TIMEOUT
        while not is_met(self):
            if time.monotonic() > end or not self.read(0.2) and self.process.poll() is not None:
                shown = "\n".join(self.rows()).rstrip()
                raise AssertionError(f"waited in vain for {wanted!r}, with this on the screen:\n{shown}")

    def quit(self):
        """Quits with Ctrl-C. Returns the exit status."""
        self.press("\x03")
        return self.ended()

    def ended(self):
        """Waits until the program has ended. Returns the exit status."""
        end = time.monotonic() + TIMEOUT
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.05)
        while self.read(0):
            pass
        return self.process.poll()

    def picture(self):
        """The screen as a greyscale picture (PGM). Each cell has two points of four by four pixels. The background is dark."""
        shades = {"black": 0, "white": 255}
        lines = []
        for row in range(self.screen.lines):
            halves = ([], [])
            for column in range(self.screen.columns):
                cell = self.screen.buffer[row][column]
                ink, paper = shades.get(cell.fg, 255), shades.get(cell.bg, 0)
                halves[0].append(ink if cell.data in "█▀" else paper)
                halves[1].append(ink if cell.data in "█▄" else paper)
            for half in halves:
                lines += [bytes(shade for shade in half for _ in range(4))] * 4
        width, height = self.screen.columns * 4, len(lines)
        return b"P5\n%d %d\n255\n" % (width, height) + b"".join(lines)

"""The pipes of an engine: lines out, lines in, its log and its end. Knows nothing of what the lines say."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from login_engine.errors import EngineEnded
from login_engine.programs import find

#: What is read at once.
CHUNK_BYTES = 1 << 16


class Transport:
    """A running engine. Make it with `spawn`. All methods belong to the event loop that spawned it."""

    def __init__(self, process: asyncio.subprocess.Process, log: Callable[[str], None] | None) -> None:
        assert process.stdin and process.stdout
        self._process, self._input, self._output = process, process.stdin, process.stdout
        self._log = asyncio.create_task(self._read_log(log)) if log else None

    @classmethod
    async def spawn(cls, *arguments: str, program: str | None = None, log: Callable[[str], None] | None = None) -> Transport:
        """Starts an engine. Raises `EngineEnded` where it cannot be started.

        :param arguments: the engine's options, such as `"--accounts", "accounts.sqlite3"`.
        :param program: the path of the program; the default is what `login_engine.programs.find` finds.
        :param log: is called with each line of the engine's log, which otherwise goes to this process's standard error.
        """
        program, pipe = program or find("login-engine"), asyncio.subprocess.PIPE
        try:
            # In a group of its own, because Ctrl-C in the terminal is for this program, which ends the engine.
            process = await asyncio.create_subprocess_exec(
                program, *arguments, stdin=pipe, stdout=pipe, stderr=pipe if log else None, limit=CHUNK_BYTES, process_group=0
            )
        except OSError as error:
            advice = "Install the package login-engine, or set LOGIN_ENGINE to the path of the program."
            raise EngineEnded(None, f"cannot start {program}: {error.strerror}. {advice}") from error
        return cls(process, log)

    @property
    def process_id(self) -> int:
        return self._process.pid

    def write(self, line: bytes) -> None:
        """Writes one line, without its end. What the engine has not read yet waits in memory: see `drain`. After the end a line goes nowhere."""
        if not self._input.is_closing():
            self._input.write(line + b"\n")

    async def drain(self) -> None:
        """Waits until little is left to be read by the engine (64 KiB), or until the engine has ended."""
        with contextlib.suppress(OSError):
            await self._input.drain()

    async def lines(self) -> AsyncIterator[bytes]:
        """The engine's lines, of any length, without their ends, until the engine closes its output. For one reader.

        The engine stops writing, and reading, while nobody reads: no line is lost."""
        begun: list[bytes] = []
        while chunk := await self._output.read(CHUNK_BYTES):
            *whole, rest = chunk.split(b"\n")
            if whole:
                yield b"".join([*begun, whole[0]])
                begun.clear()
                for line in whole[1:]:
                    yield line
            if rest:
                begun.append(rest)

    def end_input(self) -> None:
        """Closes the engine's input. The engine lets pending logins finish, writes what is left, and exits."""
        self._input.close()

    def terminate(self) -> None:
        """Sends SIGTERM: the engine gives up what is pending, writes what is left, and exits."""
        if self._process.returncode is None:
            self._process.terminate()

    async def wait(self, timeout: float | None = None) -> int:
        """Waits for the exit, and gives its status; after `timeout` seconds the process is killed. Somebody has to read `lines` meanwhile."""
        try:
            await asyncio.wait_for(self._process.wait(), timeout)
        except TimeoutError:
            self._process.kill()
        status = await self._process.wait()
        self._input.close()
        with contextlib.suppress(OSError):
            await self._input.wait_closed()
        if self._log:
            await self._log
        return status

    async def _read_log(self, log: Callable[[str], None]) -> None:
        assert self._process.stderr
        while True:
            try:
                line = await self._process.stderr.readline()
            except ValueError:  # A line that is longer than CHUNK_BYTES.
                continue
            if not line:
                return
            log(line.decode(errors="replace").rstrip("\n"))

"""The pipes of an engine: its input, output, log and exit. Does not interpret the lines."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from login_engine.errors import EngineEnded
from login_engine.programs import find

#: The size of a read.
CHUNK_BYTES = 1 << 16


class Transport:
    """A running engine. Create it with `spawn`. All methods belong to the event loop that spawned it."""

    def __init__(self, process: asyncio.subprocess.Process, log: Callable[[str], None] | None) -> None:
        assert process.stdin and process.stdout
        self._process, self._input, self._output = process, process.stdin, process.stdout
        self._log = asyncio.create_task(self._read_log(log)) if log else None

    @classmethod
    async def spawn(cls, *arguments: str, program: str | None = None, log: Callable[[str], None] | None = None) -> Transport:
        """Starts an engine. Raises `EngineEnded` if that fails.

        :param arguments: the engine's options, such as `"--accounts", "accounts.sqlite3"`.
        :param program: the path of the program. Default: the result of `login_engine.programs.find`.
        :param log: called with each line of the engine's log, which otherwise goes to this process's standard error.
        """
        program, pipe = program or find("login-engine"), asyncio.subprocess.PIPE
        try:
            # In its own process group: Ctrl-C in the terminal is for this program, which ends the engine.
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
        """Writes one line, given without its newline. Data that the engine has not read yet is buffered: see `drain`. After the exit, lines are dropped."""
        if not self._input.is_closing():
            self._input.write(line + b"\n")

    async def drain(self) -> None:
        """Waits until at most 64 KiB are left for the engine to read, or until the engine has ended."""
        with contextlib.suppress(OSError):
            await self._input.drain()

    async def lines(self) -> AsyncIterator[bytes]:
        """Yields the engine's lines, of any length and without newlines, until the engine closes its output. For one reader.

        While the lines are not read, the engine stops writing and reading: no line is lost."""
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
        """Closes the engine's input. The engine finishes pending logins, writes the remaining output, and exits."""
        self._input.close()

    def terminate(self) -> None:
        """Sends SIGTERM: the engine abandons pending logins, writes the remaining output, and exits."""
        if self._process.returncode is None:
            self._process.terminate()

    async def wait(self, timeout: float | None = None) -> int:
        """Waits for the exit, and returns its status. Kills the process after `timeout` seconds. `lines` has to be read meanwhile."""
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

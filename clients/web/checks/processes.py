"""Shared parts of the checks: counting, a bridge process, and engines behind WebSockets."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WEB = HERE.parent
ROOT = WEB.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(WEB.parent / "python" / "src"), "LOGIN_PAGE_COMMAND": "clients/web/run"}


def bundled(file, name=None):
    """Returns a script with everything that it imports; with `name`, as a script that sets a variable of this name to what the file exports."""
    form = ["--format=esm"] if name is None else ["--format=iife", f"--global-name={name}"]
    command = ["esbuild", str(file), "--bundle", "--target=es2022", "--log-level=warning", *form]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


class Tally:
    def __init__(self):
        self.passed = self.failed = 0
        #: The browser in which the checks run.
        self.browser = None

    def check(self, what, holds, detail=""):
        """Counts one check, and prints it if it fails."""
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED in {self.browser}: {what}{': ' if detail else ''}{detail}", file=sys.stderr, flush=True)

    @contextlib.asynccontextmanager
    async def case(self, what):
        """Runs a case, which passes unless an exception is raised in it."""
        try:
            yield
        except Exception as error:  # the other cases still run
            self.check(what, False, f"{type(error).__name__}: {str(error)[:1500]}")
        else:
            self.check(what, True)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as bound:
        return bound.getsockname()[1]


class BridgeProcess:
    """A bridge with its engine, started as by `run`, on its own port."""

    def __init__(self, options, engine):
        self._arguments = [sys.executable, "-m", "login_engine.web", *([] if "--port" in options else ["--port", "0"]), *options, *engine]

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*self._arguments, stdout=pipe, stderr=pipe, env=ENVIRONMENT)
        self.address = (await asyncio.wait_for(self.process.stdout.readline(), 60)).decode().strip()
        self.log = []
        self._reading = asyncio.create_task(self._read_log())
        if not self.address:
            await self.process.wait()
            await self._reading
            raise RuntimeError("the bridge did not start: " + "\n".join(self.log))
        return self

    async def _read_log(self):
        async for line in self.process.stderr:
            self.log.append(line.decode(errors="replace").rstrip())

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.terminate()
        await asyncio.wait_for(self.process.wait(), 30)
        await self._reading

    def engine(self):
        """Returns the process id of the engine, which is the bridge's only child."""
        pid = self.process.pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])

    def memory(self):
        """Returns the bridge's resident memory in bytes."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

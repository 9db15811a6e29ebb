"""The engine of a bridge: a child process that is restarted when it ends. Handles lines and requests, and does not know browsers."""

import asyncio
import itertools
import json
import sys

#: The longest line that an engine may write. An update has at most 200 options per selection.
MAXIMUM_LINE = 1 << 24
#: The seconds before an engine that ended at once is restarted: the first time, and at most.
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0
#: The seconds for which a request waits while the engine restarts, and those between the steps of stopping an engine.
READY_TIMEOUT, END_TIMEOUT = 10, 5
#: The response to a request that the engine can no longer answer.
LOST = {"error": {"code": -32000, "message": "The engine has ended.", "data": {"code": "engineEnded"}}}


class Refused(Exception):
    """The engine refused a request; `error` is the error of the response."""

    def __init__(self, error):
        super().__init__(error.get("message"))
        self.error = error
        #: Whether there was no response because the engine ended.
        self.is_lost = error is LOST["error"]


class Engine:
    """`receive` is called with each notification of the engine, `lost` when the engine ends, and `started` whenever it has started, before any other
    request. The callee of `started` then sets `is_ready`."""

    def __init__(self, command, receive, lost, started):
        self._command, self._receive, self._lost, self._started = command, receive, lost, started
        self._numbers, self._waiting = itertools.count(1), {}
        self.is_ready = asyncio.Event()
        self.process = None
        self._is_wanted = True

    async def start(self):
        """Starts the engine. Raises OSError if that fails."""
        pipe = asyncio.subprocess.PIPE
        # Outside the terminal's process group: the end of its input ends the engine.
        self.process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe, limit=MAXIMUM_LINE, start_new_session=True)
        self._started()

    async def run(self):
        """Reads the engine's lines, and restarts the engine whenever it ends. For one task, after `start`."""
        wait = FIRST_WAIT
        while True:
            begun = asyncio.get_running_loop().time()
            await self._read()
            status = await self.process.wait()
            self.process = None
            self.is_ready.clear()
            waiting, self._waiting = self._waiting, {}
            for answered in waiting.values():
                answered(LOST)
            self._lost()
            if not self._is_wanted:
                return
            wait = FIRST_WAIT if asyncio.get_running_loop().time() - begun > LONGEST_WAIT else min(wait * 2, LONGEST_WAIT)
            print(f"the engine has ended with status {status} and is restarted in {wait:g} s", file=sys.stderr, flush=True)
            if not await self._start_again(wait):
                return

    async def _start_again(self, wait):
        """Restarts the engine, and retries until the bridge closes. Returns whether it has started."""
        while True:
            await asyncio.sleep(wait)
            if not self._is_wanted:
                return False
            try:
                await self.start()
                return True
            except OSError as error:
                wait = min(wait * 2, LONGEST_WAIT)
                print(f"the engine cannot be started ({error.strerror}); the next attempt is in {wait:g} s", file=sys.stderr, flush=True)

    async def _read(self):
        async for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                self._receive(message)
            elif answered := self._waiting.pop(message["id"], None):
                answered(message)

    async def close(self):
        """Ends the engine's input, so that the engine exits after pending logins. If that takes too long, sends SIGTERM, on which the engine saves its
        sessions, and finally SIGKILL."""
        self._is_wanted = False
        process = self.process
        if process is None:
            return
        process.stdin.close()
        for end in (process.terminate, process.kill):
            try:
                return await asyncio.wait_for(process.wait(), END_TIMEOUT)
            except TimeoutError:
                end()

    def write(self, method, params):
        """Writes a notification. Without an engine it is dropped."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, params, answered):
        """Writes a request. `answered` is called with the response, in the order of the engine's output."""
        if self.process is None:
            return answered(LOST)
        number = next(self._numbers)
        # Raises if the message cannot be encoded, and then no answer is pending.
        self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        self._waiting[number] = answered

    async def wait(self):
        """Waits, up to a limit, for an engine that is being started."""
        try:
            await asyncio.wait_for(self.is_ready.wait(), READY_TIMEOUT)
        except TimeoutError:
            pass

    async def request(self, method, is_first=False, **params):
        """Returns the result of a request. Raises `Refused`. With `is_first`, does not wait until the engine is ready."""
        if not is_first:
            await self.wait()
        future = asyncio.get_running_loop().create_future()
        self.ask(method, params, lambda message: future.done() or future.set_result(message))
        await self.drain()
        message = await future
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    async def drain(self):
        """Waits while the engine's input is full."""
        try:
            if self.process:
                await self.process.stdin.drain()
        except ConnectionError:
            pass

    def _write(self, message):
        if self.process and not self.process.stdin.is_closing():
            self.process.stdin.write(json.dumps(message, ensure_ascii=False, allow_nan=False).encode() + b"\n")

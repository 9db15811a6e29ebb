"""The one engine of a bridge: a child process that is started again when it ends. Knows lines and requests, and nothing of browsers."""

import asyncio
import itertools
import json
import sys

#: The longest line that an engine may write. An update has at most 200 options of each selection.
MAXIMUM_LINE = 1 << 24
#: Seconds to wait before an engine that ended at once is started again: the first time, and at most.
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0
#: For how many seconds a request waits for an engine that is being started again, and an engine that is told to end is waited for, each time.
READY_TIMEOUT, END_TIMEOUT = 10, 5
#: What a request comes to that the engine can no longer answer.
LOST = {"error": {"code": -32000, "message": "The engine has ended.", "data": {"code": "engineEnded"}}}


class Refused(Exception):
    """The engine has refused a request; `error` is that of the response."""

    def __init__(self, error):
        super().__init__(error.get("message"))
        self.error = error
        #: Whether nobody has answered: the engine has ended.
        self.is_lost = error is LOST["error"]


class Engine:
    """`receive` is called with each notification of the engine's; `lost` once the engine has ended, and `started` whenever there is one, before anything else
    is asked of it. Whoever is called then sets `is_ready`."""

    def __init__(self, command, receive, lost, started):
        self._command, self._receive, self._lost, self._started = command, receive, lost, started
        self._numbers, self._waiting = itertools.count(1), {}
        self.is_ready = asyncio.Event()
        self.process = None
        self._is_wanted = True

    async def start(self):
        """Raises OSError where the engine cannot be started."""
        pipe = asyncio.subprocess.PIPE
        # Not in the terminal's group: the engine is told to end by the end of its input.
        self.process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe, limit=MAXIMUM_LINE, start_new_session=True)
        self._started()

    async def run(self):
        """Reads the engine's lines, and starts the engine again whenever it ends. For one task, after `start`."""
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
            print(f"the engine has ended with status {status} and is started again in {wait:g} s", file=sys.stderr, flush=True)
            if not await self._start_again(wait):
                return

    async def _start_again(self, wait):
        """Whether there is another engine: one that cannot be started is tried again until none is wanted any more."""
        while True:
            await asyncio.sleep(wait)
            if not self._is_wanted:
                return False
            try:
                await self.start()
                return True
            except OSError as error:
                wait = min(wait * 2, LONGEST_WAIT)
                print(f"the engine cannot be started ({error.strerror}), which is tried again in {wait:g} s", file=sys.stderr, flush=True)

    async def _read(self):
        async for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message:
                self._receive(message)
            elif answered := self._waiting.pop(message["id"], None):
                answered(message)

    async def close(self):
        """Ends the engine's input, so that the engine ends once pending logins have finished. If that takes too long, the engine is told to end, and at last
        killed: who is told saves its sessions first."""
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
        """Writes a notification. Without an engine the notification goes nowhere."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, params, answered):
        """Writes a request. `answered` is called with the response, in the order of all that the engine writes."""
        if self.process is None:
            return answered(LOST)
        number = next(self._numbers)
        # What cannot be written raises, and then nobody waits for an answer.
        self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        self._waiting[number] = answered

    async def wait(self):
        """Waits for an engine that is being started, but not for ever."""
        try:
            await asyncio.wait_for(self.is_ready.wait(), READY_TIMEOUT)
        except TimeoutError:
            pass

    async def request(self, method, is_first=False, **params):
        """The result of a request. Raises `Refused`. One that `is_first` does not wait until the engine is ready."""
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
        """Waits while the engine takes nothing more."""
        try:
            if self.process:
                await self.process.stdin.drain()
        except ConnectionError:
            pass

    def _write(self, message):
        if self.process and not self.process.stdin.is_closing():
            self.process.stdin.write(json.dumps(message, ensure_ascii=False, allow_nan=False).encode() + b"\n")

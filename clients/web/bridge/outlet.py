"""What is to be sent to one browser. However slow the browser is, what waits is bounded, and neither the engine nor another browser waits."""

import asyncio
import json
from collections import deque

from engine import LOST

#: How much may wait for a browser before what waits gives way to a snapshot, in messages and in characters.
MAXIMUM_MESSAGES, MAXIMUM_CHARACTERS = 256, 1 << 20
#: How many characters of what no snapshot replaces may wait before the connection is closed.
MAXIMUM_KEPT_CHARACTERS = 1 << 22
#: For how many seconds a browser may take nothing at all.
SEND_TIMEOUT = 60


class Outlet:
    def __init__(self, tab, socket):
        self._tab, self._socket = tab, socket
        self._waiting, self._characters, self._wake = deque(), 0, asyncio.Event()
        #: Whether updates were left out, so that a snapshot has to come; and whether the engine has been asked for one.
        self._has_gap, self._has_asked = False, False
        #: Whether the engine has ended that the browser speaks to, until the browser opens another session.
        self.is_stale = False

    def put(self, message, is_kept=False):
        """Adds a message. While a snapshot is to come, and where too much waits, only messages that are kept get through."""
        if self._has_gap and not is_kept:
            return
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self._waiting.append((text, is_kept))
        self._characters += len(text)
        if len(self._waiting) > MAXIMUM_MESSAGES or self._characters > MAXIMUM_CHARACTERS:
            self.leave_gap()
        # Only a browser that asks on and on without reading comes so far.
        if len(self._waiting) > MAXIMUM_MESSAGES or self._characters > MAXIMUM_KEPT_CHARACTERS:
            self._waiting.clear()
            self._characters = 0
            self.close(1008)
        self._wake.set()

    def leave_gap(self):
        """Drops what waits, and asks for a snapshot as soon as the browser has taken the rest."""
        self._waiting = deque(entry for entry in self._waiting if entry[1])
        self._characters = sum(len(text) for text, _ in self._waiting)
        self._has_gap, self._has_asked = True, False
        self._wake.set()

    def lose_engine(self):
        """Drops what waits. Nothing but what is kept gets through until the browser opens another session, or connects anew."""
        self.leave_gap()
        self._has_asked = self.is_stale = True

    def begin_anew(self):
        """The browser opens another session."""
        self._has_gap = self._has_asked = self.is_stale = False

    def _ask(self):
        self._has_asked = True
        self._tab.ask("session/snapshot", {}, self._take_snapshot)

    def _take_snapshot(self, message):
        """The response comes in the order of the updates: what comes after it changes this snapshot."""
        if self._tab.outlet is not self or not self._has_asked or message is LOST:
            # Without an engine the page waits for the next one, which has the session again or not.
            return
        if message.get("result", {}).get("queued"):
            # Updates wait for this one to be presented. A page that has lost updates cannot follow those; it is shown where they lead.
            self._tab.notify("session/presented", {"revision": message["result"]["revision"]})
            return self._ask()
        self._has_gap = self._has_asked = False
        if "error" in message:
            return self.put({"jsonrpc": "2.0", "method": "bridge/restarted", "params": {}}, is_kept=True)
        result = {name: message["result"][name] for name in ("revision", "events", "snapshot")}
        self._tab.note_codes(result["snapshot"])
        self.put({"jsonrpc": "2.0", "method": "bridge/snapshot", "params": result}, is_kept=True)
        self._tab.offer_ticket()

    async def run(self):
        """Sends what waits, until the connection is closed."""
        while not self._socket.closed:
            if not self._waiting:
                if self._has_gap and not self._has_asked:
                    self._ask()
                    continue
                self._wake.clear()
                await self._wake.wait()
                continue
            text, _ = self._waiting.popleft()
            self._characters -= len(text)
            try:
                await asyncio.wait_for(self._socket.send_str(text), SEND_TIMEOUT)
            except (TimeoutError, ConnectionError):
                break
        await self._socket.close()

    def close(self, code=1000):
        """Ends the connection, whatever waits."""
        self._closing = asyncio.get_running_loop().create_task(self._socket.close(code=code))

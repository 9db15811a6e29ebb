"""The output to one browser. However slow the browser is, its queue is bounded, and neither the engine nor another browser waits."""

import asyncio
import json
from collections import deque

from .engine import LOST

#: The size of the queue above which a snapshot replaces it, in messages and in characters.
MAXIMUM_MESSAGES, MAXIMUM_CHARACTERS = 256, 1 << 20
#: The number of characters, in messages that a snapshot does not replace, above which the connection is closed.
MAXIMUM_KEPT_CHARACTERS = 1 << 22
#: The seconds after which a browser that accepts no data is disconnected.
SEND_TIMEOUT = 60


class Outlet:
    def __init__(self, tab, socket):
        self._tab, self._socket = tab, socket
        self._waiting, self._characters, self._wake = deque(), 0, asyncio.Event()
        #: Whether updates were dropped, so that a snapshot is needed; and whether it has been requested.
        self._has_gap, self._has_asked = False, False
        #: Whether the browser's engine has ended, until the browser opens another session.
        self.is_stale = False

    def put(self, message, is_kept=False):
        """Queues a message. While a snapshot is due, or the queue is full, only messages with `is_kept` are queued."""
        if self._has_gap and not is_kept:
            return
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self._waiting.append((text, is_kept))
        self._characters += len(text)
        if len(self._waiting) > MAXIMUM_MESSAGES or self._characters > MAXIMUM_CHARACTERS:
            self.leave_gap()
        # Only a browser that keeps sending requests without reading gets here.
        if len(self._waiting) > MAXIMUM_MESSAGES or self._characters > MAXIMUM_KEPT_CHARACTERS:
            self._waiting.clear()
            self._characters = 0
            self.close(1008)
        self._wake.set()

    def leave_gap(self):
        """Drops the queue, and requests a snapshot once the browser has taken the rest."""
        self._waiting = deque(entry for entry in self._waiting if entry[1])
        self._characters = sum(len(text) for text, _ in self._waiting)
        self._has_gap, self._has_asked = True, False
        self._wake.set()

    def lose_engine(self):
        """Drops the queue. Only messages with `is_kept` pass until the browser opens another session or reconnects."""
        self.leave_gap()
        self._has_asked = self.is_stale = True

    def begin_anew(self):
        """Resumes when the browser opens another session."""
        self._has_gap = self._has_asked = self.is_stale = False

    def _ask(self):
        self._has_asked = True
        self._tab.ask("session/snapshot", {}, self._take_snapshot)

    def _take_snapshot(self, message):
        """Queues the requested snapshot. The response is in the order of the updates: later ones change this snapshot."""
        if self._tab.outlet is not self or not self._has_asked or message is LOST:
            # Without an engine the page waits for the next one, which may have the session again.
            return
        if message.get("result", {}).get("queued"):
            # Updates wait until this one is presented. A page that lost updates cannot follow them, but shows the resulting snapshot.
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
        """Sends the queue until the connection is closed."""
        while not self._socket.is_closed:
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
                await asyncio.wait_for(self._socket.send(text), SEND_TIMEOUT)
            except (TimeoutError, ConnectionError):
                break
        await self._socket.close()

    def close(self, code=1000):
        """Closes the connection, whatever is queued."""
        self._closing = asyncio.get_running_loop().create_task(self._socket.close(code))

"""The WebSocket of a tab. A browser can name neither a session nor a flow: each message is rebuilt from the few members that pages send."""

import asyncio
import json

import segno
from starlette.websockets import WebSocket, WebSocketDisconnect

from .engine import LOST
from .outlet import Outlet
from .tabs import PAGE_NAME

#: The longest message of a page: an external value of 16 KiB in which every character is escaped.
MAXIMUM_MESSAGE = 1 << 17
#: The greatest depth of a value. An external value has at most 32 levels.
MAXIMUM_DEPTH = 40
#: The seconds within which a connection has to identify its tab.
BEGIN_TIMEOUT = 10
#: The close code for a message that no page sends (RFC 6455, section 7.4.1).
POLICY_VIOLATION = 1008
#: The number of requests of a page that may be pending.
MAXIMUM_REQUESTS = 16

#: The params of the requests that a page may make, besides `session`.
REQUESTS = {
    "session/open": {"screen", "locale", "values", "supports", "transitions"},
    "session/locale": {"locale"},
    "session/options": {"item", "revision"},
}
NOTIFICATIONS = {
    "session/edit": {"item", "value", "revision"},
    "session/press": {"action", "revision"},
    "session/presented": {"revision"},
}


class Unacceptable(Exception):
    """A message that no page sends."""


def read(text):
    """Parses the message of a frame. Raises `Unacceptable` if the engine could not read it or a page would not send it."""
    try:
        message = json.loads(text, parse_constant=lambda _: float("nan"))
        # Rejects numbers that are not finite and lone surrogates.
        json.dumps(message, ensure_ascii=False, allow_nan=False).encode()
        levels = depth(message)
    except (ValueError, RecursionError):
        raise Unacceptable("no JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("params"), dict) or not isinstance(message.get("method"), str):
        raise Unacceptable("no message")
    if levels > MAXIMUM_DEPTH:
        raise Unacceptable("too deep")
    if not isinstance(message.get("id", 0), (int, str)) or len(str(message.get("id", 0))) > 32:
        raise Unacceptable("no id")
    return message


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, inner), default=0)


class Allowance:
    """A rate limit: messages per second, and a burst. A browser above the limit waits, and stops sending once its connection is full."""

    def __init__(self, rate):
        self._rate, self._burst = rate, 2 * rate
        self._left, self._at = self._burst, 0.0

    async def take(self):
        if not self._rate:
            return
        now = asyncio.get_running_loop().time()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - 1
        self._at = now
        if self._left < 0:
            await asyncio.sleep(-self._left / self._rate)


class Socket:
    """A WebSocket that can be closed at any time, from any task."""

    def __init__(self, websocket: WebSocket):
        self._websocket = websocket
        self.is_closed = False

    async def accept(self, headers):
        await self._websocket.accept(headers=headers)

    async def receive(self):
        """Returns the next text; None once the connection is closed."""
        try:
            message = await self._websocket.receive()
        except (RuntimeError, WebSocketDisconnect):
            message = {"type": "websocket.disconnect"}
        if message["type"] == "websocket.disconnect":
            self.is_closed = True
            return None
        text = message.get("text")
        if text is None:
            raise Unacceptable("no text")
        if len(text) > MAXIMUM_MESSAGE:
            raise Unacceptable("too long")
        return text

    async def send(self, text):
        """Sends a text, and waits while the browser accepts no data. Raises `ConnectionError` if the connection is closed."""
        try:
            await self._websocket.send_text(text)
        except (RuntimeError, WebSocketDisconnect) as error:
            self.is_closed = True
            raise ConnectionError from error

    async def close(self, code=1000, reason=""):
        if self.is_closed:
            return
        self.is_closed = True
        try:
            await self._websocket.close(code, reason)
        except (RuntimeError, WebSocketDisconnect):
            pass


class Connection:
    """The connection of a browser. `locales` are those of the flow. An account page belongs to a login."""

    def __init__(self, tabs, browser, address, context, locales, rate, login=None):
        self._tabs, self._browser, self._address, self._context, self._locales, self._login = tabs, browser, address, context, locales, login
        self._allowance, self._requests = Allowance(rate), 0
        self._tab = self._outlet = self._writer = None

    async def run(self, socket):
        try:
            first = await asyncio.wait_for(socket.receive(), BEGIN_TIMEOUT)
            if first is not None and self._begin(read(first), socket):
                while (text := await socket.receive()) is not None:
                    await self._allowance.take()
                    # Another connection of the tab has told the page which events arrived. The page sends later ones again there.
                    if self._tab.outlet is not self._outlet:
                        break
                    self._take(read(text))
                    # While the engine is busy, stop reading from this browser, so that its connection fills up.
                    await self._tabs.engine.drain()
        except Unacceptable as error:
            await socket.close(POLICY_VIOLATION, str(error))
        except TimeoutError:
            pass
        finally:
            if self._outlet:
                self._writer.cancel()
                self._tab.detach(self._outlet)
            await socket.close()

    def _begin(self, message, socket):
        if message["method"] != "bridge/begin" or "id" not in message:
            raise Unacceptable("begin first")
        self._tab = self._tabs.find(message["params"].get("secret"), self._browser, self._address, self._login)
        resumed = self._tab is not None
        if not resumed:
            self._tab = self._tabs.add(self._browser, self._address, login=self._login)
        if self._tab is None:
            return False
        self._outlet = Outlet(self._tab, socket)
        self._tab.attach(self._outlet)
        self._writer = asyncio.create_task(self._outlet.run())
        self._reply(message["id"], {"result": {"secret": self._tab.secret, "resumed": resumed, "locales": self._locales, "engine": self._tabs.engine_id}})
        if resumed:
            self._outlet.leave_gap()
        return True

    def _take(self, message):
        method, given = message.get("method"), message["params"]
        if method == "bridge/code" and "id" in message:
            # Encoding takes time, so only codes on the screen are drawn, and each once.
            text, drawings = given.get("text"), self._tab.drawings
            if not isinstance(text, str) or text not in self._tab.codes:
                return self._reply(message["id"], {"error": {"code": 1, "message": "This code is not on the screen."}})
            if text not in drawings:
                drawings[text] = code(text)
            return self._reply(message["id"], {"result": drawings[text]})
        if method == "bridge/away":
            self._tab.is_away = True
            return None
        allowed = (REQUESTS if "id" in message else NOTIFICATIONS).get(method)
        if allowed is None or not given.keys() <= allowed | {"session"}:
            raise Unacceptable("no such message")
        if self._outlet.is_stale and method != "session/open":
            # The message was meant for an engine that has ended.
            return self._reply(message["id"], LOST) if "id" in message else None
        params = {name: value for name, value in given.items() if name in allowed}
        # The page sends these by itself, the others because a person does something.
        if self._login and method != "session/presented":
            self._tabs.logins.use(self._login)
        if "id" not in message:
            return self._tab.notify(method, params)
        self._requests += 1
        if self._requests > MAXIMUM_REQUESTS:
            raise Unacceptable("too many requests")
        answered = lambda response: self._answer(message["id"], response)
        if method == "session/open":
            self._outlet.begin_anew()
            self._tab.open({**params, "context": self._context, "detail": "full"}, answered)
        else:
            self._tab.ask(method, params, answered)

    def _answer(self, number, response):
        self._requests -= 1
        members = {name: response[name] for name in ("result", "error") if name in response}
        if "session" in (members.get("result") or {}):
            members["result"] = {**members["result"], "session": PAGE_NAME}
        self._reply(number, members)

    def _reply(self, number, members):
        self._outlet.put({"jsonrpc": "2.0", "id": number, **members}, is_kept=True)


def code(text):
    """Encodes a text as a QR code (ISO/IEC 18004). Returns the size of the picture, and the path of an SVG that draws its dark modules."""
    made = segno.make(text, error="m" if len(text.encode()) <= 1024 else "l", micro=False)
    size = made.symbol_size(border=2)[0]
    dark = ((x, y + 0.5) for y, row in enumerate(made.matrix_iter(border=2)) for x, module in enumerate(row) if module)
    return {"size": size, "path": "".join(f"M{x} {y}h1" for x, y in dark)}

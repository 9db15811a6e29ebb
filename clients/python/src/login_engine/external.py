"""External items: what a platform can do beside a form. Built in is `redirect`, to another site in the user's browser and back."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import webbrowser
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

#: Does what an external item asks for: takes the item's `request`, and gives its value. `OSError` and `ValueError` say that nothing came of it.
Handler = Callable[[Any], Awaitable[Any]]

#: How long a request of a browser may be in bytes, and how many seconds it may take.
MAXIMUM_REQUEST, REQUEST_TIMEOUT = 1 << 14, 10
PAGE = (
    '<!doctype html><html lang=en><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{0}</title>'
    '<body style="font:1.2em sans-serif;text-align:center;margin-top:20vh"><p>{0}</p></body></html>'
)


class Redirect:
    """Opens a page in the user's browser, and takes the browser's return at a port of this machine (RFC 8252, section 7.3).

    :param port: the port to listen at; 0 for any that is free, which needs a provider that lets clients return to any port of the loopback.
    :param open_url: opens a page. Runs in a thread of its own.
    """

    def __init__(self, port: int = 0, open_url: Callable[[str], object] | None = None) -> None:
        self._port, self._open_url = port, open_url or webbrowser.open
        self._server: asyncio.Server | None = None
        self._returned: asyncio.Future[str] | None = None
        #: Where the browser comes back, once `start` has returned. Authenticators are told it as `context.return`.
        self.address = ""

    async def start(self) -> None:
        """Listens. Raises `OSError` where the port is taken."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port, limit=MAXIMUM_REQUEST)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/"

    def close(self) -> None:
        """Listens no more."""
        if self._server:
            self._server.close()

    async def __call__(self, request: Any) -> Any:
        """Leads to `request["url"]`, and gives `{"url"}`, the whole address at which the browser has come back."""
        url = page_of(request)
        if url is None:
            raise ValueError("the address of a redirect begins with https")
        self._returned = asyncio.get_running_loop().create_future()
        try:
            # Some browsers go on until the user leaves them. Nobody waits for that.
            threading.Thread(target=self._open_url, args=[url], daemon=True).start()
            return {"url": await self._returned}
        finally:
            self._returned = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), REQUEST_TIMEOUT)
            status, text = self._answer(head.decode("latin-1").split("\r\n"))
            content = PAGE.format(text).encode()
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(content)}\r\nConnection: close\r\n"
                "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\r\n".encode() + content
            )
            await writer.drain()
        writer.close()

    def _answer(self, lines: list[str]) -> tuple[str, str]:
        method, _, rest = lines[0].partition(" ")
        target = rest.partition(" ")[0]
        hosts = [value.strip() for name, _, value in (line.partition(":") for line in lines[1:]) if name.lower() == "host"]
        # Another name for this machine would be another site's.
        if method != "GET" or not target.startswith("/?") or hosts != [urlsplit(self.address).netloc]:
            return "404 Not Found", "There is nothing here."
        if self._returned is None or self._returned.done():
            return "410 Gone", "Nobody waits for this any more."
        self._returned.set_result(self.address + target[1:])
        return "200 OK", "You can close this page and go back."


def page_of(request: Any) -> str | None:
    """Where a `redirect` leads: an address under TLS, or of this machine. `None` for any other."""
    url = request.get("url") if isinstance(request, dict) else None
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
    except ValueError:
        return None
    if parts and parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1"))):
        return url
    return None


async def prepare(given: Mapping[str, Handler] | None, params: dict[str, Any]) -> dict[str, Handler]:
    """What a view can do with external items, by their types. Says so in these params of `session/open`, unless the caller has said other things.

    :param given: what the caller's program can do; `None` for a `redirect` alone.
    """
    handlers: dict[str, Handler] = {"redirect": Redirect()} if given is None else dict(given)
    context = params.get("context") or {}
    if "supports" in params:
        handlers = {type: handler for type, handler in handlers.items() if type in params["supports"]}
    redirect = handlers.get("redirect")
    if isinstance(redirect, Redirect):
        await redirect.start()
        params["context"] = {"return": redirect.address, **context}
    params.setdefault("supports", ["restoreSecret", *handlers])
    return handlers


def close(handlers: Mapping[str, Handler]) -> None:
    """Ends what `prepare` has begun."""
    for handler in handlers.values():
        if isinstance(handler, Redirect):
            handler.close()

"""External items: actions of the platform outside the form. `redirect` is built in: to another site in the user's browser, and back."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import webbrowser
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

#: Performs an external item: takes the item's `request`, and returns its value. Raises `OSError` or `ValueError` on failure.
Handler = Callable[[Any], Awaitable[Any]]

#: The limits for an HTTP request: its bytes, and its seconds.
MAXIMUM_REQUEST, REQUEST_TIMEOUT = 1 << 14, 10
PAGE = (
    '<!doctype html><html lang=en><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{0}</title>'
    '<body style="font:1.2em sans-serif;text-align:center;margin-top:20vh"><p>{0}</p></body></html>'
)


class Redirect:
    """Opens a page in the user's browser, and receives the browser's return on a port of this machine (RFC 8252, section 7.3).

    :param port: the port to listen on. 0 means any free port, and requires a provider that lets clients return to any loopback port.
    :param open_url: opens a page. Runs in its own thread.
    """

    def __init__(self, port: int = 0, open_url: Callable[[str], object] | None = None) -> None:
        self._port, self._open_url = port, open_url or webbrowser.open
        self._server: asyncio.Server | None = None
        self._returned: asyncio.Future[str] | None = None
        #: The address to which the browser returns; set by `start`. Authenticators get it as `context.return`.
        self.address = ""

    async def start(self) -> None:
        """Starts to listen. Raises `OSError` if the port is taken."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port, limit=MAXIMUM_REQUEST)
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/"

    def close(self) -> None:
        """Stops listening."""
        if self._server:
            self._server.close()

    async def __call__(self, request: Any) -> Any:
        """Opens `request["url"]`, and returns `{"url"}`, the whole address at which the browser came back."""
        url = page_of(request)
        if url is None:
            raise ValueError("the address of a redirect must begin with https")
        self._returned = asyncio.get_running_loop().create_future()
        try:
            # Some browser commands run until the user quits the browser, so do not wait.
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
        # Requests under other host names may come from other sites (DNS rebinding).
        if method != "GET" or not target.startswith("/?") or hosts != [urlsplit(self.address).netloc]:
            return "404 Not Found", "There is no page here."
        if self._returned is None or self._returned.done():
            return "410 Gone", "No login is waiting for this page."
        self._returned.set_result(self.address + target[1:])
        return "200 OK", "You can close this page and go back."


def page_of(request: Any) -> str | None:
    """Returns the target of a `redirect`: an https address, or an address on this machine. `None` for any other."""
    url = request.get("url") if isinstance(request, dict) else None
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
    except ValueError:
        return None
    if parts and parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost", "::1"))):
        return url
    return None


async def prepare(given: Mapping[str, Handler] | None, params: dict[str, Any]) -> dict[str, Handler]:
    """Returns a view's handlers of external items, by type.

    Adds their types, and the return address, to the params of `session/open`, unless the caller has set these.

    :param given: the caller's handlers; `None` for `redirect` only.
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
    """Closes what `prepare` started."""
    for handler in handlers.values():
        if isinstance(handler, Redirect):
            handler.close()

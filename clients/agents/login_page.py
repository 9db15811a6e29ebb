"""Serves single-use addresses on this machine that lead to the login page of `clients/web`, and returns the person's name after the login.

The page's bridge is a separate process. Browsers reach the bridge only through this proxy. The bridge's cookies stay in the proxy, in one jar
per login, and a browser only holds the cookie of its login."""

import asyncio
import contextlib
import ctypes
import hmac
import html
import os
import secrets
import signal
import socket
import struct
from pathlib import Path

import aiohttp
from aiohttp import web

WEB = Path(__file__).resolve().parent.parent / "web"
#: The seconds that the bridge may take to start. The first time it installs its packages.
START_TIMEOUT = 120
#: prctl(2)
PR_SET_PDEATHSIG = 1
#: In the kernel's tables: the state of an open connection, and the prefix of an IPv4 address in the IPv6 table.
ESTABLISHED, MAPPED = "01", "0000000000000000FFFF0000"
#: The headers that pass from the browser to the bridge and back. Cookies do not pass.
REQUEST_HEADERS = ("Accept", "Accept-Language", "Content-Type", "Origin", "Referer", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "User-Agent")
RESPONSE_HEADERS = (
    "Cache-Control", "Content-Security-Policy", "Content-Type", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Location",
    "Permissions-Policy", "Referrer-Policy", "X-Content-Type-Options",
)
OWN_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Login:
    """A requested login. `ended` is set once it has succeeded, was cancelled or has expired."""

    def __init__(self, origin):
        self.id, self._token, self.cookie = (secrets.token_urlsafe(32) for _ in range(3))
        self.url = f"{origin}/log-in/{self._token}"
        self.is_opened, self.ended = False, asyncio.Event()
        # Only an "unsafe" jar stores cookies of IP addresses. Bodies are passed on unchanged.
        self.bridge = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True), auto_decompress=False)

    def open(self, token):
        """Opens the page. Returns whether the address is valid: once, for the first browser that has the token."""
        if self.is_opened or self.ended.is_set() or not is_same(token, self._token):
            return False
        self.is_opened = True
        return True


class LoginPage:
    """Serves the addresses. `command` is the engine with its arguments; `lifetime` is the lifetime of an address and its login in seconds."""

    def __init__(self, command, lifetime):
        self._command, self._lifetime = command, lifetime
        #: The name of the person who logged in; None before that.
        self.principal = None
        self._logins, self._process, self._runner = {}, None, None
        self._starting = asyncio.Lock()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        for login in list(self._logins.values()):
            await self.end(login)
        if self._runner:
            await self._runner.cleanup()
        if self._process and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()

    async def ask(self):
        """Returns a new login. Raises OSError if the page cannot be served."""
        async with self._starting:
            if not self._process or self._process.returncode is not None:
                await self._start()
        login = self._logins[login.id] = Login(self._origin)
        asyncio.get_running_loop().call_later(self._lifetime, lambda: asyncio.ensure_future(self.end(login)))
        return login

    def find(self, login_id):
        return self._logins.get(login_id)

    async def end(self, login):
        """Ends a login: then neither the address nor the browser that opened it reaches the page."""
        if self._logins.pop(login.id, None):
            login.ended.set()
            await login.bridge.close()

    async def _start(self):
        if not self._runner:
            application = web.Application(client_max_size=1 << 17, middlewares=[of_this_user])
            # Without HEAD, which a program may send before a browser opens the address.
            application.add_routes([web.get("/log-in/{token}", self._open, allow_head=False), web.get("/style.css", self._style)])
            application.add_routes([web.get("/welcome", self._finish), web.get("/link", self._link), web.route("*", "/{path:.*}", self._forward)])
            self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
            await self._runner.setup()
            # The numeric address: another user of this machine could listen at the other address of "localhost".
            bound = socket.create_server(("127.0.0.1", 0))
            own_port = bound.getsockname()[1]
            self._origin = f"http://127.0.0.1:{own_port}"
            # Cookies do not depend on the port, and several of these servers may run on one machine.
            self._cookie = f"agent-login-{own_port}"
            await web.SockSite(self._runner, bound).start()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self._bridge = f"http://127.0.0.1:{port}"
        options = ["--host", "127.0.0.1", "--port", str(port), "--origin", self._origin]
        self._process = await asyncio.create_subprocess_exec(
            WEB / "run", *options, *self._command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, preexec_fn=end_with_parent)
        try:
            started = await asyncio.wait_for(self._process.stdout.readline(), START_TIMEOUT)
        except TimeoutError:
            self._process.terminate()
            started = b""
        if not started:
            await self._process.wait()
            raise OSError("the login page's bridge did not start")

    # Routes

    async def _open(self, request):
        token = request.match_info["token"]
        # A browser that prefetches would use up the address.
        if "prefetch" in request.headers.get("Sec-Purpose", ""):
            return page("Not yet", "A person has to open this address.", 503)
        login = next((each for each in self._logins.values() if each.open(token)), None)
        if login is None:
            return page("This link is no longer valid", "Each link works once, for a short time. Ask for another one where you found it.", 410)
        response = web.Response(status=303, headers={**OWN_HEADERS, "Location": "/"})
        # Lax: the first request after a link in another program or on another site must send the cookie.
        response.set_cookie(self._cookie, login.cookie, path="/", httponly=True, samesite="Lax")
        return response

    async def _style(self, _):
        return web.FileResponse(WEB / "page" / "style.css")

    async def _forward(self, request):
        """Forwards a request for the page to the bridge."""
        login = self._login(request)
        if login is None:
            return not_here()
        if self._process.returncode is not None:
            return ended()
        async with login.bridge.request(
            request.method, self._bridge + request.raw_path, headers=chosen(request.headers, REQUEST_HEADERS), data=await request.read(), allow_redirects=False,
        ) as given:
            return web.Response(body=await given.read(), status=given.status, headers=chosen(given.headers, (*RESPONSE_HEADERS, "Content-Encoding")))

    async def _link(self, request):
        """Relays the messages of the page's WebSocket in both directions. The bridge checks the page's origin (`Origin`)."""
        login = self._login(request)
        if login is None:
            return not_here()
        if self._process.returncode is not None:
            return ended()
        headers = chosen(request.headers, REQUEST_HEADERS)
        try:
            async with login.bridge.ws_connect(self._bridge + "/link", headers=headers, max_msg_size=0) as bridge:
                browser = web.WebSocketResponse()
                await browser.prepare(request)
                pumps = [asyncio.create_task(pump(browser, bridge)), asyncio.create_task(pump(bridge, browser))]
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for task in pumps:
                    task.cancel()
                return browser
        except aiohttp.WSServerHandshakeError as error:
            return page("This is not the login page's own connection", "", error.status)

    async def _finish(self, request):
        """Replaces the bridge's own page after a login: asks the bridge who logged in, and drops the cookies of that login."""
        login = self._login(request)
        if login is None:
            return not_here()
        async with login.bridge.get(self._bridge + "/session") as given:
            if given.status != 200:
                raise web.HTTPSeeOther("/")
            principal = (await given.json())["principal"]
        if principal is None:
            return page("No account", "This login does not belong to an account.", 403)
        # This answers all other requested logins too.
        self.principal = principal
        for each in list(self._logins.values()):
            await self.end(each)
        response = page(f"You are logged in as {principal}", "You can close this page, and continue where you came from.")
        response.del_cookie(self._cookie, path="/", httponly=True, samesite="Lax")
        return response

    def _login(self, request):
        """Returns the login whose address this browser has opened."""
        given = request.cookies.get(self._cookie, "")
        return next((each for each in self._logins.values() if each.is_opened and is_same(given, each.cookie)), None)


def end_with_parent():
    """In a child process: makes Linux send SIGTERM when the parent ends, because an MCP client may kill it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


async def pump(source, sink):
    async for message in source:
        if message.type == aiohttp.WSMsgType.TEXT:
            await sink.send_str(message.data)
    # A cut connection has a close code that must not be sent.
    code = source.close_code
    await sink.close(code=code if code and code != aiohttp.WSCloseCode.ABNORMAL_CLOSURE else aiohttp.WSCloseCode.GOING_AWAY)


def chosen(headers, names):
    return {name: headers[name] for name in names if name in headers}


def is_same(given, secret):
    return hmac.compare_digest(given.encode(errors="surrogatepass"), secret.encode())


def not_here():
    return page("There is nothing to log in to", "Open the link that the program shows you, in this browser.", 403)


def ended():
    """After the bridge has ended, another program may use its port, and must not get the person's input."""
    return page("The login page has ended", "Ask for another link where you found this one.", 503)


def page(title, text, status=200):
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><link rel="stylesheet" href="/style.css">'
    body = f'<main><section class="card"><h1>{html.escape(title)}</h1><p>{html.escape(text)}</p></section></main>'
    return web.Response(text=f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>', status=status,
                        content_type="text/html", headers=OWN_HEADERS)


# The user of a connection

@web.middleware
async def of_this_user(request, handler):
    """Serves only programs of the user who runs this server: another user who has the link is not the person who was asked to log in."""
    if user_of(request.transport.get_extra_info("peername"), request.transport.get_extra_info("sockname")) != os.getuid():
        return page("This link is for another user of this machine", "Open the link as the user who was asked to log in.", 403)
    return await handler(request)


def user_of(peer, own):
    """Returns the user id of the program at the other end of a local connection, from Linux's tables; None if it is not listed."""
    wanted = [{listed(address), MAPPED + listed(address)} for address in (peer, own)]
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError), open(f"/proc/net/{name}") as table:
            next(table)
            for line in table:
                words = line.split()
                # A connection that its program has closed has no user, and is listed as root's.
                if words[1] in wanted[0] and words[2] in wanted[1] and words[3] == ESTABLISHED:
                    return int(words[7])
    return None


def listed(address):
    """Formats an address as the kernel does: its four bytes as one number in host byte order, then the port."""
    return f"{struct.unpack('=I', socket.inet_aton(address[0]))[0]:08X}:{address[1]:04X}"

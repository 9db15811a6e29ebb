"""The routes of a login page: the page, its WebSocket, the page without JavaScript, and logins. An ASGI application."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from . import addresses
from .brand import Brand, read_brand
from .connection import Connection, Socket
from .engine import Engine, Refused
from .files import PAGE, Files
from .first_screen import FirstScreens, drawn
from .forms import Foreign, Forms
from .logins import Login, Logins
from .markup import element, page
from .options import Options
from .tabs import DISABLED, DONE, GONE, LOGGED_OUT, Tab, Tabs

#: The format of the browser cookie that the page sets. Any other value counts as no cookie.
BROWSER = re.compile(r"[A-Za-z0-9_-]{32}")
#: The longest posted form in bytes.
MAXIMUM_FORM = 1 << 17
LOG = logging.getLogger("login_engine.web")
#: The path of the page on which a person changes the account.
ACCOUNT = "/account"
#: What the page without JavaScript says when the account page has ended (words.json).
ENDED = {LOGGED_OUT: "loggedOut", GONE: "gone", DISABLED: "disabled"}

#: Only this site's own files, no inline scripts or styles, and no text that becomes HTML.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), publickey-credentials-get=(self), publickey-credentials-create=(self)",
    # Not "no-referrer": without a referrer, browsers send no origin with a POST.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class LoggedOut(Exception):
    """A request for the account page without a login."""


class LoginPage:
    """A login page as an ASGI application, with one engine for all browsers.

    :param engine: the command that starts the engine, such as `["login-engine", "--accounts", "accounts.sqlite3"]`.
    :param origin: the page's address for browsers, such as `https://www.example.com`.
    :param more_origins: further addresses whose pages may use this one, such as that of a development server.
    :param prefix: the path below which the page is, such as `/login`. A proxy may remove it from requests, or pass it on.
    :param after: where a browser goes after a login without `?next=`.
    :param next: to which paths, or addresses of other sites, `?next=` may lead. By default all paths of `origin`.
    :param proxy: addresses or networks of proxies that may name the client's address in `X-Forwarded-For`.
    :param flow: the flow to show. By default the engine's first.
    :param account_flow: the flow in which people change their accounts, at `/account/`; empty: none.
    :param page: a folder with another page.
    :param brand: the JSON file of a brand: name, logo, colours, font and links.
    :param cookie_domain: sends the login's cookie also to sibling hosts, such as `example.com`.
    :param remember_days: for how long a browser keeps the cookie of a person who chose "Keep me logged in"; 0: until it is closed.
    :param remember_item: the id of the flow's switch "Keep me logged in".
    :param idle_hours, absolute_days: a login ends when it was not used for so long, or is so old.
    :param grace: for how many seconds a tab without a connection is kept.
    :param tabs, tabs_of_address: the numbers of concurrent tabs, in all and from one address.
    :param rate: messages per second from one connection, after a burst of twice as many; 0: no limit.
    """

    def __init__(self, engine: Sequence[str], *, origin: str, **options: Any) -> None:
        self.options = Options(origin, **options)
        own = self.options
        self._words = json.loads((PAGE / "words.json").read_text())
        self._brand = read_brand(Path(own.brand)) if own.brand else Brand()
        self._files = Files(own.page, own.prefix, self._brand)
        self._logins = Logins(own)
        self._tabs = Tabs(self._logins, own)
        self._engine = self._tabs.engine = Engine(engine, self._tabs.receive, self._tabs.engine_lost, self._tabs.engine_started)
        self._forms = Forms(self._tabs, self._words, own.prefix, self._brand)
        self._first = FirstScreens(self._engine, {"flow": own.flow} if own.flow else {})
        #: The languages of the flow of each page, by its path.
        self._locales: dict[str, list[str]] = {}
        self._starting: asyncio.Task[None] | None = None
        #: The task that reads what the engine writes. It ends with the page.
        self.reading: asyncio.Task[None] | None = None
        get, post = ["GET"], ["POST"]
        self._routes = Starlette(
            routes=[
                Route("/", self._index, methods=get),
                Route("/page/{file}", self._file, methods=get),
                Route("/page/{version}/{file}", self._file, methods=get),
                Route("/form", self._post_first, methods=post),
                *self._routes_at(""),
                *(self._account_routes() if own.account_flow else []),
                Route("/enter", self._enter, methods=post),
                Route("/welcome", self._welcome, methods=get),
                Route("/session", self._session, methods=get),
                Route("/leave", self._leave, methods=post),
                Route("/healthz", self._health, methods=get),
            ],
            exception_handlers={HTTPException: refused, Foreign: foreign, LoggedOut: self._logged_out},
            lifespan=self._lifespan,
        )

    def _routes_at(self, at: str) -> list[Route | WebSocketRoute]:
        """The routes of the page at a path: its WebSocket, and its form without JavaScript."""
        part = functools.partial
        return [
            WebSocketRoute(at + "/link", part(self._link, at)),
            Route(at + "/link", self._not_upgraded, methods=["GET"]),
            Route(at + "/form", part(self._begin_form, at), methods=["GET"]),
            Route(at + "/form/{number}", part(self._show_form, at), methods=["GET"]),
            Route(at + "/form/{number}", part(self._post_form, at), methods=["POST"]),
        ]

    def _account_routes(self) -> list[Route | WebSocketRoute]:
        return [
            Route(ACCOUNT + "/", self._account, methods=["GET"]),
            Route(ACCOUNT, self._to_account, methods=["GET"]),
            # https://w3c.github.io/webappsec-change-password-url/
            Route("/.well-known/change-password", self._to_account, methods=["GET"]),
            *self._routes_at(ACCOUNT),
        ]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return await self._routes(scope, receive, send)
        # Mounted in another application, this one is not told when the server starts.
        await self.start()

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *((name, value) for name, value in RAW_HEADERS if name not in given)]
            await send(message)

        await self._routes({**scope, "root_path": self.options.prefix}, receive, send_with_headers)

    async def __aenter__(self) -> None:
        """For the lifespan of an application in which this page is mounted."""
        await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def start(self) -> None:
        """Starts the engine, unless it is running. Raises `OSError` if it cannot be started, and `ValueError` if it ends at once or has no such flow."""
        if self._starting is None or (self._starting.done() and self._starting.exception()):
            self._starting = asyncio.get_running_loop().create_task(self._start())
        await asyncio.shield(self._starting)

    async def close(self) -> None:
        """Ends the engine, which first answers pending logins."""
        await self._engine.close()
        if self.reading:
            await self.reading

    async def login(self, connection: HTTPConnection) -> Login | None:
        """The login that belongs to a request or WebSocket, for the application in which this page is mounted; None without a login."""
        return self._logins.find(connection.cookies.get(self._login_cookie(), ""))

    async def _start(self) -> None:
        await self._engine.start()
        self.reading = asyncio.get_running_loop().create_task(self._engine.run())
        try:
            described = await self._engine.request("engine/describe", is_first=True)
        except Refused as error:
            raise ValueError(f"the engine cannot be used: {error}") from None
        flows = {flow["flow"]: flow for flow in described["flows"]}
        for at, flow in {"": self.options.flow or next(iter(flows)), ACCOUNT: self.options.account_flow}.items():
            if flow and flow not in flows:
                raise ValueError(f"the engine has no flow {flow!r}, only {', '.join(flows)}")
            self._locales[at] = flows[flow]["locales"] if flow else []

    @contextlib.asynccontextmanager
    async def _lifespan(self, _: Any) -> Any:
        await self.start()
        yield
        await self.close()

    # The page

    async def _index(self, request: Request) -> Response:
        if await self.login(request):
            return self._redirect(self._wanted(request) or self.options.after)
        locale, screen = self._language(request), request.query_params.get("screen", "")
        shown = await self._first.snapshot(locale, screen, self._tabs.engine_id)
        if shown is None:
            return self._with_browser(request, HTMLResponse(self._files.index(self._path("/"), request.url.query)))
        words = self._words.get(shown["locale"].split("-")[0], self._words["en"])
        more = {"locale": locale, "screen": screen, "next": self._wanted(request) or ""}
        return self._with_browser(request, HTMLResponse(drawn(self._files.shell(self._path("/")), shown, words, self._brand, more)))

    async def _file(self, request: Request) -> Response:
        return self._files.response(request, request.path_params["file"], request.path_params.get("version"))

    async def _link(self, at: str, websocket: WebSocket) -> None:
        origin = websocket.headers.get("Origin")
        if origin not in self.options.origins:
            LOG.warning("a page of %s was refused: see --origin and --more-origin", origin)
            return await websocket.send_denial_response(PlainTextResponse("Only this site's own page may open a WebSocket.", 403))
        # A page that another server delivers gets its cookie here.
        response = self._with_browser(websocket, Response())
        browser = self._browser_of(websocket, response)
        socket = Socket(websocket)
        await socket.accept([(name, value) for name, value in response.raw_headers if name == b"set-cookie"])
        try:
            login = await self._owner(at, websocket)
        except LoggedOut:
            return await socket.close(LOGGED_OUT)
        address, context, locales = self._address(websocket), self._context(websocket, at), self._locales[at]
        await Connection(self._tabs, browser, address, context, locales, self.options.rate, login).run(socket)

    async def _not_upgraded(self, _: Request) -> Response:
        LOG.warning("a WebSocket came as a plain request: the proxy has to pass on Upgrade and Connection, by HTTP/1.1")
        return PlainTextResponse("Only a WebSocket can be opened here.\n", 426, {"Upgrade": "websocket"})

    async def _health(self, _: Request) -> Response:
        """Whether the page can open sessions now."""
        is_ready = self._engine.is_ready.is_set()
        return JSONResponse({"engine": "ready" if is_ready else "restarting", "tabs": len(self._tabs)}, 200 if is_ready else 503)

    # The page on which a person changes the account

    async def _owner(self, at: str, connection: HTTPConnection) -> Login | None:
        """Returns the login to which a tab of the page at this path belongs: None where people log in. Raises `LoggedOut`."""
        if at != ACCOUNT:
            return None
        login = await self.login(connection)
        # A login without a name has no account to change.
        if login is None or login.principal is None:
            raise LoggedOut
        return login

    async def _account(self, request: Request) -> Response:
        await self._owner(ACCOUNT, request)
        return self._with_browser(request, HTMLResponse(self._files.index(self._path(ACCOUNT + "/"), request.url.query)))

    async def _to_account(self, request: Request) -> Response:
        return self._redirect(with_query(self._path(ACCOUNT + "/"), request.url.query))

    async def _logged_out(self, request: Request, _: Exception) -> Response:
        """Leads to the login, and from there back."""
        if await self.login(request):
            raise HTTPException(403, "This login has no account.")
        target = with_query(self._path(ACCOUNT + "/"), request.url.query)
        return self._redirect(f"{self._path('/')}?next={quote(target)}")

    # The page without JavaScript

    async def _begin_form(self, at: str, request: Request) -> Response:
        # An image or a frame of another site must not start sessions for its visitors; a link there may.
        if request.headers.get("Sec-Fetch-Site") == "cross-site" and request.headers.get("Sec-Fetch-Dest") != "document":
            raise HTTPException(403, "A form can only be opened by going to its page.")
        login = await self._owner(at, request)
        screen, target = request.query_params.get("screen", ""), self._wanted(request)
        response, tab = await self._open_form(at, request, self._language(request), screen, target, login)
        return response if tab else self._busy()

    async def _post_first(self, request: Request) -> Response:
        """Submits the first screen, which is in the page itself. Only now is there a session."""
        self._require_own(request)
        posted = await posted_by(request)
        target = self._target(posted.get("next", ""))
        response, tab = await self._open_form("", request, posted.get("locale", ""), posted.get("screen", ""), target, None)
        if tab is None:
            return self._busy()
        with contextlib.suppress(Refused):
            await self._forms.post(tab, {**posted, "token": self._forms.token(tab)})
        if tab.scene is not None:
            return self._entered(request, self._logins.redeem(self._logins.ticket(tab), tab.browser), tab.target)
        return response

    async def _open_form(self, at: str, request: Request, locale: str, screen: str, target: str | None, login: Login | None) -> tuple[Response, Any]:
        """Opens a session for a form. Returns the response that leads to it, and its tab; None if there are too many."""
        response = self._with_browser(request, Response(status_code=303))
        browser = self._browser_of(request, response)
        asked = ({"locale": locale} if locale else {}), ({"screen": screen} if screen else {})
        opened = await self._forms.begin(self._path(at), browser, self._address(request), self._context(request, at), *asked, target, login)
        if opened is None:
            return response, None
        response.headers["Location"], tab = opened
        return response, tab

    def _language(self, request: Request) -> str:
        """The language that the browser prefers; empty if it says nothing."""
        accepted = request.headers.get("Accept-Language", "").split(",")[0].split(";")[0].strip()
        if not accepted.isascii() or len(accepted) > 128:
            raise HTTPException(400, "This is no language.")
        return "" if accepted == "*" else accepted

    async def _show_form(self, at: str, request: Request) -> Response:
        tab = await self._form(at, request)
        if isinstance(tab, Response):
            return tab
        try:
            return HTMLResponse(await self._forms.draw(tab, self._form_path(at, request)))
        except Refused as error:
            return self._ended(tab, request) or (self._busy() if error.is_lost else self._redirect(self._path(at + "/form")))

    async def _post_form(self, at: str, request: Request) -> Response:
        self._require_own(request)
        tab, posted = await self._form(at, request), await posted_by(request)
        if isinstance(tab, Response):
            return tab
        try:
            await self._forms.post(tab, posted)
        except Refused as error:
            # The session may be restored with the engine.
            return self._ended(tab, request) or self._redirect(self._form_path(at, request) if error.is_lost else self._path(at + "/form"))
        if ended := self._ended(tab, request):
            return ended
        if tab.scene is None:
            return self._redirect(self._form_path(at, request))
        target = tab.target
        return self._entered(request, self._logins.redeem(self._logins.ticket(tab), tab.browser), target)

    def _form_path(self, at: str, request: Request) -> str:
        # Not the request's own path, from which a proxy may have removed the prefix.
        return self._path(at + "/form/" + request.path_params["number"])

    def _busy(self) -> Response:
        return self._page("503", element("section", element("h1", self._words["en"]["busy"]), class_="card"), "en", 503)

    def _page(self, title: str, card: str, language: str, status: int = 200) -> Response:
        return HTMLResponse(page(title, card, locale=language, prefix=self.options.prefix, brand=self._brand), status)

    def _ended(self, tab: Tab, request: Request) -> Response | None:
        """Returns the response to a person whose account page has just ended; None if it goes on."""
        if tab.ended == DONE:
            return self._redirect(self.options.after)
        return self._card(request, ENDED[tab.ended], "logIn", self._path("/")) if tab.ended in ENDED else None

    def _card(self, request: Request, text: str, link: str, address: str, status: int = 200) -> Response:
        """A page with a text and a link, by the names of their words."""
        language, words = self._words_for(request)
        card = element("section", element("h1", words[text]), element("p", element("a", words[link], href=address)), class_="card")
        return self._page(words[text], card, language, status)

    async def _form(self, at: str, request: Request) -> Any:
        """Returns the tab of a form, or the response to a browser that has none."""
        login = await self._owner(at, request)
        tab = self._forms.find(request.path_params["number"], self._given_browser(request), self._address(request), login)
        # Otherwise a browser that refuses cookies would be redirected to a new form forever.
        if tab is None and not self._given_browser(request):
            return self._card(request, "cookies", "here", self._path(at + "/form"), 403)
        return tab or self._redirect(self._path(at + "/form"))

    # Logins

    async def _enter(self, request: Request) -> Response:
        """Exchanges the ticket of a success for a cookie."""
        self._require_own(request)
        posted = await posted_by(request)
        opened = self._logins.redeem(posted.get("ticket", ""), self._given_browser(request))
        if opened is None:
            return self._redirect(self._path("/"))
        return self._entered(request, opened, self._target(posted.get("next", "")))

    def _entered(self, request: Request, opened: tuple[str, Login] | None, target: str | None) -> Response:
        if opened is None:
            return self._redirect(self._path("/"))
        # The browser forgets its former login, to which tabs may belong.
        self._logins.end(request.cookies.get(self._login_cookie(), ""))
        response = self._redirect(target or self.options.after)
        self._set_login(response, *opened)
        return response

    async def _welcome(self, request: Request) -> Response:
        """A placeholder for the application's own page."""
        login = await self.login(request)
        if login is None:
            return self._redirect(self._path("/"))
        language, words = self._words_for(request)
        title = words["welcome"].replace("{name}", login.principal or "")
        leave = element("form", element("button", words["leave"], type="submit", id="primary"), method="post", action=self._path("/leave"))
        account = login.principal is not None and self.options.account_flow and element(
            "p", element("a", words["account"], href=self._path(ACCOUNT + "/")), class_="more")
        card = element("section", element("h1", title), element("p", words["in"]), leave, account, class_="card welcome")
        return self._page(title, card, language)

    async def _session(self, request: Request) -> Response:
        """For the application: the login that belongs to this cookie, as JSON and as headers for a proxy, or 401. Excludes the secrets that
        authenticators granted."""
        value = request.cookies.get(self._login_cookie(), "")
        login = self._logins.find(value)
        if login is None:
            raise HTTPException(401)
        response = JSONResponse({name: getattr(login, name) for name in ("principal", "scene", "proofs", "data")}, headers=headers_of(login))
        if self._logins.renews(login):
            self._set_login(response, value, login)
        return response

    async def _leave(self, request: Request) -> Response:
        self._require_own(request)
        self._logins.end(request.cookies.get(self._login_cookie(), ""))
        response = self._redirect(self._target((await posted_by(request)).get("next", "")) or self._path("/"))
        # What the application kept in this browser belongs to the person who leaves.
        response.headers["Clear-Site-Data"] = '"cache", "storage"'
        response.delete_cookie(self._login_cookie(), path="/", domain=self.options.cookie_domain, secure=self.options.is_secure, httponly=True, samesite="lax")
        return response

    def _wanted(self, request: Request) -> str | None:
        """The address to which `?next=` of a request leads."""
        given = request.url.query.partition("next=")[2]
        # A proxy that cannot encode it puts the whole address, with its own query, at the end of ours.
        return self._target(given if given.startswith("/") else unquote(given.partition("&")[0]))

    def _target(self, wanted: str) -> str | None:
        """The address to which `?next=` leads. An address that is not allowed is ignored, because a link of somebody else's may have it."""
        target = self.options.target(wanted)
        if wanted and target is None:
            LOG.warning("an address of ?next= was ignored: see --next")
        return target

    # The client

    def _require_own(self, request: Request) -> None:
        """Requires that a POST comes from this site's own pages. Browsers send its origin; text browsers only send the referring page."""
        origin = request.headers.get("Origin", origin_of(request.headers.get("Referer", "")))
        if origin not in self.options.origins:
            LOG.warning("a form from %s was refused: see --origin and --more-origin", origin or "a page without an origin")
            raise HTTPException(403, "This form is not from this page.")

    def _cookie(self, name: str) -> str:
        return f"__Host-{name}" if self.options.is_secure else name

    def _login_cookie(self) -> str:
        # A cookie for several hosts cannot have the prefix that binds it to one.
        return "__Secure-entry" if self.options.is_secure and self.options.cookie_domain else self._cookie("entry")

    def _set_login(self, response: Response, value: str, login: Login) -> None:
        """Sets the cookie of a login. Lax, because a link from a mail has to find a person logged in."""
        remembered = int(self.options.remember_days * 86400) if login.is_remembered else 0
        response.set_cookie(self._login_cookie(), value, max_age=remembered or None, path="/", domain=self.options.cookie_domain,
                            secure=self.options.is_secure, httponly=True, samesite="lax")

    def _with_browser(self, connection: HTTPConnection, response: Response) -> Response:
        """Sets the cookie to which the browser's tabs belong. Lax, because the browser has to send it when it returns from a redirect."""
        if not self._given_browser(connection):
            response.set_cookie(self._cookie("browser"), secrets.token_urlsafe(24), path="/", secure=self.options.is_secure, httponly=True, samesite="lax")
        return response

    def _given_browser(self, connection: HTTPConnection) -> str:
        """Returns the browser's cookie; empty unless the page could have set it."""
        given = connection.cookies.get(self._cookie("browser"), "")
        return given if BROWSER.fullmatch(given) else ""

    def _browser_of(self, connection: HTTPConnection, response: Response) -> str:
        made = re.search(rf"{self._cookie('browser')}=([^;]*)", response.headers.get("Set-Cookie", ""))
        return made[1] if made else self._given_browser(connection)

    def _address(self, connection: HTTPConnection) -> str:
        remote = connection.client.host if connection.client else None
        return addresses.of_client(remote, connection.headers.getlist("X-Forwarded-For"), self.options.networks)

    def _context(self, connection: HTTPConnection, at: str) -> dict[str, str]:
        """Returns the information about the browser for authenticators. `at` is the path of its page."""
        agent = "".join(filter(str.isprintable, connection.headers.get("User-Agent", "")))
        return {"address": self._address(connection), "agent": agent[:512], "return": f"{self.options.origin}{self._path(at)}/"}

    def _words_for(self, request: Request) -> tuple[str, dict[str, str]]:
        """Returns a language of the browser that the page has, and the page's words in it."""
        language = request.headers.get("Accept-Language", "en")[:2]
        language = language if language in self._words else "en"
        return language, self._words[language]

    def _path(self, path: str) -> str:
        return self.options.prefix + path

    def _redirect(self, address: str | None) -> Response:
        return RedirectResponse(address or "/", 303)


RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


def headers_of(login: Login) -> dict[str, str]:
    """A login as headers, for proxies that pass them on. Values are percent-encoded, since headers have ASCII only."""
    proofs = login.proofs or []
    name = (login.data or {}).get("name")
    values = {
        "X-Login-Principal": login.principal,
        "X-Login-Account": (login.data or {}).get("account"),
        "X-Login-Name": name if isinstance(name, str) else None,
        "X-Login-Factors": " ".join(proof["factor"] for proof in proofs),
        "X-Login-Proved-At": " ".join(str(proof["at"] // 1000) for proof in proofs),
    }
    return {header: quote(str(value), safe=" @.-_~+:") for header, value in values.items() if value}


def with_query(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path


def origin_of(address: str) -> str:
    """Returns the origin of a page, in the form that browsers use; empty if there is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


async def posted_by(request: Request) -> dict[str, str]:
    """Returns the fields of a posted form."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAXIMUM_FORM:
            raise HTTPException(413, "The form is too long.")
    kind, _, parameters = request.headers.get("Content-Type", "").lower().partition(";")
    charset = parameters.partition("charset=")[2].strip(' "')
    if kind.strip() not in ("application/x-www-form-urlencoded", "") or charset not in ("utf-8", ""):
        raise HTTPException(400, "The form is not readable.")
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=1000))
    except ValueError:
        raise HTTPException(400, "The form is not readable.") from None


async def refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return PlainTextResponse(f"{error.detail}\n", error.status_code)


async def foreign(_: Request, __: Exception) -> Response:
    return PlainTextResponse("This form is not from this page.\n", 403)

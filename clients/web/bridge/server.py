"""The routes of a bridge: the page, its WebSocket, the page without JavaScript, and logins."""

import ipaddress
import json
import re
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

import addresses
from browsers import Connection, websocket
from engine import Engine, Refused
from forms import Forms
from logins import LOGIN_LIFETIME, Logins
from markup import element, page
from tabs import Tabs

PAGE = Path(__file__).resolve().parent.parent / "page"
#: The format of the browser cookie that the bridge sets. Any other value counts as no cookie.
BROWSER = re.compile(r"[A-Za-z0-9_-]{32}")
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}

#: Only this site's own files, no inline scripts or styles, and no text that becomes HTML.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), publickey-credentials-get=(self), publickey-credentials-create=(self)",
    # Not "no-referrer": without a referrer, browsers send no origin with a POST.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Bridge:
    """`options` are those of the command line (`__main__.py`); `command` starts the engine."""

    def __init__(self, options, command):
        self._options = options
        self._origins = {options.origin, *options.more_origins}
        self._is_secure = options.origin.startswith("https:")
        self._proxies = [ipaddress.ip_network(proxy) for proxy in options.proxy]
        self._words = json.loads((PAGE / "words.json").read_text())
        page = options.page or PAGE
        # The other pages of the bridge need this page's style.
        self._files = {path.name: (path.read_bytes(), TYPES[path.suffix]) for path in [*PAGE.iterdir(), *page.iterdir()] if path.suffix in TYPES}
        self._index = (page / "index.html").read_text()
        self.logins = Logins()
        opening = {"flow": options.flow} if options.flow else {}
        self.tabs = Tabs(self.logins, opening, options.grace, options.tabs, options.tabs_of_address)
        self.engine = self.tabs.engine = Engine(command, self.tabs.receive, self.tabs.engine_lost, self.tabs.engine_started)
        self._forms = Forms(self.tabs, self._words)

    async def describe(self):
        """Asks the engine for the languages of the flow. Raises `SystemExit` if there is no such flow."""
        flows = {flow["flow"]: flow for flow in (await self.engine.request("engine/describe", is_first=True))["flows"]}
        flow = self._options.flow or next(iter(flows))
        if flow not in flows:
            raise SystemExit(f"The engine has no flow {flow!r}, only {', '.join(flows)}.")
        self._locales = flows[flow]["locales"]

    def application(self):
        made = web.Application(client_max_size=1 << 17, middlewares=[with_headers])
        made.add_routes([
            web.get("/", self.index), web.get("/page/{file}", self.file), web.get("/link", self.link),
            web.get("/form", self.begin_form), web.get("/form/{number}", self.show_form), web.post("/form/{number}", self.post_form),
            web.post("/enter", self.enter), web.get("/welcome", self.welcome), web.post("/leave", self.leave), web.get("/session", self.session),
        ])
        return made

    # The page

    async def index(self, request):
        if self._login(request):
            raise web.HTTPSeeOther("/welcome")
        return self._with_browser(request, html(self._index))

    async def file(self, request):
        content, kind = self._files.get(request.match_info["file"], (None, None))
        if content is None:
            raise web.HTTPNotFound
        return web.Response(body=content, content_type=kind, charset="utf-8", headers={"Cache-Control": "no-cache"})

    async def link(self, request):
        if request.headers.get("Origin") not in self._origins:
            raise web.HTTPForbidden(text="Only this site's own page may open a WebSocket.")
        # A page that another server delivers gets its cookie here.
        socket = self._with_browser(request, websocket())
        browser, context, rate = self._browser_of(request, socket), self._context(request), self._options.rate
        return await Connection(self.tabs, browser, self._address(request), context, self._locales, rate).run(request, socket)

    # The page without JavaScript

    async def begin_form(self, request):
        # An image or a frame of another site must not start sessions for its visitors; a link there may.
        if request.headers.get("Sec-Fetch-Site") == "cross-site" and request.headers.get("Sec-Fetch-Dest") != "document":
            raise web.HTTPForbidden(text="A form can only be opened by going to its page.")
        response = self._with_browser(request, web.Response(status=303))
        browser = self._browser_of(request, response)
        accepted = request.headers.get("Accept-Language", "").split(",")[0].split(";")[0].strip()
        locale = {"locale": accepted} if accepted and accepted != "*" else {}
        screen = {"screen": request.query["screen"]} if "screen" in request.query else {}
        require_text(*locale.values(), *screen.values())
        address = await self._forms.begin(browser, self._address(request), self._context(request), locale, screen)
        if address is None:
            return self._busy()
        response.headers["Location"] = address
        return response

    async def show_form(self, request):
        tab = self._form(request)
        try:
            return html(await self._forms.draw(tab, request.path))
        except Refused as refused:
            if refused.is_lost:
                return self._busy()
            raise web.HTTPSeeOther("/form") from None

    async def post_form(self, request):
        self._require_own(request)
        tab, posted = self._form(request), await posted_by(request)
        try:
            await self._forms.post(tab, posted)
        except Refused as refused:
            # The session may be restored with the engine.
            raise web.HTTPSeeOther(request.path if refused.is_lost else "/form") from None
        if tab.scene is not None:
            return self._entered(self.logins.redeem(self.logins.ticket(tab), tab.browser))
        raise web.HTTPSeeOther(request.path)

    def _busy(self):
        return html(page("503", element("section", element("h1", self._words["en"]["busy"]), class_="card")), status=503)

    def _form(self, request):
        tab = self._forms.find(request.match_info["number"], self._given_browser(request), self._address(request))
        # Otherwise a browser that refuses cookies would be redirected to a new form forever.
        if tab is None and not self._given_browser(request):
            words = self._words.get(request.headers.get("Accept-Language", "en")[:2], self._words["en"])
            card = element("section", element("p", words["cookies"]), element("p", element("a", words["here"], href="/form")), class_="card")
            raise web.HTTPForbidden(text=page(words["here"], card), content_type="text/html")
        if tab is None:
            raise web.HTTPSeeOther("/form")
        return tab

    # Logins

    async def enter(self, request):
        """Exchanges the ticket of a success for a cookie."""
        self._require_own(request)
        ticket = (await posted_by(request)).get("ticket", "")
        cookie = self.logins.redeem(ticket, self._given_browser(request))
        if cookie is None:
            raise web.HTTPSeeOther("/")
        return self._entered(cookie)

    def _entered(self, cookie):
        response = web.Response(status=303, headers={"Location": "/welcome"})
        self._set_cookie(response, "entry", cookie, samesite="Strict", max_age=LOGIN_LIFETIME)
        return response

    async def welcome(self, request):
        """A placeholder for the application's own page."""
        login = self._login(request)
        if login is None:
            raise web.HTTPSeeOther("/")
        words = self._words.get(request.headers.get("Accept-Language", "en")[:2], self._words["en"])
        title = words["welcome"].replace("{name}", login.principal or "")
        leave = element("form", element("button", words["leave"], type="submit", id="primary"), method="post", action="/leave")
        return html(page(title, element("section", element("h1", title), element("p", words["in"]), leave, class_="card welcome")))

    async def session(self, request):
        """For the application: the login that belongs to this cookie, as JSON, or 401. Excludes the secrets that authenticators granted."""
        login = self._login(request)
        if login is None:
            raise web.HTTPUnauthorized
        return web.json_response({name: getattr(login, name) for name in ("principal", "scene", "proofs", "data")})

    async def leave(self, request):
        self._require_own(request)
        self.logins.end(request.cookies.get(self._cookie("entry"), ""))
        response = web.Response(status=303, headers={"Location": "/"})
        response.del_cookie(self._cookie("entry"), secure=self._is_secure, httponly=True, samesite="Strict")
        return response

    def _login(self, request):
        return self.logins.find(request.cookies.get(self._cookie("entry"), ""))

    # The client

    def _require_own(self, request):
        """Requires that a POST comes from this site's own pages. Browsers send its origin; text browsers only send the referring page."""
        origin = request.headers.get("Origin", origin_of(request.headers.get("Referer", "")))
        if origin not in self._origins:
            raise web.HTTPForbidden(text="This form is not from this page.")

    def _cookie(self, name):
        return f"__Host-{name}" if self._is_secure else name

    def _set_cookie(self, response, name, value, **more):
        response.set_cookie(self._cookie(name), value, path="/", httponly=True, secure=self._is_secure, **more)

    def _with_browser(self, request, response):
        """Sets the cookie to which the browser's tabs belong. Lax, because the browser has to send it when it returns from a redirect."""
        if not self._given_browser(request):
            self._set_cookie(response, "browser", secrets.token_urlsafe(24), samesite="Lax")
        return response

    def _given_browser(self, request):
        """Returns the browser's cookie; empty unless the bridge could have set it."""
        given = request.cookies.get(self._cookie("browser"), "")
        return given if BROWSER.fullmatch(given) else ""

    def _browser_of(self, request, response):
        made = response.cookies.get(self._cookie("browser"))
        return made.value if made else self._given_browser(request)

    def _address(self, request):
        return addresses.of_client(request.remote, request.headers.getall("X-Forwarded-For", []), self._proxies)

    def _context(self, request):
        """Returns the information about the browser for authenticators."""
        agent = "".join(filter(str.isprintable, request.headers.get("User-Agent", "")))
        return {"address": self._address(request), "agent": agent[:512], "return": self._options.origin + "/"}


def origin_of(address):
    """Returns the origin of a page, in the form that browsers use; empty if there is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


async def posted_by(request):
    """Returns the text fields of a posted form, without files."""
    try:
        posted = {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
    # The encoding is unknown, or is not that of the form.
    except (LookupError, ValueError):
        raise web.HTTPBadRequest(text="The form is not readable.") from None
    require_text(*posted, *posted.values())
    return posted


def require_text(*texts):
    """Refuses lone surrogates: bytes that were not UTF-8, which the engine could not read."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        raise web.HTTPBadRequest(text="This is not UTF-8.") from None


def html(text, status=200):
    return web.Response(text=text, status=status, content_type="text/html")


@web.middleware
async def with_headers(request, handler):
    try:
        response = await handler(request)
    except web.HTTPException as error:
        response = error
        error.headers.update(HEADERS)
        raise
    if not response.prepared:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
    return response

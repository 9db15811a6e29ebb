"""The tabs of all browsers. Each has one session with the engine, under a name that browsers neither know nor choose, and is identified by its secret."""

import asyncio
import hashlib
import ipaddress
import secrets

#: The name that the page uses for its session.
PAGE_NAME = "tab"
#: The seconds for which a tab is kept whose user is at another site.
AWAY = 900
#: The WebSocket's close code when another connection has taken over the tab (link.ts of the client in TypeScript).
TAKEN_OVER = 4001
#: The WebSocket's close code when the engine was replaced and has the session: the page reconnects and resends lost events (RFC 6455, 1012).
ENGINE_REPLACED = 1012


def name_of(secret, browser):
    """Returns the engine's name for the session of a tab. It is derived from values that only the browser has, so that a restarted bridge finds a saved
    session again. The name reveals nothing about them."""
    return "tab-" + hashlib.sha256(f"{browser}\n{secret}".encode(errors="surrogatepass")).hexdigest()[:32]


class Tab:
    """A tab of a browser. `browser` is the value of the browser's cookie: no other browser reaches this tab, even with the secret."""

    def __init__(self, tabs, browser, address, secret):
        self._tabs, self.browser, self.address, self.secret = tabs, browser, address, secret
        self.name = name_of(secret, browser)
        #: The destination of the engine's messages; None while no browser is connected.
        self.outlet = None
        self.is_open, self.scene, self.granted, self.ticket = False, None, [], None
        #: Where a login of a form without JavaScript leads, if not to the usual page.
        self.target = None
        #: Whether the user is at another site and is expected back.
        self.is_away = False
        #: The texts on the screen to draw as QR codes.
        self.codes = set()
        #: The drawings of those texts that the page has requested.
        self.drawings = {}
        self._timer = None

    # The engine's side

    def ask(self, method, params, answered):
        self._tabs.engine.ask(method, {"session": self.name, **params}, answered)

    def notify(self, method, params):
        self._tabs.engine.write(method, {"session": self.name, **params})

    def open(self, params, answered):
        """Opens a session, in place of the former one if there was one."""
        self.close_session()
        self.is_open = True
        self.ask("session/open", {**self._tabs.opening, **params}, answered)

    def close_session(self):
        if self.is_open:
            self.notify("session/close", {})
        self.lose_session()

    def lose_session(self):
        """Records that the engine no longer has the session."""
        self.is_open, self.scene, self.granted, self.ticket = False, None, [], None
        self.codes, self.drawings = set(), {}

    def receive(self, method, params):
        """Handles a notification from the engine. Secrets that an authenticator grants the application stay in the bridge."""
        if method == "session/refused":
            # The update before this has undone the refused edit.
            return
        if method == "session/closed":
            self.lose_session()
        if method == "session/granted":
            self.granted.append(params["secret"])
            return
        if method == "session/update":
            self.scene = params["snapshot"]["scene"]
            self.note_codes(params["snapshot"])
        if self.outlet:
            self.outlet.put({"jsonrpc": "2.0", "method": method, "params": {**params, "session": PAGE_NAME}})
            if method == "session/update":
                self.offer_ticket()

    def note_codes(self, snapshot):
        self.codes = {item["text"] for item in items(snapshot) if item["kind"] == "code" and item["format"] == "qr"}
        self.drawings = {text: drawing for text, drawing in self.drawings.items() if text in self.codes}

    def offer_ticket(self):
        """Gives the page a ticket for a cookie once there is a scene."""
        if self.scene is not None and self.outlet:
            ticket = self._tabs.logins.ticket(self)
            self.outlet.put({"jsonrpc": "2.0", "method": "bridge/ticket", "params": {"ticket": ticket}}, is_kept=True)

    # The browser's side

    def attach(self, outlet):
        """Attaches a connection, in place of the former one."""
        if self.outlet:
            self.outlet.close(TAKEN_OVER)
        self.outlet, self.is_away = outlet, False
        self.keep(None)

    def detach(self, outlet):
        if self.outlet is outlet:
            self.outlet = None
            self.keep(max(AWAY, self._tabs.grace) if self.is_away else self._tabs.grace)

    def keep(self, seconds):
        """Ends the tab after this many seconds, unless called again before; None cancels that."""
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.end) if seconds is not None else None

    def end(self):
        """Closes the session, and invalidates the secret."""
        if self._timer:
            self._timer.cancel()
        self._tabs.forget(self)
        self.close_session()
        if self.outlet:
            self.outlet.close()


class Tabs:
    """All tabs. `opening` has the params for every session; `grace` is the number of seconds for which a tab without a connection is kept."""

    def __init__(self, logins, opening, grace, maximum, maximum_of_address):
        self.logins, self.opening, self.grace = logins, opening, grace
        self._maximum, self._maximum_of_address = maximum, maximum_of_address
        self._by_name, self._by_secret, self._addresses = {}, {}, {}
        #: The sessions that an engine restored and no browser has claimed yet, each with the timer that closes it.
        self._orphans = {}
        #: The sessions that a new engine has restored so far; None once all are known.
        self._brought = None
        self.engine = None
        #: Differs for each engine: a page that knew another one sends revisions that this one would take for old.
        self.engine_id = ""

    def add(self, browser, address, secret=None):
        """Adds a tab; returns None if there are too many, in total or from this address. Generates a secret unless one is given."""
        address = network_of(address)
        count = self._addresses.get(address, 0)
        if len(self._by_name) >= self._maximum or count >= self._maximum_of_address:
            return None
        tab = Tab(self, browser, address, secret or secrets.token_urlsafe(24))
        self._addresses[address] = count + 1
        self._by_name[tab.name] = self._by_secret[tab.secret] = tab
        return tab

    def find(self, secret, browser, address):
        """Returns the tab with this secret; None if there is none or it is another browser's. Claims a session from before the bridge was restarted."""
        if not isinstance(secret, str):
            return None
        if tab := self._by_secret.get(secret):
            return tab if is_same(tab.browser, browser) else None
        if name_of(secret, browser) not in self._orphans:
            return None
        if tab := self.add(browser, address, secret):
            tab.is_open = True
            self._orphans.pop(tab.name).cancel()
        return tab

    def forget(self, tab):
        if self._by_name.pop(tab.name, None):
            del self._by_secret[tab.secret]
            self._addresses[tab.address] -= 1
            if not self._addresses[tab.address]:
                del self._addresses[tab.address]

    def receive(self, message):
        """Passes a notification from the engine to its tab."""
        params = message.get("params", {})
        if self._brought is not None and message["method"] == "session/update":
            self._brought.add(params["session"])
        if tab := self._by_name.get(params.get("session")):
            tab.receive(message["method"], params)

    def engine_lost(self):
        """Invalidates all sessions: events that browsers send from now on were meant for the engine that ended."""
        self._brought = None
        for timer in self._orphans.values():
            timer.cancel()
        self._orphans.clear()
        for tab in self._by_name.values():
            tab.lose_session()
            if tab.outlet:
                tab.outlet.lose_engine()

    def engine_started(self):
        """Collects restored sessions: an engine with --restore first sends one update for each, before any response."""
        self._brought, self.engine_id = set(), secrets.token_hex(8)
        self.engine.ask("engine/describe", {}, self._engine_is_ready)

    def _engine_is_ready(self, message):
        if "error" in message:
            return
        brought, self._brought = self._brought, None
        for tab in self._by_name.values():
            tab.is_open = tab.name in brought
            if not tab.is_open:
                tab.lose_session()
            if tab.outlet and tab.is_open:
                tab.outlet.close(ENGINE_REPLACED)
            elif tab.outlet:
                tab.outlet.put({"jsonrpc": "2.0", "method": "bridge/restarted", "params": {}}, is_kept=True)
        for name in brought - self._by_name.keys():
            self._orphans[name] = asyncio.get_running_loop().call_later(max(AWAY, self.grace), self._close_orphan, name)
        self.engine.is_ready.set()

    def _close_orphan(self, name):
        """Closes a restored session that no browser has claimed."""
        del self._orphans[name]
        self.engine.write("session/close", {"session": name})

    def __len__(self):
        return len(self._by_name)


def network_of(address):
    """Returns the network that counts as one address: for IPv6 the first 64 bits, because one client usually has all addresses in them."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return str(known)
    return str(known.ipv4_mapped or int(known) >> 64)


def is_same(secret, given):
    """Compares secrets in constant time, whatever is given."""
    return secrets.compare_digest(secret.encode(errors="surrogatepass"), given.encode(errors="surrogatepass"))


def items(snapshot):
    return [item for section in snapshot["sections"] for item in section["items"]]

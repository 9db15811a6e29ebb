"""The tabs of all browsers. Each has one session with the engine, under a name that browsers neither know nor choose, and is identified by its secret."""

import asyncio
import hashlib
import ipaddress
import secrets

#: The name that the page uses for its session.
PAGE_NAME = "tab"
#: How the names of the sessions that belong to a login begin.
OWNED = "account-"
#: The seconds for which a tab is kept whose user is at another site.
AWAY = 900
#: The WebSocket's close code when another connection has taken over the tab (link.ts of the client in TypeScript).
TAKEN_OVER = 4001
#: The close codes when a tab of the account page ends: its login has ended, or because the account is deleted or disabled; or the flow showed a scene.
LOGGED_OUT, GONE, DISABLED, DONE = 4002, 4003, 4004, 4005
#: The codes of errors of the accounts (protocol/messages.json) after which no login of the account holds.
ENDINGS = {"accountGone": GONE, "accountDisabled": DISABLED}
#: The WebSocket's close code when the engine was replaced and has the session: the page reconnects and resends lost events (RFC 6455, 1012).
ENGINE_REPLACED = 1012


def name_of(secret, browser, login=None):
    """Returns the engine's name for the session of a tab. It is derived from values that only the browser has, so that a restarted bridge finds a saved
    session again. The name reveals nothing about them. With a login it is that login's own: no other one finds the session."""
    known = f"{browser}\n{secret}\n{login.key.hex()}" if login else f"{browser}\n{secret}"
    return (OWNED if login else "tab-") + hashlib.sha256(known.encode(errors="surrogatepass")).hexdigest()[:32]


class Tab:
    """A tab of a browser. `browser` is the value of the browser's cookie: no other browser reaches this tab, even with the secret. A tab in which a person
    changes the account belongs to a login, ends with it, and never makes another one."""

    def __init__(self, tabs, browser, address, secret, login):
        self._tabs, self.browser, self.address, self.secret, self.login = tabs, browser, address, secret, login
        self.name = name_of(secret, browser, login)
        #: The close code with which a tab with a login has ended.
        self.ended = None
        #: The destination of the engine's messages; None while no browser is connected.
        self.outlet = None
        #: `scene` is what makes a login.
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
        self.ask("session/open", {**params, **self._tabs.opening(self.login)}, answered)

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
            snapshot = params["snapshot"]
            if self.login and (code := ending_of(snapshot)):
                return self.end(code) if code == DONE else self._tabs.logins.end_account(self.login, code)
            self.scene = None if self.login else snapshot["scene"]
            self.note_codes(snapshot)
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

    def end(self, code=1000):
        """Closes the session, and invalidates the secret. `code` is the WebSocket's close code."""
        if self._timer:
            self._timer.cancel()
        self._tabs.forget(self)
        self.close_session()
        self.ended = code
        if self.login:
            self.login.tabs.discard(self)
        if self.outlet:
            self.outlet.close(code)


class Tabs:
    """All tabs. `grace`, of the options, is the number of seconds for which a tab without a connection is kept."""

    def __init__(self, logins, options):
        self.logins, self.grace, self._options = logins, options.grace, options
        self._by_name, self._by_secret, self._addresses = {}, {}, {}
        #: The sessions that an engine restored and no browser has claimed yet, each with the timer that closes it.
        self._orphans = {}
        #: The sessions that a new engine has restored so far; None once all are known.
        self._brought = None
        self.engine = None
        #: Differs for each engine: a page that knew another one sends revisions that this one would take for old.
        self.engine_id = ""

    def opening(self, login):
        """Returns the params with which the bridge opens a session, whatever the page asks for."""
        if login is None:
            return {"flow": self._options.flow} if self._options.flow else {}
        # The engine shows each update at once, so that the end of an account reaches the bridge even if no page is there to show it.
        return {"flow": self._options.account_flow, "principal": login.principal, "transitions": "instant"}

    def add(self, browser, address, secret=None, login=None):
        """Adds a tab; returns None if there are too many, in total or from this address. Generates a secret unless one is given."""
        address = network_of(address)
        count = self._addresses.get(address, 0)
        if len(self._by_name) >= self._options.tabs or count >= self._options.tabs_of_address:
            return None
        tab = Tab(self, browser, address, secret or secrets.token_urlsafe(24), login)
        if login:
            self.logins.hold(login, tab)
        self._addresses[address] = count + 1
        self._by_name[tab.name] = self._by_secret[tab.secret] = tab
        return tab

    def find(self, secret, browser, address, login=None):
        """Returns the tab with this secret; None if there is none, or it is another browser's or belongs to another login. Claims a session from before the
        bridge was restarted."""
        if not isinstance(secret, str):
            return None
        if tab := self._by_secret.get(secret):
            return tab if is_same(tab.browser, browser) and tab.login is login else None
        if login or name_of(secret, browser) not in self._orphans:
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
            if name.startswith(OWNED):
                # Its login ended with the former bridge.
                self.engine.write("session/close", {"session": name})
                continue
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


def ending_of(snapshot):
    """Returns the code with which a tab of the account page ends at this snapshot; None if it goes on."""
    if scene := snapshot["scene"]:
        return GONE if (scene.get("data") or {}).get("deleted") is True else DONE
    return ENDINGS.get((snapshot["error"] or {}).get("code"))


def is_same(secret, given):
    """Compares secrets in constant time, whatever is given."""
    return secrets.compare_digest(secret.encode(errors="surrogatepass"), given.encode(errors="surrogatepass"))


def items(snapshot):
    return [item for section in snapshot["sections"] for item in section["items"]]

"""Logins after a success: a single-use ticket, which a POST of the same browser exchanges for a login, which a cookie names."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any

from .options import Options
from .tabs import GONE, LOGGED_OUT, Tab, is_same

#: The lifetime of a ticket in seconds.
TICKET_LIFETIME = 60
#: The number of logins kept per account.
MAXIMUM_OF_ACCOUNT = 20
#: A login is renewed at most once in so many seconds.
RENEWAL = 3600


@dataclass
class Login:
    """A login, as in the engine's scene. `granted` are the secrets that authenticators granted the application; no browser gets them."""

    principal: str | None
    scene: str
    proofs: list[Any] | None
    data: dict[str, Any] | None
    #: Whether the person chose "Keep me logged in".
    is_remembered: bool
    granted: list[Any] = field(repr=False)
    #: When the login was opened, last used and last renewed, by the clock of the event loop.
    opened: float
    used: float
    renewed: float
    #: The owner by which logins are counted: the account, or the address if the engine named no principal.
    owner: tuple[str, str]
    key: bytes = field(repr=False)
    #: The tabs in which the person changes the account. They end with the login.
    tabs: set[Tab] = field(default_factory=set, repr=False)
    timer: asyncio.TimerHandle | None = field(default=None, repr=False)

    @property
    def account(self) -> Any:
        """The account's id, which no other account gets, unlike its name; None if the authenticator gives none."""
        return (self.data or {}).get("account")


class Logins:
    def __init__(self, options: Options) -> None:
        self._idle, self._absolute = options.idle_hours * 3600, options.absolute_days * 86400
        self._remembered = max(self._idle, options.remember_days * 86400)
        self._remember_item = options.remember_item
        self._tickets: dict[str, tuple[Tab, float]] = {}
        #: By the digest of the cookie's value, so that a dump of the memory gives no cookie; in the order of their opening.
        self._logins: dict[bytes, Login] = {}
        #: The digests of each owner's logins, in the order of their opening.
        self._owned: dict[tuple[str, str], list[bytes]] = {}

    def ticket(self, tab: Tab) -> str:
        """Creates a ticket for the scene of a tab, and invalidates the tab's former ticket."""
        now = time()
        if tab.ticket is not None:
            self._tickets.pop(tab.ticket, None)
        # All live equally long, so the first expires first.
        for ticket, (_, expires) in list(self._tickets.items()):
            if expires > now:
                break
            del self._tickets[ticket]
        tab.ticket = secrets.token_urlsafe(24)
        self._tickets[tab.ticket] = (tab, now + TICKET_LIFETIME)
        return tab.ticket

    def redeem(self, ticket: str, browser: str) -> tuple[str, Login] | None:
        """Returns the value for a cookie, and its login; None if the ticket is unknown, used, expired or another browser's. Closes the tab's session."""
        tab, expires = self._tickets.get(ticket) or (None, 0.0)
        now = time()
        if tab is None or not is_same(tab.browser, browser) or expires < now or tab.scene is None:
            return None
        del self._tickets[ticket]
        value = secrets.token_urlsafe(24)
        login = self._opened(tab, tab.scene, digest(value), now)
        self._drop_expired(now)
        # Another account has got the name of a removed one.
        if login.principal is not None and login.account is not None:
            for key in [key for key in self._owned.get(login.owner, []) if self._logins[key].account not in (None, login.account)]:
                self._remove(key, GONE)
        owned = self._owned.setdefault(login.owner, [])
        # Repeated logins end the oldest login of the same account only.
        while len(owned) >= MAXIMUM_OF_ACCOUNT:
            self._remove(owned[0])
        owned = self._owned.setdefault(login.owner, [])
        owned.append(login.key)
        self._logins[login.key] = login
        tab.end()
        return value, login

    def find(self, value: str) -> Login | None:
        """Returns the login of a cookie, and counts it as used."""
        key, now = digest(value), time()
        login = self._logins.get(key)
        if login is None:
            return None
        if self._left(login, now) <= 0:
            self._remove(key)
            return None
        login.used = now
        return login

    def renews(self, login: Login) -> bool:
        """Whether the browser has to get the login's cookie again, so that it does not expire while it is used."""
        if not login.is_remembered or time() - login.renewed < RENEWAL:
            return False
        login.renewed = time()
        return True

    def end(self, value: str) -> None:
        self._remove(digest(value))

    def end_account(self, login: Login, code: int) -> None:
        """Ends all logins of an account that is deleted or disabled. `code` tells their tabs which."""
        for key in list(self._owned.get(login.owner, [])):
            self._remove(key, code)

    def use(self, login: Login) -> None:
        """Counts a login as used."""
        login.used = time()

    def hold(self, login: Login, tab: Tab) -> None:
        """Ties a tab to a login: it ends with it, also when the login ends because of its age."""
        login.tabs.add(tab)
        if login.timer is None:
            self._watch(login)

    def _watch(self, login: Login) -> None:
        left, login.timer = self._left(login, time()), None
        if left <= 0:
            self._remove(login.key)
        elif login.tabs:
            login.timer = asyncio.get_running_loop().call_later(left, self._watch, login)

    def _opened(self, tab: Tab, scene: dict[str, Any], key: bytes, now: float) -> Login:
        principal = scene.get("principal")
        owner = ("principal", principal) if principal is not None else ("address", tab.address)
        is_remembered = scene.get("values", {}).get(self._remember_item) is True
        return Login(principal, scene["id"], scene.get("proofs"), scene.get("data"), is_remembered, tab.granted, now, now, now, owner, key)

    def _left(self, login: Login, now: float) -> float:
        """Returns the seconds until a login ends without further use; 0 or less if it no longer holds."""
        idle = self._remembered if login.is_remembered else self._idle
        return min(login.used + idle, login.opened + self._absolute) - now

    def _drop_expired(self, now: float) -> None:
        """Drops some of the oldest logins that no longer hold. Looks at few, so that nothing here grows with what is kept."""
        for key in [key for key, _ in zip(self._logins, range(4))]:
            if self._left(self._logins[key], now) <= 0:
                self._remove(key)

    def _remove(self, key: bytes, code: int = LOGGED_OUT) -> None:
        login = self._logins.pop(key, None)
        if login is None:
            return
        owned = self._owned[login.owner]
        owned.remove(key)
        if not owned:
            del self._owned[login.owner]
        for tab in tuple(login.tabs):
            tab.end(code)


def time() -> float:
    return asyncio.get_running_loop().time()


def digest(value: str) -> bytes:
    return hashlib.sha256(value.encode(errors="surrogatepass")).digest()

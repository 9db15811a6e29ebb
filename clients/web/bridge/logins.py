"""Logins after a success: a single-use ticket, which a POST of the same browser exchanges for a login, which a cookie names."""

import asyncio
import secrets
from dataclasses import dataclass, field

from tabs import is_same

#: The lifetimes of a ticket and of a login in seconds.
TICKET_LIFETIME, LOGIN_LIFETIME = 60, 12 * 3600
#: The number of logins kept per account.
MAXIMUM_OF_ACCOUNT = 20


@dataclass
class Login:
    """A login, as in the engine's scene. `granted` are the secrets that authenticators granted the application; no browser gets them."""

    principal: str | None
    scene: str
    proofs: list | None
    data: dict | None
    granted: list = field(repr=False)
    expires: float
    #: The owner by which logins are counted: the account, or the address if the engine named no principal.
    owner: tuple


class Logins:
    def __init__(self):
        self._tickets, self._logins = {}, {}

    def ticket(self, tab):
        """Creates a ticket for the scene of a tab, and invalidates the tab's former ticket."""
        now = asyncio.get_running_loop().time()
        self._tickets = {ticket: entry for ticket, entry in self._tickets.items() if entry[1] > now and entry[0] is not tab}
        tab.ticket = secrets.token_urlsafe(24)
        self._tickets[tab.ticket] = (tab, now + TICKET_LIFETIME)
        return tab.ticket

    def redeem(self, ticket, browser):
        """Returns the value for a cookie; None if the ticket is unknown, used, expired or another browser's. Closes the tab's session."""
        tab, expires = self._tickets.get(ticket) or (None, 0)
        now = asyncio.get_running_loop().time()
        if tab is None or not is_same(tab.browser, browser) or expires < now or tab.scene is None:
            return None
        del self._tickets[ticket]
        scene = tab.scene
        principal = scene.get("principal")
        owner = ("principal", principal) if principal is not None else ("address", tab.address)
        self._logins = {cookie: login for cookie, login in self._logins.items() if login.expires > now}
        # Repeated logins end the oldest login of the same account only.
        others = [cookie for cookie, login in self._logins.items() if login.owner == owner]
        for other in others[: max(0, len(others) - MAXIMUM_OF_ACCOUNT + 1)]:
            del self._logins[other]
        cookie = secrets.token_urlsafe(24)
        self._logins[cookie] = Login(principal, scene["id"], scene.get("proofs"), scene.get("data"), tab.granted, now + LOGIN_LIFETIME, owner)
        tab.end()
        return cookie

    def find(self, cookie):
        login = self._logins.get(cookie)
        return login if login and login.expires > asyncio.get_running_loop().time() else None

    def end(self, cookie):
        self._logins.pop(cookie, None)

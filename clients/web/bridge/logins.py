"""What a success becomes: a ticket for one use, which a POST of the same browser turns into a login, which a cookie names."""

import asyncio
import secrets
from dataclasses import dataclass, field

from tabs import is_same

#: For how many seconds a ticket can be used, and a login lasts.
TICKET_LIFETIME, LOGIN_LIFETIME = 60, 12 * 3600
#: How many logins of one account are kept.
MAXIMUM_OF_ACCOUNT = 20


@dataclass
class Login:
    """Who has logged in, as the engine's scene says. `granted` are the secrets that authenticators gave for the application; no browser gets them."""

    principal: str | None
    scene: str
    proofs: list | None
    data: dict | None
    granted: list = field(repr=False)
    expires: float
    #: Whose logins are counted together: the account, or where the engine has named nobody, the address.
    owner: tuple


class Logins:
    def __init__(self):
        self._tickets, self._logins = {}, {}

    def ticket(self, tab):
        """A ticket for the scene of a tab. A former ticket of the tab is void."""
        now = asyncio.get_running_loop().time()
        self._tickets = {ticket: entry for ticket, entry in self._tickets.items() if entry[1] > now and entry[0] is not tab}
        tab.ticket = secrets.token_urlsafe(24)
        self._tickets[tab.ticket] = (tab, now + TICKET_LIFETIME)
        return tab.ticket

    def redeem(self, ticket, browser):
        """The value for a cookie; None where the ticket is unknown, used, too old or another browser's. The tab's session is closed."""
        tab, expires = self._tickets.get(ticket) or (None, 0)
        now = asyncio.get_running_loop().time()
        if tab is None or not is_same(tab.browser, browser) or expires < now or tab.scene is None:
            return None
        del self._tickets[ticket]
        scene = tab.scene
        principal = scene.get("principal")
        owner = ("principal", principal) if principal is not None else ("address", tab.address)
        self._logins = {cookie: login for cookie, login in self._logins.items() if login.expires > now}
        # Whoever logs in again and again ends the oldest login of that account, and nobody else's.
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

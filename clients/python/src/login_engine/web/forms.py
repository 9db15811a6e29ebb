"""The page without JavaScript: each session has an address, each post is one `session/submit`, and each response is drawn from the snapshot.

The credential of such a tab is the browser's cookie, and the token in the form proves that the post comes from the page itself."""

import asyncio
import base64
import hashlib
import secrets

from . import drawing
from .engine import Refused
from .tabs import is_same, items

#: The seconds for which a form without JavaScript is kept after the last request for it.
FORM_LIFETIME = 900
#: The seconds after which a post is answered even if the engine has not decided yet.
POST_TIMEOUT = 5


def secret_of(number, browser):
    """Returns the secret of the tab whose page has this number. It depends on the browser's cookie."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"form\n{browser}\n{number}".encode()).digest()).decode()


class Foreign(Exception):
    """A posted form that is not from the page itself."""


class Forms:
    def __init__(self, tabs, words, prefix, brand):
        self._tabs, self._words, self._prefix, self._brand = tabs, words, prefix, brand

    async def begin(self, path, browser, address, context, locale, screen, target, login):
        """Opens a session, and returns the address of its page, below `path`, and its tab; None if there are too many. `target` is where a login leads.
        An account page belongs to a login."""
        await self._tabs.engine.wait()
        # An address is not secret.
        number = secrets.token_urlsafe(12)
        tab = self._tabs.add(browser, address, secret_of(number, browser), login)
        if tab is None:
            return None
        tab.target = target
        # Kept briefly until the browser requests the page: a request from another site has no cookie, and holds no tab for long.
        tab.keep(self._tabs.grace)
        opened = asyncio.get_running_loop().create_future()
        tab.open({"context": context, "transitions": "instant", **locale, **screen}, lambda answer: opened.set_result(answer))
        if "error" in await opened:
            tab.end()
            return None
        return f"{path}/form/{number}", tab

    def find(self, number, browser, address, login):
        tab = self._tabs.find(secret_of(number, browser), browser, address, login) if browser else None
        if tab:
            tab.keep(FORM_LIFETIME)
        return tab

    def token(self, tab):
        """Returns the token that a form of this tab has to post. It is the tab's secret, which this page does not use otherwise."""
        return tab.secret

    async def draw(self, tab, address):
        """Draws the current page. Raises `Refused` if the session has ended."""
        result = await self._request(tab, "session/snapshot")
        snapshot = result["snapshot"]
        options = {item["id"]: (await self._request(tab, "session/options", item=item["id"]))["options"]
                   for item in items(snapshot) if "optionCount" in item}
        words = self._words.get(snapshot["locale"].split("-")[0], self._words["en"])
        ticket = self._tabs.logins.ticket(tab) if tab.scene is not None else None
        own = {"token": self.token(tab), "revision": result["revision"], "engine": self._tabs.engine_id}
        return drawing.draw(snapshot, words, address, own, options, ticket, self._prefix, self._brand, tab.target)

    async def post(self, tab, posted):
        """Submits a posted form. If the engine refuses it, nothing changes, and the page shows the current state."""
        if not is_same(posted.get("token", ""), self.token(tab)):
            raise Foreign
        shown = await self._request(tab, "session/snapshot")
        before, revision = shown["snapshot"], str(posted.get("revision", ""))
        if posted.get("engine", self._tabs.engine_id) != self._tabs.engine_id:
            # After a restart the engine numbers its state from the start, and the user has seen the same state.
            revision = str(shown["revision"])
        given = drawing.values(before, posted, {}) if not before["alert"] and not before["activity"] else {}
        try:
            if await self._brings_items(tab, before, given):
                return
            action = posted.get("action")
            params = {"values": given, **({"action": action} if action else {}), **({"revision": int(revision)} if revision.isdecimal() else {})}
            await asyncio.wait_for(self._request(tab, "session/submit", **params), POST_TIMEOUT)
        # ValueError: a revision with thousands of digits.
        except (Refused, TimeoutError, ValueError):
            pass

    async def _brings_items(self, tab, before, given):
        """Whether a choice adds or removes items: then the user sees the changed form before anything is pressed."""
        kinds = {item["id"]: item for item in items(before)}
        choices = {name: value for name, value in given.items() if kinds[name]["kind"] != "input" and value != kinds[name]["value"]}
        for name, value in choices.items():
            await self._request(tab, "session/edit", item=name, value=value)
        if not choices:
            return False
        after = (await self._request(tab, "session/snapshot"))["snapshot"]
        if {item["id"] for item in items(after)} == kinds.keys():
            return False
        editable = {item["id"] for item in items(after) if drawing.has_field(item)}
        for name, value in given.items():
            if name in editable and name not in choices:
                await self._request(tab, "session/edit", item=name, value=value)
        return True

    async def _request(self, tab, method, **params):
        return await self._tabs.engine.request(method, session=tab.name, **params)

"""The page without JavaScript: each session has an address, each post is one `session/submit`, and each answer is drawn from the snapshot.

The browser's cookie is the credential of such a tab, and the token in the form shows that the post comes from the page itself."""

import asyncio
import base64
import hashlib
import secrets

from aiohttp import web

import drawing
from engine import Refused
from tabs import is_same, items

#: For how many seconds a form without JavaScript is kept after it was last asked for.
FORM_LIFETIME = 900
#: After how many seconds a post is answered although the engine has not decided yet.
POST_TIMEOUT = 5


def secret_of(number, browser):
    """The secret of the tab whose page has this number: what only who has the browser's cookie can know."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"form\n{browser}\n{number}".encode()).digest()).decode()


class Forms:
    def __init__(self, tabs, words):
        self._tabs, self._words = tabs, words

    async def begin(self, browser, address, context, locale, screen):
        """Opens a session, and gives the address of its page; None if there are too many."""
        await self._tabs.engine.wait()
        # In an address nothing is secret.
        number = secrets.token_urlsafe(12)
        tab = self._tabs.add(browser, address, secret_of(number, browser))
        if tab is None:
            return None
        # Until its own browser comes for the page: a request from another site is without the cookie, and holds no tab for long.
        tab.keep(self._tabs.grace)
        opened = asyncio.get_running_loop().create_future()
        tab.open({"context": context, "transitions": "instant", **locale, **screen}, lambda answer: opened.set_result(answer))
        if "error" in await opened:
            tab.end()
            return None
        return "/form/" + number

    def find(self, number, browser, address):
        tab = self._tabs.find(secret_of(number, browser), browser, address) if browser else None
        if tab:
            tab.keep(FORM_LIFETIME)
        return tab

    def token(self, tab):
        """What a form of this tab has to post: nobody else knows the tab's secret, and this page does not use it otherwise."""
        return tab.secret

    async def draw(self, tab, address):
        """The page as it is now; raises `Refused` where the session is over."""
        result = await self._request(tab, "session/snapshot")
        snapshot = result["snapshot"]
        options = {item["id"]: (await self._request(tab, "session/options", item=item["id"]))["options"]
                   for item in items(snapshot) if "optionCount" in item}
        words = self._words.get(snapshot["locale"].split("-")[0], self._words["en"])
        ticket = self._tabs.logins.ticket(tab) if tab.scene is not None else None
        own = {"token": self.token(tab), "revision": result["revision"], "engine": self._tabs.engine_id}
        return drawing.draw(snapshot, words, address, own, options, ticket)

    async def post(self, tab, posted):
        """Submits what was posted. What the engine refuses changes nothing: the page then shows what there is."""
        if not is_same(posted.get("token", ""), self.token(tab)):
            raise web.HTTPForbidden(text="This form is not from this page.")
        shown = await self._request(tab, "session/snapshot")
        before, revision = shown["snapshot"], str(posted.get("revision", ""))
        if posted.get("engine", self._tabs.engine_id) != self._tabs.engine_id:
            # To the engine that has taken the place of another, what it shows is new. That is what the user has seen.
            revision = str(shown["revision"])
        given = drawing.values(before, posted, {}) if not before["alert"] and not before["activity"] else {}
        try:
            if await self._brings_items(tab, before, given):
                return
            action = posted.get("action")
            params = {"values": given, **({"action": action} if action else {}), **({"revision": int(revision)} if revision.isdecimal() else {})}
            await asyncio.wait_for(self._request(tab, "session/submit", **params), POST_TIMEOUT)
        # ValueError: a revision of thousands of digits.
        except (Refused, TimeoutError, ValueError):
            pass

    async def _brings_items(self, tab, before, given):
        """Whether a choice brings items or takes some away: then the user is shown the other form before anything is pressed."""
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

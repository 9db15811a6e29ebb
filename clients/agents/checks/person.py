"""A person with an account: in a browser without JavaScript."""

import re
import subprocess
from html.parser import HTMLParser

import aiohttp

PASSWORD, WRONG = "correct horse battery", "wrong horse battery"
#: Seconds to wait for what has to happen, on however slow a machine.
LONG = 60


def add_account(engine, file, name):
    command = [engine.with_name("login-accounts"), "add", "--file", file, "--email", f"{name}@example.com", "--user-name", name, "--hash-cost", "1"]
    subprocess.run(command, input=PASSWORD + "\n", text=True, stdout=subprocess.DEVNULL, check=True)


class Page(HTMLParser):
    """The title, the texts, the form's address and its hidden values."""

    def __init__(self, text):
        super().__init__()
        self.title, self.action, self.hidden, self._within = "", None, {}, ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self._within, values = tag, dict(attributes)
        if tag == "form" and self.action is None:
            self.action = values["action"]
        if tag == "input" and values.get("type") == "hidden":
            self.hidden.setdefault(values["name"], values["value"])

    def handle_data(self, data):
        if self._within == "title" and not self.title:
            self.title = data


class Browser:
    """A browser without JavaScript, with cookies of its own."""

    def __init__(self):
        self._client = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self._client.close()

    @property
    def cookies(self):
        return {cookie.key: cookie.value for cookie in self._client.cookie_jar}

    async def ask(self, method, address, **more):
        """The status and the page."""
        async with self._client.request(method, address, **more) as response:
            return response.status, Page(await response.text())

    async def open(self, address, **headers):
        return await self.ask("GET", address, headers=headers)

    async def log_in(self, address, name, password=PASSWORD):
        """Fills in the form of the page that a link has led to, and gives the status and the title of what comes then."""
        origin = origin_of(address)
        status, form = await self.open(origin + "/form")
        assert form.action, f"a page without a form: {status} {form.title}"
        given = {**form.hidden, "value.email": f"{name}@example.com", "value.password": password}
        return await self.ask("POST", origin + form.action, data=given, headers={"Origin": origin})


def origin_of(address):
    return re.match(r"http://127\.0\.0\.1:\d+", address)[0]

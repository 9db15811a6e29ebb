"""A person with an account, in a browser without JavaScript and in a terminal."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from html.parser import HTMLParser
from pathlib import Path

import aiohttp

PASSWORD, WRONG = "correct horse battery", "wrong horse battery"
#: The timeout in seconds of every wait, for slow machines.
LONG = 60


def add_account(engine, file, name):
    command = [engine.with_name("login-accounts"), "add", "--file", file, "--email", f"{name}@example.com", "--user-name", name, "--hash-cost", "1"]
    subprocess.run(command, input=PASSWORD + "\n", text=True, stdout=subprocess.DEVNULL, check=True)


class Page(HTMLParser):
    """The parts of a page: the title, the texts, the form's address and its hidden values."""

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
    """A browser without JavaScript, with its own cookies."""

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
        """Sends a request. Returns the status and the page."""
        async with self._client.request(method, address, **more) as response:
            return response.status, Page(await response.text())

    async def open(self, address, **headers):
        return await self.ask("GET", address, headers=headers)

    async def log_in(self, address, name, password=PASSWORD):
        """Submits the form of the page to which a link has led. Returns the status and the title of the response."""
        origin = origin_of(address)
        status, form = await self.open(origin + "/form")
        assert form.action, f"a page without a form: {status} {form.title}"
        given = {**form.hidden, "value.email": f"{name}@example.com", "value.password": password}
        return await self.ask("POST", origin + form.action, data=given, headers={"Origin": origin})


def origin_of(address):
    return re.match(r"http://127\.0\.0\.1:\d+", address)[0]


class Terminal:
    """A terminal that runs a command, as a client opens it for its user."""

    def __init__(self, command, environment):
        self.master, terminal = pty.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=terminal, env={**environment, "TERM": "xterm"}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(terminal)
        self.drawn, self._seen = "", 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)

    def press(self, keys):
        os.write(self.master, keys.encode())

    def sees(self, text):
        """Waits until a text is drawn, after the last text waited for."""
        end = time.monotonic() + LONG
        while (found := self.drawn.find(text, self._seen)) < 0:
            if time.monotonic() > end or not self._read(end - time.monotonic()):
                raise TimeoutError(f"{text!r} was never drawn: {self.drawn[self._seen:]!r}")
        self._seen = found + len(text)

    def ended(self):
        """Waits for the exit, and returns the status."""
        end = time.monotonic() + LONG
        while self.process.poll() is None and time.monotonic() < end:
            self._read(0.05)
        return self.process.wait(timeout=1)

    def _read(self, seconds):
        if not select.select([self.master], [], [], max(seconds, 0))[0]:
            return False
        try:
            piece = os.read(self.master, 1 << 16)
        except OSError:
            return False
        self.drawn += piece.decode(errors="replace")
        return bool(piece)

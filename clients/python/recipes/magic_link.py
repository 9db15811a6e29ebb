#!/usr/bin/env python3
"""Decides `login` of flows/mail.json by a mailed link: opening it and entering the number that the view shows logs in at that view.

Usage: magic_link.py PEOPLE URL [OPTION ...]    PEOPLE is a file of addresses, one per line; URL is where browsers reach this program
"""

import argparse
import collections
import hashlib
import http.server
import secrets
import smtplib
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from pathlib import Path
from urllib.parse import parse_qs

from login_engine.authenticator import Authenticator, accepted, challenge, code, rejected, screen, text, throttled

LIFETIME = 600
#: The number of links that an address is sent within LIFETIME.
MAXIMUM_LINKS = 5
MAIL = """Someone, probably you, wants to log in as {address}.

To continue, open this page within {minutes} minutes, and enter the number that
the login screen shows:

{link}

The page can be used once. If it was not you, ignore this mail.
"""
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Log in</title>
<h1>Log in</h1>{}</html>"""
FORM = """<form method="post"><p><label>Number on the login screen
<input name="number" inputmode="numeric" autocomplete="off" required autofocus></label></p><button>Log in there</button></form>"""
VOID = "<p>This link is invalid or has expired.</p>"


class Links:
    """The valid links, by the digests of their tokens. Each belongs to one conversation, and works once."""

    def __init__(self):
        self._lock, self._numbers, self._answers = threading.Lock(), {}, {}
        self._sent = collections.OrderedDict()

    def wait(self, address, now):
        """Returns the seconds until the address may get another link. Counts every typed address, known or not."""
        with self._lock:
            times = [sent for sent in self._sent.pop(address, []) if sent > now - LIFETIME]
            allowed = len(times) < MAXIMUM_LINKS
            self._sent[address] = [*times, now] if allowed else times
            while len(self._sent) > 100_000:
                self._sent.popitem(last=False)
            return 0 if allowed else times[0] + LIFETIME - now

    def add(self, number):
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._numbers[digest(token)] = number
        return token

    def is_valid(self, token):
        with self._lock:
            return digest(token) in self._numbers

    def use(self, token, number):
        """Uses a link, and returns whether it and the number were right. A wrong number invalidates the link: another person's login may be shown."""
        with self._lock:
            expected = self._numbers.pop(digest(token), None)
            if expected is None:
                return False
            self._answers[digest(token)] = secrets.compare_digest(expected.encode(), number.strip().encode())
            return self._answers[digest(token)]

    def answer(self, token):
        """Returns the result of a link: `None` until it is used."""
        with self._lock:
            return self._answers.get(digest(token))

    def remove(self, token):
        with self._lock:
            self._numbers.pop(digest(token), None)
            self._answers.pop(digest(token), None)


def digest(token):
    return hashlib.sha256(token.encode()).digest()


class Pages(http.server.BaseHTTPRequestHandler):
    """The pages of links. Only the form's button uses a link, because programs also fetch links in mails."""

    timeout = 10
    links = None

    def do_GET(self):
        valid = self.links.is_valid(self.token)
        self.reply(200 if valid else 404, FORM if valid else VOID)

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        entered = self.rfile.read(int(length)) if length.isdecimal() and len(length) < 4 else b""
        number = parse_qs(entered.decode(errors="replace")).get("number", [""])[0]
        valid = self.links.use(self.token, number)
        self.reply(200 if valid else 404, "<p>You are logged in there. You can close this page.</p>" if valid else VOID)

    @property
    def token(self):
        return parse_qs(self.path.partition("?")[2]).get("token", [""])[0]

    def reply(self, status, body):
        page = PAGE.format(body).encode()
        self.send_response(status)
        for name, value in {
            "Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(page)),
            "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
            "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        }.items():  # fmt: skip
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        """Logs nothing, because a request contains the token."""


def send(options, address, link):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = options.sender, address, "Your link to log in"
    mail["Date"], mail["Message-ID"], mail["Auto-Submitted"] = formatdate(), make_msgid(domain="localhost"), "auto-generated"
    mail.set_content(MAIL.format(address=address, minutes=LIFETIME // 60, link=link))
    host, _, port = options.smtp.rpartition(":")
    try:
        with smtplib.SMTP(host, int(port), timeout=30) as server:
            server.send_message(mail)
    except (OSError, smtplib.SMTPException) as error:
        print(f"a mail was not taken: {type(error).__name__}", file=sys.stderr, flush=True)


def log_in(question, people, links, mail):
    typed = question.values["email"].strip().casefold()
    wait = links.wait(typed, time.monotonic())
    if wait:
        return throttled(wait)
    number = f"{secrets.randbelow(1000):03}"
    token = links.add(number)
    try:
        # The answer and its time do not depend on whether the address is known. The mail goes to the address of the list.
        if typed in people:
            mail(people[typed], token)
        shown = screen("link", "link", text("explanation", "link.text"), code("number", "link.number", number))
        waiting = challenge(shown, wait=1, expires_in=LIFETIME)
        while links.answer(token) is None:
            yield waiting
            waiting = challenge(wait=1)
        return accepted(people[typed]) if links.answer(token) else rejected("link.refused")
    finally:
        links.remove(token)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("people")
    parser.add_argument("url", help="such as https://login.example.com/link, which a proxy forwards to --listen")
    parser.add_argument("--listen", metavar="ADDRESS:PORT", default="127.0.0.1:8025", help="default: %(default)s")
    parser.add_argument("--smtp", metavar="HOST:PORT", default="localhost:25", help="the mail server (default: %(default)s)")
    parser.add_argument("--sender", default="login@localhost", help="default: %(default)s")
    options = parser.parse_args()
    people = {address.casefold(): address for address in Path(options.people).read_text().split()}
    links, mails = Links(), ThreadPoolExecutor(4)
    address, _, port = options.listen.rpartition(":")
    server = http.server.ThreadingHTTPServer((address, int(port)), type("PagesOfLinks", (Pages,), {"links": links}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    authenticator = Authenticator("magic link")

    @authenticator.request("login")
    def login(question):
        return (yield from log_in(question, people, links, lambda to, token: mails.submit(send, options, to, f"{options.url}?token={token}")))

    authenticator.run()


if __name__ == "__main__":
    main()

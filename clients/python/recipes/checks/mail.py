"""Checks magic_link.py with a mail server: people, programs that fetch links, and attackers."""

import email
import re
import socket
import threading

import requests
from aiosmtpd.controller import Controller
from person import LONG, Engine, Person, eventually


class Postbox:
    """A mail server that keeps its mails."""

    def __init__(self):
        self.mails = []
        self.controller = Controller(self, hostname="127.0.0.1", port=free_port())
        self.controller.start()

    async def handle_DATA(self, server, session, envelope):
        self.mails.append((envelope.rcpt_tos, email.message_from_bytes(envelope.content)))
        return "250 OK"

    def link(self, count):
        """Waits for the mail with this number, and returns its link."""
        eventually(lambda: len(self.mails) >= count, f"mail {count}")
        return re.search(r"http\S+", self.mails[count - 1][1].get_payload(decode=True).decode())[0]


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def check_mail(check, program, folder):
    postbox, port = Postbox(), free_port()
    (folder / "people").write_text("Ada@example.com\nbob@example.com\ncleo@example.com\n")
    recipe = ["magic_link.py", folder / "people", f"http://127.0.0.1:{port}/link", "--listen", f"127.0.0.1:{port}"]
    engine = Engine(program, "mail.json", *recipe, "--smtp", f"127.0.0.1:{postbox.controller.port}")
    links = check_links(check, engine, postbox)
    check_misuse(check, engine, postbox)
    postbox.controller.stop()
    check("a mail that cannot be sent is not reported to the user", Person(engine).submit(email="cleo@example.com").screen == "link")
    eventually(lambda: any("a mail was not taken" in line for line in engine.log), "the log")
    check("but the log", not any("cleo" in line for line in engine.log))
    check("the engine ends with its input", engine.close() == 0)
    check("no token is written anywhere", not any(link.partition("token=")[2] in engine.written() for link in links))


def number(person):
    return person.items["number"]["text"]


def check_links(check, engine, postbox):
    ada = Person(engine).submit(email="ada@EXAMPLE.com")
    check("the view waits", (ada.screen, ada.snapshot["activity"]) == ("link", True))
    link = postbox.link(1)
    recipients, mail = postbox.mails[0]
    check("the mail goes to the address of the list", (recipients, mail["To"]) == (["Ada@example.com"], "Ada@example.com"))
    check("the mail is marked as written by a program", mail["Auto-Submitted"] == "auto-generated")
    check("the token cannot be guessed", len(link.partition("token=")[2]) == 43)

    pages = [requests.request(method, link, timeout=LONG) for method in ("GET", "HEAD", "GET", "OPTIONS")]
    check("opening the link shows a form", pages[0].status_code == 200 and "<form" in pages[0].text)
    check("opening the link does not use it up", "<form" in pages[2].text and ada.principal is None)
    headers = pages[0].headers
    check("the page is not cached or framed, and sends no referrer", (headers["Cache-Control"], headers["Referrer-Policy"]) == ("no-store", "no-referrer")
          and "frame-ancestors 'none'" in headers["Content-Security-Policy"])  # fmt: skip
    check("the form logs the person in", "You are logged in" in requests.post(link, {"number": number(ada)}, timeout=LONG).text)
    ada.wait(lambda person: person.principal == "Ada@example.com")
    check("the login is at the view that asked for it", True)
    again = requests.post(link, {"number": number(Person(engine).submit(email="cleo@example.com"))}, timeout=LONG)
    check("a link works once", again.status_code == 404 and requests.get(link, timeout=LONG).status_code == 404)
    postbox.link(2)
    return [link, postbox.link(2)]


def check_misuse(check, engine, postbox):
    known, unknown = Person(engine).submit(email="bob@example.com"), Person(engine).submit(email="nobody@example.com")
    mine = postbox.link(3)

    def shown(person):
        return [{**item, "text": None} for item in person.items.values()], person.outcome, person.snapshot["state"]

    check("an unknown address gets the same answer", shown(known) == shown(unknown))
    check("and no mail", [to for to, _ in postbox.mails[2:]] == [["bob@example.com"]])

    # Another person starts a login as bob, and bob opens that mail.
    check("a wrong number is refused", requests.post(mine, {"number": "no"}, timeout=LONG).status_code == 404)
    known.wait(lambda person: person.error == "link.refused")
    check("a wrong number ends the login", known.screen == "login" and known.principal is None)
    check("the right number is refused after a wrong one", requests.post(mine, {"number": "000"}, timeout=LONG).status_code == 404)

    bob, other = Person(engine).submit(email="bob@example.com"), Person(engine).submit(email="bob@example.com")
    links = {postbox.link(4), postbox.link(5)}
    press(other)
    eventually(lambda: sum(requests.get(link, timeout=LONG).status_code == 404 for link in links) == 1, "the end of a link")
    valid = [link for link in links if requests.get(link, timeout=LONG).status_code == 200]
    check("cancelling invalidates the link", len(valid) == 1)
    valid = valid[0]
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(requests.post(valid, {"number": number(bob)}, timeout=LONG).status_code)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("only one of several concurrent requests uses the link", sorted(answers) == [200] + [404] * 7)
    bob.wait(lambda person: person.principal == "bob@example.com")
    check("the login is at the session that asked for it", other.principal is None)

    base = valid.partition("?")[0]
    for length in ("-1", "9" * 5000, "x"):
        check(f"a length of {length[:3]} is none", requests.post(base, headers={"Content-Length": length}, timeout=LONG).status_code in (400, 404))
    check("no failure is logged", not any("Traceback" in line for line in engine.log))
    for what in ("", "?token=", "?token=x", "?token=" + "A" * 43, "?token=%00", "?token=" + "x" * 5000):
        codes = [requests.get(base + what, timeout=LONG).status_code, requests.post(base + what, {"number": "1"}, timeout=LONG).status_code]
        check(f"no link is {what[:16]!r}", codes == [404, 404])
    for name in ("bob@example.com", "nobody@example.com"):
        for _ in range(5):
            last = Person(engine).submit(email=name)
        check(f"more than five mails have to wait: {name}", (last.outcome, last.error) == ("throttled", "throttled"))
    check("bob gets at most five mails", sum(to == ["bob@example.com"] for to, _ in postbox.mails) <= 5)


def press(person):
    """Presses the cancel action."""
    person.press(next(action["id"] for action in person.snapshot["actions"] if action["role"] == "primary"))

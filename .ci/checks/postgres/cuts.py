"""Cuts the connection at every statement of each operation: before the server gets it, and in place of its answer. Each operation is done once, and is answered as if
nothing had happened."""

import base64
import glob
import hashlib
import hmac
import os
import random
import struct
import subprocess

from cluster import wait
from proxy import Proxy
from service import Program, Service, mailed_codes

PASSWORD, OTHER = "correct horse battery", "another horse battery"


class App:
    """An authenticator app (RFC 6238), and the manual clocks of the services."""

    def __init__(self, path, connection, folder, name):
        command = [path, "one-time-codes", name, "--database", connection, "--key-file", f"{folder}/key", "--hash-cost", "1", "--clock", "manual"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            program.stdout.readline()
            text = program.stdout.readline().replace(" ", "").strip()
            self.secret, self.now = base64.b32decode(text + "=" * (-len(text) % 8)), 0
            program.communicate(self.code() + "\n")
        assert program.returncode == 0, "no one-time codes"

    def next(self, *services):
        """The code after the last one."""
        self.now += 30_000
        for service in services:
            service.call("clock/advance", {"milliseconds": 30_000})
        return self.code()

    def code(self):
        digest = hmac.new(self.secret, struct.pack(">Q", self.now // 30_000), hashlib.sha1).digest()
        return f"{(struct.unpack_from('>I', digest, digest[-1] & 15)[0] & 0x7FFFFFFF) % 1_000_000:06}"


class Cuts:
    def __init__(self, path, cluster, folder, full):
        self.path, self.cluster, self.folder, self.full = path, cluster, folder, full
        self.connection = cluster.database("cuts")
        self.proxy = Proxy(cluster.port)
        self.cut = f"host=127.0.0.1 port={self.proxy.port} dbname=cuts user=postgres gssencmode=disable"
        self.program = Program(path, self.connection, folder)
        self.count = 0

    def sql(self, text):
        return self.cluster.sql(text, "cuts")

    def everywhere(self, work):
        """Repeats the work with a cut at its first statement, its second and so on, until it has no more. Before its `yield` nothing is cut.

        Not in full, it is cut at one of three statements, any of them."""
        for how in ("before", "after"):
            for at in range(1, 100) if self.full else range(random.randint(1, 3), 100, 3):
                name = f"{work.__name__}{how}{at}"
                self.proxy.reset(None)
                steps = work(name)
                next(steps)
                self.proxy.reset(at, how)
                next(steps, None)
                if not self.proxy.cuts:
                    break
                self.count += 1
            else:
                raise AssertionError(f"{work.__name__} never ends")

    # The programs create the tables, each time in a new schema.

    def starting(self, name):
        self.sql(f"CREATE SCHEMA {name}")
        yield
        done = Program(self.path, f"{self.cut} options='-csearch_path={name}'", self.folder).run("list")
        assert done.returncode == 0, (name, done.stderr)
        tables = self.sql(f"SELECT count(*) FROM information_schema.tables WHERE table_schema = '{name}'")
        assert tables == "9", (name, tables)

    def registering(self, name):
        yield
        self.accepted(self.service.setup(name), name)

    def failing(self, name):
        self.accepted(self.direct.setup(name), name)
        yield
        answer = self.service.login(name, "wrong")
        assert answer.outcome == "rejected", (name, answer)

    def entering(self, name):
        self.accepted(self.direct.setup(name), name)
        yield
        self.accepted(self.service.login(name), name)

    def changing(self, name):
        self.accepted(self.direct.setup(name), name)
        yield
        answer = self.service.call("authenticator/submit", {
            "request": "changePassword", "principal": name, "key": f"change-{name}", "values": {"password": PASSWORD, "new_password": OTHER}})
        assert answer.outcome == "notice", (name, answer)
        self.accepted(self.direct.login(name, OTHER), name)

    def resetting(self, name):
        self.accepted(self.direct.setup(name), name)
        address = f"{name}@example.com"
        yield
        answer = self.service.ask("forgotPassword", f"forgot-{name}", email=address)
        assert answer.outcome == "notice", (name, answer)
        # A code is mailed once it is stored.
        wait(lambda: address in mailed_codes(f"{self.folder}/mails"), f"the mail of {name}")
        code = mailed_codes(f"{self.folder}/mails")[address]
        answer = self.service.ask("resetPassword", f"reset-{name}", email=address, code=code, password=OTHER)
        assert answer.outcome == "notice", (name, answer)
        self.accepted(self.direct.login(name, OTHER), name)
        # Other mails may still be in progress.
        for mail in glob.glob(f"{self.folder}/mails/*.eml"):
            os.remove(mail)

    def spending(self, name):
        """A recovery code."""
        code = self.codes.pop()
        yield
        self.spend(name, "coded", code)

    def showing(self, name):
        """A code of an authenticator app."""
        code = self.app.next(self.service, self.direct)
        yield
        self.spend(name, "shown", code)

    def resuming(self, name):
        """A login that began on another host. Its token counts once, and the answer to that may be lost."""
        token = self.ask(self.direct, "shown").value["result"]["resume"]
        yield
        resume = {"request": "login", "resume": token, "values": {}}
        answer = self.service.call("authenticator/submit", resume)
        assert answer.outcome == "challenge", (name, answer)
        answer = self.direct.call("authenticator/submit", resume)
        assert answer.outcome == "rejected", f"{name}: a token was taken twice"

    def far(self):
        """A server that is far away: the statements of one transaction take longer together than any of them may."""
        proxy = Proxy(self.cluster.port, pause=0.2)
        done = Program(self.path, f"host=127.0.0.1 port={proxy.port} dbname=cuts user=postgres gssencmode=disable", self.folder).run("list")
        assert done.returncode == 0, ("far", done.stderr)
        proxy.close()

    def accepted(self, answer, name):
        assert answer.outcome == "accepted", (name, answer)

    def ask(self, service, account):
        answer = service.login(account)
        assert answer.outcome == "challenge", answer
        return answer

    def spend(self, name, account, code):
        """Uses a code, which cannot be used again."""
        self.accepted(self.service.proceed(self.ask(self.service, account).number, f"use-{name}", code=code), name)
        answer = self.direct.proceed(self.ask(self.direct, account).number, f"again-{name}", code=code)
        assert answer.outcome != "accepted", f"{name}: a code was taken twice"
        self.sql("DELETE FROM tries")

    def run(self):
        self.far()
        self.everywhere(self.starting)
        for name in ("coded", "shown"):
            self.program.do("add", "--email", f"{name}@example.com", "--user-name", name, given=f"{PASSWORD}\n")
        self.codes = self.program.do("recovery-codes", "coded", "--count", "100").split()
        self.app = App(self.path, self.connection, self.folder, "shown")
        with Service(self.path, self.cut, self.folder, "--clock", "manual") as self.service, \
                Service(self.path, self.connection, self.folder, "--clock", "manual") as self.direct:
            for work in (self.registering, self.failing, self.entering, self.changing, self.resetting, self.spending, self.showing, self.resuming):
                self.everywhere(work)
                self.look(work.__name__)
        self.proxy.close()

    def look(self, what):
        """What is in the database after all cuts of a kind."""
        if what == "registering":
            twice = self.sql("SELECT count(*) - count(DISTINCT registration) FROM accounts WHERE user_name LIKE 'registering%'")
            assert twice == "0", f"{twice} accounts are there twice"
        if what == "failing":
            counts = self.sql("SELECT DISTINCT failures FROM tries JOIN accounts ON subject = 'account:' || id WHERE user_name LIKE 'failing%'")
            assert counts == "1", f"a wrong password was counted {counts} times"
        if what == "entering":
            assert self.sql("SELECT count(*) FROM accounts WHERE user_name LIKE 'entering%' AND last_login_ms IS NULL") == "0", "a login is not noted"
        if what == "spending":
            used = self.sql("SELECT count(*) FROM recovery_codes WHERE used IS NOT NULL")
            assert used == str(100 - len(self.codes)), f"{used} codes are used, {100 - len(self.codes)} were"


def check(programs, cluster, folder, passed, full=False):
    cuts = Cuts(f"{programs}/login-accounts-postgres", cluster, folder, full)
    cuts.run()
    passed("cuts", f"{cuts.count} cuts, each answered as if there had been none")

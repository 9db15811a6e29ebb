"""The connection is cut at every statement of what people do. Each is done once, and answered as if nothing had happened."""

import os

from proxy import Proxy
from service import Program, Service, mailed_codes


def check(programs, cluster, folder, passed):
    connection = cluster.database("cuts")
    path = f"{programs}/login-accounts-postgres"
    proxy = Proxy(cluster.port)
    cut = f"host=127.0.0.1 port={proxy.port} dbname=cuts user=postgres gssencmode=disable"
    direct = Program(path, connection, folder)
    direct.do("add", "--email", "first@example.com", "--user-name", "first", given="correct horse battery\n")
    codes = direct.do("recovery-codes", "first", "--count", "100").split()
    uses = {"cuts": 0, "codes": 0}

    def sql(text):
        return cluster.sql(text, "cuts")

    def everywhere(what, work):
        """Does the work with a cut at its first statement, at its second and so on, until it has no more."""
        for how in ("before", "after"):
            at = 0
            while True:
                at += 1
                assert at < 100, f"{what} never ends"
                proxy.reset(at, how)
                work(f"{what}{how}{at}")
                if not proxy.cuts:
                    break
                uses["cuts"] += 1

    # New processes: connecting, making sure of the tables, opening.
    def opening(name):
        with Service(path, cut, folder) as service:
            answer = service.setup(name)
            assert answer.outcome == "accepted", (name, answer)
        assert sql(f"SELECT count(*) FROM accounts WHERE user_name = '{name}'") == "1", name

    everywhere("opening", opening)
    with Service(path, cut, folder) as service:

        def registering(name):
            answer = service.setup(name)
            assert answer.outcome == "accepted", (name, answer)
            assert sql(f"SELECT count(*) FROM accounts WHERE user_name = '{name}'") == "1", name

        def failing(name):
            assert service.login(name, "wrong").outcome == "rejected"
            # It is counted once: not twice, where the answer to a commit was lost.
            failures = sql("SELECT failures FROM tries WHERE known = 0 AND subject LIKE 'name:%' ORDER BY last_ms DESC, failures LIMIT 1")
            assert failures == "1", (name, failures)

        def entering(name):
            proxy_cut, proxy.cut_at = proxy.cut_at, None
            assert service.setup(name).outcome == "accepted"
            proxy.reset(proxy_cut, proxy.how)
            answer = service.login(name)
            assert answer.outcome == "accepted", (name, answer)

        def resetting(name):
            proxy_cut, proxy.cut_at = proxy.cut_at, None
            assert service.setup(name).outcome == "accepted"
            proxy.reset(proxy_cut, proxy.how)
            sql("DELETE FROM tries WHERE subject = 'resets'")
            answer = service.ask("forgotPassword", f"forgot-{name}", email_field=f"{name}@example.com")
            assert answer.outcome == "notice", (name, answer)
            address = f"{name}@example.com"
            for _ in range(1000):
                if address in mailed_codes(f"{folder}/mails"):
                    break
                import time

                time.sleep(0.01)
            answer = service.ask(
                "resetPassword", f"reset-{name}", email_field=address, code=mailed_codes(f"{folder}/mails")[address], password="another horse battery")
            assert answer.outcome == "notice", (name, answer)
            assert service.login(name, "another horse battery").outcome == "accepted"
            for mail in os.listdir(f"{folder}/mails"):
                os.remove(f"{folder}/mails/{mail}")

        def using(name):
            answer = service.login("first")
            assert answer.outcome == "challenge", (name, answer)
            code = codes[uses["codes"]]
            uses["codes"] += 1
            key = f"use-{name}"
            used = service.proceed(answer.number, key, code=code)
            assert used.outcome == "accepted", (name, used)
            assert sql("SELECT count(*) FROM recovery_codes WHERE used IS NOT NULL") == str(uses["codes"]), name
            again = service.login("first")
            assert service.proceed(again.number, key + "again", code=code).outcome != "accepted", f"{name}: a code was taken twice"
            sql("DELETE FROM tries")

        everywhere("registering", registering)
        everywhere("failing", failing)
        everywhere("entering", entering)
        everywhere("resetting", resetting)
        everywhere("using", using)
    proxy.close()
    passed("cuts", f"{uses['cuts']} cuts, each answered as if there had been none")

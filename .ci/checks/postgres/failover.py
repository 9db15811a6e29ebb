"""Repeatedly kills the primary while four services are in use; its standby takes over.

No acknowledged change is lost, no code is used twice, counts of failures do not decrease, every request is answered, and no service ends."""

import random
import threading
import time

from cluster import Cluster, wait
from service import Program, Service


class Load:
    """The users' operations, and the answers to them."""

    def __init__(self, services, codes):
        self.services, self.codes = services, codes
        self.lock = threading.Lock()
        self.acknowledged, self.unknown = [], []
        self.used, self.spent_twice = set(), []
        self.wrong = {}
        self.reset_to = {}
        self.slowest, self.answers, self.failures = 0.0, 0, 0
        self.last_success, self.problems = time.monotonic(), []
        self.ending = False

    def timed(self, ask):
        start = time.monotonic()
        answer = ask()
        took = time.monotonic() - start
        with self.lock:
            self.slowest = max(self.slowest, took)
            self.answers += 1
            if answer.error:
                assert answer.error in ("accountsUnavailable", "accountsReadOnly", "accountsLocked"), answer
                self.failures += 1
            elif answer.outcome in ("accepted", "challenge"):
                self.last_success = time.monotonic()
        return answer

    def loop(self, work, service, number):
        turn = 0
        try:
            while not self.ending:
                work(service, f"{number}x{turn}")
                turn += 1
                time.sleep(random.uniform(0, 0.01))
        except Exception as error:  # noqa: BLE001 - reported at the end
            self.problems.append(repr(error))

    def register(self, service, name):
        answer = self.timed(lambda: service.setup(f"r{name}"))
        with self.lock:
            (self.acknowledged if answer.outcome == "accepted" else self.unknown).append(f"r{name}")
        if answer.outcome not in ("accepted", None):
            raise AssertionError(f"a registration was answered by {answer}")

    def enter(self, service, name):
        with self.lock:
            known = random.choice(self.acknowledged) if self.acknowledged else None
        if known:
            answer = self.timed(lambda: service.login(known))
            if answer.kind not in ("accepted", "throttled") and not answer.error:
                raise AssertionError(f"{known} was registered, and its login was answered by {answer}")

    def guess(self, service, name):
        """Wrong passwords. A service with a clock of its own: after each, the wait is over."""
        victim = f"victim{name.split('x')[0]}-{int(name.split('x')[1]) // 60}"
        if victim not in self.wrong:
            if self.timed(lambda: service.setup(victim)).outcome != "accepted":
                return
            self.wrong[victim] = 0
        answer = self.timed(lambda: service.login(victim, "wrong"))
        if answer.outcome == "rejected":
            self.wrong[victim] += 1
        elif not answer.error and answer.outcome != "throttled":
            raise AssertionError(f"a wrong password was answered by {answer}")

    def spend(self, service, name):
        with self.lock:
            if not self.codes:
                return
            code = self.codes.pop()
        # Repeats until a service reports the code as used.
        for turn in range(200):
            login = self.timed(lambda: service.login("spender"))
            if login.outcome != "challenge":
                time.sleep(0.1)
                continue
            answer = self.timed(lambda: service.proceed(login.number, f"{name}-{turn}", code=code))
            if answer.outcome == "accepted":
                break
            if not answer.error and answer.outcome == "rejected" and turn > 0:
                # An earlier attempt with this code was carried out without an answer.
                break
            if self.ending:
                return
            time.sleep(0.05)
        with self.lock:
            self.used.add(code)
        # An accepted code is never accepted again.
        other = random.choice(self.services)
        for _ in range(20):
            login = self.timed(lambda: other.login("spender"))
            if login.outcome != "challenge":
                time.sleep(0.1)
                continue
            if self.timed(lambda: other.proceed(login.number, f"{name}-again", code=code)).outcome == "accepted":
                self.spent_twice.append(code)
            break


def check(programs, folder, port, times, passed):
    path = f"{programs}/login-accounts-postgres"
    primary, standby = Cluster(folder, port), Cluster(folder, port + 1)
    primary.create()
    standby.follow(primary)
    connection = f"host={folder},{folder} port={primary.port},{standby.port} dbname=postgres user=postgres"
    program = Program(path, connection, folder)
    program.do("add", "--email", "spender@example.com", "--user-name", "spender", given="correct horse battery\n")
    codes = program.do("recovery-codes", "spender", "--count", "100").split()
    services = [Service(path, connection, folder) for _ in range(4)]
    load = Load(services, codes)
    back = []
    threads = []
    try:
        for number, service in enumerate(services):
            for work in (load.register, load.enter, load.enter, load.guess):
                threads.append(threading.Thread(target=load.loop, args=(work, service, f"{number}{len(threads)}")))
        for number, service in enumerate(services[:2]):
            threads.append(threading.Thread(target=load.loop, args=(load.spend, service, f"s{number}")))
        for thread in threads:
            thread.start()
        for _ in range(times):
            time.sleep(random.uniform(0.3, 1.5))
            counts = failures(primary)
            start = time.monotonic()
            primary.kill()
            standby.promote()
            wait(lambda: load.last_success > start + 0.05 or load.problems, "a login after the failover")
            back.append(load.last_success - start if load.last_success > start else 0)
            lower = [victim for victim, count in failures(standby).items() if count < counts.get(victim, 0)]
            assert not lower, f"failures were forgotten: {lower}"
            assert not load.problems, load.problems[:3]
            primary, standby = standby, primary
            # The spender's own attempts would be throttled.
            primary.sql("DELETE FROM tries WHERE subject LIKE 'recovery%'")
            standby.follow(primary)
        load.ending = True
        for thread in threads:
            thread.join()
        assert not load.problems, load.problems[:3]
        assert not load.spent_twice, f"codes were taken twice: {load.spent_twice}"
        assert all(service.process.poll() is None for service in services), "a service ended"
        # An unanswered request is repeated with its key, and accepted.
        for name in load.unknown:
            answer = services[0].setup(name)
            assert answer.outcome == "accepted", (name, answer)
        names = set(primary.sql("SELECT user_name FROM accounts").split("\n"))
        lost = [name for name in load.acknowledged + load.unknown if name not in names]
        assert not lost, f"acknowledged accounts are lost: {lost}"
        counted = failures(primary)
        short = {victim: (told, counted.get(victim, 0)) for victim, told in load.wrong.items() if counted.get(victim, 0) < told}
        assert not short, f"wrong passwords are not counted: {short}"
        unspent = int(primary.sql("SELECT count(*) FROM recovery_codes WHERE used IS NULL"))
        assert unspent <= 100 - len(load.used), (unspent, len(load.used))
        passed(
            "failovers",
            f"{times} failovers under {load.answers} requests, {load.failures} told to try again: {len(load.acknowledged)} acknowledged accounts, "
            f"{len(load.used)} codes, {sum(load.wrong.values())} wrong passwords, none lost; logins again after {max(back):.1f} s at most, slowest answer "
            f"{load.slowest:.1f} s")
    finally:
        load.ending = True
        for service in services:
            service.__exit__()
        for cluster in (primary, standby):
            cluster.stop()


def failures(cluster):
    rows = cluster.sql("SELECT user_name, failures FROM tries JOIN accounts ON subject = 'account:' || id WHERE user_name LIKE 'victim%'")
    return {name: int(count) for name, count in (row.split("|") for row in rows.split("\n") if row)}

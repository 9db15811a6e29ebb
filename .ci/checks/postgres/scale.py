"""Logins a second of one, two and four services on one database with a million accounts, compared with the limit that hashing alone sets.

At least 0.7 of the CPU time of services and server has to be hashing: other programs change this share less than they change the rate. The rate is printed
as well, beside that at which the cores compute libcrypt's hashes in huge pages. The server's own counters show that no statement scans a large table."""

import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import threading
import time

from cluster import Cluster
from service import Program, Service

# The password of .ci/nightly/login-times, which measures a hash.
PASSWORD = "correct horse"
ACCOUNTS, TRIES = 1_000_000, 100_000
SECONDS, ROUNDS = 10, 3
LEAST = 0.7
CI = pathlib.Path(__file__).resolve().parents[2]
SOURCE = CI.parent / "Sources/CCrypto"


class Hashing:
    """The mean time of one hash while each core makes one, by the clock and of CPU time."""

    def __init__(self, stored, folder):
        self.stored, self.library = stored, f"{folder}/hash_pages.so"
        subprocess.run(
            ["cc", "-O2", "-D_GNU_SOURCE", "-D_Nonnull=", "-D_Nullable=", "-fPIC", "-shared", f"-I{SOURCE}/include", f"{SOURCE}/hash_pages.c", "-o", self.library], check=True)

    def time(self):
        command = [sys.executable, CI / "nightly/login-times", "--hash", self.stored, str(cores())]
        done = subprocess.run(command, env={**os.environ, "LD_PRELOAD": self.library}, stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)


def cores():
    return len(os.sched_getaffinity(0))


def cpu_time(processes):
    """The CPU seconds that these processes have used."""
    used = 0
    for process in processes:
        try:
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # a task of the server's that has ended
            continue
        used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def fill(cluster):
    """Accounts with one hash, as copies of a row, and wrong passwords of some."""
    cluster.sql(
        "INSERT INTO accounts (email, email_key, user_name, user_name_key, password_hash, created_ms)"
        " SELECT name || '@example.com', name || '@example.com', name, name, password_hash, created_ms"
        f" FROM accounts, (SELECT 'person' || number AS name FROM generate_series(1, {ACCOUNTS}) AS number) AS names")
    cluster.sql(
        "INSERT INTO tries (subject, known, failures, first_ms, last_ms)"
        f" SELECT 'account:' || id, 2, 1, now, now FROM accounts, (SELECT {int(time.time() * 1000)} AS now) AS clock WHERE id <= {TRIES}")
    cluster.sql("VACUUM ANALYZE")


def load(services, cluster, seconds):
    """As many logins at once as keep all cores busy. Returns their number, the time, and the CPU time of the services and of the server."""
    counts, problems = [], []
    end = time.perf_counter() + seconds

    def log_in(service):
        count = 0
        while time.perf_counter() < end:
            answer = service.login(f"person{random.randint(1, ACCOUNTS)}", PASSWORD)
            if answer.outcome != "accepted":
                problems.append(answer)
                return
            count += 1
        counts.append(count)

    threads = [threading.Thread(target=log_in, args=(services[number % len(services)],)) for number in range(8 * cores())]
    before = cpu_time(s.process.pid for s in services), cpu_time(cluster.processes())
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    elapsed = time.perf_counter() - start
    used = cpu_time(s.process.pid for s in services) - before[0], cpu_time(cluster.processes()) - before[1]
    assert not problems, problems[:3]
    return sum(counts), elapsed, *used


def check(programs, folder, port, passed):
    path = f"{programs}/login-accounts-postgres"
    cluster = Cluster(folder, port)
    try:
        cluster.create("max_wal_size = '4GB'")
        connection = cluster.connection()
        with Service(path, connection, folder, cost="5") as service:
            assert service.setup("seed", password=PASSWORD).outcome == "accepted"
        fill(cluster)
        passed("scale", f"{cluster.sql('SELECT count(*) FROM accounts')} accounts")
        hashing = Hashing(cluster.sql("SELECT password_hash FROM accounts WHERE user_name = 'seed'"), folder)
        scans = whole_reads(cluster)
        slow = []
        for number in (1, 2, 4):
            holds, text = measure([Service(path, connection, folder, cost="5") for _ in range(number)], cluster, hashing)
            if holds:
                passed("scale", text)
            else:
                slow.append(text)
        with Service(path, connection, folder, cost="5") as service:
            assert service.login("person7", "wrong").outcome == "rejected"
            assert service.setup("newcomer", password="another horse").outcome == "accepted"
            assert service.ask("forgotPassword", "forgot", email="person8@example.com").outcome == "notice"
            service.close()
        program = Program(path, connection, folder)
        program.do("show", "person9")
        program.do("disable", "person9")
        program.do("remove", "person9")
        # Ended connections have reported all their counts to the server.
        more = {table: count - scans[table] for table, count in whole_reads(cluster).items() if count > scans[table]}
        assert not more, f"all of a large table was read: {more}"
        passed("scale", f"no statement reads all of {' or '.join(sorted(scans))}")
        assert not slow, "\n".join(slow)
    finally:
        cluster.stop()


def whole_reads(cluster):
    rows = cluster.sql(f"SELECT relname, seq_scan FROM pg_stat_user_tables WHERE n_live_tup > {TRIES // 2}")
    return {table: int(count) for table, count in (row.split("|") for row in rows.split("\n") if row)}


def measure(services, cluster, hashing):
    """Whether it is enough, and the figures. Hashing is timed before and after each round, because a machine may change its pace."""
    rates, ratios, shares, server = [], [], [], []
    try:
        load(services, cluster, 1)
        before = hashing.time()
        for _ in range(ROUNDS):
            count, elapsed, own, of_server = load(services, cluster, SECONDS)
            after = hashing.time()
            single, busy = ((a + b) / 2 for a, b in zip(before, after))
            before = after
            rates.append(count / elapsed)
            ratios.append(count / elapsed * single / cores())
            shares.append(count * busy / (own + of_server))
            server.append(of_server / count)
        for service in services:
            assert service.close() == 0
    finally:
        for service in services:
            service.__exit__()
    ratio, share = statistics.median(ratios), statistics.median(shares)
    text = (
        f"{len(services)} services: {statistics.median(rates):.1f} logins a second, {ratio:.3f} of what hashes of {single * 1000:.1f} ms alone allow; {share:.3f}"
        f" of the CPU time of services and server was hashing, {statistics.median(server) * 1000:.2f} ms for each login was the server's")
    return share >= LEAST, text

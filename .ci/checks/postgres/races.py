"""Four services on the same accounts at once, with the strictest isolation as the database's default: conflicting transactions are retried, and none fails."""

import collections
import threading

from service import Program, Service


def check(programs, cluster, folder, passed, full=False, database="races", through=None):
    """`through` maps a database to the address that services connect to."""
    connection = cluster.database(database)
    if through:
        connection = through(database)
    cluster.sql(f"ALTER DATABASE {database} SET default_transaction_isolation = serializable")
    path = f"{programs}/login-accounts-postgres"
    # All four make the tables.
    services = [Service(path, connection, folder) for _ in range(4)]
    problems = []

    def at_once(works):
        """Runs all concurrently, and returns their results."""
        results = [None] * len(works)

        def run(index):
            try:
                results[index] = works[index]()
            except Exception as error:  # noqa: BLE001 - reported below
                problems.append(repr(error))

        threads = [threading.Thread(target=run, args=(index,)) for index in range(len(works))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not problems, problems[:3]
        return results

    try:
        for number in range(25):
            name = f"same{number}"
            kinds = collections.Counter(answer.kind for answer in at_once([lambda s=s, i=i: s.setup(name, f"key-{name}-{i}") for i, s in enumerate(services)]))
            # Those that find the name taken are throttled after twenty.
            assert kinds["accepted"] == 1 and kinds["accepted"] + kinds["rejected"] + kinds["throttled"] == 4, (name, kinds)
            cluster.sql("DELETE FROM tries", database)
        for number in range(10):
            name = f"same{number}"
            kinds = collections.Counter(answer.kind for answer in at_once([lambda s=s: s.login(name) for s in services * 2]))
            # A login counts as an attempt until its password is verified, so the fifth concurrent one may be throttled.
            assert set(kinds) <= {"accepted", "throttled"} and kinds["accepted"] >= 1, (name, kinds)
            cluster.sql("DELETE FROM tries", database)
        # Every wrong password is counted exactly once.
        for number in range(10):
            name = f"same{number}"
            kinds = collections.Counter(answer.kind for answer in at_once([lambda s=s: s.login(name, "wrong") for s in services * 3]))
            assert set(kinds) <= {"rejected", "throttled"}, (name, kinds)
            assert kinds["rejected"] == 5, (name, kinds)
            counted = cluster.sql(f"SELECT failures FROM tries JOIN accounts ON subject = 'account:' || id WHERE user_name = '{name}'", database)
            assert counted == "5", (name, counted)
        # Different accounts at once.
        answers = at_once([lambda s=s, i=i: s.login(f"same{10 + i % 15}") for i, s in enumerate(services * 8)])
        assert all(answer.error is None for answer in answers), answers
        cluster.sql("DELETE FROM tries", database)
        # A code is accepted once only.
        codes = Program(path, connection, folder).do("recovery-codes", "same0", "--count", "10").split()
        for number, code in enumerate(codes[:-1]):  # after the last one, others are offered
            logins = [service.login("same0") for service in services]
            assert all(login.outcome == "challenge" for login in logins), logins
            works = [lambda s=s, a=login.number, i=i: s.proceed(a, f"code-{number}-{i}", code=code) for i, (s, login) in enumerate(zip(services, logins))]
            answers = at_once(works)
            kinds = collections.Counter(answer.kind for answer in answers)
            assert kinds["accepted"] == 1 and set(kinds) <= {"accepted", "challenge", "throttled"}, (number, answers)
            cluster.sql("DELETE FROM tries", database)
        for service in services:
            assert service.close() == 0 and service.told == [], service.told
    finally:
        for service in services:
            service.__exit__()
    passed(database, "four services on the same accounts, and nothing failed")

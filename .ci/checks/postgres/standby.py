"""A server that waits for a standby: users get an error, the log names the setting, and one of two standbys can stop."""

import os
import time

from cluster import Cluster, wait
from service import Program, Service

SETTING = "synchronous_standby_names"


def check(programs, folder, port, passed):
    path = f"{programs}/login-accounts-postgres"
    primary, first, second = (Cluster(folder, port + index) for index in range(3))
    try:
        primary.create("max_wal_senders = 10")
        for number, standby in enumerate((first, second)):
            standby.follow(primary)
            standby.configure(f"cluster_name = 's{number}'")
        program = Program(path, primary.connection(), folder)
        program.do("add", "--email", "ada@example.com", "--user-name", "ada", given="correct horse battery\n")
        with Service(path, primary.connection(), folder) as service:
            # Of two standbys one may stop.
            primary.sql(f"ALTER SYSTEM SET {SETTING} = 'ANY 1 (*)'")
            primary.sql("SELECT pg_reload_conf()")
            second.stop("fast")
            start = time.monotonic()
            assert service.login("ada").outcome == "accepted"
            assert time.monotonic() - start < 5, time.monotonic() - start
            # Without a standby, no change is acknowledged that only the primary has.
            first.stop("fast")
            for answer in (service.login("ada"), service.login("ada", "wrong"), service.setup("bob")):
                assert answer.error == "accountsUnavailable" and SETTING in answer.value["error"]["message"], answer
            assert any(SETTING in text for text in service.told) and not any("file" in text for text in service.told), service.told
            done = program.run("expire", "ada")
            assert done.returncode == 1 and SETTING in done.stderr, done.stderr
            assert primary.sql("SELECT state FROM pg_stat_replication") == ""
            # Once one is back, everything works again.
            first.start()
            wait(lambda: primary.sql("SELECT sync_state FROM pg_stat_replication") == "quorum", "a standby")
            wait(lambda: service.setup("bob").outcome == "accepted", "a sign-up")
        # The standby takes the primary's place, with the setting still in place.
        primary.kill()
        os.remove(f"{primary.data}/postmaster.pid")
        first.promote()
        first.sql(f"ALTER SYSTEM SET {SETTING} = '*'")
        first.sql("SELECT pg_reload_conf()")
        with Service(path, first.connection(), folder) as service:
            answer = service.login("bob")
            assert answer.error == "accountsUnavailable" and SETTING in answer.value["error"]["message"], answer
            first.sql(f"ALTER SYSTEM RESET {SETTING}")
            first.sql(f"ALTER SYSTEM SET {SETTING} = ''")
            first.sql("SELECT pg_reload_conf()")
            wait(lambda: service.login("bob").outcome == "accepted", "a login")
        passed("standby", "one of two standbys may go; without any, and after a promotion with the setting left over, the setting is named")
    finally:
        for cluster in (primary, first, second):
            cluster.stop()

"""PgBouncer in transaction mode: each transaction of a client gets any connection of the pool, which has fewer than there are clients."""

import os
import shutil
import subprocess

import races
from cluster import USER, command, wait
from service import Service


class Bouncer:
    def __init__(self, cluster, folder, port):
        self.folder, self.port = f"{folder}/bouncer", port
        os.mkdir(self.folder)
        shutil.chown(self.folder, USER)
        with open(f"{self.folder}/users", "w") as file:
            file.write('"postgres" ""\n')
        with open(f"{self.folder}/ini", "w") as file:
            file.write(
                f"[databases]\n* = host={cluster.folder} port={cluster.port}\n[pgbouncer]\nunix_socket_dir = {self.folder}\nlisten_port = {port}\n"
                f"auth_type = trust\nauth_file = {self.folder}/users\npool_mode = transaction\ndefault_pool_size = 3\n"
                f"pidfile = {self.folder}/pid\nlogfile = {self.folder}/log\n")
        self.start()

    def start(self):
        command("/usr/sbin/pgbouncer", "-q", "-d", f"{self.folder}/ini")
        wait(lambda: os.path.exists(f"{self.folder}/.s.PGSQL.{self.port}"), "PgBouncer")

    def kill(self):
        with open(f"{self.folder}/pid") as file:
            pid = int(file.read())
        os.kill(pid, 9)
        wait(lambda: not os.path.exists(f"/proc/{pid}"), "the end of PgBouncer")
        for name in ("pid", f".s.PGSQL.{self.port}"):
            os.remove(f"{self.folder}/{name}")

    def connection(self, database):
        return f"host={self.folder} port={self.port} dbname={database} user=postgres"


def check(programs, cluster, folder, passed, full=False):
    bouncer = Bouncer(cluster, folder, 54361)
    try:
        races.check(programs, cluster, folder, passed, full, "pooled", bouncer.connection)
        assert int(cluster.sql("SELECT count(*) FROM pg_stat_activity WHERE datname = 'pooled'")) <= 3, "not through the pool"
        # PgBouncer is killed and restarted while a request waits.
        with Service(f"{programs}/login-accounts-postgres", bouncer.connection("pooled"), folder) as service:
            assert service.login("same20").outcome == "accepted"
            bouncer.kill()
            bouncer.start()
            answer = service.login("same20")
            assert answer.outcome == "accepted", answer
        passed("bouncer", "the same through PgBouncer in transaction mode, which was killed and started again")
    finally:
        bouncer.kill()

"""Clusters of PostgreSQL in a folder, which belong to an unprivileged user: initdb refuses root."""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import time

BINARIES = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
USER = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name


def command(*words, **options):
    """Runs a program as the user of the clusters. Reports its output if it fails."""
    prefix = ["runuser", "-u", USER, "--"] if os.geteuid() == 0 else []
    done = subprocess.run([*prefix, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/", **options)
    if done.returncode != 0:
        raise AssertionError(f"{words[0]} failed: {done.stdout}")
    return done.stdout


class Cluster:
    """One server. Clients reach it by a socket in the folder, and on 127.0.0.1 if `listens`."""

    def __init__(self, folder, port, listens=False):
        self.folder, self.port = folder, port
        self.data = f"{folder}/data{port}"
        self.log = f"{folder}/log{port}"
        self.listens = listens

    def create(self, *settings):
        command(f"{BINARIES}/initdb", "-D", self.data, "-A", "trust", "-E", "UTF8", "--locale=C", "-U", "postgres", "--no-sync")
        self.configure(
            f"unix_socket_directories = '{self.folder}'", "max_connections = 200", "log_line_prefix = '%a|'", "wal_level = replica",
            "fsync = off",  # a killed process leaves what it wrote to the system
            *settings,
        )
        self.start()

    def configure(self, *settings):
        with open(f"{self.data}/postgresql.conf", "a") as file:
            file.write("\n".join(settings) + "\n")

    def start(self):
        listen = "127.0.0.1" if self.listens else ""
        try:
            command(f"{BINARIES}/pg_ctl", "-D", self.data, "-l", self.log, "-w", "-t", "60", "-o", f"-p {self.port} -c listen_addresses='{listen}'", "start")
        except AssertionError as error:
            with open(self.log, errors="replace") as file:
                raise AssertionError(f"{error}{file.read()[-2000:]}") from None

    def stop(self, mode="immediate"):
        if os.path.exists(f"{self.data}/postmaster.pid"):
            command(f"{BINARIES}/pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")

    def kill(self):
        """SIGKILL to the server and all of its processes, at once."""
        processes = self.processes()
        for pid in processes:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        while any(os.path.exists(f"/proc/{pid}") and parent(pid) is not None for pid in processes):
            time.sleep(0.01)
        # Until the process is reaped, its id still counts as that of a server.
        for end in ("", ".lock"):
            if os.path.lexists(f"{self.folder}/.s.PGSQL.{self.port}{end}"):
                os.remove(f"{self.folder}/.s.PGSQL.{self.port}{end}")

    def processes(self):
        """The server, and those of its connections and tasks."""
        with open(f"{self.data}/postmaster.pid") as file:
            server = int(file.readline())
        return [server, *(int(pid) for pid in os.listdir("/proc") if pid.isdigit() and parent(pid) == server)]

    def promote(self):
        command(f"{BINARIES}/pg_ctl", "-D", self.data, "-w", "promote")

    def follow(self, primary):
        """Becomes a standby of another cluster, with a copy of its data."""
        shutil.rmtree(self.data, ignore_errors=True)
        command(f"{BINARIES}/pg_basebackup", "-h", self.folder, "-p", str(primary.port), "-U", "postgres", "-D", self.data, "-R", "-c", "fast", "--no-sync")
        # Once promoted, it waits for no standby until it has one.
        with open(f"{self.data}/postgresql.auto.conf", "a") as file:
            file.write("synchronous_standby_names = ''\n")
        self.start()
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.sql("SELECT pg_reload_conf()")
        wait(lambda: "sync" in primary.sql("SELECT sync_state FROM pg_stat_replication").split("\n"), "a synchronous standby")

    def sql(self, text, database="postgres"):
        return command("psql", "-h", self.folder, "-p", str(self.port), "-U", "postgres", "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", text).strip()

    def connection(self, database="postgres", user="postgres"):
        return f"host={self.folder} port={self.port} dbname={database} user={user}"

    def database(self, name):
        self.sql(f"CREATE DATABASE {name}")
        return self.connection(name)


def parent(pid):
    """The parent of a process; None if it has ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
            return None if fields[0] == "Z" else int(fields[1])
    except OSError:
        return None


def wait(condition, what, seconds=60):
    for _ in range(seconds * 50):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")

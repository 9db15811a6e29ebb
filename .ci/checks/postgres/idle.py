"""Idle connections end in each of these ways: the first login afterwards opens a new connection, and the person sees no error."""

import os
import signal
import socket
import struct
import threading
import time

from service import Program, Service


class Line:
    """Hands bytes between a client and a server, until it resets its connections or falls silent."""

    def __init__(self, server_port):
        self.server_port, self.ends, self.silent = server_port, [], False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.server_port))
            except OSError:
                client.close()
                continue
            connection = {"silent": False, "ends": (client, server)}
            self.ends.append(connection)
            for source, target in ((client, server), (server, client)):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._hand, args=(connection, source, target), daemon=True).start()

    @staticmethod
    def _hand(connection, source, target):
        try:
            while data := source.recv(65536):
                if not connection["silent"]:
                    target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def reset(self):
        for connection in self.ends:
            for end in connection["ends"]:
                try:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    # Reading threads keep the socket open; this ends them.
                    end.shutdown(socket.SHUT_RD)
                except OSError:
                    continue  # it has ended before
                end.close()
        self.ends = []

    def silence(self):
        """Acts as a firewall that has dropped its state: nothing passes in either direction."""
        for connection in self.ends:
            connection["silent"] = True
        self.ends = []

    def close(self):
        self.listener.close()


def check(programs, cluster, folder, passed, full=False):
    path = f"{programs}/login-accounts-postgres"
    cluster.database("idle")
    line = Line(cluster.port)
    connection = f"host=127.0.0.1 port={line.port} dbname=idle user=postgres sslmode=disable gssencmode=disable"
    Program(path, connection, folder).do("add", "--email", "ada@example.com", "--user-name", "ada", given="correct horse battery\n")
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'idle'"
    count = 0

    def timeout(name):
        cluster.sql(f"ALTER DATABASE idle SET {name} = '300ms'")
        cluster.sql(others)
        assert service.login("ada").outcome == "accepted", name
        time.sleep(1)

    def restart():
        cluster.stop("fast")
        cluster.start()

    def crash():
        # The server ends all connections when one of its processes dies so (57P02).
        pid = cluster.sql("SELECT pid FROM pg_stat_activity WHERE datname = 'idle' LIMIT 1")
        if pid:
            os.kill(int(pid), signal.SIGKILL)
        time.sleep(1)

    def away():
        cluster.stop("fast")
        # Longer than users wait: the next requests get one attempt each.
        assert service.login("ada").error == "accountsUnavailable"
        time.sleep(6)
        assert service.login("ada").error == "accountsUnavailable"
        cluster.start()

    def silence():
        line.silence()
        time.sleep(11)

    ways = {
        "idle_session_timeout": lambda: timeout("idle_session_timeout"), "an administrator": lambda: cluster.sql(others), "a restart": restart,
        "a crash": crash, "a reset": line.reset, "a server that was away": away, "silence": silence,
    }
    with Service(path, connection, folder) as service:
        assert service.login("ada").outcome == "accepted"
        for name, end in ways.items():
            end()
            start = time.monotonic()
            answer = service.login("ada")
            assert answer.outcome == "accepted", (name, answer)
            assert time.monotonic() - start < 5, (name, time.monotonic() - start)
            count += 1
        told = [text for text in service.told if "cannot be reached" not in text and "starting" not in text]
        assert told == [], told
    line.close()
    passed("idle", f"{count} ways to end an idle connection, without an error for the person")

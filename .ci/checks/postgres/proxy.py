"""A proxy between a client and a server of PostgreSQL that cuts the connection at a message of the client's."""

import socket
import struct
import threading
import time


class Proxy:
    """Counts the client's messages that ask for an answer: Sync and Query. At number `cut_at` it cuts the connection, before the server has the message (`"before"`) or
    once the server has answered it, in place of the answer (`"after"`). Each of these messages takes `pause` seconds."""

    def __init__(self, server_port, edit=None, pause=0):
        self.server_port, self.edit, self.pause = server_port, edit, pause
        self.lock = threading.Lock()
        self.reset(None)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def reset(self, cut_at, how="before"):
        with self.lock:
            self.cut_at, self.how, self.count, self.cuts = cut_at, how, 0, 0

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.server_port))
        except OSError:
            client.close()
            return
        # Messages are forwarded one by one. Without this, each would wait 40 ms for the acknowledgement of the previous one.
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        state = {"withheld": False}
        back = threading.Thread(target=self._back, args=(server, client, state), daemon=True)
        back.start()
        try:
            self._forth(client, server, state)
        except (OSError, EOFError):
            pass
        for end in (client, server):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def _forth(self, client, server, state):
        # The start: no encryption is offered, then the parameters.
        while True:
            head = exactly(client, 8)
            length, code = struct.unpack("!II", head)
            rest = exactly(client, length - 8)
            if code in (80877103, 80877104):
                client.sendall(b"N")
                continue
            server.sendall(head + rest)
            break
        while True:
            kind = exactly(client, 1)
            head = exactly(client, 4)
            body = exactly(client, struct.unpack("!I", head)[0] - 4)
            if kind in b"QS":
                time.sleep(self.pause)
                with self.lock:
                    self.count += 1
                    cut = self.cut_at == self.count
                    self.cuts += cut
                if cut and self.how == "before":
                    return
                if cut:
                    state["withheld"] = threading.Event()
            server.sendall(kind + head + body)
            if state["withheld"]:
                state["withheld"].wait(10)
                return

    def _back(self, server, client, state):
        """Forwards the server's messages until the withheld answer is complete."""
        try:
            while True:
                kind = exactly(server, 1)
                head = exactly(server, 4)
                body = exactly(server, struct.unpack("!I", head)[0] - 4)
                if state["withheld"]:
                    if kind == b"Z":
                        state["withheld"].set()
                    continue
                if self.edit:
                    kind, body = self.edit(kind, body)
                client.sendall(kind + struct.pack("!I", len(body) + 4) + body)
        except (OSError, EOFError):
            if state["withheld"]:
                state["withheld"].set()
            try:
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.close()


def exactly(source, count):
    data = b""
    while len(data) < count:
        part = source.recv(count - len(data))
        if not part:
            raise EOFError
        data += part
    return data

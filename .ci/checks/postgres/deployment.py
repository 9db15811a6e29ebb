"""The units of protocol/guides/deployment.md: systemd-analyze accepts them, and engines started by connections to a socket share accounts on a server."""

import json
import os
import pathlib
import re
import socket
import subprocess

from cluster import wait

DOCUMENT = pathlib.Path(__file__).resolve().parents[3] / "protocol/guides/deployment.md"
# systemd's exposure level, out of 100 (0 is the least exposed). Much of the rest is the network access that a database needs.
MOST_EXPOSED = 30


def units():
    """The indented blocks that begin with a section's name, in order."""
    blocks = re.findall(r"(?m)(?:^    .*\n)+", DOCUMENT.read_text())
    return [re.sub(r"(?m)^    ", "", block) for block in blocks if block.lstrip().startswith("[")]


def check(programs, cluster, folder, passed, full=False):
    found = [unit for unit in units() if re.match(r"\[(Service|Socket)\]", unit)]
    assert len(found) == 3, found
    hardened, listening, activated = found
    # With the lines of the first, but for what it starts, and when again.
    activated += re.sub(r"(?m)^(\[Service\]|Restart=.*|ExecStart=.*\\\n.*)\n", "", hardened)
    analysed(folder, programs, hardened, listening, activated)
    passed("deployment", f"systemd-analyze finds no fault in the units, and their exposure is at most {MOST_EXPOSED / 10}")
    serve(programs, cluster, folder, activated)
    passed("deployment", "engines that systemd-socket-activate starts for each connection share accounts")


def analysed(folder, programs, hardened, listening, activated):
    place = pathlib.Path(folder) / "units"
    place.mkdir()
    user = "daemon"  # one that every Debian has
    for name, text in (("forms.service", hardened), ("login.socket", listening), ("login@.service", activated)):
        # The programs are where they were built, and the program with the forms is any.
        text = text.replace("/usr/bin/my-forms", "/usr/bin/env").replace("/usr/bin/login-engine", f"{programs}/login-engine")
        text = re.sub(r"(?m)^(User|SocketUser)=.*", rf"\1={user}", text)
        (place / name).write_text(text)
    files = [place / "forms.service", place / "login.socket", place / "login@.service"]
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *files], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr.strip(), done.stderr
    for file in (files[0], files[2]):
        command = ["systemd-analyze", "security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSED}", file]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-300:] + done.stderr


def serve(programs, cluster, folder, unit):
    """One connection signs up, another logs in, both at once; each engine ends with its connection."""
    connection, path = cluster.database("activated"), f"{folder}/activated.sock"
    words = re.search(r"(?s)ExecStart=/usr/bin/login-engine (.*?[^\\])\n", unit)[1].replace("\\\n", " ")
    authenticator = re.search(r'"(.*)"', words)[1].replace("--database service=login", f"--database '{connection}'")
    authenticator = authenticator.replace("%d/accounts.key", f"{folder}/key").replace("/var/lib/login/mails", f"{folder}/mails") + " --hash-cost 1"
    assert authenticator.startswith("login-accounts-postgres "), authenticator
    command = ["systemd-socket-activate", "--accept", "--inetd", f"--listen={path}", f"--setenv=PATH={programs}:{os.environ['PATH']}"]
    with open(f"{folder}/activated.log", "w") as log:
        process = subprocess.Popen([*command, f"{programs}/login-engine", "--authenticator", authenticator], stdout=log, stderr=log)
    try:
        wait(lambda: os.path.exists(path), "a socket")
        with Client(path) as first, Client(path) as second:
            values = {"email": "ada@example.com", "userName": "ada", "password": "correct horse battery"}
            assert first.submit(screen="setup", values=values) == "accepted", first.last
            del values["userName"]
            assert second.submit(values=values) == "accepted", second.last
            assert first.submit(values=values) == "accepted", first.last
            assert len(children(process.pid)) == 2, children(process.pid)
        wait(lambda: not children(process.pid), "the end of the engines")
    finally:
        process.terminate()
        process.wait()


def children(server):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == server and fields[0] != "Z":
            found.append(int(pid))
    return found


class Client:
    """A view at a socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.lines, self.id, self.last = self.socket.makefile("r"), 0, None

    def submit(self, **params):
        self.id += 1
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "id": self.id, "method": "session/submit", "params": params}).encode() + b"\n")
        for line in self.lines:
            self.last = json.loads(line)
            if self.last.get("id") == self.id:
                return self.last.get("result", {}).get("outcome")
        return None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.lines.close()

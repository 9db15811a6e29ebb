"""Hosts with the same accounts have one key of one-time codes: no host makes a second key, and the log of each host says what the host lacks."""

import os
import shutil
import threading
import time

from service import Program, Service


def until(holds, message):
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, message
        time.sleep(0.02)


def check(programs, cluster, folder, passed, full=False):
    path = f"{programs}/login-accounts-postgres"
    connection = cluster.database("keys")
    hosts = [f"{folder}/host{number}" for number in range(3)]
    for host in hosts:
        os.mkdir(host)
    one, two, three = (Program(path, connection, host) for host in hosts)
    one.do("add", "--email", "ada@example.com", "--user-name", "ada", given="correct horse battery\n")
    # All hosts at once: one creates the key, the others do not.
    ended = [None] * 3

    def make(index):
        ended[index] = Program(path, connection, hosts[index]).run("key")

    threads = [threading.Thread(target=make, args=(index,)) for index in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made = [index for index, done in enumerate(ended) if done.returncode == 0]
    assert len(made) == 1, [done.stderr for done in ended]
    assert [index for index, host in enumerate(hosts) if os.path.exists(f"{host}/key")] == made, made
    key_id = ended[made[0]].stdout.strip()
    assert len(key_id) == 16 and cluster.sql("SELECT value FROM settings WHERE name = 'key'", "keys") == key_id
    for index in set(range(3)) - set(made):
        assert "Copy it from another host" in ended[index].stderr, ended[index].stderr
        with Service(path, connection, hosts[index]) as service:
            # The log says what is missing before the first login. A login that needs only the password succeeds.
            service.call("authenticator/describe", {})
            until(lambda: any("key file is missing" in text and "Copy it" in text for text in service.told), "nothing told at the start")
            assert service.login("ada").outcome == "accepted"
        assert Program(path, connection, hosts[index]).run("one-time-codes", "ada").returncode == 1
        assert not os.path.exists(f"{hosts[index]}/key")
    owner = hosts[made[0]]
    other = hosts[(made[0] + 1) % 3]
    with open(f"{other}/key", "wb") as file:
        file.write(bytes(32))
    os.chmod(f"{other}/key", 0o600)
    done = Program(path, connection, other).run("key")
    assert done.returncode == 1 and "another than these accounts" in done.stderr and f"It is {other}/key." in done.stderr, done.stderr
    done = Program(path, connection, other).run("check")
    assert done.returncode == 1 and "another than these accounts" in done.stdout, done.stdout
    shutil.copy(f"{owner}/key", f"{other}/key")
    assert Program(path, connection, other).do("key").strip() == key_id
    assert Program(path, connection, other).do("check") == ""
    # All hosts have lost the key, and no account needs it.
    for host in hosts:
        if os.path.exists(f"{host}/key"):
            os.remove(f"{host}/key")
    assert one.run("key").returncode == 1
    assert one.do("key", "--replace").strip() != key_id
    assert two.run("key").returncode == 1 and three.run("key").returncode == 1
    passed("keys", "three hosts that start together make one key; a host without it, or with another key, logs what to copy")

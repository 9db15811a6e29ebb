"""Error messages for faults of the server, the database and the connection."""

import os
import shutil
import socket
import struct
import subprocess

from cluster import USER, Cluster, wait
from proxy import Proxy
from service import Program, Service


def check(programs, cluster, folder, passed, full=False):
    path = f"{programs}/login-accounts-postgres"
    count = 0

    def told(what, connection, code, text, environment=None):
        """The message is in the session and on standard error, without the password."""
        nonlocal count
        with Service(path, connection, folder) as service:
            answer = service.setup("somebody")
            assert answer.error == code, (what, answer)
            assert text in answer.value["error"]["message"], (what, answer)
        done = Program(path, connection, folder).run("list")
        assert done.returncode == 1 and text in done.stderr, (what, done.stderr)
        assert "topsecret" not in done.stderr + str(answer), what
        assert "accounts file" not in done.stderr + str(answer), what
        count += 1

    told("no server", f"host={folder} port=1 user=postgres", "accountsUnavailable", "nothing listens")
    told("a port without a server", "host=127.0.0.1 port=1 user=postgres", "accountsUnavailable", "nothing listens")
    told("a host of no address", "host=nowhere.invalid user=postgres", "accountsUnavailable", "leads to no address")
    told("no such service", "service=nowhere", "accountsUnavailable", "no service of that name")
    told("a silent host", f"host=127.0.0.1 port={silent()} user=postgres connect_timeout=1", "accountsUnavailable", "does not answer in time")
    tcp = f"host=127.0.0.1 port={cluster.port} dbname=postgres user=postgres"
    for mode in ("require", "verify-ca", "verify-full"):
        told(f"no encryption at {mode}", f"{tcp} sslmode={mode}", "accountsUnavailable", "takes no encrypted")
    certificates(cluster, folder)
    told("an unknown certificate", f"{tcp} sslmode=verify-ca sslrootcert={folder}/other.pem", "accountsUnavailable", "certificate is not trusted")
    told("another host's certificate", f"{tcp} sslmode=verify-full sslrootcert={folder}/server.pem", "accountsUnavailable", "another host's")
    told("no root certificate", f"{tcp} sslmode=verify-full sslrootcert={folder}/nowhere.pem", "accountsUnavailable", "sslrootcert")
    exposed = f"{tcp} sslmode=require sslcert={folder}/other.pem sslkey={folder}/exposed.key"
    told("a key that others read", exposed, "accountsUnavailable", "sslkey")
    told("a key of another certificate", exposed.replace("exposed.key", "server.key"), "accountsUnavailable", "sslkey")
    Program(path, f"{tcp} sslmode=verify-ca sslrootcert={folder}/server.pem", folder).do("list")
    told("no database", cluster.connection("nowhere"), "accountsUnavailable", "no such database")
    cluster.sql("CREATE ROLE outsider LOGIN PASSWORD 'topsecret'")
    cluster.sql("CREATE ROLE guest LOGIN")
    with open(f"{cluster.data}/pg_hba.conf") as file:
        rules = file.read()
    with open(f"{cluster.data}/pg_hba.conf", "w") as file:
        file.write("local all outsider scram-sha-256\nlocal all stranger reject\nhostssl all guest all cert\nhost all guest all reject\n" + rules)
    cluster.sql("CREATE ROLE stranger LOGIN")
    cluster.sql("SELECT pg_reload_conf()")
    told("an unknown user", cluster.connection("postgres", "nobody"), "accountsUnavailable", "this user does not exist or may not log in")
    told("no entry in pg_hba.conf", cluster.connection("postgres", "stranger"), "accountsUnavailable", "pg_hba.conf")
    told("no entry without encryption", f"{tcp.replace('user=postgres', 'user=guest')} sslmode=disable", "accountsUnavailable", "pg_hba.conf")
    told("no certificate of the client", f"{tcp.replace('user=postgres', 'user=guest')} sslmode=require", "accountsUnavailable", "pg_hba.conf")
    connection = cluster.database("errors")
    outsider = cluster.connection("errors", "outsider")
    told("a wrong password", f"{outsider} password=nottopsecret", "accountsUnavailable", "the password is not right")
    told("no password", outsider, "accountsUnavailable", "asks for a password")
    told("no common way", f"{outsider} password=topsecret channel_binding=require", "accountsUnavailable", "no way of authentication in common")
    told("no rights to make tables", cluster.connection("errors", "guest"), "accountsUnavailable", "may not use the tables")
    Program(path, connection, folder).do("list")
    told("no rights to use tables", cluster.connection("errors", "guest"), "accountsUnavailable", "may not use the tables")
    cluster.sql("CREATE TABLE accounts (name text)", database_of(cluster, "foreign1"))
    told("tables of others", cluster.connection("foreign1"), "accountsNotADatabase", "tables of another program")
    cluster.sql("CREATE TABLE settings (name text, value text)", database_of(cluster, "foreign2"))
    told("settings of others", cluster.connection("foreign2"), "accountsNotADatabase", "tables of another program")
    cluster.sql("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    told("another encoding", cluster.connection("latin"), "accountsUnavailable", "not in UTF-8")
    newer = database_of(cluster, "newer")
    Program(path, cluster.connection("newer"), folder).do("list")
    cluster.sql("UPDATE settings SET value = '99' WHERE name = 'tables'", newer)
    told("newer tables", cluster.connection("newer"), "accountsUnavailable", "newer version of this program")

    def old(kind, body):
        return (kind, body.replace(str(cluster_version).encode(), b"9.6.24")) if kind == b"S" and body.startswith(b"server_version\0") else (kind, body)

    cluster_version = cluster.sql("SHOW server_version")
    proxy = Proxy(cluster.port, edit=old)
    told("an old server", f"host=127.0.0.1 port={proxy.port} dbname=errors user=postgres gssencmode=disable", "accountsUnavailable", "version 9")
    proxy.close()

    # An administrator changes a column while the service has statements about it prepared (SQLSTATE 0A000): users see no error.
    Program(path, connection, folder).do("add", "--email", "ada@example.com", "--user-name", "ada", given="correct horse battery\n")
    with Service(path, connection, folder) as service:
        for kind in ("integer", "bigint"):
            # Each of the service's threads has a connection of its own.
            asked = [service.login("ada", "wrong" if number == 0 else "correct horse battery") for number in range(12)]
            assert [answer.outcome for answer in asked] == ["rejected"] + ["accepted"] * 11, (kind, asked)
            cluster.sql(f"ALTER TABLE tries ALTER COLUMN failures TYPE {kind}; ALTER TABLE accounts ALTER COLUMN password_expired TYPE {kind}", "errors")
        answer = service.login("ada")
        assert answer.outcome == "accepted", answer
    count += 1

    # A full disk: the server's own error, from a trigger. Operations that only read succeed.
    cluster.sql("CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $$", "errors")
    cluster.sql("CREATE TRIGGER no_room BEFORE INSERT OR UPDATE OR DELETE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION no_room()", "errors")
    cluster.sql("CREATE TRIGGER no_room BEFORE INSERT OR UPDATE OR DELETE ON tries FOR EACH STATEMENT EXECUTE FUNCTION no_room()", "errors")
    with Service(path, connection, folder) as service:
        assert service.setup("bob").error == "accountsFailed"
        assert service.login("ada").outcome == "accepted"
        outcomes = [service.login("ada", "wrong").outcome for _ in range(6)]
        assert outcomes[:4] == ["rejected"] * 4 and "throttled" in outcomes, outcomes
    count += 1

    # A standby, by itself and as the first of two hosts.
    standby = Cluster(folder, cluster.port + 1)
    try:
        standby.follow(cluster)
        cluster.sql("ALTER SYSTEM RESET synchronous_standby_names")
        cluster.sql("SELECT pg_reload_conf()")
        cluster.sql("DROP TRIGGER no_room ON accounts; DROP TRIGGER no_room ON tries", "errors")
        told("a standby", standby.connection("errors"), "accountsReadOnly", "standby")
        both = f"host={folder},{folder} port={standby.port},{cluster.port} dbname=errors user=postgres"
        with Service(path, both, folder) as service:
            assert service.login("ada").outcome == "accepted"
        count += 1
    finally:
        standby.stop()
    done = Program(path, "postgresql://x:topsecret@[", folder).run("list")
    assert done.returncode == 2 and "topsecret" not in done.stderr, done.stderr
    passed("errors", f"{count + 1} kinds of trouble are told")


def silent():
    """A port with a listener that never answers."""
    listener = socket.create_server(("127.0.0.1", 0))
    SILENT.append(listener)
    return listener.getsockname()[1]


SILENT = []


def certificates(cluster, folder):
    """Turns on the server's TLS with a certificate for another host, and creates an unrelated certificate."""
    for name in ("server", "other"):
        words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=db.example",
                 "-addext", "subjectAltName=DNS:db.example", "-keyout", f"{folder}/{name}.key", "-out", f"{folder}/{name}.pem"]
        subprocess.run(words, check=True, capture_output=True)
    shutil.copy(f"{folder}/other.key", f"{folder}/exposed.key")
    os.chmod(f"{folder}/exposed.key", 0o644)
    for name in ("server.key", "server.pem"):
        shutil.copy(f"{folder}/{name}", f"{cluster.data}/{name}")
        shutil.chown(f"{cluster.data}/{name}", USER)
    os.chmod(f"{cluster.data}/server.key", 0o600)
    cluster.configure("ssl = on", "ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'", "ssl_ca_file = 'server.pem'")
    cluster.sql("SELECT pg_reload_conf()")
    # Each new connection reads the settings by itself, once the server has them.
    wait(lambda: cluster.sql("SHOW ssl") == "on", "encryption")


def database_of(cluster, name):
    cluster.sql(f"CREATE DATABASE {name}")
    return name

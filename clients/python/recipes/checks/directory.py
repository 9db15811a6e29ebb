"""Checks ldap_login.py with slapd."""

import datetime
import shutil
import socket
import subprocess
import sys

from certificates import make_certificates
from person import RECIPES, Engine, Person, decide, eventually

BASE = "dc=example,dc=org"
CONFIGURATION = """
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload ppolicy
TLSCertificateFile {folder}/server.pem
TLSCertificateKeyFile {folder}/server.key
referral ldap://127.0.0.1:{trap}
# A careless setting: a bind with a name but no password succeeds, as anonymous.
allow bind_anon_cred
database mdb
suffix "dc=example,dc=org"
# Without a password no bind as this name is possible; the overlay reads and writes as it.
rootdn "cn=root,dc=example,dc=org"
directory {folder}/database
# Passwords are accepted over encrypted connections only.
security simple_bind=128
access to attrs=userPassword by dn.exact="uid=reader,dc=example,dc=org" none by self =xw by anonymous auth by * none
access to * by dn.exact="uid=reader,dc=example,dc=org" read by self read by * none
overlay ppolicy
ppolicy_default "cn=default,dc=example,dc=org"
ppolicy_use_lockout
ppolicy_hash_cleartext
"""
POLICY = """
objectClass: person
objectClass: pwdPolicy
sn: policy
pwdAttribute: userPassword
pwdLockout: TRUE
pwdMaxFailure: 3
pwdLockoutDuration: {seconds}
pwdMustChange: TRUE
pwdAllowUserChange: TRUE
pwdMinLength: 8
pwdCheckQuality: 1
pwdInHistory: 3
"""
#: The policy's pwdLockoutDuration, in seconds.
LOCKOUT = 600
ENTRIES = f"""
dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: cn=default,dc=example,dc=org
cn: default{POLICY.format(seconds=LOCKOUT)}
dn: cn=brief,dc=example,dc=org
cn: brief{POLICY.format(seconds=1)}
dn: cn=aged,dc=example,dc=org
cn: aged
pwdMaxAge: 86400{POLICY.format(seconds=LOCKOUT)}
dn: cn=grace,dc=example,dc=org
cn: grace
pwdMaxAge: 86400
pwdGraceAuthNLimit: 5{POLICY.format(seconds=LOCKOUT)}
"""
PASSWORD = "correct horse"
OLD = "pwdChangedTime: 20200101000000Z\n"


class Slapd:
    """A directory server with its own folder, run by the current user."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "database").mkdir()
        # The address to which the directory refers for entries that it does not have.
        self.trap = socket.create_server(("127.0.0.1", 0))
        self.trap.setblocking(False)
        (folder / "slapd.conf").write_text(CONFIGURATION.format(folder=folder, trap=self.trap.getsockname()[1]))
        plain = "".join(line for line in CONFIGURATION.splitlines(True) if not line.startswith(("TLS", "security")))
        (folder / "plain.conf").write_text(plain.format(folder=folder, trap=self.trap.getsockname()[1]))
        make_certificates(folder, "localhost")
        # A copy, because AppArmor restricts the program at its usual path to its usual folders.
        shutil.copy("/usr/sbin/slapd", folder / "slapd")
        people = "".join(self.person(name) for name in ("ada", "bob", "cleo", "twin", "reader"))
        people += self.person("eve", "pwdReset: TRUE") + self.person("fay", OLD + f"pwdPolicySubentry: cn=aged,{BASE}")
        people += self.person("gil", OLD + f"pwdPolicySubentry: cn=grace,{BASE}") + self.person("hal", "pwdAccountLockedTime: 000001010000Z")
        people += self.person("ivy", "mail: twin@example.com") + self.person("dan", f"pwdPolicySubentry: cn=brief,{BASE}")
        since = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=LOCKOUT - 100)
        people += self.person("jim", f"pwdAccountLockedTime: {since:%Y%m%d%H%M%SZ}")
        subprocess.run([folder / "slapd", "-T", "add", "-f", folder / "slapd.conf"], input=(ENTRIES + people).encode(), check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    @staticmethod
    def person(name, more=""):
        members = f"uid: {name}\ncn: {name.title()}\nsn: {name}\nmail: {name}@example.com\nuserPassword: {PASSWORD}\n"
        return f"\ndn: uid={name},{BASE}\nobjectClass: inetOrgPerson\n{members}{more}\n"

    def start(self, configuration="slapd.conf"):
        urls = f"ldap://127.0.0.1:{self.port}/"
        self.process = subprocess.Popen([self.folder / "slapd", "-h", urls, "-f", self.folder / configuration, "-d", "0"])
        eventually(self.answers, "slapd")

    def answers(self):
        try:
            return socket.create_connection(("127.0.0.1", self.port), 1).close() is None
        except OSError:
            return self.process.poll() is not None and exit("slapd has not started")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def check_directory(check, program, folder):
    slapd = Slapd(folder)
    (folder / "reader.password").write_text(PASSWORD + "\n")
    recipe = ["ldap_login.py", f"ldap://localhost:{slapd.port}", BASE, "--reader", f"uid=reader,{BASE}"]
    recipe += ["--reader-password", folder / "reader.password", "--lockout", str(LOCKOUT)]
    engine = Engine(program, "directory.json", *recipe, "--ca", folder / "ca.pem")
    try:
        check_people(check, engine, slapd)
        check("an empty password does not bind anonymously", decide(*recipe, "--ca", folder / "ca.pem", name="ada", password="") == "rejected")
        check_other_certificates(check, program, slapd, recipe)
        check_referrals(check, program, slapd, recipe)
        slapd.stop()
        check("an unreachable directory is reported", log_in(engine, "ada").error == "network.directoryDown")
        slapd.start("plain.conf")
        check("a directory without encryption is not used", log_in(engine, "ada").error == "network.directoryDown")
        slapd.stop()
        slapd.start()
        check("the directory is used again once it is up", log_in(engine, "ada").principal == "ada")
    finally:
        slapd.stop()
    check("the engine ends with its input", engine.close() == 0)
    check("no password is written anywhere", "horse" not in engine.written() and "battery" not in engine.written())


def log_in(engine, name, password=PASSWORD):
    return Person(engine).submit(name=name, password=password)


def waiting_time(person):
    return person.snapshot["error"]["params"]["retryAfterMs"]


def check_people(check, engine, slapd):
    ada = log_in(engine, "ada")
    check("a person logs in by name", ada.principal == "ada")
    data = {"dn": f"uid=ada,{BASE}", "name": "Ada", "email": "ada@example.com"}
    scene = ada.snapshot["scene"]
    check("the scene has the person's data and the factor", (scene["data"], [proof["factor"] for proof in scene["proofs"]]) == (data, ["pwd"]))
    check("a person logs in by address", log_in(engine, "bob@example.com").principal == "bob")
    check("a wrong password is refused", log_in(engine, "bob", "wrong").error == "invalidCredentials")
    check("an unknown name gets the same answer", log_in(engine, "nobody").error == "invalidCredentials")
    check("a name that two people have is refused", log_in(engine, "twin@example.com").error == "invalidCredentials")

    for name in ("*", "a*", "ada)(uid=*", "*)(objectClass=*", "ad\\61", "ada\0"):
        check(f"{name!r} is no pattern", log_in(engine, name).error == "invalidCredentials")

    # The right password after two wrong ones; then three wrong ones.
    log_in(engine, "cleo", "wrong"), log_in(engine, "cleo", "wrong")
    check("two wrong passwords do not lock the account", log_in(engine, "cleo").principal == "cleo")
    for _ in range(3):
        last = log_in(engine, "cleo", "wrong")
    check("the third wrong password is refused like any other", last.error == "invalidCredentials")
    locked = log_in(engine, "cleo")
    check("the right password then has to wait", (locked.outcome, locked.error) == ("throttled", "throttled"))
    check("the wait is at most the directory's lockout time", 0 < waiting_time(locked) <= LOCKOUT * 1000)
    check("the wait gets shorter while the lock lasts", 0 < waiting_time(log_in(engine, "jim")) <= 100_000)
    for _ in range(3):
        log_in(engine, "dan", "wrong")
    eventually(lambda: log_in(engine, "dan").principal == "dan", "the end of the lock")
    check("once the lock is over the person logs in", True)
    check("a lock by an administrator is reported", log_in(engine, "hal").error == "account.locked")

    eve = log_in(engine, "eve")
    check("a person who has to change the password is asked for a new one", (eve.outcome, eve.screen) == ("challenge", "newPassword"))
    check("the new password has to be typed twice", eve.submit(password="battery staple", again="battery").outcome == "invalid")
    check("the directory refuses a password that is too short", eve.submit(password="battery", again="battery").error == "password.tooShort")
    check("the directory refuses the former password", eve.submit(password=PASSWORD, again=PASSWORD).error == "password.used")
    check("the new password logs the person in", eve.submit(password="battery staple", again="battery staple").principal == "eve")
    check("the former password no longer works", log_in(engine, "eve").error == "invalidCredentials")
    check("the new password still works", log_in(engine, "eve", "battery staple").principal == "eve")

    check("an expired password is reported", log_in(engine, "fay").error == "password.expired")
    check("an expired password is reported only if it is right", log_in(engine, "fay", "wrong").error == "invalidCredentials")
    gil = log_in(engine, "gil")
    check("an expired password can be changed with grace logins", gil.screen == "newPassword")
    check("the changed password logs the person in", gil.submit(password="battery staple", again="battery staple").principal == "gil")


def check_other_certificates(check, program, slapd, recipe):
    """The directory gets no request if its certificate is not trusted, or is for another host."""
    elsewhere = [recipe[0], recipe[1].replace("localhost", "127.0.0.1"), *recipe[2:]]
    for what, words in [("of an unknown authority", recipe), ("of another host", [*elsewhere, "--ca", slapd.folder / "ca.pem"])]:
        engine = Engine(program, "directory.json", *words)
        check(f"a certificate {what} is refused", log_in(engine, "ada").error == "network.directoryDown")
        engine.close()
        check(f"StartTLS fails with a certificate {what}", "StartTLS" in engine.log[0])


def check_referrals(check, program, slapd, recipe):
    """No password goes to a server that the directory names, or to a server without encryption."""
    for uri in (recipe[1].upper(), recipe[1].removeprefix("ldap://")):
        refused = subprocess.run([sys.executable, RECIPES / recipe[0], uri, BASE], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        check(f"{uri} is no address", refused.returncode == 2)
    engine = Engine(program, "directory.json", recipe[0], recipe[1], "dc=elsewhere", *recipe[3:], "--ca", slapd.folder / "ca.pem")
    check("a referral is a failure", log_in(engine, "ada").error == "network.directoryDown")
    engine.close()
    try:
        followed = slapd.trap.accept()
    except BlockingIOError:
        followed = None
    check("a referral is not followed", followed is None)

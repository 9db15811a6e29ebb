"""Checks pam_login.py with PAM: pam_unix, pam_faillock and pam_oath, and an /etc that only the engine and the recipe see."""

import os
import shutil
import subprocess
from pathlib import Path

from person import Engine, Person, decide, eventually

PASSWORD = "correct horse"
KEY = "3132333435363738393031323334353637383930"
SERVICE = """
auth required pam_faillock.so preauth dir={folder}/tally deny=3 unlock_time={seconds} nodelay
auth [success=1 default=ignore] pam_unix.so nodelay
auth [default=die] pam_faillock.so authfail dir={folder}/tally deny=3 unlock_time={seconds} nodelay
auth [success=ok user_unknown=ignore default=die] pam_oath.so usersfile={folder}/oath window=5 digits=6
auth required pam_faillock.so authsucc dir={folder}/tally deny=3 unlock_time={seconds} nodelay
account required pam_unix.so
password required pam_unix.so sha512
"""
#: Asks only for a new password, if the old one has expired.
UNASKED = """
auth required pam_permit.so
account required pam_unix.so
password required pam_unix.so sha512
"""
NOTED = """
auth optional pam_echo.so file={folder}/note
auth required pam_unix.so nodelay
account required pam_permit.so
"""
#: Days from 1970-01-01 to the last change, and the other fields of shadow(5).
PEOPLE = {
    **{name: "20000:0:99999:7:::" for name in ("ada", "bob", "cleo", "dan")},
    "eve": "0:0:99999:7:::", "gil": "0:0:99999:7:::", "fay": "20000:0:99999:7::1:",
}  # fmt: skip


def make_etc(folder):
    """Creates the files of /etc that programs need, with accounts that exist on no machine."""
    etc = folder / "etc"
    (folder / "tally").mkdir()
    (etc / "security").mkdir(parents=True)
    for name in ("ld.so.cache", "login.defs"):
        shutil.copy(f"/etc/{name}", etc / name)
    hash = subprocess.run(["openssl", "passwd", "-6", "-stdin"], input=PASSWORD, text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
    (etc / "nsswitch.conf").write_text("passwd: files\ngroup: files\nshadow: files\n")
    users = [f"{name}:x:{4000 + i}:4000::/:/bin/sh\n" for i, name in enumerate(PEOPLE)]
    (etc / "passwd").write_text("root:x:0:0::/:/bin/sh\n" + "".join(users))
    (etc / "group").write_text("root:x:0:\npeople:x:4000:\n")
    (etc / "shadow").touch(mode=0o600)
    (etc / "shadow").write_text("root:*:20000::::::\n" + "".join(f"{name}:{hash}:{rest}\n" for name, rest in PEOPLE.items()))
    (folder / "oath").touch(mode=0o600)
    (folder / "oath").write_text(f"HOTP bob - {KEY}\n")
    (folder / "note").write_text("Maintenance at noon.\n")
    (folder / "pam.d").mkdir()
    (folder / "pam.d" / "recipe").write_text(SERVICE.format(folder=folder, seconds=600))
    (folder / "pam.d" / "brief").write_text(SERVICE.format(folder=folder, seconds=1))
    (folder / "pam.d" / "unasked").write_text(UNASKED)
    (folder / "pam.d" / "noted").write_text(NOTED.format(folder=folder))
    return etc


def one_time_code(counter):
    return subprocess.run(["oathtool", "-c", str(counter), KEY], text=True, stdout=subprocess.PIPE, check=True).stdout.strip()


def check_modules(check, program, folder):
    etc = make_etc(folder)
    before = [Path(f"/etc/{name}").stat() for name in ("passwd", "group")]
    # Another /etc for these processes only. If the check does not run as root, a user namespace makes them root.
    within = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    within += ["sh", "-c", f'mount --bind {etc} /etc && exec "$@"', "sh"]
    engine = Engine(program, "directory.json", "pam_login.py", "recipe", "--folder", folder / "pam.d", within=within)
    check_people(check, engine)
    brief = Engine(program, "directory.json", "pam_login.py", "brief", "--folder", folder / "pam.d", within=within)
    for _ in range(3):
        log_in(brief, "dan", "wrong")
    eventually(lambda: log_in(brief, "dan").principal == "dan", "the end of the lock")
    check("once the lock is over the person logs in", True)
    unasked = Engine(program, "directory.json", "pam_login.py", "unasked", "--folder", folder / "pam.d", within=within)
    check("the form's password does not answer a later prompt", log_in(unasked, "gil").items["answer"]["title"] == "Current password")
    noted = Engine(program, "directory.json", "pam_login.py", "noted", "--folder", folder / "pam.d", within=within)
    check_notes(check, noted)
    missing = Engine(program, "directory.json", "pam_login.py", "missing", "--folder", folder / "pam.d", within=within)
    check("a missing service accepts no login", log_in(missing, "ada").principal is None)
    for other in (brief, unasked, noted, missing):
        other.close()
    check("the engine ends with its input", engine.close() == 0)
    check("no password or code is written anywhere", not any(word in engine.written() for word in ("horse", "battery", one_time_code(0))))
    check("the machine's accounts are unchanged", before == [Path(f"/etc/{name}").stat() for name in ("passwd", "group")])
    check("a name with a NUL is refused", decide("pam_login.py", "recipe", name="ada\0", password=PASSWORD) == "rejected")
    check("and no password", decide("pam_login.py", "recipe", name="ada", password=PASSWORD + "\0x") == "rejected")


def log_in(engine, name, password=PASSWORD):
    return Person(engine).submit(name=name, password=password)


def check_people(check, engine):
    check("a person logs in", log_in(engine, "ada").principal == "ada")
    check("a wrong password is refused", log_in(engine, "ada", "wrong").error == "invalidCredentials")
    check("an unknown name gets the same answer", log_in(engine, "nobody").error == "invalidCredentials")
    check("an account without a password accepts no login", log_in(engine, "root").error == "invalidCredentials")
    check("an expired account is reported", log_in(engine, "fay").error == "account.expired")

    bob = log_in(engine, "bob")
    field = bob.items.get("answer", {})
    check("a second prompt is a challenge", (bob.outcome, bob.screen) == ("challenge", "prompt"))
    check("the prompt asks for a one-time code", (field["inputType"], field["title"]) == ("oneTimeCode", "One-time password (OATH) for `bob'"))
    check("the right code logs the person in", bob.submit(answer=one_time_code(0)).principal == "bob")
    bob = log_in(engine, "bob").submit(answer=one_time_code(0))
    check("a code works once", (bob.outcome, bob.error) == ("rejected", "invalidCredentials"))
    bob = log_in(engine, "bob").submit(answer=one_time_code(1) + "\0x")
    check("a code with a NUL is refused", (bob.error, bob.principal) == ("network.authenticatorFailed", None))
    bob, other = log_in(engine, "bob"), log_in(engine, "ada")
    check("a user who does not answer does not block others", other.principal == "ada")
    bob.press(next(action["id"] for action in bob.snapshot["actions"] if action["role"] == "link"))
    check("cancelling returns to the first screen", bob.screen == "login")
    check("and can log in", bob.submit(password=PASSWORD).submit(answer=one_time_code(1)).principal == "bob")

    for _ in range(3):
        last = log_in(engine, "cleo", "wrong")
    check("the third wrong password is refused like any other", last.error == "invalidCredentials")
    cleo = log_in(engine, "cleo")
    check("the right password then has to wait", (cleo.outcome, cleo.error) == ("throttled", "throttled"))
    check("the wait is as long as PAM says", cleo.snapshot["error"]["params"]["retryAfterMs"] in (540_000, 600_000))

    eve = log_in(engine, "eve")
    check("an expired password has to be replaced", (eve.outcome, eve.items["answer"]["title"]) == ("challenge", "Current password"))
    check("PAM's message is shown as a notice", eve.notice is not None and "change your password" in eve.notice)
    eve.submit(answer=PASSWORD)
    check("the new password is asked for", eve.items["answer"]["title"] == "New password")
    eve.submit(answer="battery staple")
    check("the new password is asked for twice", eve.items["answer"]["title"] == "Retype new password")
    eve.submit(answer="battery stable")
    check("PAM reports different new passwords, and asks again", "Sorry, passwords do not match." in eve.notice)
    for word in (PASSWORD, "battery staple", "battery staple"):
        eve.submit(answer=word)
    check("the new password logs the person in", eve.principal == "eve")
    check("the new password works from then on", log_in(engine, "eve", "battery staple").principal == "eve")
    check("the former password no longer works", log_in(engine, "eve").error == "invalidCredentials")


def check_notes(check, engine):
    ada = log_in(engine, "ada")
    check("PAM's messages at a login are passed to the application", ada.snapshot["scene"]["data"] == {"said": "Maintenance at noon."})
    ada = log_in(engine, "ada", "wrong")
    check("PAM's messages are shown with a failure", ada.snapshot["error"]["text"] == "Maintenance at noon.")
    notices = [json for json in engine.output if '"notice":{' in json and "Maintenance" in json]
    check("PAM's messages are shown as notices while the password is checked", notices != [])

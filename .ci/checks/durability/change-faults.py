"""Kills the accounts process at every write while it changes an account in one of the ways below, and makes the disk fail under each. A change is
atomic, and the file has every acknowledged change. For durability/check.

Usage: change-faults.py LOGIN-ACCOUNTS FOLDER    The last line says how many faults there were.
"""

import pathlib
import re
import shutil
import sys
import time

from account_faults import Accounts, Service, items, message, outcome, require

FOLDER = pathlib.Path(sys.argv[2])
OUTBOX = FOLDER / "outbox"
OPTIONS = ["--hash-cost", "1", "--outbox", str(OUTBOX)]
ACCOUNTS = Accounts(sys.argv[1], FOLDER, "changes.sqlite3", OPTIONS)
PASSWORD, OTHER = "correct horse", "another horse at last"
DEVICES = ["--remember-devices", "30"]
# The whole state of an account. Random values are only compared with their previous values. The use of a code is a separate change.
STATE = """
SELECT email, email_key, user_name, password_hash = '{hash}', password_expired, disabled_ms IS NOT NULL, attributes,
  (SELECT count(*) FROM reset_codes), (SELECT count(*) FROM remembered_devices), (SELECT count(*) FROM passkeys),
  (SELECT count(*) FROM one_time_codes), (SELECT group_concat(secret) = '{secret}' FROM one_time_codes),
  (SELECT count(*) FROM recovery_codes), (SELECT group_concat(code_hash) = '{codes}' FROM recovery_codes)
FROM accounts ORDER BY id
"""
known = {"hash": "", "secret": "", "codes": ""}


def state():
    return ACCOUNTS.rows(STATE.format(**known))


def mailed(seconds=3):
    """The mailed code, and the process that waits for it; None without a mail."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for mail in OUTBOX.glob("*.eml"):
            if found := re.search(r"^    (\S{5}-\S{5})$", mail.read_text(), re.M):
                return found[1]
        time.sleep(0.02)
    return None


class Person:
    """A logged-in user, and the service's answers."""

    def __init__(self, fault, options=()):
        shutil.rmtree(OUTBOX, ignore_errors=True)
        self.service = Service(ACCOUNTS, fault, options)

    def ask(self, request, **values):
        return self.service.submit(request, {"password": PASSWORD} | values, principal="ada")

    def proceed(self, **values):
        return self.service.proceed(values)

    def prove(self, answer):
        """Enters a recovery code where an account with one-time codes accepts either kind."""
        if not items(answer):
            return answer
        self.service.proceed({}, action="recoveryCode")
        ((used,),) = ACCOUNTS.rows("SELECT count(*) FROM recovery_codes WHERE used IS NOT NULL")
        return self.proceed(code=known["all"][used])


def by_person(request, sign, then=lambda person, answer: answer, values={}, options=()):
    def change(fault=None):
        person = Person(fault, options)
        answer = then(person, person.ask(request, **values))
        person.service.end()
        # The answer reports the first proof of an address.
        return sign in ((message(answer) or "").removesuffix(".taking"), outcome(answer))

    return change


def by_administrator(*words, input=""):
    return lambda fault=None: ACCOUNTS.run(*words, fault=fault, input=input)[0] == 0


def new_address(person, answer):
    answer = person.proceed(email="new@example.com")
    code = mailed() if items(answer) else None
    return person.proceed(code=code) if code else answer


def new_codes(person, answer):
    answer = person.prove(answer)
    return person.proceed() if len(items(answer)) > 5 else answer


def sign_up(fault=None):
    service = Service(ACCOUNTS, fault)
    answer = service.submit("setup", {"email": "bob@example.com", "userName": "bob", "password": PASSWORD, "age": 42, "city": "Bern"})
    service.end()
    return outcome(answer) == "accepted"


def ask_for_code(fault=None):
    service = Service(ACCOUNTS, fault)
    answer = service.submit("forgotPassword", {"email": "bob@example.com"})
    service.end()
    return message(answer) == "resetSent"


def reset(fault=None):
    service = Service(ACCOUNTS, fault)
    answer = service.submit("resetPassword", {"email": "ada@example.com", "code": known["reset"], "password": OTHER})
    service.end()
    return message(answer) in ("resetDone", "resetDone.taking")


# The changes for accounts without codes, and for accounts with both kinds.
PLAIN = {
    "another address": by_person("changeEmail", "emailChanged", new_address),
    "another password": by_person("changePassword", "passwordChanged", values={"new_password": OTHER}),
    "devices that a person has forgotten": by_person("forgetDevices", "devicesForgotten", options=DEVICES),
    "the end of an account": by_person("deleteAccount", "accepted"),
    "a sign-up with attributes": sign_up,
    "a mailed code": ask_for_code,
    "a reset by a mailed code": reset,
    "an administrator's password": by_administrator(*OPTIONS, "passwd", "ada", input=OTHER + "\n"),
    "an expired password": by_administrator("expire", "ada"),
    "an account that an administrator removes": by_administrator("remove", "ada"),
    "a passkey that an administrator removes": by_administrator(*OPTIONS[2:], "passkeys", "ada", "--remove", "AAAA"),
    "a device that an administrator removes": by_administrator("devices", "ada", "--remove", "all"),
    "recovery codes of an administrator": by_administrator(*OPTIONS, "recovery-codes", "ada"),
    "an administrator's mailed code": by_administrator(*OPTIONS, "passwd", "carl", "--send-reset"),
}
WITH_CODES = {
    "codes that a person turns off": by_person("removeOneTimeCodes", "oneTimeCodesOff", Person.prove),
    "recovery codes of a person": by_person("newRecoveryCodes", "recoveryCodesReplaced", new_codes),
    "one-time codes that an administrator turns off": by_administrator(*OPTIONS[2:], "one-time-codes", "ada", "--off"),
    "recovery codes that an administrator turns off": by_administrator(*OPTIONS[2:], "recovery-codes", "ada", "--off"),
}


def restore(kept):
    for name in ("", "-wal", "-shm"):
        pathlib.Path(f"{ACCOUNTS.file}{name}").unlink(missing_ok=True)
    shutil.copy(kept, ACCOUNTS.file)


def keep(name):
    ACCOUNTS.rows("DELETE FROM tries")
    ACCOUNTS.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(ACCOUNTS.file, FOLDER / name)
    (known["hash"],) = ACCOUNTS.rows("SELECT password_hash FROM accounts WHERE id = 1")[0]
    return FOLDER / name


def make_plain():
    service = Service(ACCOUNTS, options=DEVICES)
    for name in ("ada", "carl"):
        signed_up = service.submit("setup", {"email": f"{name}@example.com", "userName": name, "password": PASSWORD})
        require(outcome(signed_up) == "accepted", f"no sign-up of {name}")
    require(message(service.submit("forgotPassword", {"email": "ada@example.com"})) == "resetSent", "no code is mailed")
    known["reset"] = mailed()
    service.end()
    ACCOUNTS.rows("INSERT INTO passkeys (id, account, public_key, counter, backup_eligible, backed_up, created_ms) VALUES ('AAAA', 1, 'AA', 0, 0, 0, 0)")
    ACCOUNTS.rows("INSERT INTO remembered_devices (account, token_hash, created_ms, expires_ms) VALUES (1, 'AA', 0, 9000000000000)")
    return keep("plain")


def add_codes():
    known["all"] = ACCOUNTS.run(*OPTIONS, "recovery-codes", "ada")[1].split()
    ACCOUNTS.rows("INSERT INTO one_time_codes (account, secret, step) VALUES (1, 'sealed', 0)")
    for name, sql in [("secret", "SELECT secret FROM one_time_codes"), ("codes", "SELECT group_concat(code_hash) FROM recovery_codes")]:
        ((known[name],),) = ACCOUNTS.rows(sql)
    return keep("codes")


def try_all(changes, kept):
    count = 0
    for name, change in changes.items():
        restore(kept)
        before = state()
        require(change(), f"without a fault there is no change: {name}")
        after = state()
        require(before != after, f"nothing has changed: {name}")
        for fault in ACCOUNTS.faults(calls=("pwrite64",)):
            restore(kept)
            usesSteps = change(fault)
            ACCOUNTS.requireIntact(f"{fault} with {name}")
            found = state()
            require(found in (before, after), f"{fault} left {name} half done: {found}")
            require(not usesSteps or found == after, f"{name} was acknowledged with {fault}, and is lost")
            if found == before:
                # The failures counted before the fault.
                ACCOUNTS.rows("DELETE FROM tries")
                require(change() and state() == after, f"after {fault} there is no change any more: {name}")
            count += 1
    return count


print(try_all(PLAIN, make_plain()) + try_all(WITH_CODES, add_codes()))

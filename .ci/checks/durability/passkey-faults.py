"""Kills the accounts process at every write while it registers a passkey, logs in with one, and remembers a device, and makes the disk fail under
each. For durability/check, which says what has to hold.

Usage: passkey-faults.py LOGIN-ACCOUNTS FOLDER    The last line says how many faults there were.
"""

import base64
import hashlib
import json
import sys

from account_faults import Accounts, Service, items, outcome, require

ORIGIN, PARTY = "https://login.example.com", "example.com"
OPTIONS = ["--hash-cost", "1", "--rp-id", PARTY, "--origin", ORIGIN, "--remember-devices", "30"]
PASSWORD = "correct horse"
ACCOUNTS = Accounts(sys.argv[1], sys.argv[2], "passkeys.sqlite3", OPTIONS)

# P-256 (SEC 2, section 2.4.2), and a key on it: enough for a passkey in software that has no secret worth keeping.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296, 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
SECRET = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721


def add(one, other):
    if one is None or other is None:
        return one or other
    if one == other:
        slope = 3 * (one[0] ** 2 - 1) * pow(2 * one[1], -1, P)
    elif one[0] == other[0]:
        return None
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P)
    x = (slope * slope - one[0] - other[0]) % P
    return x, (slope * (one[0] - x) - one[1]) % P


def times(number, point):
    product = None
    while number:
        if number & 1:
            product = add(product, point)
        point, number = add(point, point), number >> 1
    return product


def der(number):
    digits = number.to_bytes(number.bit_length() // 8 + 1, "big")
    return bytes([2, len(digits)]) + digits


def sign(message):
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    nonce = int.from_bytes(hashlib.sha256(b"nonce" + message).digest(), "big") % N
    r = times(nonce, G)[0] % N
    s = pow(nonce, -1, N) * (digest + r * SECRET) % N
    return b"\x30" + bytes([len(der(r) + der(s))]) + der(r) + der(s)


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


POINT = times(SECRET, G)
KEY_ID = b"the only passkey"
USER = {}


def credential(kind, request, counter, new):
    client = json.dumps({"type": kind, "challenge": request["challenge"], "origin": ORIGIN, "crossOrigin": False}).encode()
    said = hashlib.sha256(PARTY.encode()).digest() + bytes([0x45 if new else 0x05]) + counter.to_bytes(4, "big")
    response = {"clientDataJSON": text(client)}
    if new:
        USER["handle"] = request["user"]["id"]
        key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + POINT[0].to_bytes(32, "big") + b"\x22\x58\x20" + POINT[1].to_bytes(32, "big")
        said += bytes(16) + len(KEY_ID).to_bytes(2, "big") + KEY_ID + key
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(said)]) + said
        response |= {"attestationObject": text(attestation)}
    else:
        signature = sign(said + hashlib.sha256(client).digest())
        response |= {"authenticatorData": text(said), "signature": text(signature), "userHandle": USER["handle"]}
    return {"id": text(KEY_ID), "rawId": text(KEY_ID), "type": "public-key", "response": response}


def request(answer):
    return next((item["request"] for item in items(answer) if item["id"] == "passkey"), None)


LOGIN = {"userName": "ada", "password": PASSWORD}


def register(fault=None):
    service = Service(ACCOUNTS, fault)
    offered = service.submit("login", LOGIN, ["webauthn.create"])
    asked = request(offered)
    answer = asked and service.proceed({"passkey": credential("webauthn.create", asked, 0, True)}, ["webauthn.create"])
    service.end()
    return outcome(answer or offered)


def use(counter, fault=None):
    service = Service(ACCOUNTS, fault)
    asked = request(service.submit("passkey", {}, ["webauthn.get"]))
    answer = service.proceed({"passkey": credential("webauthn.get", asked, counter, False)}, ["webauthn.get"]) if asked else {}
    service.end()
    return outcome(answer)


def remember(code, fault=None):
    service = Service(ACCOUNTS, fault)
    service.submit("login", LOGIN)
    answer = service.proceed({"code": code, "remember_device": True})
    service.end()
    return answer.get("result", {}).get("secret", {}).get("rememberedDevice"), outcome(answer)


def log_in(device):
    service = Service(ACCOUNTS)
    answer = service.submit("login", LOGIN, secrets={"rememberedDevice": device})
    service.end()
    return outcome(answer)


def codes():
    return ACCOUNTS.run("--hash-cost", "1", "recovery-codes", "ada", "--count", "100")[1].split()


def main():
    count = 0
    service = Service(ACCOUNTS)
    require(outcome(service.submit("setup", LOGIN | {"email": "ada@example.com"})) == "accepted", "no sign-up")
    service.end()

    for fault in ACCOUNTS.faults():
        ACCOUNTS.rows("DELETE FROM passkeys")
        taken, kept = register(fault) == "accepted", ACCOUNTS.rows("SELECT counter FROM passkeys") == [(0,)]
        ACCOUNTS.requireIntact(f"{fault} with a new passkey")
        require(kept or not taken, f"a passkey was acknowledged with {fault}, and is lost")
        require(kept or register() == "accepted", f"after {fault} no passkey can be registered")
        require(use(1) == "accepted", f"after {fault} the passkey does not let in")
        count += 1

    counter = 1
    for fault in ACCOUNTS.faults():
        counter += 1
        taken, used = use(counter, fault) == "accepted", ACCOUNTS.rows("SELECT counter FROM passkeys") == [(counter,)]
        ACCOUNTS.requireIntact(f"{fault} with a passkey")
        require(used or not taken, f"the use of a passkey was acknowledged with {fault}, and is lost")
        require((use(counter) == "accepted") == (not used), f"the counter {counter} was {'used' if used else 'new'} after {fault}")
        count += 1

    unused = codes()
    for fault in ACCOUNTS.faults():
        device, _ = remember(unused.pop(0), fault)
        ACCOUNTS.requireIntact(f"{fault} with a device")
        require(device is None or log_in(device) == "accepted", f"a device was acknowledged with {fault}, and is forgotten")
        # The failures counted for codes whose result is unknown.
        ACCOUNTS.rows("DELETE FROM tries")
        device, answer = remember(unused.pop(0))
        require(device and log_in(device) == "accepted", f"after {fault} no device is remembered: {answer}")
        count += 1
    print(count)


main()

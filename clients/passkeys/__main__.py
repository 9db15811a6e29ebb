"""Checks the authenticator: see `check`."""

import contextlib
import sys
from pathlib import Path

from software_key import SoftwareKey
from view import Engine, Form
from webauthn import BACKED_UP, BACKUP_ELIGIBLE, PRESENT, VERIFIED, base64url, from_base64url

HERE = Path(__file__).resolve().parent
ORIGIN = "https://login.example"
PASSWORD = "correct horse"
BOTH = ("webauthn.create", "webauthn.get")


def factors(scene):
    return [proof["factor"] for proof in scene["proofs"]]


class Check:
    def __init__(self, engine):
        self.engine, self.passed, self.failed = engine, 0, 0
        self.key = SoftwareKey(ORIGIN)

    def check(self, what, holds):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print(f"FAILED: {what}", file=sys.stderr)

    def refused(self, what, form, reason):
        """Checks that the login is refused, that the form allows another attempt, and that the log ends with this reason."""
        failure = (form.error, form.snapshot["state"], form.outcome) == ("passkey.refused", "requestFailed", "rejected")
        line = self.engine.logged()
        self.check(f"{what} is refused for its reason: {line}", failure and not form.scene and line.endswith(reason))

    # MARK: Steps

    def sign_up(self, email, supports=BOTH):
        return Form(self.engine, "setup", *supports).submit(email=email, password=PASSWORD)

    def log_in(self, email, supports=BOTH):
        return Form(self.engine, "login", *supports).submit(email=email)

    def register(self, form, key):
        return form.submit(passkey=key.create(form.items()["passkey"]["request"]))

    def use(self, form, key):
        return form.submit(passkey=key.get(form.items()["passkey"]["request"]))

    @contextlib.contextmanager
    def going_wrong(self, **members):
        """Yields the key with wrong values."""
        former = {name: getattr(self.key, name) for name in members}
        vars(self.key).update(members)
        yield self.key
        vars(self.key).update(former)

    # MARK: Checks

    def registration(self):
        form = self.sign_up("ada@example.com")
        item = form.items()["passkey"]
        self.check("a new passkey is asked for", (item["kind"], item["type"]) == ("external", "webauthn.create"))
        self.check("the request has the options that browsers accept", item["request"]["rp"] == {"id": "login.example", "name": "Example"})
        self.check("nothing else is asked for", list(form.items()) == ["passkey"] and item["value"] is None)
        self.refused_registrations()
        self.register(form, self.key)
        self.check("registering a passkey logs the person in", form.scene.get("principal") == "ada@example.com")
        self.check("it is said how", factors(form.scene) == ["pwd", "pop", "user"])

        form = self.sign_up("zoe@example.com")
        with self.going_wrong(user=None) as key:
            self.refused("the passkey of another account", self.register(form, key), "the passkey is registered already")
        form.press("passkey.later")
        self.check("a passkey is optional", factors(form.scene) == ["pwd"])
        self.check("an address can be used only once", self.sign_up("Ada@example.com").outcome == "rejected")

        other = SoftwareKey(ORIGIN, private=7)
        other.format = "packed"
        form = self.register(self.sign_up("bob@example.com"), other)
        self.check("self attestation is accepted", form.outcome == "accepted")
        self.check("a passkey with self attestation works", self.use(self.log_in("bob@example.com"), other).outcome == "accepted")

    def refused_registrations(self):
        def cut(credential):
            credential["response"]["attestationObject"] = credential["response"]["attestationObject"][:-8]

        def lengthen(credential):
            attestation = from_base64url(credential["response"]["attestationObject"])
            credential["response"]["attestationObject"] = base64url(attestation + b"x")

        def forge(credential):
            attestation = bytearray(from_base64url(credential["response"]["attestationObject"]))
            attestation[attestation.index(b"sig") + 15] ^= 1
            credential["response"]["attestationObject"] = base64url(attestation)

        cases = [
            ("for an earlier challenge", "the challenge does not match", {"challenge": base64url(bytes(32))}, None),
            ("from another page", "the origin does not match", {"origin": "https://evil.login.example"}, None),
            ("from a page within another", "the page is embedded in another one", {"client": {"crossOrigin": True}}, None),
            ("for another site", "the credential is for another site", {"site": "evil.example"}, None),
            ("for logging in", "the credential is for another operation", {"type": "webauthn.get"}, None),
            ("without user verification", "the user was not verified", {"flags": PRESENT}, None),
            ("without user presence", "no user was present", {"flags": VERIFIED}, None),
            ("that is backed up but not eligible for backup", "the backup flags contradict each other", {"flags": PRESENT | VERIFIED | BACKED_UP}, None),
            ("with an invalid key", "cannot be read: ValueError", {"cose": {**self.key.cose, -2: bytes(32)}}, None),
            ("with a key of another algorithm", "the key is not an ES256 key", {"cose": {**self.key.cose, 3: -257}}, None),
            ("with a key of another length", "the key has the wrong length", {"cose": {**self.key.cose, -2: b"\0" + self.key.cose[-2]}}, None),
            ("without a key", "there is no new key", {"attested": 0}, None),
            ("with data after its attestation", "the attestation is followed by other data", {}, lengthen),
            ("with data after it", "the data are followed by other data", {"behind": b"x"}, None),
            ("with another kind of attestation", "the attestation is not supported", {"format": "android-key"}, None),
            ("with an attestation by another algorithm", "the attestation is not supported", {"format": "packed", "algorithm": -257}, None),
            ("with a forged attestation", "the signature is wrong", {"format": "packed"}, forge),
            ("that is cut off", "cannot be read: ValueError", {}, cut),
            ("with another id", "the id does not match", {}, lambda credential: credential.update(id="AAAA", rawId="AAAA")),
            ("with another type", "the credential has the wrong type", {}, lambda credential: credential.update(type="password")),
            ("without a response", "cannot be read: KeyError", {}, lambda credential: credential.pop("response")),
        ]
        for what, reason, members, change in cases:
            form = self.sign_up("eve@example.com")
            with self.going_wrong(user=None, **members) as key:
                credential = key.create(form.items()["passkey"]["request"])
            if change:
                change(credential)
            self.refused(f"a new passkey {what}", form.submit(passkey=credential), reason)
        self.check("a refused passkey does not log in", self.log_in("eve@example.com", []).submit(password=PASSWORD).error == "invalidCredentials")

    def assertion(self):
        form = self.log_in("ada@example.com")
        item = form.items()["passkey"]
        self.check("a passkey is asked for", (item["kind"], item["type"]) == ("external", "webauthn.get"))
        first = item["request"]["challenge"]
        used = self.key.get(item["request"])
        form.submit(passkey=used)
        self.check("a passkey logs the person in", form.scene.get("principal") == "ada@example.com")
        self.check("the scene names the passkey as the proof", factors(form.scene) == ["pop", "user"])

        form = self.log_in("ada@example.com").submit(passkey=used)
        self.refused("an assertion that was used before", form, "the challenge does not match")
        later = form.items()["passkey"]
        self.check("each attempt has another challenge", later["request"]["challenge"] != first and later["value"] is None)
        self.use(form, self.key)
        self.check("the next attempt logs the person in", form.outcome == "accepted")

        here, there = self.log_in("ada@example.com"), self.log_in("ada@example.com")
        there.submit(passkey=self.key.get(here.items()["passkey"]["request"]))
        self.refused("an assertion for another session", there, "the challenge does not match")
        self.refused("a passkey for another account", self.use(self.log_in("bob@example.com"), self.key), "the user has no such credential")
        self.refused_assertions()

        known, unknown = self.log_in("ada@example.com").items(), self.log_in("nobody@example.com").items()
        for items in (known, unknown):
            items["passkey"]["request"]["challenge"] = None
        self.check("the request does not reveal which accounts exist", known == unknown)

        form = self.log_in("ada@example.com")
        for _ in range(5):
            form.submit(passkey=used)
            self.engine.logged()
        self.check("the login starts again after five attempts", (form.snapshot["screen"], form.error) == ("login", "tooManyTries"))

    def refused_assertions(self):
        def changed(member, place):
            def change(assertion):
                data = bytearray(from_base64url(assertion["response"][member]))
                data[place] ^= 1
                assertion["response"][member] = base64url(data)

            return change

        def without(member):
            return lambda assertion: assertion["response"].pop(member)

        cases = [
            ("with a wrong signature", "the signature is wrong", {}, changed("signature", -1)),
            ("with another counter than was signed", "the signature is wrong", {}, changed("authenticatorData", 35)),
            ("for an earlier challenge", "the challenge does not match", {"challenge": base64url(bytes(32))}, None),
            ("from another page", "the origin does not match", {"origin": "https://evil.login.example"}, None),
            ("from a page within another", "the page is embedded in another one", {"client": {"crossOrigin": True}}, None),
            ("from a page with a top origin", "the page is embedded in another one", {"client": {"topOrigin": "https://evil.example"}}, None),
            ("for another site", "the credential is for another site", {"site": "evil.example"}, None),
            ("for registering", "the credential is for another operation", {"type": "webauthn.create"}, None),
            ("without user verification", "the user was not verified", {"flags": PRESENT}, None),
            ("without user presence", "no user was present", {"flags": VERIFIED}, None),
            ("of a key that has become eligible for backup", "the backup eligibility has changed", {"flags": PRESENT | VERIFIED | BACKUP_ELIGIBLE}, None),
            ("whose counter went back", "the key may have been copied", {"counter": 0}, None),
            ("with another key", "the signature is wrong", {"key": SoftwareKey(ORIGIN, private=9).key}, None),
            ("of another user", "the credential belongs to another user", {"user": bytes(32)}, None),
            ("of an unknown key", "the user has no such credential", {}, lambda assertion: assertion.update(id="AAAA", rawId="AAAA")),
            ("cut off", "the data are truncated", {}, lambda assertion: assertion["response"].update(authenticatorData="AAAA")),
            ("with padding", "cannot be read: ValueError", {}, lambda assertion: assertion["response"].update(signature="AA==")),
            ("without client data", "cannot be read: KeyError", {}, without("clientDataJSON")),
        ]
        for what, reason, members, change in cases:
            form = self.log_in("ada@example.com")
            with self.going_wrong(**members) as key:
                assertion = key.get(form.items()["passkey"]["request"])
            if change:
                change(assertion)
            self.refused(f"an assertion {what}", form.submit(passkey=assertion), reason)
            self.check(f"a right assertion is accepted after one {what}", self.use(form, self.key).outcome == "accepted")
        for what, change in [("without", without("userHandle")), ("with an empty", lambda assertion: assertion["response"].update(userHandle=""))]:
            form = self.log_in("ada@example.com")
            assertion = self.key.get(form.items()["passkey"]["request"])
            change(assertion)
            self.check(f"an assertion {what} user handle is accepted", form.submit(passkey=assertion).outcome == "accepted")
        form = self.log_in("ada@example.com")
        for value, error in [({}, "KeyError"), ([], "TypeError"), ("passkey", "TypeError"), ({"error": "NotAllowedError"}, "KeyError")]:
            self.refused(f"{value}", form.submit(passkey=value), f"cannot be read: {error}")

    def password(self):
        form = self.log_in("ada@example.com", supports=[])
        self.check("a view without passkeys is asked for a password", list(form.items()) == ["password"] and "filled" in form.items()["password"])
        form.submit(password="wrong horse")
        self.check("a wrong password is refused", (form.error, form.snapshot["state"]) == ("invalidCredentials", "requestFailed"))
        form.submit(password=PASSWORD)
        self.check("the right password logs the person in", form.scene.get("principal") == "ada@example.com")
        self.check("the scene names the password as the proof", factors(form.scene) == ["pwd"])
        form = self.sign_up("tim@example.com", supports=["redirect"])
        self.check("a view without passkeys is not asked for a new passkey", form.outcome == "accepted")
        form = self.log_in("tim@example.com", supports=[]).submit(password=PASSWORD)
        self.check("a view without passkeys logs in", form.scene.get("principal") == "tim@example.com")

        form = self.log_in("ada@example.com")
        self.check("a password is offered with a passkey", form.links()[0] == "usePassword")
        form.press("usePassword")
        self.check("the password is asked for", list(form.items()) == ["password"])
        self.check("the password logs the person in", form.submit(password=PASSWORD).outcome == "accepted")
        self.check("an unknown address has no password", self.log_in("nobody@example.com", []).submit(password="").outcome == "invalid")


def main():
    decide = f"{sys.executable} {HERE / 'authenticator.py'} {ORIGIN}"
    engine = Engine(sys.argv[1], "--flow", str(HERE / "flow.json"), "--authenticator", decide)
    check = Check(engine)
    check.registration()
    check.assertion()
    check.password()
    check.check("the engine ends with its input", engine.close() == 0)
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())

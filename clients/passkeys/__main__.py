"""See check."""

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
        """Nobody is in, the next try can begin, and the log says why. `reason` is the end of what it says."""
        failure = (form.error, form.snapshot["state"], form.outcome) == ("passkey.refused", "requestFailed", "rejected")
        line = self.engine.logged()
        self.check(f"{what} is refused for its reason: {line}", failure and not form.scene and line.endswith(reason))

    # MARK: What a person does

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
        """The key, while something about it is wrong."""
        former = {name: getattr(self.key, name) for name in members}
        vars(self.key).update(members)
        yield self.key
        vars(self.key).update(former)

    # MARK: What has to hold

    def registration(self):
        form = self.sign_up("ada@example.com")
        item = form.items()["passkey"]
        self.check("a new passkey is asked for", (item["kind"], item["type"]) == ("external", "webauthn.create"))
        self.check("by the options that browsers take", item["request"]["rp"] == {"id": "login.example", "name": "Example"})
        self.check("and nothing else is asked for", list(form.items()) == ["passkey"] and item["value"] is None)
        self.refused_registrations()
        self.register(form, self.key)
        self.check("who has registered a passkey is in", form.scene.get("principal") == "ada@example.com")
        self.check("it is said how", factors(form.scene) == ["pwd", "pop", "user"])

        form = self.sign_up("zoe@example.com")
        with self.going_wrong(user=None) as key:
            self.refused("the passkey of another account", self.register(form, key), "the passkey is registered already")
        form.press("passkey.later")
        self.check("a passkey is not needed", factors(form.scene) == ["pwd"])
        self.check("an address is taken once", self.sign_up("Ada@example.com").outcome == "rejected")

        other = SoftwareKey(ORIGIN, private=7)
        other.format = "packed"
        form = self.register(self.sign_up("bob@example.com"), other)
        self.check("self attestation is taken", form.outcome == "accepted")
        self.check("and its passkey works", self.use(self.log_in("bob@example.com"), other).outcome == "accepted")

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
            ("for a challenge of another time", "the challenge is another one", {"challenge": base64url(bytes(32))}, None),
            ("of another page", "the page is another one", {"origin": "https://evil.login.example"}, None),
            ("of a page within another", "the page is inside of another one", {"client": {"crossOrigin": True}}, None),
            ("for another site", "the credential is for another site", {"site": "evil.example"}, None),
            ("for logging in", "the credential is for something else", {"type": "webauthn.get"}, None),
            ("of somebody unknown to the key", "the key has not verified who was there", {"flags": PRESENT}, None),
            ("of nobody", "nobody was there", {"flags": VERIFIED}, None),
            ("that is copied and cannot be", "the key is copied and cannot be", {"flags": PRESENT | VERIFIED | BACKED_UP}, None),
            ("with a key that is none", "cannot be read: ValueError", {"cose": {**self.key.cose, -2: bytes(32)}}, None),
            ("with a key of another algorithm", "the key is none of ES256", {"cose": {**self.key.cose, 3: -257}}, None),
            ("with a key of another length", "the key has another length", {"cose": {**self.key.cose, -2: b"\0" + self.key.cose[-2]}}, None),
            ("without a key", "there is no new key", {"attested": 0}, None),
            ("with something behind its attestation", "something follows the attestation", {}, lengthen),
            ("with something behind it", "something follows the data", {"behind": b"x"}, None),
            ("with another kind of attestation", "the attestation is of another kind", {"format": "android-key"}, None),
            ("with an attestation by another algorithm", "the attestation is of another kind", {"format": "packed", "algorithm": -257}, None),
            ("with a forged attestation", "the signature is wrong", {"format": "packed"}, forge),
            ("that is cut off", "cannot be read: ValueError", {}, cut),
            ("of another id", "the id is another one", {}, lambda credential: credential.update(id="AAAA", rawId="AAAA")),
            ("of another type", "the credential is of another kind", {}, lambda credential: credential.update(type="password")),
            ("without a response", "cannot be read: KeyError", {}, lambda credential: credential.pop("response")),
        ]
        for what, reason, members, change in cases:
            form = self.sign_up("eve@example.com")
            with self.going_wrong(user=None, **members) as key:
                credential = key.create(form.items()["passkey"]["request"])
            if change:
                change(credential)
            self.refused(f"a new passkey {what}", form.submit(passkey=credential), reason)
        self.check("nobody is in by that", self.log_in("eve@example.com", []).submit(password=PASSWORD).error == "invalidCredentials")

    def assertion(self):
        form = self.log_in("ada@example.com")
        item = form.items()["passkey"]
        self.check("a passkey is asked for", (item["kind"], item["type"]) == ("external", "webauthn.get"))
        first = item["request"]["challenge"]
        used = self.key.get(item["request"])
        form.submit(passkey=used)
        self.check("a passkey lets in", form.scene.get("principal") == "ada@example.com")
        self.check("it is said that it was a passkey", factors(form.scene) == ["pop", "user"])

        form = self.log_in("ada@example.com").submit(passkey=used)
        self.refused("what was used once", form, "the challenge is another one")
        later = form.items()["passkey"]
        self.check("each try has another challenge", later["request"]["challenge"] != first and later["value"] is None)
        self.use(form, self.key)
        self.check("the next try lets in", form.outcome == "accepted")

        here, there = self.log_in("ada@example.com"), self.log_in("ada@example.com")
        there.submit(passkey=self.key.get(here.items()["passkey"]["request"]))
        self.refused("what answers another session", there, "the challenge is another one")
        self.refused("a passkey for another's account", self.use(self.log_in("bob@example.com"), self.key), "the user has no such credential")
        self.refused_assertions()

        known, unknown = self.log_in("ada@example.com").items(), self.log_in("nobody@example.com").items()
        for items in (known, unknown):
            items["passkey"]["request"]["challenge"] = None
        self.check("nobody is told who has an account", known == unknown)

        form = self.log_in("ada@example.com")
        for _ in range(5):
            form.submit(passkey=used)
            self.engine.logged()
        self.check("after five tries one has to begin again", (form.snapshot["screen"], form.error) == ("login", "tooManyTries"))

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
            ("of a challenge of another time", "the challenge is another one", {"challenge": base64url(bytes(32))}, None),
            ("of another page", "the page is another one", {"origin": "https://evil.login.example"}, None),
            ("of a page within another", "the page is inside of another one", {"client": {"crossOrigin": True}}, None),
            ("of a page below another", "the page is inside of another one", {"client": {"topOrigin": "https://evil.example"}}, None),
            ("for another site", "the credential is for another site", {"site": "evil.example"}, None),
            ("for registering", "the credential is for something else", {"type": "webauthn.create"}, None),
            ("of somebody unknown to the key", "the key has not verified who was there", {"flags": PRESENT}, None),
            ("of nobody", "nobody was there", {"flags": VERIFIED}, None),
            ("of a key that can be copied by now", "another kind of key by now", {"flags": PRESENT | VERIFIED | BACKUP_ELIGIBLE}, None),
            ("whose counter went back", "the key may have been copied", {"counter": 0}, None),
            ("with another key", "the signature is wrong", {"key": SoftwareKey(ORIGIN, private=9).key}, None),
            ("of another user", "the credential is another user's", {"user": bytes(32)}, None),
            ("of an unknown key", "the user has no such credential", {}, lambda assertion: assertion.update(id="AAAA", rawId="AAAA")),
            ("cut off", "the data are cut off", {}, lambda assertion: assertion["response"].update(authenticatorData="AAAA")),
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
            self.check(f"after an assertion {what} the right one is taken", self.use(form, self.key).outcome == "accepted")
        for what, change in [("without", without("userHandle")), ("with an empty", lambda assertion: assertion["response"].update(userHandle=""))]:
            form = self.log_in("ada@example.com")
            assertion = self.key.get(form.items()["passkey"]["request"])
            change(assertion)
            self.check(f"an assertion {what} handle of a user is taken", form.submit(passkey=assertion).outcome == "accepted")
        form = self.log_in("ada@example.com")
        for value, error in [({}, "KeyError"), ([], "TypeError"), ("passkey", "TypeError"), ({"error": "NotAllowedError"}, "KeyError")]:
            self.refused(f"{value}", form.submit(passkey=value), f"cannot be read: {error}")

    def password(self):
        form = self.log_in("ada@example.com", supports=[])
        self.check("a view without passkeys is asked for a password", list(form.items()) == ["password"] and "filled" in form.items()["password"])
        form.submit(password="wrong horse")
        self.check("a wrong one is refused", (form.error, form.snapshot["state"]) == ("invalidCredentials", "requestFailed"))
        form.submit(password=PASSWORD)
        self.check("the right one lets in", form.scene.get("principal") == "ada@example.com")
        self.check("it is said that it was a password", factors(form.scene) == ["pwd"])
        form = self.sign_up("tim@example.com", supports=["redirect"])
        self.check("such a view is asked for no new passkey", form.outcome == "accepted")
        form = self.log_in("tim@example.com", supports=[]).submit(password=PASSWORD)
        self.check("and logs in", form.scene.get("principal") == "tim@example.com")

        form = self.log_in("ada@example.com")
        self.check("a password is offered beside a passkey", form.links()[0] == "usePassword")
        form.press("usePassword")
        self.check("and asked for", list(form.items()) == ["password"])
        self.check("and lets in", form.submit(password=PASSWORD).outcome == "accepted")
        self.check("nobody has no password", self.log_in("nobody@example.com", []).submit(password="").outcome == "invalid")


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

"""An authenticator for passkeys, and for passwords if the view does not support passkeys. It decides `login` and `setup` of flow.json.

Usage: authenticator.py ORIGIN     ORIGIN is the origin of the page where the view runs, such as https://example.com
"""

import json
import os
import sys

from accounts import Account, Accounts
from webauthn import Refused, RelyingParty

MAXIMUM_TRIES = 5

PASSWORD = {
    "id": "password", "apiKey": "password", "kind": "input", "inputType": "password", "title": "password", "autofill": "current-password",
    "rules": [{"rule": "required", "message": "password.missing"}],
} 


def passkey(type, title, request, **members):
    rules = [{"rule": "required", "message": "passkey.missing"}]
    return {"id": "passkey", "apiKey": "passkey", "kind": "external", "type": type, "title": title, "request": request, "rules": rules, **members}


def challenge(screen, item, links, error):
    """Asks for an item on its own screen. Each attempt has a new screen, which drops the values sent before."""
    sections = [{"id": "proof", "items": [item]}]
    shown = {"id": screen, "title": item["title"], "sections": sections, "links": [{"id": link, "title": link} for link in links]}
    return {"outcome": "challenge", "screen": shown, "expiresInMs": 300000, **({"error": {"code": error}} if error else {})}


def accepted(account, factors):
    return {"outcome": "accepted", "principal": account.email, "proofs": [{"factor": factor} for factor in factors]}


class Authenticator:
    """Decides logins. Each conversation is a generator: it yields challenges, receives input, and returns the decision."""

    def __init__(self, party):
        self.party, self.accounts = party, Accounts()
        self._conversations = {}

    def set_up(self, params):
        account = Account(params["values"]["email"].strip(), params["values"]["password"])
        if self.accounts.has(account.email):
            return {"outcome": "rejected", "items": {"email": [{"code": "email.taken"}]}}
        factors = ["pwd"]
        if "webauthn.create" in params.get("supports", []):
            error = None
            for _ in range(MAXIMUM_TRIES):
                nonce = os.urandom(32)
                request = self.party.creation_options(nonce, account.id, account.email)
                entered = yield challenge("newPasskey", passkey("webauthn.create", "passkey.new", request), ["passkey.later"], error)
                if "action" in entered:
                    break
                try:
                    self._register(account, entered["values"].get("passkey"), nonce)
                    factors = ["pwd", "pop", "user"]
                    break
                except Refused as refused:
                    error = self._note(refused)
            else:
                return {"outcome": "rejected", "reason": "tooManyTries"}
        # Another person may have signed up meanwhile.
        if self.accounts.has(account.email):
            return {"outcome": "rejected", "items": {"email": [{"code": "email.taken"}]}}
        self.accounts.add(account)
        return accepted(account, factors)

    def log_in(self, params):
        """Asks for the same for an address without an account as for any other."""
        account = self.accounts.find(params["values"]["email"])
        can_use_passkeys = "webauthn.get" in params.get("supports", [])
        item, links, error = None, [], None
        for _ in range(MAXIMUM_TRIES):
            nonce = os.urandom(32)
            if item is not PASSWORD:
                item = passkey("webauthn.get", "passkey", self.party.request_options(nonce), otherwise=[PASSWORD])
                links = ["usePassword"] if can_use_passkeys else []
            entered = yield challenge("proof", item, links, error)
            if "action" in entered:
                item, links, error = PASSWORD, [], None
                continue
            values = entered["values"]
            if "password" in values:
                if account.accepts(values["password"]):
                    return accepted(account, ["pwd"])
                error = "invalidCredentials"
                continue
            try:
                self.party.authenticate(values.get("passkey"), nonce, account.id, account.passkeys)
                return accepted(account, ["pop", "user"])
            except Refused as refused:
                error = self._note(refused)
        return {"outcome": "rejected", "reason": "tooManyTries"}

    def _register(self, account, credential, nonce):
        new = self.party.register(credential, nonce)
        if self.accounts.has_passkey(new.id):
            raise Refused("the passkey is registered already")
        account.passkeys[new.id] = new

    def _note(self, refused):
        print(f"refused a passkey: {refused}", file=sys.stderr, flush=True)
        return "passkey.refused"

    # MARK: The wire

    def respond(self, method, params):
        """Returns the result of a request; None for an unknown one."""
        attempt = params.get("attempt")
        if method == "authenticator/submit":
            begin = {"login": self.log_in, "setup": self.set_up}.get(params["request"])
            return begin and self._resume(attempt, begin(params), None)
        if method == "authenticator/continue":
            conversation = self._conversations.pop(attempt, None)
            if conversation is None:
                return {"outcome": "rejected", "reason": "challengeExpired"}
            return self._resume(attempt, conversation, params)
        return None

    def cancel(self, attempt):
        self._conversations.pop(attempt, None)

    def _resume(self, attempt, conversation, params):
        try:
            result = conversation.send(params)
        except StopIteration as end:
            return end.value
        self._conversations[attempt] = conversation
        return result


def main():
    authenticator = Authenticator(RelyingParty(sys.argv[1], "Example"))
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("method") == "authenticator/cancel":
            authenticator.cancel(message["params"]["attempt"])
        elif "id" in message:
            result = authenticator.respond(message["method"], message["params"])
            unknown = {"error": {"code": -32601, "message": "There is no such request.", "data": {"code": "unsupportedRequest"}}}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **({"result": result} if result else unknown)}), flush=True)


if __name__ == "__main__":
    main()

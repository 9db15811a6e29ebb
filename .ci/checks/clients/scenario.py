"""The scenario of every client: sign-up, failed login, login, refusals, many concurrent requests, and a login that the client decides itself."""

import asyncio

PASSWORD = "correct horse battery"


class Scenario:
    """Receives each notification; acts through `peer`.

    A peer has `request(method, params)`, which returns a result or raises `Refused`, and `notify(method, params)`.
    """

    def __init__(self, folder):
        self.passed = 0
        self.accounts = ["--authenticator", f"login-accounts --file '{folder}/accounts.sqlite3' --hash-cost 1"]
        self._updates = {}
        self._refusals = []
        self._changed = asyncio.Event()

    def notified(self, method, params):
        if method == "session/update":
            self._updates.setdefault(params["session"], []).append(params)
        elif method == "session/refused":
            self._refusals.append(params)
        else:
            raise ValueError(f"an unknown notification: {method}")
        self._changed.set()

    def asked(self, method, params):
        """Answers a request of the engine: first a challenge, then acceptance."""
        if method == "authenticator/submit":
            self.check("a question has its values", params["values"]["password"] == PASSWORD)
            code = {"id": "code", "apiKey": "code", "kind": "input", "inputType": "oneTimeCode", "title": "Code"}
            screen = {"id": "second", "title": "Code", "sections": [{"id": "code", "items": [code]}]}
            return {"outcome": "challenge", "screen": screen}
        self.check("a conversation goes on", method == "authenticator/continue" and params["attempt"] == 1)
        return {"outcome": "accepted" if params["values"] == {"code": "42"} else "rejected", "principal": "ada"}

    def check(self, what, holds):
        if not holds:
            raise AssertionError(what)
        self.passed += 1

    async def until(self, what, find):
        """Waits until `find` returns a value, and returns it."""
        while not (found := find()):
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), 30)
            except TimeoutError:
                raise AssertionError(f"not in time: {what}") from None
        self.passed += 1
        return found

    async def state(self, session, state):
        """The snapshot of the first update with this state since the last one returned."""

        def find():
            updates = self._updates.get(session, [])
            index = next((i for i, update in enumerate(updates) if update["snapshot"]["state"] == state), None)
            if index is None:
                return None
            self._updates[session] = updates[index + 1 :]
            return updates[index]["snapshot"]

        return await self.until(f"{session} in {state}", find)

    async def fill(self, peer, session, values, action):
        for item, value in values.items():
            result = await peer.request("session/edit", {"session": session, "item": item, "value": value})
            self.check("an edit has a revision", result["revision"] > 1)
        await peer.request("session/press", {"session": session, "action": action})

    async def play(self, peer):
        described = await peer.request("engine/describe", {})
        self.check("it speaks version 1", described["protocol"].split(".")[0] == "1")
        document = await peer.request("rpc.discover", {})
        self.check("it can be discovered", "session/open" in [method["name"] for method in document["methods"]])

        opened = await peer.request("session/open", {"session": "new", "screen": "setup"})
        self.check("a session is opened by its name", opened == {"session": "new", "revision": 1})
        values = {"email": "ada@example.com", "userName": "ada", "password": PASSWORD}
        await self.fill(peer, "new", values, "submit")
        await self.state("new", "requestPending")
        snapshot = await self.state("new", "requestSucceeded")
        self.check("who signed up is in", snapshot["scene"]["principal"] == "ada")

        await peer.request("session/open", {"session": "back", "locale": "de"})
        await self.fill(peer, "back", {"email": "ada@example.com", "password": "wrong"}, "submit")
        snapshot = await self.state("back", "requestFailed")
        self.check("a wrong password is no error of JSON-RPC", snapshot["error"]["code"] == "invalidCredentials")
        await self.fill(peer, "back", {"password": PASSWORD}, "submit")
        snapshot = await self.state("back", "requestSucceeded")
        self.check("the right one lets in", snapshot["scene"]["data"]["email"] == "ada@example.com")

        await self.refusals(peer)
        await self.undo(peer)
        await self.crowd(peer)

    async def decide(self, peer):
        """Plays both parts, with an engine whose authenticator is the frontend."""
        await peer.request("session/open", {"session": "own"})
        await self.fill(peer, "own", {"email": "ada@example.com", "password": PASSWORD}, "submit")
        await self.state("own", "initial")
        challenge = await self.state("own", "initial")
        self.check("the challenge is shown", challenge["screen"] == "second")
        await self.fill(peer, "own", {"code": "42"}, "submit")
        snapshot = await self.state("own", "requestSucceeded")
        self.check("the frontend let in", snapshot["scene"]["principal"] == "ada")

    async def refusals(self, peer):
        code, data = await peer.refusal("session/press", {"session": "nobody", "action": "submit"})
        self.check("an error has its number and its name", (code, data["code"]) == (1, "unknownSession"))
        code, data = await peer.refusal("session/fly", {})
        self.check("an unknown method is refused", (code, data["code"]) == (-32601, "methodNotFound"))
        await peer.notify("session/edit", {"session": "back", "item": "nothing", "value": ""})
        refused = await self.until("a refused notification", lambda: self._refusals and self._refusals.pop())
        self.check("its reason is told", refused["error"]["data"]["code"] in ("unknownItem", "notAccepted"))

    async def undo(self, peer):
        """A refused edit: the update before the error undoes it, so a client that drops the data of errors still shows the right values."""
        await peer.request("session/open", {"session": "typing", "values": {"email": "ada@example.com"}, "detail": "full"})
        shown = email_of(await self.state("typing", "unvalidated"))
        shown["value"] = "x" * 5000
        code, _ = await peer.refusal("session/edit", {"session": "typing", "item": "email", "value": shown["value"]})
        self.check("a value that is too long is refused", code == 10)
        update = await self.until("the update of a refused edit", lambda: self._updates["typing"] and self._updates["typing"].pop(0))
        self.check("the edit is counted, and nothing else is new", (update["events"], update["revision"]) == (1, 1))
        for command in update["commands"]:
            self.check("it is undone by commands", command.pop("command") == "setItem" and command.pop("item") == "email")
            shown.update(command)
        self.check("what was there is shown again", shown["value"] == "ada@example.com" and shown == email_of(update["snapshot"]))
        truth = await peer.request("session/snapshot", {"session": "typing"})
        self.check("and is what the engine has", shown == email_of(truth["snapshot"]))
        await peer.request("session/close", {"session": "typing"})

    async def crowd(self, peer):
        names = [f"crowd{number}" for number in range(200)]
        opened = await asyncio.gather(*(peer.request("session/open", {"session": name}) for name in names))
        self.check("every response comes to its own request", [each["session"] for each in opened] == names)
        await asyncio.gather(*(self.state(name, "initial") for name in names))
        listed = await peer.request("session/list", {"limit": 1000})
        self.check("all are there", len(listed["sessions"]) == 202)
        await asyncio.gather(*(peer.request("session/close", {"session": name}) for name in names))
        listed = await peer.request("session/list", {})
        self.check("all are gone", [each["session"] for each in listed["sessions"]] == ["new", "back"])


def email_of(snapshot):
    """The item for the address."""
    return next(item for section in snapshot["sections"] for item in section["items"] if item["id"] == "email")


class Peer:
    """The clients' common interface: `request` raises `self.error`, which has a code and the data."""

    async def refusal(self, method, params):
        try:
            result = await self.request(method, params)
        except self.error as error:
            return self.parts(error)
        raise AssertionError(f"{method} was not refused: {result}")

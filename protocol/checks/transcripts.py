"""Checks every step of the transcripts, and every line in a step.

The engine's output (`out`, `ask`) always meets its schema. Its input (`in`, `answer`) can be wrong on purpose. The engine's reaction decides:

- A request with a result meets its schema, unless the result has `ignored`. The result meets the schema of the method's result.
- A request refused with -32600 or -32601 does not meet its schema.
- A request with another error may or may not meet its schema, because such an error is about values.
- A notification meets its schema, or is followed by `session/refused` or by no line.
- An answer (a response or an authenticator's line) meets its schema, or causes `network.invalidAnswer`, `network.exited` or no output.
"""

from schemas import PROTOCOL, parse

RESULTS = {
    "engine/describe": "DescribeResult",
    "engine/stats": "StatsResult",
    "rpc.discover": "DiscoverResult",
    "session/open": "OpenResult",
    "session/edit": "RevisionResult",
    "session/press": "RevisionResult",
    "session/presented": "RevisionResult",
    "session/snapshot": "SnapshotResult",
    "session/save": "SaveResult",
    "session/options": "OptionsResult",
    "session/list": "ListResult",
    "session/close": "CloseResult",
    "clock/advance": "AdvanceResult",
    "$/cancelRequest": "CloseResult",
}
INPUTS = {"in", "raw", "rawBase16", "advance", "end", "answer", "rawAnswer", "fault"}


class Step:
    def __init__(self, number, value):
        self.number = number
        self.kind = next(iter(value), None)
        self.line = value.get(self.kind)


def read(path):
    steps = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if text.strip():
            steps.append((number, parse(text)))
    return steps


def check(schemas, count, fail):
    paths = sorted((PROTOCOL / "transcripts").rglob("*.jsonl"))
    if not paths:
        fail("protocol/transcripts has no transcripts")
    for path in paths:
        name = path.relative_to(PROTOCOL)

        def complain(step, text):
            fail(f"{name}:{step.number}: {text}")

        steps = []
        for number, value in read(path):
            count()
            steps.append(Step(number, value))
            problem = schemas.problem("transcript-step", value)
            if problem:
                complain(steps[-1], problem)
        Transcript(schemas, steps, count, complain).check()


class Transcript:
    def __init__(self, schemas, steps, count, complain):
        self.schemas, self.steps, self.count, self.complain = schemas, steps, count, complain

    def check(self):
        for index, step in enumerate(self.steps):
            if step.kind == "out":
                self.require(step, "engine-to-frontend", step.line)
            elif step.kind == "ask":
                self.require(step, "engine-to-authenticator", step.line)
            elif step.kind == "in":
                self.check_input(index, step)
            elif step.kind == "answer":
                self.check_answer(index, step)

    def require(self, step, reference, value):
        self.count()
        problem = self.schemas.problem(reference, value)
        if problem:
            self.complain(step, problem)

    def following(self, index):
        """Yields the lines of the `out` steps up to the next input."""
        for step in self.steps[index + 1 :]:
            if step.kind in INPUTS:
                return
            if step.kind == "out":
                yield step.line

    def check_input(self, index, step):
        messages = step.line if isinstance(step.line, list) else [step.line]
        if isinstance(step.line, list) and not 1 <= len(messages) <= 1000:
            messages = [step.line]
        for message in messages:
            self.count()
            problem = self.schemas.problem("frontend-to-engine", message)
            if not isinstance(message, dict) or "id" not in message or "method" not in message:
                self.check_unanswered(index, step, message, problem)
            else:
                self.check_request(index, step, message, problem)

    def check_request(self, index, step, message, problem):
        response = self.response(index, message["id"])
        if response is None:
            if problem:
                self.complain(step, f"this request has no response, and the schema does not accept it: {problem}")
        elif "result" in response:
            # This version has no schema for the additional params of a later version.
            if problem and "ignored" not in response["result"]:
                self.complain(step, f"accepted, but the schema does not accept it: {problem}")
            elif message["method"] in RESULTS:
                self.require(step, RESULTS[message["method"]], response["result"])
        elif response["error"]["code"] in (-32600, -32601) and problem is None:
            # The schema has clock/advance, which needs an option, and session/submit, which a batch cannot contain.
            is_in_batch = isinstance(step.line, list)
            if message["method"] != "clock/advance" and not (is_in_batch and message["method"] == "session/submit"):
                self.complain(step, f"refused as {response['error']['data']['code']}, but the schema accepts it")

    def response(self, index, identifier):
        """The response to a request. It has the id null if the request's id is invalid."""
        lines = []
        for step in self.steps[index + 1 :]:
            if step.kind == "out":
                lines += step.line if isinstance(step.line, list) else [step.line]
        responses = [line for line in lines if "method" not in line]
        for line in responses:
            if type(line["id"]) is type(identifier) and line["id"] == identifier:
                return line
        return next((line for line in responses if line["id"] is None and "error" in line), None)

    def check_unanswered(self, index, step, message, problem):
        # In a batch it is unknown which entry caused which line.
        if problem is None or isinstance(step.line, list) and len(step.line) > 1:
            return
        is_call = isinstance(message, dict) and "method" in message
        is_response = isinstance(message, dict) and not is_call and ("result" in message or "error" in message)
        lines = list(self.following(index))
        if any(isinstance(line, list) or "error" in line for line in lines):
            return
        # The update that counts a refused event precedes the refusal.
        if is_call and lines and not any(line.get("method") == "session/refused" for line in lines):
            self.complain(step, f"not refused, but the schema does not accept it: {problem}")
        if is_response and not all(self.fails(line) for line in lines):
            self.complain(step, f"not refused, but the schema does not accept it: {problem}")

    @staticmethod
    def fails(line):
        """Whether an update shows that an answer was invalid."""
        snapshot = line.get("params", {}).get("snapshot", {})
        shown = [snapshot.get("error")] + ((snapshot.get("alert") or {}).get("messages") or [])
        codes = {message["code"] for message in shown if message}
        return snapshot.get("state") == "requestFailed" and bool(codes & {"network.invalidAnswer", "network.exited"})

    def check_answer(self, index, step):
        self.count()
        problem = self.schemas.problem("authenticator-to-engine", step.line)
        if problem is None:
            return
        for line in self.following(index):
            if not isinstance(line, dict) or not self.fails(line):
                self.complain(step, f"not refused, but the schema does not accept it: {problem}")
                return

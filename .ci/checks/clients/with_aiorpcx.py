"""aiorpcx over a socket that is the engine's standard input and output."""

import asyncio
import contextlib
import socket

import aiorpcx

from scenario import Peer

NAME = "aiorpcx"


class Client(Peer):
    error = aiorpcx.RPCError

    def __init__(self, session):
        self.session = session

    async def request(self, method, params):
        return await self.session.send_request(method, params)

    async def notify(self, method, params):
        await self.session.send_notification(method, params)

    async def batch(self, scenario):
        async with self.session.send_batch() as batch:
            batch.add_request("session/snapshot", {"session": "new"})
            batch.add_request("session/snapshot", {"session": "nobody"})
        results = batch.results
        scenario.check("a batch has a result", results[0]["snapshot"]["state"] == "requestSucceeded")
        scenario.check("and an error", isinstance(results[1], self.error) and results[1].code == 1)

    def parts(self, error):
        # aiorpcx drops the data of an error, so only the message is checked.
        names = {1: "unknownSession", -32601: "methodNotFound"}
        return error.code, {"code": names.get(error.code) if error.message else None}


@contextlib.asynccontextmanager
async def connect(engine, scenario):
    class Session(aiorpcx.RPCSession):
        # aiorpcx throttles a peer that sends many messages.
        cost_hard_limit = 0

        async def handle_request(self, request):
            if isinstance(request, aiorpcx.Request):
                return scenario.asked(request.method, request.args)
            scenario.notified(request.method, request.args)

    ours, theirs = socket.socketpair()
    process = await asyncio.create_subprocess_exec(*engine, stdin=theirs, stdout=theirs)
    theirs.close()
    framer = aiorpcx.NewlineFramer(max_size=16 << 20)
    async with aiorpcx.connect_rs(sock=ours, framer=framer, session_factory=Session) as session:
        yield Client(session)
    scenario.check("the engine ends with its input", await asyncio.wait_for(process.wait(), 30) == 0)

"""The connection of agent-client-protocol over pipes."""

import asyncio
import contextlib

from acp.connection import Connection
from acp.exceptions import RequestError

from scenario import Peer

NAME = "agent-client-protocol"


class Client(Peer):
    error = RequestError

    def __init__(self, connection):
        self.connection = connection

    async def request(self, method, params):
        return await self.connection.send_request(method, params)

    async def notify(self, method, params):
        await self.connection.send_notification(method, params)

    async def batch(self, scenario):
        """This client sends no batches."""

    def parts(self, error):
        return error.code, error.data


@contextlib.asynccontextmanager
async def connect(engine, scenario):
    async def handle(method, params, is_notification):
        if not is_notification:
            return scenario.asked(method, params)
        scenario.notified(method, params)

    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*engine, stdin=pipe, stdout=pipe, limit=16 << 20)
    connection = Connection(handle, process.stdin, process.stdout)
    yield Client(connection)
    process.stdin.close()
    scenario.check("the engine ends with its input", await asyncio.wait_for(process.wait(), 30) == 0)
    await connection.close()

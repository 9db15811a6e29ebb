"""A tab without a browser: its WebSocket, and the messages that it receives."""

import asyncio
import json

import aiohttp


class RawTab:
    def __init__(self, address, timeout=60):
        self.address, self.timeout = address, timeout
        self.client = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None, sock_connect=60))
        self.secret, self.events, self.number = None, 0, 0

    async def __aenter__(self):
        await self.client.get(self.address + "/")
        await self.connect()
        return self

    async def __aexit__(self, *_):
        await self.client.close()

    async def connect(self, secret=None):
        """Connects, and returns the result of `bridge/begin`."""
        self.socket = await self.client.ws_connect(self.address + "/link", origin=self.address, max_msg_size=1 << 24, compress=0)
        await self.send("bridge/begin", {"secret": secret}, "begin")
        result = (await self.until(lambda message: message.get("id") == "begin"))["result"]
        self.secret = result["secret"]
        return result

    async def send(self, method, params, number=None):
        await self.socket.send_str(json.dumps({"jsonrpc": "2.0", **({} if number is None else {"id": number}), "method": method, "params": params}))

    async def receive(self):
        """Returns the next message; None once the connection is closed."""
        frame = await asyncio.wait_for(self.socket.receive(), self.timeout)
        return json.loads(frame.data) if frame.type is aiohttp.WSMsgType.TEXT else None

    async def until(self, holds):
        while (message := await self.receive()) is not None:
            if holds(message):
                return message
        raise EOFError(f"closed with {self.socket.close_code}")

    async def open(self, **params):
        await self.send("session/open", params, "open")
        return (await self.until(lambda message: message.get("method") == "session/update"))["params"]

    async def edit(self, item, value):
        await self.send("session/edit", {"item": item, "value": value})

    async def press(self, action):
        await self.send("session/press", {"action": action})

    async def snapshot_when(self, holds):
        """Returns the first snapshot of an update for which the condition holds."""
        message = await self.until(lambda it: it.get("method") == "session/update" and holds(it["params"]["snapshot"]))
        return message["params"]["snapshot"]

    async def enter(self):
        """Exchanges the ticket for a cookie, and returns the login."""
        ticket = (await self.until(lambda message: message.get("method") == "bridge/ticket"))["params"]["ticket"]
        posted = {"ticket": ticket}
        async with self.client.post(self.address + "/enter", data=posted, headers={"Origin": self.address}, allow_redirects=False) as response:
            assert response.headers["Location"] == "/welcome", response.headers["Location"]
        async with self.client.get(self.address + "/session") as response:
            return (await response.json())["principal"]

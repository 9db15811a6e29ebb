"""Lost and slow connections, hostile browsers, and proxies."""

import asyncio
import contextlib
import datetime
import json
import os
import shlex
import signal
import sys
import tempfile
import time
from pathlib import Path

import aiohttp
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from processes import HERE, BridgeProcess, free_port
from raw import RawTab
from user import User


class Wire:
    """A proxy between browsers and a bridge, whose connections can be cut. While `is_down`, it takes no new ones."""

    def __init__(self, port):
        self._port, self._connections, self.is_down = port, set(), False

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.address = f"http://localhost:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self.cut()
        self._server.close()

    async def _connect(self, reader, writer):
        if self.is_down:
            return writer.close()
        try:
            there = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            return writer.close()
        self._connections |= {writer, there[1]}

        async def pass_on(source, target):
            try:
                while chunk := await source.read(65536):
                    target.write(chunk)
                    await target.drain()
            except ConnectionError:
                pass
            target.close()

        await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer))

    def cut(self):
        """Cuts all connections; new ones are possible."""
        for writer in self._connections:
            writer.transport.abort()
        self._connections.clear()


async def check(tally, engine, browser):
    helper = shlex.join([sys.executable, str(HERE / "helper_authenticator.py"), "http://127.0.0.1:1/"])
    await in_browser(tally, engine, browser)
    async with BridgeProcess(["--proxy", "127.0.0.0/8"], [engine, "--authenticator", helper]) as bridge:
        await proxied(tally, bridge, "203.0.113.7", "a trusted proxy names the client")
    async with BridgeProcess(["--proxy", "127.0.0.0/8", "--tabs-of-address", "2"], [engine, "--authenticator", "demo"]) as bridge:
        async with tally.case("IPv6 addresses that share 64 bits count as one"):
            await neighbours(bridge)
    async with BridgeProcess([], [engine, "--authenticator", helper]) as bridge:
        await proxied(tally, bridge, "127.0.0.1", "other clients cannot name the client")
    for option, value in [("--port", "99999"), ("--port", "no"), ("--origin", "login.example.com"), ("--origin", "https://login.example.com/login")]:
        said = await refusal([option, value], engine)
        tally.check(f"{option} {value} is refused, with a reason", f"argument {option}: {value} is no" in said, said)
    async with BridgeProcess(["--origin", "https://Login.example.com:443/"], [engine, "--authenticator", "demo"]) as bridge:
        tally.check("an origin is written as browsers write it", bridge.address == "https://login.example.com", bridge.address)
        async with aiohttp.ClientSession() as client, client.get(f"http://127.0.0.1:{port_of(bridge)}/") as response:
            cookie = response.headers["Set-Cookie"]
            tally.check("cookies are Secure behind TLS", cookie.startswith("__Host-") and "Secure" in cookie and "HttpOnly" in cookie, cookie)
    async with BridgeProcess(["--tabs-of-address", "40"], [engine, "--authenticator", "demo"]) as bridge:
        await hostile(tally, browser, bridge)
    async with tally.case("the bridge retries until the engine can be restarted"):
        await missing_engine(engine)
    async with BridgeProcess(["--rate", "0"], [engine, "--authenticator", "demo"]) as bridge:
        await slow(tally, bridge)


async def in_browser(tally, engine, browser):
    port = free_port()
    async with Wire(port) as wire:
        options = ["--port", str(port), "--origin", wire.address]
        async with BridgeProcess(options, [engine, "--authenticator", "demo"]) as bridge:
            await lost(tally, browser, bridge, wire)
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = certify(folder)
        async with BridgeProcess(["--certificate", certificate, "--key", key], [engine, "--authenticator", "demo"]) as bridge:
            async with tally.case("the bridge serves TLS, with Secure cookies"):
                await encrypted(browser, bridge)


def certify(folder):
    """Creates a self-signed certificate for `localhost` and its key, as files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    made = builder.not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1)).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    files = Path(folder) / "certificate.pem", Path(folder) / "key.pem"
    files[0].write_bytes(made.public_bytes(pem))
    files[1].write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return map(str, files)


async def encrypted(browser, bridge):
    assert bridge.address.startswith("https://localhost:"), bridge.address
    context = await browser.new_context(ignore_https_errors=True)
    user = await User.of(context, bridge.address, "Log in")
    await user.enter(email="ada@example.com", password="x")
    await user.submit()
    await user.is_in("ada@example.com")
    cookies = {cookie["name"]: cookie["secure"] for cookie in await context.cookies()}
    assert cookies == {"__Host-browser": True, "__Host-entry": True}, cookies
    await context.close()


async def lost(tally, browser, bridge, wire):
    context = await browser.new_context()
    async with tally.case("input survives a connection that is cut while the user types"):
        user = await User.of(context, wire.address, "Log in")
        await user.page.focus('[name="value.email"]')
        for index, letter in enumerate("lovelace@example.com" * 3):
            if index % 20 == 0:
                await user.page.keyboard.press("Control+a")
            await user.page.keyboard.type(letter)
            # In some rounds the page has time to reconnect.
            await asyncio.sleep(index % 7 * 0.05)
            if index % 3 == 2:
                wire.cut()
        await user.page.keyboard.press("Tab")
        await user.page.keyboard.type("a secret")
        wire.cut()
        await user.page.keyboard.type(" of mine")
        await user.is_sound()
        assert await user.values() == {"value.email": "lovelace@example.com", "value.password": "a secret of mine", "value.remember": False}
        assert (await user.shown())["sections"][0]["items"][0]["value"] == "lovelace@example.com"
    async with tally.case("a press during a cut takes effect once"):
        wire.cut()
        await user.submit()
        await user.is_in("lovelace@example.com")
        await user.press("Log out")
    async with tally.case("a pending login survives a cut connection"):
        user = await User.of(context, wire.address, "Log in")
        await user.enter(email="slow@example.com", password="x")
        await user.submit()
        await user.says("activity")
        wire.cut()
        await user.is_in("slow@example.com")
    await context.close()


async def proxied(tally, bridge, wanted, what):
    """Checks which address of a browser behind two proxies authenticators get."""
    async with tally.case(what):
        tab = RawTab(bridge.address)
        tab.client.headers["X-Forwarded-For"] = "198.51.100.9, 203.0.113.7, 127.0.0.1"
        async with tab:
            await tab.open()
            await tab.edit("email", "context@example.com")
            await tab.edit("password", "x")
            await tab.press("submit")
            assert json.loads(await tab.enter())["address"] == wanted


async def neighbours(bridge):
    async with contextlib.AsyncExitStack() as tabs:
        for address, is_welcome in [("2001:db8::1", True), ("2001:db8::ffff:2", True), ("2001:db8:0:0:3::", False), ("2001:db8:0:1::1", True)]:
            tab = RawTab(bridge.address)
            tab.client.headers["X-Forwarded-For"] = address
            try:
                await tabs.enter_async_context(tab)
            except EOFError:
                await tab.client.close()
                assert not is_welcome, address
            else:
                assert is_welcome, address


async def refusal(options, engine):
    """Returns the error output of a bridge that does not start."""
    try:
        async with BridgeProcess(options, [engine, "--authenticator", "demo"]):
            return ""
    except RuntimeError as error:
        return str(error)


def port_of(bridge):
    """Returns the port of a bridge, which prints it only if it has no other origin."""
    inodes = set()
    for link in Path(f"/proc/{bridge.process.pid}/fd").iterdir():
        try:
            target = str(link.readlink())
        except OSError:
            continue
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and fields[9] in inodes:
            return int(fields[1].split(":")[1], 16)


HTML = "<script>alert(1)</script>\x1b[31m\u202e" * 20
VALID = {"jsonrpc": "2.0", "method": "session/edit", "params": {"item": "email", "value": "x"}}

#: Messages that no page sends. Each one ends the sender's connection.
UNACCEPTABLE = {
    "garbage": "\x00\x01{{{",
    "a lone surrogate": '{"jsonrpc":"2.0","method":"session/edit","params":{"item":"email","value":"\\ud800"}}',
    "no number": '{"jsonrpc":"2.0","method":"session/edit","params":{"item":"email","value":NaN}}',
    "a number with 5,000 digits": '{"jsonrpc":"2.0","method":"session/edit","params":{"item":"email","value":' + "9" * 5000 + "}}",
    "depth": '{"jsonrpc":"2.0","method":"session/edit","params":{"item":"email","value":' + "[" * 20000 + "]" * 20000 + "}}",
    "JSON with 700 levels": '{"jsonrpc":"2.0","method":"session/edit","params":{"item":"email","value":' + "[" * 700 + "]" * 700 + "}}",
    "an array": json.dumps([VALID] * 3),
    "a megabyte": json.dumps({**VALID, "params": {"item": "email", "value": "x" * (1 << 20)}}),
    "another method of the engine": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session/list", "params": {}}),
    "a request to end all sessions": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session/close", "params": {}}),
    "a context": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session/open", "params": {"context": {"address": "::1"}}}),
    "another flow": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session/open", "params": {"flow": "dynamic"}}),
    "an answer of an authenticator": json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"outcome": "accepted", "principal": "eve"}}),
    "a notification of an authenticator": json.dumps({"jsonrpc": "2.0", "method": "authenticator/notify", "params": {"attempt": 1}}),
    "an id with 1,000 characters": json.dumps({"jsonrpc": "2.0", "id": "x" * 1000, "method": "session/options", "params": {"item": "email"}}),
    "bytes": b"\xff\xfe",
    "an early line": '{"jsonrpc":"2.0","method":"session/edit",\n"params":{"item":"email","value":"x"}}\n{"jsonrpc":"2.0"}',
}


async def hostile(tally, browser, bridge):
    """A browser's messages reach only its own session, whatever it sends, and do not affect others."""
    context = await browser.new_context()
    user = await User.of(context, bridge.address, "Log in")
    await user.enter(email="ada@example.com", password="typed")
    await user.is_level()
    victim = await user.shown()
    for what, text in UNACCEPTABLE.items():
        async with RawTab(bridge.address, timeout=60) as tab:
            await tab.open()
            await (tab.socket.send_bytes(text) if isinstance(text, bytes) else tab.socket.send_str(text))
            async with tally.case(f"{what} ends the sender's connection"):
                try:
                    await tab.until(lambda message: False)
                except EOFError:
                    assert tab.socket.close_code in (1008, 1009, 1006), tab.socket.close_code
    async with tally.case("a connection that begins without an id is closed"):
        async with RawTab(bridge.address, timeout=60) as tab:
            await tab.socket.close()
            tab.socket = await tab.client.ws_connect(bridge.address + "/link", origin=bridge.address)
            await tab.send("bridge/begin", {})
            assert await tab.receive() is None and tab.socket.close_code == 1008, tab.socket.close_code
    async with tally.case("no browser learns its session's name"):
        async with RawTab(bridge.address) as tab:
            await tab.send("session/open", {}, "open")
            message = await tab.until(lambda it: it.get("id") == "open")
            assert message["result"]["session"] == "tab", message
    async with tally.case("the name of another session is of no use"):
        async with RawTab(bridge.address) as tab:
            await tab.open()
            for name in ("tab", "tab-" + "0" * 32, "s1", "../tab", ""):
                await tab.send("session/edit", {"session": name, "item": "email", "value": f"{name}@example.com"})
            last = await tab.until(lambda it: it.get("method") == "session/update" and it["params"]["events"] == 5)
            assert last["params"]["session"] == "tab" and last["params"]["snapshot"]["sections"][0]["items"][0]["value"] == "@example.com"
    async with tally.case("HTML and terminal commands in values remain values"):
        async with RawTab(bridge.address) as tab:
            await tab.open(values={"email": HTML}, locale=HTML, screen="login")
            await tab.edit("email", HTML + "2")
            message = await tab.until(lambda it: it.get("method") == "session/update" and it["params"]["events"] == 1)
            assert message["params"]["snapshot"]["sections"][0]["items"][0]["value"] == HTML + "2"
            for method, params in [("session/edit", {"item": HTML, "value": HTML}), ("session/press", {"action": HTML}),
                                   ("session/edit", {"item": "remember", "value": HTML}), ("session/edit", {"item": "email", "value": {HTML: [HTML]}}),
                                   ("session/press", {"action": "submit", "revision": 10**300}), ("session/presented", {"revision": HTML})]:
                await tab.send(method, params)
            await tab.until(lambda it: it.get("method") == "session/update" and it["params"]["events"] == 6)
    async with tally.case("another browser cannot use the secret of a tab"):
        secret = await user.page.evaluate("() => sessionStorage.getItem('secret')")
        async with RawTab(bridge.address) as tab:
            await tab.socket.close()
            assert not (await tab.connect(secret))["resumed"]
    async with tally.case("other sites cannot connect"):
        async with RawTab(bridge.address) as tab:
            for origin in ("https://evil.example", None, "null", bridge.address + ".evil.example"):
                try:
                    await tab.client.ws_connect(bridge.address + "/link", origin=origin)
                except aiohttp.WSServerHandshakeError as error:
                    assert error.status == 403
                else:
                    raise AssertionError(f"connected from {origin}")
    async with tally.case("a flood of messages delays only its sender"):
        async with RawTab(bridge.address) as tab:
            await tab.open()

            async def flood():
                for index in range(100000):
                    await tab.edit("email", f"{index}@example.com")

            flooding = asyncio.create_task(flood())
            await asyncio.sleep(0.5)
            before = bridge.memory()
            await user.enter(email="typed@example.com")
            await user.is_sound()
            flooding.cancel()
            # Closing would wait until all messages were taken.
            tab.socket._response.connection.transport.abort()
            assert bridge.memory() - before < 50 << 20
        await user.enter(email="ada@example.com")
        await user.is_level()
    async with tally.case("the number of tabs per address is limited"):
        tabs = []
        for _ in range(50):
            tab = RawTab(bridge.address)
            tabs.append(tab)
            try:
                await tab.__aenter__()
            except EOFError:
                break
        for tab in tabs:
            await tab.__aexit__()
        assert 5 < len(tabs) <= 40, len(tabs)
    async with tally.case("other sessions are not affected"):
        await user.is_sound()
        assert (await user.shown())["sections"] == victim["sections"]
        assert not any("Error" in line for line in bridge.log), bridge.log[-5:]
    await context.close()


async def missing_engine(engine):
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder) / "engine"
        link.symlink_to(engine)
        async with BridgeProcess([], [str(link), "--authenticator", "demo"]) as bridge, RawTab(bridge.address) as tab:
            await tab.open()
            link.unlink()
            os.kill(bridge.engine(), signal.SIGKILL)
            while not any("cannot be started" in line for line in bridge.log):
                assert bridge.process.returncode is None, bridge.log
                await asyncio.sleep(0.05)
            link.symlink_to(engine)
            await tab.until(lambda it: it.get("method") == "bridge/restarted")
            await tab.open()


async def slow(tally, bridge):
    """A browser that does not read."""
    async with tally.case("a browser that does not read uses bounded memory, and finally gets the current state"):
        async with RawTab(bridge.address) as tab, RawTab(bridge.address) as other:
            await tab.open()
            await other.open()
            tab.socket._reader._protocol.pause_reading()
            before, begun = bridge.memory(), time.monotonic()
            text = "z" * 3000

            async def type_on():
                for index in range(10000):
                    await tab.edit("email", f"{index}{text}")

            typing = asyncio.create_task(type_on())
            while time.monotonic() - begun < 6:
                await other.edit("email", f"{time.monotonic()}@example.com")
                await other.until(lambda it: it.get("method") == "session/update")
                await asyncio.sleep(0.1)
            assert bridge.memory() - before < 30 << 20, bridge.memory() - before
            typing.cancel()
            tab.socket._reader._protocol.resume_reading()
            snapshot = await tab.until(lambda it: it.get("method") == "bridge/snapshot")
            assert snapshot["params"]["events"] > 100

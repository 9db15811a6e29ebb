"""Engines and bridges that are replaced while users have pages open, and the bridge's own data: addresses and logins."""

import asyncio
import ipaddress
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import aiohttp

from forms import PlainUser
from processes import ENVIRONMENT, BridgeProcess, free_port
from raw import RawTab
from user import User

sys.path.append(ENVIRONMENT["PYTHONPATH"])

#: The header of a proxy at 127.0.0.1, and the resulting client. 10.0.0.0/8 and fd00::/8 are proxies too.
FORWARDED = [
    (["203.0.113.5"], "203.0.113.5"),
    (["203.0.113.5:1234"], "203.0.113.5"),
    (["203.0.113.5:1234, 10.0.0.7:80"], "203.0.113.5"),
    (["198.51.100.9", "203.0.113.7:5, 10.0.0.7"], "203.0.113.7"),
    (["\t203.0.113.5 , ,"], "203.0.113.5"),
    (['"203.0.113.5:1"'], "203.0.113.5"),
    (["2001:DB8::5"], "2001:db8::5"),
    (["[2001:db8::5]"], "2001:db8::5"),
    (["[2001:db8::5]:443"], "2001:db8::5"),
    (['"[2001:db8::5]:443", [fd00::1]:2'], "2001:db8::5"),
    (["::ffff:203.0.113.5"], "203.0.113.5"),
    (["[::ffff:203.0.113.5]:9"], "203.0.113.5"),
    (["203.0.113.5, ::ffff:10.0.0.7"], "203.0.113.5"),
    (["fe80::5%eth0"], "fe80::5"),
    ([], "127.0.0.1"),
    ([""], "127.0.0.1"),
    (["unknown"], "127.0.0.1"),
    (["_hidden:5"], "127.0.0.1"),
    (["203.0.113.5:"], "127.0.0.1"),
    (["203.0.113.5:x"], "127.0.0.1"),
    (["203.0.113.5:123456"], "127.0.0.1"),
    (["203.0.113.5:\u0661"], "127.0.0.1"),
    (["[203.0.113.5"], "127.0.0.1"),
    (["203.0.113.500"], "127.0.0.1"),
    (["203.0.113.5, unknown"], "127.0.0.1"),
    (["203.0.113.5, unknown, 10.0.0.7"], "10.0.0.7"),
]


async def check(tally, engine, browser):
    forwarded(tally)
    await logins(tally)
    await in_browser(tally, engine, browser)
    with tempfile.TemporaryDirectory() as folder:
        await raw(tally, *restoring(engine, folder))
    async with BridgeProcess(["--port", str(free_port())], [engine, "--authenticator", "demo"]) as bridge:
        async with tally.case("a silent WebSocket is closed within half a minute"):
            await silent(bridge)


async def in_browser(tally, engine, browser):
    with tempfile.TemporaryDirectory() as folder:
        await replaced_engine(tally, browser, *restoring(engine, folder))
        await replaced_bridge(tally, browser, *restoring(engine, folder))


def restoring(engine, folder):
    """Returns the options of a bridge and the command of an engine that keeps its sessions in a file, and the file."""
    saved = Path(folder) / "sessions.jsonl"
    return ["--port", str(free_port())], [engine, "--authenticator", "demo", "--save-on-exit", str(saved), "--restore", str(saved)], saved


def forwarded(tally):
    from login_engine.web import addresses

    proxies = [ipaddress.ip_network(network) for network in ("127.0.0.0/8", "10.0.0.0/8", "fd00::/8")]
    for texts, wanted in FORWARDED:
        known = addresses.of_client("127.0.0.1", texts, proxies)
        tally.check(f"X-Forwarded-For {texts} is {wanted}", known == wanted, known)
        known = addresses.of_client("192.0.2.1", texts, proxies)
        tally.check(f"X-Forwarded-For {texts} from a client that is not a proxy is ignored", known == "192.0.2.1", known)


async def logins(tally):
    """The bridge keeps only the latest logins of one account, and all logins of others."""
    from login_engine.web import logins
    from login_engine.web.options import Options

    kept = logins.Logins(Options("http://localhost"))

    def log_in(principal, address="1"):
        scene = {"id": "home"} if principal is None else {"id": "home", "principal": principal}
        tab = SimpleNamespace(browser="b", scene=scene, ticket=None, granted=[], address=address, end=lambda: None)
        return kept.redeem(kept.ticket(tab), "b")[0]

    for principal, address in [("ada", "1"), (None, "1"), ("", "1")]:
        other = log_in("eve"), log_in(None, "2")
        cookies = [log_in(principal, address) for _ in range(logins.MAXIMUM_OF_ACCOUNT + 5)]
        found = [kept.find(cookie) is not None for cookie in cookies]
        wanted = [False] * 5 + [True] * logins.MAXIMUM_OF_ACCOUNT
        tally.check(f"the latest logins of {principal!r} are kept", found == wanted, found)
        tally.check(f"the logins of others are kept with those of {principal!r}", all(map(kept.find, other)))


async def gone(process_id):
    while Path(f"/proc/{process_id}").exists():
        await asyncio.sleep(0.02)


async def renewed(bridge, before):
    """Waits for another engine."""
    while True:
        try:
            if bridge.engine() != before:
                return
        except (IndexError, FileNotFoundError):
            pass
        await asyncio.sleep(0.02)


def sessions(saved):
    return len(saved.read_text().splitlines()) if saved.exists() else 0


async def replaced_engine(tally, browser, options, command, saved):
    context, plain = await browser.new_context(), await browser.new_context(java_script_enabled=False)
    async with BridgeProcess(options, command) as bridge:
        users = [await User.of(context, bridge.address, "Log in") for _ in range(2)]
        form = await PlainUser.of(plain, bridge.address + "/form", "Log in")
        for index, user in enumerate(users):
            await user.enter(email=f"user{index}@example.com", password="x")
            await user.is_level()
        for round in range(3):
            async with tally.case(f"a replaced engine restores the sessions of its pages, {round + 1}"):
                before = bridge.engine()
                os.kill(before, signal.SIGTERM)
                # Some of the input arrives while there is no engine.
                await users[1].page.locator('[name="value.email"]').press("Home")
                await users[1].page.keyboard.type(f"{round}")
                await renewed(bridge, before)
                for user in users:
                    await user.is_sound()
                assert (await users[0].values())["value.email"] == "user0@example.com"
                shown = await users[1].shown()
                email = "".join(map(str, reversed(range(round + 1)))) + "user1@example.com"
                assert shown["sections"][0]["items"][0]["value"] == email, shown["sections"][0]["items"][0]
                assert shown["notice"]["code"] == "secretsNotKept" or round, shown["notice"]
        async with tally.case("users log in after an engine was replaced"):
            await users[0].enter(password="x")
            await users[0].submit()
            await users[0].is_in("user0@example.com")
        async with tally.case("without JavaScript a form is posted to the new engine"):
            address = form.page.url
            await form.enter(email="plain@example.com", password="x")
            before = bridge.engine()
            os.kill(before, signal.SIGTERM)
            await gone(before)
            await form.press_primary()
            await form.page.wait_for_url("**/welcome")
            assert await form.page.inner_text("h1") == "Welcome, plain@example.com", address
    async with tally.case("replaced engines leave nothing behind"):
        assert sessions(saved) == 1, sessions(saved)
    saved.unlink(missing_ok=True)
    await context.close()
    await plain.close()


async def replaced_bridge(tally, browser, options, command, saved):
    context, plain = await browser.new_context(), await browser.new_context(java_script_enabled=False)
    users, form = [], None
    for round in range(4):
        async with BridgeProcess(options, command) as bridge:
            if not round:
                users = [await User.of(context, bridge.address, "Log in") for _ in range(2)]
                form = await PlainUser.of(plain, bridge.address + "/form", "Log in")
                for index, user in enumerate(users):
                    await user.enter(email=f"user{index}@example.com")
                    await user.is_level()
                continue
            async with tally.case(f"a restarted bridge restores the sessions of its pages, {round}"):
                for index, user in enumerate(users):
                    await user.page.locator("#connection").wait_for(state="hidden")
                    await user.is_sound()
                    assert (await user.shown())["sections"][0]["items"][0]["value"] == f"user{index}@example.com"
                await users[0].page.reload()
                await users[0].sees("Log in")
                await users[0].is_sound()
                assert (await users[0].values())["value.email"] == "user0@example.com"
                await form.page.reload()
                await form.sees("Log in")
            if round == 3:
                async with tally.case("without JavaScript a form continues with a restarted bridge"):
                    await form.enter(email="plain@example.com", password="x")
                    await form.press_primary()
                    await form.page.wait_for_url("**/welcome")
        async with tally.case(f"replaced bridges leave nothing behind, {round}"):
            assert sessions(saved) == (2 if round == 3 else 3), sessions(saved)
    saved.unlink(missing_ok=True)
    await context.close()
    await plain.close()


async def raw(tally, options, command, saved):
    async with BridgeProcess(options, command) as bridge, RawTab(bridge.address) as tab, RawTab(bridge.address) as other:
        await tab.open()
        await tab.edit("email", "raw@example.com")
        await tab.until(lambda it: it.get("method") == "session/update" and it["params"]["events"] == 1)
        async with tally.case("a replaced engine that has the session ends the connection, and the next connection continues"):
            before = bridge.engine()
            os.kill(before, signal.SIGTERM)
            await gone(before)
            # Meant for the engine that has ended.
            await tab.edit("email", "lost@example.com")
            try:
                await tab.until(lambda message: False)
            except EOFError:
                assert tab.socket.close_code == 1012, tab.socket.close_code
            assert (await tab.connect(tab.secret))["resumed"]
            snapshot = (await tab.until(lambda it: it.get("method") == "bridge/snapshot"))["params"]
            assert snapshot["events"] == 1 and snapshot["snapshot"]["sections"][0]["items"][0]["value"] == "raw@example.com", snapshot
        async with tally.case("another browser cannot claim a restored session"):
            await other.socket.close()
            assert not (await other.connect(tab.secret))["resumed"]
        async with tally.case("a tab without a restored session is asked to open one"):
            os.kill(bridge.engine(), signal.SIGKILL)
            await tab.until(lambda it: it.get("method") == "bridge/restarted")
            await tab.open()
        secret, cookies = tab.secret, tab.client.cookie_jar
    async with BridgeProcess(options, command) as bridge, RawTab(bridge.address) as stranger:
        async with tally.case("the secret of a restored session is useless without the browser's cookie"):
            await stranger.socket.close()
            assert not (await stranger.connect(secret))["resumed"]
        async with tally.case("the secret of a restored session works with the browser's cookie"):
            back = RawTab(bridge.address)
            back.client._cookie_jar = cookies
            assert (await back.connect(secret))["resumed"]
            await back.until(lambda it: it.get("method") == "bridge/snapshot")
            await back.client.close()
    saved.unlink(missing_ok=True)


async def silent(bridge):
    where = urlsplit(bridge.address)
    async with aiohttp.ClientSession() as client, client.get(bridge.address + "/") as response:
        cookie = response.cookies["browser"].value
    reader, writer = await asyncio.open_connection("127.0.0.1", where.port)
    writer.write(
        f"GET /link HTTP/1.1\r\nHost: {where.netloc}\r\nOrigin: {bridge.address}\r\nCookie: browser={cookie}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
    begun = time.monotonic()
    # Sends nothing, and receives nothing.
    try:
        while await asyncio.wait_for(reader.read(1024), 30):
            pass
    except ConnectionError:
        pass
    taken = time.monotonic() - begun
    writer.close()
    assert 9 < taken < 28, taken

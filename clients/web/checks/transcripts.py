"""Plays every transcript through `login-engine mock`, with the page's session, `apply` and view, in Chromium."""

import asyncio

from aiohttp import WSMsgType, web

from processes import HERE, ROOT, WEB, bundled

FOLDER = ROOT / "protocol" / "transcripts"
#: The timeout of a transcript in seconds, for a machine under load.
LIMIT = 600


def server(engine):
    """Serves the page's modules, and the mock of a transcript on each WebSocket."""
    index = (WEB / "page" / "index.html").read_text().replace("page/page.js", "checks/transcripts.js")

    async def mock(request):
        socket = web.WebSocketResponse(max_msg_size=1 << 23)
        await socket.prepare(request)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            engine, "mock", "--timeout", str(LIMIT), str(FOLDER / request.match_info["name"]), stdin=pipe, stdout=pipe, stderr=pipe, limit=1 << 24, cwd=ROOT)

        async def pass_on():
            async for line in process.stdout:
                await socket.send_str(line.decode())

        async def take():
            async for frame in socket:
                if frame.data == "end of input":
                    process.stdin.close()
                else:
                    process.stdin.write(frame.data if frame.type is WSMsgType.BINARY else frame.data.encode())

        taking = asyncio.create_task(take())
        errors = asyncio.create_task(process.stderr.read())
        await pass_on()
        status = await process.wait()
        reason = str(status) if status == 0 else f"{status}: {(await errors).decode(errors='replace')[-90:]}"
        await socket.send_str("exit " + reason)
        await socket.close()
        await taking
        return socket

    made = web.Application()
    made.router.add_get("/", lambda _: asyncio.sleep(0, web.Response(text=index, content_type="text/html")))
    made.router.add_get("/mock/{name:.+}", mock)
    made.router.add_static("/page", WEB / "page")
    script = bundled(HERE / "transcripts.js")
    made.router.add_get("/checks/transcripts.js", lambda _: asyncio.sleep(0, web.Response(text=script, content_type="text/javascript")))
    made.router.add_static("/transcripts", FOLDER)
    return made


async def check(tally, engine, browser):
    runner = web.AppRunner(server(engine), shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    names = [str(path.relative_to(FOLDER)) for path in sorted(FOLDER.glob("*/*.jsonl"))]
    queue, updates = iter(names), 0

    async def play_rest():
        nonlocal updates
        # Drawings are compared as documents, so no animations are needed.
        page = await browser.new_page(reduced_motion="reduce")
        page.on("pageerror", lambda error: tally.check("the page has no errors", False, str(error)))
        await page.goto(address)
        await page.wait_for_function("() => Boolean(window.play)")
        for name in queue:
            try:
                result = await asyncio.wait_for(page.evaluate("name => play(name)", name), LIMIT)
            except Exception as error:
                result = {"failures": [str(error)[:300]], "updates": 0}
            updates += result["updates"]
            tally.check(f"the transcript {name}", not result["failures"], " | ".join(result["failures"])[:600])
        await page.close()

    # Mocks sometimes wait for a timer, so several run at once.
    await asyncio.gather(*(play_rest() for _ in range(6)))
    tally.check("transcripts have updates", updates > 2000, str(updates))
    print(f"transcripts: {len(names)}, with {updates} updates")
    await runner.cleanup()

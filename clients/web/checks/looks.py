"""The appearance and accessibility of the pages: axe-core on each of them, 320 pixels, light, dark, right to left, and screenshots.

If PICTURES is set, the screenshots go into that folder. clients/web/pictures has the reviewed ones."""

import contextlib
import json
import os
import shlex
import sys
from pathlib import Path

import axe_playwright_python

from processes import HERE, BridgeProcess
from user import User

#: Waits until all finite animations have finished, however slow the machine is.
REST = """async () => {
  const moving = () => document.getAnimations().filter(
    (it) => it.playState === "running" && it.effect.getComputedTiming().endTime !== Infinity)
  while (moving().length > 0) await Promise.allSettled(moving().map((it) => it.finished))
}"""
FAULTS = """async (without) => (await axe.run(document, { resultTypes: ["violations"] })).violations.filter(({ id }) => !without.includes(id)).map(
  (it) => [it.id, it.impact, it.nodes.map((node) => node.html)])"""
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


async def press_link(user):
    await user.press("Create an account")
    await user.sees("Create an account")


async def enter(user, email, password="x"):
    await user.enter(email=email, password=password)
    await user.submit()


async def failed(user):
    await enter(user, "wrong@example.com")
    await user.says("error")


async def pending(user):
    await enter(user, "slow@example.com")
    await user.says("activity")


async def throttled(user):
    await enter(user, "throttled@example.com")
    await user.says("left")


async def invalid(user):
    await user.enter(email="ada@")
    await user.page.focus('[name="value.password"]')
    await user.submit()
    await user.page.locator("#item-email-messages li").wait_for()


async def challenged(user):
    await enter(user, "challenge@example.com")
    await user.page.wait_for_function("() => document.querySelector('h1').textContent !== 'Log in'")


def asks(word, wait_for):
    async def act(user):
        await enter(user, f"{word}@example.com")
        await user.page.wait_for_selector(wait_for)

    return act


async def alerted(user):
    await user.press("Back to Login")
    await user.page.wait_for_function("() => document.querySelector('h1').textContent !== 'Account Setup'")
    await user.enter(userName="wrong", password="x")
    await user.submit()
    await user.says("dialog")


async def arabic(user):
    await enter(user, "wrong@example.com")
    await user.says("error")


async def chosen(user):
    await user.field("contact").select_option("post")
    await user.field("address").wait_for()


#: By name of the picture: the bridge, the steps, and the width of the window.
STATES = {
    "login": ("demo", None, 1000), "sign-up": ("demo", press_link, 1000), "error": ("demo", failed, 1000), "invalid": ("demo", invalid, 1000),
    "pending": ("demo", pending, 1000), "throttled": ("demo", throttled, 1000), "challenge": ("demo", challenged, 1000), "phone": ("demo", failed, 390),
    "narrow": ("demo", failed, 320), "code": ("helper", asks("code", ".picture svg"), 1000), "code-narrow": ("helper", asks("code", ".picture svg"), 320),
    "markup": ("helper", asks("markup", "#error:not([hidden])"), 320), "redirect": ("helper", asks("redirect", ".external"), 1000),
    "alert": ("coordinators", alerted, 1000), "dynamic": ("dynamic", chosen, 1000), "right-to-left": ("arabic", arabic, 1000),
    "right-to-left-narrow": ("arabic", arabic, 320),
}

@contextlib.asynccontextmanager
async def bridges(engine):
    helper = shlex.join([sys.executable, str(HERE / "helper_authenticator.py"), "http://127.0.0.1:1/"])
    demo = [engine, "--authenticator", "demo"]
    async with contextlib.AsyncExitStack() as stack:
        yield {
            "demo": await stack.enter_async_context(BridgeProcess([], demo)),
            "helper": await stack.enter_async_context(BridgeProcess([], [engine, "--authenticator", helper])),
            "coordinators": await stack.enter_async_context(BridgeProcess(["--flow", "coordinators"], demo)),
            "dynamic": await stack.enter_async_context(BridgeProcess(["--flow", "dynamic"], demo)),
            "arabic": await stack.enter_async_context(BridgeProcess(["--flow", "arabic"], [*demo, "--flow", str(HERE / "arabic.json")])),
        }


async def check(tally, engine, browser):
    folder = os.environ.get("PICTURES") if tally.browser == "chromium" else None
    async with bridges(engine) as running:
        for colours in ("light", "dark"):
            for name, (bridge, act, width) in STATES.items():
                # Colours depend neither on the width nor on the browser.
                if colours == "dark" and (width == 320 or tally.browser != "chromium"):
                    continue
                async with tally.case(f"{name} in {colours} colours"):
                    language = "ar" if bridge == "arabic" else "en"
                    await look(browser, running[bridge].address, act, width, colours, language, folder and f"{folder}/{name}-{colours}.png")
        async with tally.case("the page without JavaScript is accessible"):
            await look_at_form(browser, running["demo"].address)
        async with tally.case("nothing moves if the user prefers reduced motion"):
            context = await browser.new_context(reduced_motion="reduce")
            user = await User.of(context, running["demo"].address, "Log in")
            await pending(user)
            assert await user.page.evaluate("() => document.getAnimations().length") == 0
            await context.close()
        async with tally.case("the keyboard reaches everything, in the order of the page"):
            await walk_by_keyboard(browser, running["demo"].address)


async def look(browser, address, act, width, colours, language, picture):
    # The content security policy would block axe, because the site has not sent it.
    viewport = {"width": width, "height": 700}
    context = await browser.new_context(color_scheme=colours, viewport=viewport, locale=language, bypass_csp=True)
    user = await User.of(context, address)
    await user.page.wait_for_function("() => document.querySelector('#label')?.textContent || document.querySelector('dialog[open]')")
    if act:
        await act(user)
    await user.page.evaluate(REST)
    if picture:
        await user.page.screenshot(path=picture)
    await faultless(user.page)
    await context.close()


async def faultless(page, without=(), has_axe=False):
    """Requires that axe finds nothing, but for the rules that do not apply, and that nothing is cut off."""
    if not has_axe:
        await page.evaluate(AXE)
    found = await page.evaluate(FAULTS, list(without))
    assert not found, json.dumps(found)[:900]
    wide = await page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} pixels too wide"


async def look_at_form(browser, address):
    context = await browser.new_context(java_script_enabled=False, viewport={"width": 320, "height": 700})
    page = await context.new_page()
    await page.goto(address + "/form")
    content = await page.content()
    await context.close()
    # axe is JavaScript, so it examines the same page in another browser.
    context = await browser.new_context(viewport={"width": 320, "height": 700}, bypass_csp=True)
    page = await context.new_page()
    # Served without the content security policy, which Firefox would apply to a change of the content.
    await page.route("**/form", lambda route: route.fulfill(body=content, content_type="text/html"))
    await page.goto(address + "/form")
    await faultless(page)
    await context.close()


async def walk_by_keyboard(browser, address):
    context = await browser.new_context()
    user = await User.of(context, address, "Log in")
    assert await user.focused() == "value.email"
    seen = []
    for _ in range(8):
        seen.append(await user.focused())
        outline = await user.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", f"nothing shows that {seen[-1]} has the focus"
        await user.page.keyboard.press("Tab")
    wanted = ["value.email", "value.password", "Show", "value.remember", "primary", "Create an account", "Forgot your password?", "locale"]
    assert seen == wanted, seen
    await context.close()

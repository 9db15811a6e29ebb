"""The brand of an organisation on each page, in all colours and directions, and the faults of a brand's file."""

import base64
import contextlib
import itertools
import json
import os
import re
import sys
import tempfile
from pathlib import Path

from looks import REST, enter, faultless
from processes import HERE, WEB, BridgeProcess
from user import User

NAME = "Example & Söhne"
#: A font in which each character is a box, and a picture of one pixel.
FONT = base64.b64decode(
    "d09GMgABAAAAAAEkAAoAAAAAAzwAAADbAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAAgXAKOEABNgIkAwYLBgAEIAVaByAbiQIAngV2o3MrL6KxXiN/PIkbxEP/9+adN7M1rfBbsHRq"
    "4IuQrviPRyCeYOevN0zuz3HKL8fyKEVKHUEmjnu/GxwPGsjAI06wUaAwrOuAi2207vCYsZmIdLxpo8zXaKJIA3JnsXKfnc/uDXRVDYlDKXCovKOUwP04YlUI9XVKoYFCwxxLQIEQVRuT"
    "PfBs6AOmQSD4erF95/p/nvkJHydyzxm5bgNSA0H2EfnqzFmuEQAgtoMEmhKgAQCgXAkQJgjQzEykqIWwtDmz2XZ8Whhvry4n2oOlIJ0SBmsAAA==")
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
LOGO = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 40"><style>rect { fill: %s }</style><rect width="40" height="40" rx="8"/>
<rect x="52" y="12" width="108" height="16" rx="4" style="opacity: 0.8"/></svg>"""
BRAND = {
    "name": NAME,
    "logo": {"light": "logo.svg", "dark": "night/logo.svg"},
    "icon": "icon.png",
    "colours": {"light": {"accent": "#00695c"}, "dark": {"accent": "#80cbc4", "onAccent": "#00201c"}},
    "radius": 8,
    "font": "font.woff2",
    "boldFont": "font.woff2",
    "links": [
        {"title": {"en": "Terms", "de": "Bedingungen", "ar": "الشروط"},
         "url": {"en": "https://example.com/en", "de": "https://example.com/de", "ar": "/ar"}},
        {"title": {"en": "Help", "de": "Hilfe", "ar": "مساعدة"}, "url": "mailto:help@example.com"},
    ],
    "css": "more.css",
}
FILES = {"logo.svg": LOGO % "#00695c", "night/logo.svg": LOGO % "#80cbc4", "icon.png": PIXEL, "font.woff2": FONT, "more.css": "h1 { font-style: italic; }"}
#: What a person sees of a brand.
SEEN = """async () => {
  await document.fonts.ready
  const style = (query) => getComputedStyle(document.querySelector(query))
  const logo = document.querySelector("main img")
  await logo?.decode()
  return {
    title: document.title, name: logo?.alt ?? document.querySelector("main > .name").textContent, logo: logo?.currentSrc.split("/").pop(),
    accent: style("#primary").backgroundColor, onAccent: style("#primary").color, radius: style(".card").borderTopLeftRadius,
    fonts: [...document.fonts].map((it) => it.status), extra: style("h1").fontStyle, ground: logo && getComputedStyle(logo).backgroundColor,
    icon: document.querySelector("link[rel=icon]").href.split("/").pop(),
    links: [...document.querySelectorAll("footer a")].filter((it) => it.checkVisibility()).map((it) => [it.textContent, it.href, it.target, it.rel])
  }
}"""
LIGHT = {
    "title": f"Log in · {NAME}", "name": NAME, "logo": "brand-logo-light.svg", "accent": "rgb(0, 105, 92)", "onAccent": "rgb(255, 255, 255)", "radius": "8px",
    "fonts": ["loaded", "loaded"], "extra": "italic", "ground": "rgba(0, 0, 0, 0)", "icon": "brand-icon.png",
    "links": [["Terms", "https://example.com/en", "_blank", "noopener"], ["Help", "mailto:help@example.com", "_blank", "noopener"]],
}
DARK = {**LIGHT, "logo": "brand-logo-dark.svg", "accent": "rgb(128, 203, 196)", "onAccent": "rgb(0, 32, 28)"}
GERMAN = [["Bedingungen", "https://example.com/de", "_blank", "noopener"], ["Hilfe", "mailto:help@example.com", "_blank", "noopener"]]

DELETED = object()
#: Faults: a place in the file, what is there, and what the line says of it.
FAULTS = [
    ("name", DELETED, "name: is missing."),
    ("name", " ", 'name: is " ". Give a text of one line.'),
    ("name", None, "name: is null. Give a text of one line."),
    ("colors", {}, "colors: is unknown. The members are name, logo, icon, colours, radius, font, boldFont, links, css."),
    ("logo", "none.svg", "logo: {folder}/none.svg cannot be read (No such file or directory). Paths begin at the folder of brand.json."),
    ("logo", "night", "logo: {folder}/night cannot be read (Is a directory). Paths begin at the folder of brand.json."),
    ("logo", "fake.png", "logo: {folder}/fake.png is no SVG or PNG. Its content and the end of its name have to say so."),
    ("logo", "font.woff2", "logo: {folder}/font.woff2 is no SVG or PNG. Its content and the end of its name have to say so."),
    ("logo", 3, "logo: is 3. Give the path of a file (SVG or PNG)."),
    ("logo.dark", DELETED, "logo.dark: is missing."),
    ("icon", "more.css", "icon: {folder}/more.css is no SVG or PNG. Its content and the end of its name have to say so."),
    ("colours", "#00695c", 'colours: is "#00695c". Give an object with light and dark.'),
    ("colours.dark", DELETED, "colours.dark: is missing."),
    ("colours.light.accent", "teal", 'colours.light.accent: is "teal". Give a colour as #rrggbb.'),
    ("colours.light.text", "#000000", "colours.light.text: is unknown. The members are accent, onAccent."),
    ("colours.light.accent", "#4DB6AC", "colours.light.accent: #4db6ac has a contrast of 2.1:1 to the background (#eef0f7), but text needs 4.5:1. "
     "Take a darker colour, such as #337872."),
    ("colours.dark", {"accent": "#00695c"}, "colours.dark.accent: #00695c has a contrast of 2.5:1 to the card (#181b26), but text needs 4.5:1. "
     "Take a lighter colour, such as #429086."),
    ("colours.light.onAccent", "#80cbc4", "colours.light.onAccent: #80cbc4 has a contrast of 3.5:1 to the accent (#00695c), but text needs 4.5:1. "
     "Take a lighter colour, such as #b0dfda."),
    ("radius", 33, "radius: is 33. Give the card's corners in pixels, from 0 to 32."),
    ("radius", True, "radius: is true. Give the card's corners in pixels, from 0 to 32."),
    ("font", "logo.svg", "font: {folder}/logo.svg is no WOFF2. Its content and the end of its name have to say so."),
    ("font", DELETED, "boldFont: needs font, for the text that is not bold."),
    ("css", "font.woff2", "css: {folder}/font.woff2 is no CSS. Its content and the end of its name have to say so."),
    ("links", {}, "links: is {{}}. Give a list of links."),
    ("links.0", "terms", 'links[0]: is "terms". Give an object with title and url.'),
    ("links.1.url", DELETED, "links[1].url: is missing."),
    ("links.1.url", "javascript:alert(1)", 'links[1].url: "javascript:alert(1)" is no address. It begins with https://, http://, mailto: or one /.'),
    ("links.1.url", "//example.com", 'links[1].url: "//example.com" is no address. It begins with https://, http://, mailto: or one /.'),
    ("links.1.title.de", DELETED, "links[1].title: lacks de. All texts by language have the same languages."),
    ("links.1.title", {}, "links[1].title: is {{}}. Give a text, or a text for each language."),
    ("links.1.title.de", 1, "links[1].title.de: is 1. Give a text of one line."),
]


async def check(tally, engine, browser):
    faults(tally)
    with tempfile.TemporaryDirectory() as folder:
        path = write(folder, {**BRAND, "radius": -1, "font": "none"})
        try:
            async with BridgeProcess(["--brand", str(path)], [engine, "--authenticator", "demo"]):
                said = "it started"
        except RuntimeError as error:
            said = str(error)
        lines = said.split("\n")
        tally.check("a faulty brand ends the start with a line for each fault", len(lines) == 2 and all(f"{path}: " in line for line in lines), said)
    await in_browser(tally, engine, browser)


async def in_browser(tally, engine, browser):
    pictures = os.environ.get("PICTURES") if tally.browser == "chromium" else None
    with tempfile.TemporaryDirectory() as folder:
        options = ["--brand", str(write(folder, BRAND))]
        demo = [engine, "--authenticator", "demo"]
        async with BridgeProcess(options, demo) as bridge, \
                BridgeProcess([*options, "--flow", "arabic"], [*demo, "--flow", str(HERE / "arabic.json")]) as arabic:
            await with_colours(tally, browser, bridge.address, pictures)
            await with_languages(tally, browser, bridge.address, arabic.address, pictures)
            await without_script(tally, browser, bridge.address, pictures)
        await in_part(tally, browser, engine, pictures)


async def with_colours(tally, browser, address, pictures):
    # Firefox has no emulation of colours; the pages are the same.
    looks = {"light": LIGHT, "dark": DARK, "forced": LIGHT, "forced-dark": DARK} if tally.browser == "chromium" else {"light": LIGHT}
    for (name, wanted), width in itertools.product(looks.items(), (1000, 320)):
        async with tally.case(f"a brand in {name} colours at {width} pixels"):
            forced = {"forced_colors": "active"} if "forced" in name else {}
            async with at(browser, address, width, color_scheme="dark" if "dark" in name else "light", **forced) as user:
                await user.sees("Log in")
                # The button of an empty form is disabled, and has another colour.
                await enter(user, "wrong@example.com")
                await user.says("error")
                await user.page.evaluate(REST)
                found = await user.page.evaluate(SEEN)
                overridden = {"accent", "onAccent", "ground"} if forced else set()
                assert all(found[key] == wanted[key] for key in wanted.keys() - overridden), found
                # axe takes the text's colour for the page's even where the system has replaced it.
                await examine(user, pictures, f"brand-{name}-{width}", {"color-contrast"} if forced else ())


async def with_languages(tally, browser, address, arabic, pictures):
    async with tally.case("links follow the language, also when the user changes it"):
        async with at(browser, address, 1000, locale="de") as user:
            await user.sees("Anmelden")
            assert (await user.page.evaluate(SEEN))["links"] == GERMAN
            await user.page.select_option("#locale", "en")
            await user.sees("Log in")
            assert (await user.page.evaluate(SEEN))["links"] == LIGHT["links"]
    async with tally.case("a language without links has those of the first"):
        async with at(browser, address, 1000, locale="fr") as user:
            assert (await user.page.evaluate(SEEN))["links"] == LIGHT["links"]
    async with tally.case("a brand from right to left"):
        async with at(browser, arabic, 320, locale="ar") as user:
            await user.page.wait_for_function("() => document.documentElement.dir === 'rtl' && !document.querySelector('[data-first]')")
            found = await user.page.evaluate(SEEN)
            assert [title for title, *_ in found["links"]] == ["الشروط", "مساعدة"], found
            assert found["title"].endswith(f" · {NAME}"), found
            await examine(user, pictures, "brand-right-to-left")


async def without_script(tally, browser, address, pictures):
    """The form without JavaScript, the pages of the bridge, and the first screen before its script."""
    async with tally.case("the form without JavaScript and the page after it have the brand"):
        async with at(browser, address, 320) as user:
            await user.page.goto(address + "/form")
            found = await user.page.evaluate(SEEN)
            assert found == LIGHT, found
            assert await user.page.locator("footer nav").count() == 1
            await examine(user, pictures, "brand-form")
            await user.page.goto(address)
            await user.sees("Log in")
            await enter(user, "ada@example.com", "correct horse")
            await user.page.wait_for_url("**/welcome")
            found = await user.page.evaluate(SEEN)
            assert found == {**LIGHT, "title": found["title"]} and found["title"].endswith(f" · {NAME}"), found
            await examine(user, pictures, "brand-welcome")


async def in_part(tally, browser, engine, pictures):
    parts = {
        "name": ({"name": NAME, "links": [{"title": "Terms", "url": "/terms"}]}, {"logo": None, "icon": "mark.svg", "ground": None}),
        "logo": ({"name": NAME, "logo": "icon.png"}, {"logo": "brand-logo.png", "icon": "brand-logo.png", "ground": "rgba(0, 0, 0, 0)"}),
        "logo-dark": ({"name": NAME, "logo": "logo.svg"}, {"logo": "brand-logo.svg", "icon": "brand-logo.svg", "ground": "rgb(255, 255, 255)"}),
    }
    for name, (brand, wanted) in parts.items():
        if tally.browser != "chromium" and "dark" in name:
            continue
        async with tally.case(f"a brand with only a part: {name}"):
            with tempfile.TemporaryDirectory() as folder:
                async with BridgeProcess(["--brand", str(write(folder, brand))], [engine, "--authenticator", "demo"]) as bridge, \
                        at(browser, bridge.address, 1000, color_scheme="dark" if "dark" in name else "light") as user:
                    await user.sees("Log in")
                    found = await user.page.evaluate(SEEN)
                    wanted = {"title": f"Log in · {NAME}", "name": NAME, "radius": "20px", "fonts": [], **wanted}
                    assert {key: found.get(key) for key in wanted} == wanted, found
                    await examine(user, pictures, f"brand-{name}")


@contextlib.asynccontextmanager
async def at(browser, address, width, **options):
    context = await browser.new_context(viewport={"width": width, "height": 800}, **options)
    try:
        yield await User.of(context, address)
    finally:
        await context.close()


async def examine(user, pictures, name, without=()):
    await user.page.evaluate(REST)
    if pictures:
        await user.page.screenshot(path=f"{pictures}/{name}.png")
    assert not user.errors, user.errors
    await faultless(user.page, without)


def write(folder, brand):
    """Writes a brand with its files, and returns its path."""
    for name, content in {**FILES, "logo-dark.svg": LOGO, "fake.png": LOGO}.items():
        path = Path(folder, name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path = Path(folder, "brand.json")
    path.write_text(brand if isinstance(brand, str) else json.dumps(brand))
    return path


def faults(tally):
    sys.path.insert(0, str(WEB.parent / "python" / "src"))
    from login_engine.web.brand import GLOW, Brand, contrast, mixed, page_colours, read_brand

    with tempfile.TemporaryDirectory() as folder:
        def said(brand):
            try:
                read_brand(write(folder, brand))
            except ValueError as error:
                return str(error).replace(f"{folder}/brand.json: ", "").split("\n")
            return []

        for place, value, line in FAULTS:
            found = said(changed(BRAND, place.split("."), value))
            tally.check(f"a brand with another {place}", found == [line.format(folder=folder)], json.dumps(found))
        for text, line in {"[]": "is []. Give an object with name.", "": "is no JSON: Expecting value: line 1 column 1 (char 0)"}.items():
            tally.check(f"a brand's file with {text!r}", said(text) == [line], str(said(text)))
        guide = (WEB.parent.parent / "protocol" / "guides" / "web-page.md").read_text().partition("## Make it yours")[2]
        example = re.search(r"\n    (\{.*?\n    \})\n", guide, re.DOTALL)[1]
        tally.check("the guide's brand is right", said(example) == [], str(said(example)))
        accents = ["#" + "".join(each) for each in itertools.product(("00", "33", "66", "99", "cc", "ff"), repeat=3)]
        for scheme in ("light", "dark"):
            advised = []
            for accent in accents:
                found = said(changed(BRAND, ["colours", scheme], {"accent": accent}))
                advised += [line.removesuffix(".").split(" ")[-1] for line in found]
            still = [accent for accent in advised if said(changed(BRAND, ["colours", scheme], {"accent": accent}))]
            tally.check(f"each advised {scheme} colour is accepted", len(advised) > 50 and not still, str(still))
            roles = page_colours()[scheme]
            glows = [contrast(roles["quiet"], mixed(roles["ground"], accent, GLOW)) for accent in ("#000000", "#ffffff")]
            tally.check(f"quiet text on the {scheme} glow of any accent is readable", min(glows) >= 4.5, str(glows))
    index = (WEB / "page" / "index.html").read_text()
    for what, part in {"head": Brand().head("page/"), "mark": Brand().mark("page/"), "footer": "<footer>"}.items():
        tally.check(f"a brand finds the {what} of the page", index.count(part) == 1, part)


def changed(value, place, new):
    """Returns a copy of a JSON value with another value in one place."""
    first, *rest = place
    key = int(first) if isinstance(value, list) else first
    copy = list(value) if isinstance(value, list) else dict(value)
    if new is DELETED and not rest:
        del copy[key]
    else:
        copy[key] = changed(copy[key], rest, new) if rest else new
    return copy

"""The brand of a page: whose login it is. Read from a JSON file, whose members protocol/guides/web-page.md describes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .files import PAGE, TYPES
from .markup import Markup, element

SCHEMES = ("light", "dark")
#: The kinds of files, by the end of their names: how each begins. An SVG may begin with comments and declarations.
SIGNATURES = {".svg": rb"(?s:.*?)<svg\b", ".png": rb"\x89PNG\r\n\x1a\n", ".woff2": rb"wOF2", ".css": rb""}
#: WCAG 2.2, 1.4.3. It suffices for the focus and for borders as well, which need 3:1 (1.4.11).
TEXT_CONTRAST = 4.5
#: How much of the accent is in the glow of the background. The quiet text on it stays readable even if the accent is black or white.
GLOW = 0.1
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
ADDRESS = re.compile(r"(https?://[^/\s]|mailto:[^\s]|/(?![/\\]))\S*")
COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
#: The largest radius in pixels: larger corners would cut into the card's texts.
MAXIMUM_RADIUS = 32


@dataclass(frozen=True)
class Brand:
    """What the page shows of an organisation; without a name, the page's own mark.

    :param logos: the names of the logo's files, by scheme. A logo for light colours alone stands on white in dark colours.
    :param links: the links of the footer as titles and URLs, by language; the first language is for all others. The key is empty if they are for all.
    :param files: further files of the page, by name.
    :param sheet: CSS that follows the page's own.
    """

    name: str = ""
    icon: str = "mark.svg"
    logos: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    sheet: str = ""

    def titled(self, title: str) -> str:
        """The title of a document. The page's script makes the same one."""
        return f"{title} · {self.name}" if self.name else title

    def head(self, folder: str) -> Markup:
        """What the head of a document has. `folder` is the address of the page's files, with a slash at its end."""
        name = self.name and element("meta", name="application-name", content=self.name)
        return Markup((name or "") + element("link", rel="icon", href=folder + self.icon, type=TYPES[Path(self.icon).suffix]))

    def mark(self, folder: str) -> Markup:
        """What stands above the card."""
        if not self.name:
            return element("img", class_="mark", src=folder + self.icon, alt="", width=48, height=48)
        if not self.logos:
            return element("p", self.name, class_="name")
        dark = self.logos.get("dark")
        image = element("img", class_="logo" if dark else "logo plate", src=folder + self.logos["light"], alt=self.name)
        return element("picture", element("source", srcset=folder + dark, media="(prefers-color-scheme: dark)"), image) if dark else image

    def footer(self, locale: str | None = None) -> Markup:
        """The links for a locale; by default for all languages, of which the style sheet shows the document's."""
        links = self.links
        if locale and links:
            chosen = next((language for language in (locale, locale.split("-")[0]) if language in links), next(iter(links)))
            links = {chosen: links[chosen]}
        return Markup("".join(element("nav", [(link(*each), " ") for each in given], lang=language or None) for language, given in links.items()))

    def index(self, text: str) -> str:
        """Returns the page `index.html` with this brand."""
        for part in ("head", "mark"):
            text = text.replace(getattr(Brand(), part)("page/"), getattr(self, part)("page/"))
        return text.replace("<footer>", f"<footer>{self.footer()}")


def link(title: str, url: str) -> Markup:
    return element("a", title, href=url, target="_blank", rel="noopener")


def read_brand(path: Path) -> Brand:
    """Reads the file of a brand. Raises `OSError`, or `ValueError` with a line for each fault."""
    reader = Reader(path)
    brand = reader.read()
    if reader.faults:
        raise ValueError("\n".join(f"{path}: {fault}" for fault in reader.faults))
    return brand


class Reader:
    """Reads a brand, and collects the faults: where each is, what it is, and what to do."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.faults: list[str] = []
        self._files: dict[str, bytes] = {}

    def read(self) -> Brand:
        try:
            value = json.loads(self._path.read_bytes())
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            self.faults.append(f"is no JSON: {error}")
            return Brand()
        given = self._members("", value, ["name", "logo", "icon", "colours", "radius", "font", "boldFont", "links", "css"], ["name"])
        name = self._text("name", given.get("name", "-"))
        logos = self._logos(given["logo"]) if "logo" in given else {}
        icon = self._file("icon", given["icon"], ".svg", ".png") if "icon" in given else logos.get("light")
        links = self._links(given["links"]) if "links" in given else {}
        sheet = [*self._properties(given), *self._fonts(given), *choice(links)]
        if "css" in given:
            extra = self._file("css", given["css"], ".css")
            sheet.append(self._files.pop(extra, b"").decode(errors="replace"))
        return Brand(name, icon or "mark.svg", logos, links, self._files, "\n".join(["", *sheet, ""]))

    # Parts of the file

    def _logos(self, value: Any) -> dict[str, str]:
        given = self._members("logo", value, SCHEMES, SCHEMES) if isinstance(value, dict) else {"light": value}
        where = "logo.{}" if isinstance(value, dict) else "logo"
        return {scheme: self._file(where.format(scheme), file, ".svg", ".png") for scheme, file in given.items()}

    def _properties(self, given: dict[str, Any]) -> list[str]:
        """The custom properties of style.css."""
        common = {}
        if "radius" in given:
            radius = given["radius"]
            if isinstance(radius, bool) or not isinstance(radius, (int, float)) or not 0 <= radius <= MAXIMUM_RADIUS:
                self.faults.append(f"radius: is {shown(radius)}. Give the card's corners in pixels, from 0 to {MAXIMUM_RADIUS}.")
            else:
                common["radius"] = f"{radius / 16:g}rem"
        if "font" in given:
            common["font"] = '"Brand"'
        colours = self._members("colours", given["colours"], SCHEMES, SCHEMES) if "colours" in given else {}
        schemes = {scheme: self._colours(scheme, colours[scheme]) if scheme in colours else {} for scheme in SCHEMES}
        return [rule("", {**common, **schemes["light"]}), rule("dark", schemes["dark"])]

    def _colours(self, scheme: str, value: Any) -> dict[str, str]:
        where = f"colours.{scheme}"
        given = self._members(where, value, ["accent", "onAccent"], ["accent"])
        read = {name: self._colour(f"{where}.{name}", colour) for name, colour in given.items()}
        accent = read.get("accent")
        if not accent or None in read.values():
            return {}
        roles = page_colours()[scheme]
        self._require_contrast(f"{where}.accent", accent, {"the card": roles["surface"], "the background": roles["ground"]})
        on_accent = read.get("onAccent") or max("#ffffff", "#000000", key=lambda colour: contrast(colour, accent))
        self._require_contrast(f"{where}.onAccent", on_accent, {"the accent": accent})
        # Under the pointer the accent differs more from its text.
        further = "#000000" if luminance(on_accent) > luminance(accent) else "#ffffff"
        glow = mixed(roles["ground"], accent, GLOW)
        return {"accent": accent, "accent-strong": mixed(accent, further, 0.2), "on-accent": on_accent, "glow-1": glow, "glow-2": glow}

    def _require_contrast(self, where: str, colour: str, others: dict[str, str]) -> None:
        other = min(others, key=lambda name: contrast(colour, others[name]))
        found = contrast(colour, others[other])
        if found >= TEXT_CONTRAST:
            return
        end = max("#000000", "#ffffff", key=lambda end: contrast(end, others[other]))
        lighter_or_darker = (mixed(colour, end, share / 100) for share in range(101))
        enough = next(made for made in lighter_or_darker if all(contrast(made, each) >= TEXT_CONTRAST for each in others.values()))
        # Rounded down: what is not enough must not seem to be.
        self.faults.append(f"{where}: {colour} has a contrast of {int(found * 10) / 10}:1 to {other} ({others[other]}), but text needs {TEXT_CONTRAST}:1. "
                           f"Take a {'darker' if end == '#000000' else 'lighter'} colour, such as {enough}.")

    def _fonts(self, given: dict[str, Any]) -> list[str]:
        if "boldFont" in given and "font" not in given:
            self.faults.append("boldFont: needs font, for the text that is not bold.")
        weights = {"font": "400", "boldFont": "600 900"}
        return [f'@font-face {{ font-family: "Brand"; font-weight: {weight}; font-display: swap; src: url("{self._file(name, given[name], ".woff2")}"); }}'
                for name, weight in weights.items() if name in given]

    def _links(self, value: Any) -> dict[str, list[tuple[str, str]]]:
        if not isinstance(value, list):
            self.faults.append(f"links: is {shown(value)}. Give a list of links.")
            return {}
        read = []
        for index, each in enumerate(value):
            where = f"links[{index}]"
            given = self._members(where, each, ["title", "url"], ["title", "url"])
            texts = {name: self._by_language(f"{where}.{name}", text) for name, text in given.items()}
            for language, url in texts.get("url", {}).items():
                if url and not ADDRESS.fullmatch(url):
                    self.faults.append(f"{where}.url: {shown(url)} is no address. It begins with https://, http://, mailto: or one /.")
            read.append((where, texts))
        languages = list(dict.fromkeys(language for _, texts in read for text in texts.values() for language in text if language))
        for where, texts in read:
            for name, text in texts.items():
                if missing := [language for language in languages if text and "" not in text and language not in text]:
                    self.faults.append(f"{where}.{name}: lacks {', '.join(missing)}. All texts by language have the same languages.")
        if self.faults:
            return {}
        return {language: [(pick(texts["title"], language), pick(texts["url"], language)) for _, texts in read] for language in languages or [""]}

    def _by_language(self, where: str, value: Any) -> dict[str, str]:
        """A text by language; the key is empty if it is for all."""
        if not isinstance(value, dict):
            return {"": self._text(where, value)}
        if not value:
            self.faults.append(f"{where}: is {{}}. Give a text, or a text for each language.")
        for language in value:
            if not LANGUAGE.fullmatch(language):
                self.faults.append(f"{where}: {shown(language)} is no language, such as en or pt-BR.")
        return {language: self._text(f"{where}.{language}", text) for language, text in value.items()}

    # Values

    def _members(self, where: str, value: Any, known: Sequence[str], required: Sequence[str]) -> dict[str, Any]:
        inner = where + "." if where else ""
        if not isinstance(value, dict):
            self.faults.append(f"{where}: is {shown(value)}. Give an object with {' and '.join(required)}.".removeprefix(": "))
            return {}
        self.faults += [f"{inner}{name}: is unknown. The members are {', '.join(known)}." for name in value if name not in known]
        self.faults += [f"{inner}{name}: is missing." for name in required if name not in value]
        return {name: value[name] for name in known if name in value}

    def _text(self, where: str, value: Any) -> str:
        if isinstance(value, str) and value.strip() and value.isprintable():
            return value
        self.faults.append(f"{where}: is {shown(value)}. Give a text of one line.")
        return ""

    def _colour(self, where: str, value: Any) -> str | None:
        if isinstance(value, str) and COLOUR.fullmatch(value):
            return value.lower()
        self.faults.append(f"{where}: is {shown(value)}. Give a colour as #rrggbb.")
        return None

    def _file(self, where: str, value: Any, *suffixes: str) -> str:
        """Reads a file. Returns the name under which the page has it, which no other file of the page has."""
        kinds = " or ".join(suffix[1:].upper() for suffix in suffixes)
        if not isinstance(value, str) or not value:
            self.faults.append(f"{where}: is {shown(value)}. Give the path of a file ({kinds}).")
            return ""
        path = self._path.parent / value
        suffix = path.suffix.lower()
        try:
            content = path.read_bytes()
        except OSError as error:
            self.faults.append(f"{where}: {path} cannot be read ({error.strerror}). Paths begin at the folder of {self._path.name}.")
            return ""
        if suffix not in suffixes or not re.match(SIGNATURES[suffix], content):
            self.faults.append(f"{where}: {path} is no {kinds}. Its content and the end of its name have to say so.")
            return ""
        name = f"brand-{where.replace('.', '-')}{suffix}"
        self._files[name] = content
        return name


def rule(scheme: str, properties: Mapping[str, str]) -> str:
    """CSS with custom properties; empty if there are none."""
    block = f":root {{ {' '.join(f'--{name}: {value};' for name, value in properties.items())} }}" if properties else ""
    return f"@media (prefers-color-scheme: {scheme}) {{ {block} }}" if scheme and block else block


def choice(links: Mapping[str, Any]) -> list[str]:
    """CSS that shows the links of the document's language. What is for a region follows what is for its language, and overrides it."""
    if len(links) < 2:
        return []
    chosen = [f':root:lang({language}) footer nav:not([lang="{language}"]) {{ display: none; }} :root:lang({language}) footer nav[lang="{language}"] '
              "{ display: flex; }" for language in sorted(links, key=len)]
    return ["footer nav ~ nav { display: none; }", *chosen]


def pick(texts: Mapping[str, str], language: str) -> str:
    return texts[""] if "" in texts else texts[language]


def shown(value: Any) -> str:
    """A value in a message, shortened."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"


def page_colours() -> dict[str, dict[str, str]]:
    """The colours of style.css, by scheme and role."""
    blocks = re.findall(r":root \{(.*?)\}", (PAGE / "style.css").read_text(), re.DOTALL)
    return {scheme: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for scheme, block in zip(SCHEMES, blocks, strict=False)}


def channels(colour: str) -> list[int]:
    return [int(colour[start:start + 2], 16) for start in (1, 3, 5)]


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2, from 0 to 1."""
    parts = [value / 255 for value in channels(colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two, with this share of the other."""
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(channels(one), channels(other), strict=True))

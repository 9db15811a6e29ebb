"""HTML from texts. Texts enter a page only through `element`, which escapes them."""

from html import escape

#: Elements without an end tag.
VOID = {"input", "meta", "link", "img", "br"}


class Markup(str):
    """HTML that is already escaped."""


def element(tag, *children, **attributes):
    """Returns an element. None and False omit a child or an attribute; True sets an attribute without a value; `_` in a name means `-`."""
    given = "".join(attribute(name.strip("_").replace("_", "-"), value) for name, value in attributes.items())
    if tag in VOID:
        return Markup(f"<{tag}{given}>")
    return Markup(f"<{tag}{given}>{joined(children)}</{tag}>")


def attribute(name, value):
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def joined(children):
    parts = []
    for child in children:
        if isinstance(child, (list, tuple)):
            parts.append(joined(child))
        elif child is not None and child is not False:
            parts.append(child if isinstance(child, Markup) else escape(str(child)))
    return Markup("".join(parts))


def page(title, *body, brand, locale="en", direction="ltr", prefix=""):
    """Returns a whole page in the style of the page with JavaScript. `prefix` is the path below which the page is."""
    files, links = prefix + "/page/", brand.footer(locale)
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", brand.titled(title)),
        brand.head(files),
        element("link", rel="stylesheet", href=files + "style.css"),
    )
    content = element("body", element("main", brand.mark(files), *body), links and element("footer", links))
    return "<!doctype html>" + element("html", head, content, lang=locale, dir=direction)

"""Whether every link within the website leads to a page or file that is there, and to an anchor of it.

Usage: .ci/site/links.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), {""}
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        self.links.update(values[name] for name in ("href", "src") if values.get(name))


def main():
    folder = Path(sys.argv[1])
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    dead = []
    for path, page in pages.items():
        if "_downloads" in path.parts:
            # A file of the project, which is no page of this website.
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() or (target in pages and unquote(parts.fragment) not in pages[target].anchors):
                dead.append(f"{path.relative_to(folder.resolve())}: {link}")
    print("\n".join(sorted(dead)), file=sys.stderr)
    print(f"{len(pages)} pages, {len(dead)} dead links")
    return 1 if dead or not pages else 0


if __name__ == "__main__":
    sys.exit(main())

"""The documents of the project with links that hold on a website, and the pages that lead to them."""

import posixpath
import re
import shutil

FENCE = re.compile(r"^( *```.*?^ *```)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?![a-z]+:)([^)\s#]*)(#[^)\s]*)?\)")
# A folder whose name begins with a dot is no place for pages on many web servers.
HIDDEN = {".ci/": "ci/"}

CONTENTS = """
```{{toctree}}
:hidden:
:caption: {caption}
{pages}
```
"""


def place(path):
    """Where a file of the project is on the website."""
    for prefix, shown in HIDDEN.items():
        if path.startswith(prefix):
            return shown + path.removeprefix(prefix)
    return path


class Site:
    def __init__(self, root, folder, files):
        self.root, self.folder, self.files = root, folder, set(files)
        self.folders = {parent for file in files for parent in parents(file)}
        self.listed = {}

    def link(self, document, text, target, anchor):
        """A link of a document as the website needs it."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(document), target)) if target else document
        if path in self.folders:
            path = self.page_of(path)
        elif path.endswith(".jsonl") and path.startswith("protocol/transcripts/"):
            # The anchors of a transcript's lines are no headings, so the link is written as it is in the website.
            page = posixpath.relpath(path.removesuffix(".jsonl") + ".html", posixpath.dirname(document) or ".")
            return f'<a href="{page}{anchor or ""}">{text.replace("`", "")}</a>'
        elif path in self.files and not path.endswith(".md"):
            self.copy(path)
            # The number of a line means nothing in a file that is downloaded.
            anchor = ""
        base = posixpath.dirname(place(document)) or "."
        return f"[{text}]({posixpath.relpath(place(path), base)}{anchor or ''})"

    def page_of(self, path):
        """The page about a folder: its README, or a list of its files."""
        for name in ("README.md", "index.md"):
            if f"{path}/{name}" in self.files or (self.folder / place(path) / name).exists():
                return f"{path}/{name}"
        self.listed[path] = sorted(file for file in self.files if posixpath.dirname(file) == path)
        return f"{path}/index.md"

    def copy(self, path):
        target = self.folder / place(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / path, target)

    def write_document(self, path):
        parts = FENCE.split((self.root / path).read_text())
        text = "".join(part if FENCE.match(part) else LINK.sub(lambda match: self.link(path, *match.groups()), part) for part in parts)
        self.write_page(place(path), text)

    def write_page(self, path, text):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def parents(file):
    while file := posixpath.dirname(file):
        yield file


def write(root, folder, files):
    site = Site(root, folder, files)
    pages = [file for file in files if file.endswith(".md") and ("/" not in file or file.split("/")[0] in ("protocol", "clients", ".ci"))]
    for page in pages:
        site.write_document(page)
    for listed, contents in site.listed.items():
        lines = [f"# {listed}", ""]
        for file in contents:
            site.copy(file)
            lines.append(f"- [{posixpath.basename(file)}]({posixpath.basename(file)})")
        site.write_page(place(listed) + "/index.md", "---\norphan: true\n---\n" + "\n".join(lines) + "\n")
    groups = {
        "Guides": [page for page in pages if page.startswith("protocol/guides/")],
        "The protocol": [page for page in pages if re.fullmatch(r"protocol/(schema/)?[^/]+\.md", page)] + ["protocol/reference.md", "protocol/transcripts/README.md", "protocol/transcripts/index.md"],
        "Diagrams of the flows": [page for page in pages if page.startswith("protocol/diagrams/")],
        "Clients": [page for page in pages if page.startswith("clients/")],
        "The project": [page for page in pages if "/" not in page and page != "README.md"] + [page for page in pages if page.startswith(".ci/")],
    }
    contents = "".join(CONTENTS.format(caption=caption, pages="\n".join(place(page).removesuffix(".md") for page in sorted(group, key=order))) for caption, group in groups.items())
    readme = (folder / "README.md").read_text()
    (folder / "README.md").unlink()
    site.write_page("index.md", readme + contents)
    for path in folder.rglob("*.md"):
        text = path.read_text()
        back = posixpath.relpath("README.md", posixpath.dirname(path.relative_to(folder).as_posix()) or ".")
        path.write_text(re.sub(rf"\]\({re.escape(back)}(#[^)]*)?\)", lambda match: f"]({back.removesuffix('README.md')}index.md{match[1] or ''})", text))


def order(page):
    """A folder's own page comes before the others of the folder."""
    return posixpath.dirname(page), not page.endswith("README.md"), page

"""compliance.md: each entry has one verdict, names tests and transcripts that exist, and is counted in the table; what is met has a test."""

import re
from collections import Counter

from schemas import PROTOCOL

VERDICTS = ["Met", "A view's matter", "The frontend's matter", "The operator's setting", "Not met"]
TESTS = PROTOCOL.parent / "Tests"


def names_of_tests(text):
    """The names of the tests in a Swift file: a string of the attribute, or else the function's name."""
    parts = re.split(r"@Test\b", text)[1:]
    for part in parts:
        # Arguments of the attribute may be of many lines, and have no function of this form in them.
        function = re.search(r"\bfunc\s+(?:`([^`]+)`|(\w+))", part)
        string = re.match(r'\s*\(\s*"([^"]+)"', part)
        if string or function:
            yield string[1] if string else function[1] or function[2]


def sections(text):
    """The headings that have entries, each with the entries: the first line and the lines below, as they read without line breaks."""
    for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        heading, _, rest = section.partition("\n")
        rest = re.split(r"^## ", rest, flags=re.MULTILINE)[0]
        unbroken = re.sub(r"\n {2,}(?=[^ -])", " ", rest)
        entries = []
        for line in unbroken.splitlines():
            if line.startswith("- "):
                entries.append((line, []))
            elif line.startswith("  - ") and entries:
                entries[-1][1].append(line.removeprefix("  - "))
        yield heading, entries


def problem(line, known):
    """Why a line below an entry names nothing that is there, or None."""
    test = re.fullmatch(r"`([^`]+\.swift)`: (.+)", line)
    if test:
        path, name = test.groups()
        if path not in known:
            file = TESTS / path
            known[path] = set(names_of_tests(file.read_text())) if file.is_file() else None
        if known[path] is None:
            return f"there is no file Tests/{path}"
        return None if name in known[path] else f"Tests/{path} has no test named: {name}"
    for link in line.split(", "):
        transcript = re.fullmatch(r"\[([^]]+)\]\(\.\./(transcripts/\1\.jsonl)\)", link)
        if not transcript:
            return f"this is neither a test nor a transcript: {link}"
        if not (PROTOCOL / transcript[2]).is_file():
            return f"there is no {transcript[2]}"
    return None


def check(count, fail):
    text = (PROTOCOL / "guides/compliance.md").read_text()
    known, totals, rows = {}, Counter(), []
    for heading, entries in sections(text):
        if not entries:
            fail(f"compliance.md: {heading}: there are no entries")
        counts = Counter()
        for entry, lines in entries:
            count()
            place = f"compliance.md: {heading}: {entry[:70]!r}"
            verdicts = [verdict for verdict in VERDICTS if f" *{verdict}*" in entry]
            if not re.match(r"- \*\*[^*]+\*\* ", entry) or len(verdicts) != 1:
                fail(f"{place}: an entry has a number and one verdict")
                continue
            counts[verdicts[0]] += 1
            if verdicts[0] == "Met" and not any(line.startswith("`") for line in lines):
                fail(f"{place}: nothing is met without a test")
            if verdicts[0] == "Not met" and "*Not met*: " not in entry:
                fail(f"{place}: what is not met has a reason")
            for line in lines:
                count()
                found = problem(line, known)
                if found:
                    fail(f"{place}: {found}")
        rows.append((heading, counts))
        totals += counts
    for heading, counts in rows + [("together", totals)]:
        count()
        row = f"| {heading} | " + " | ".join(str(counts[verdict]) for verdict in VERDICTS) + " |"
        if row not in text.splitlines():
            fail(f"compliance.md: this row of the table is missing: {row}")

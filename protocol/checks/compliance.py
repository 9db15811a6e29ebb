"""Checks compliance.md: each entry has one verdict, names existing tests and transcripts, and is counted in the table; each met entry has a test.

`.ci/release/planted-account-defects` reads the page with `entries` and `tests`.
"""

import re
from collections import Counter
from pathlib import Path

PROTOCOL = Path(__file__).resolve().parent.parent
PAGE = PROTOCOL / "guides/compliance.md"
TESTS = PROTOCOL.parent / "Tests"
VERDICTS = ["Met", "View", "Frontend", "Operator", "Not met"]
STANDARDS = ["NIST SP 800-63B-4", "OWASP ASVS 5.0"]
REFERENCES = r"\[((?:\w+-[\d,]+)(?:; \w+-[\d,]+)*)\](?!\()"


def names_of_tests(text):
    """The names of the tests in a Swift file: the string of the attribute, or else the function's name."""
    parts = re.split(r"@Test\b", text)[1:]
    for part in parts:
        # Arguments of the attribute can span lines, and contain no function of this form.
        function = re.search(r"\bfunc\s+(?:`([^`]+)`|(\w+))", part)
        string = re.match(r'\s*\(\s*"([^"]+)"', part)
        if string or function:
            yield string[1] if string else function[1] or function[2]


def section(text, heading):
    """The text below a heading of the second level, up to the next one."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def entries(text, standard):
    """The entries of a standard, without line breaks, each with its verdicts and its references to tests, such as Lock-3."""
    found = []
    for line in re.sub(r"\n  (?=\S)", " ", section(text, standard)).splitlines():
        if line.startswith("- **"):
            parts = [part.split("-") for group in re.findall(REFERENCES, line) for part in group.split("; ")]
            references = [f"{stem}-{number}" for stem, numbers in parts for number in numbers.split(",")]
            found.append((line, [verdict for verdict in VERDICTS if f" *{verdict}*" in line], references))
    return found


def tests(text):
    """The list of tests: file and name by reference. A reference is the file's name without "Tests", and the number."""
    listed, path = {}, None
    for line in section(text, "Tests").splitlines():
        if file := re.fullmatch(r"`([^`]+\.swift)`", line):
            path, number = file[1], 0
        elif path and (test := re.fullmatch(r"(\d+)\. (.+)", line)):
            number += 1
            reference = f"{re.sub('Tests$', '', Path(path).stem)}-{test[1]}"
            if int(test[1]) != number or reference in listed:
                raise ValueError(f"{reference} is out of order or listed twice")
            listed[reference] = (path, test[2])
    return listed


def problem(path, name, known):
    """Why a listed test does not exist, or None."""
    if path not in known:
        file = TESTS / path
        known[path] = set(names_of_tests(file.read_text())) if file.is_file() else None
    if known[path] is None:
        return f"Tests/{path} does not exist"
    return None if name in known[path] else f"Tests/{path} has no test named: {name}"


def check(count, fail):
    text = PAGE.read_text()
    listed, known, used, totals, rows = tests(text), {}, set(), Counter(), []
    for reference, (path, name) in listed.items():
        count()
        if found := problem(path, name, known):
            fail(f"compliance.md: {reference}: {found}")
    for standard in STANDARDS:
        counts = Counter()
        found = entries(text, standard)
        if not found:
            fail(f"compliance.md: {standard} has no entries")
        for entry, verdicts, references in found:
            count()
            place = f"compliance.md: {entry[:70]!r}"
            if not re.match(r"- \*\*[^*]+\*\* ", entry) or len(verdicts) != 1:
                fail(f"{place}: the entry does not have a number and exactly one verdict")
                continue
            counts[verdicts[0]] += 1
            used.update(references)
            if verdicts[0] == "Met" and not references:
                fail(f"{place}: the entry is met but names no test")
            if verdicts[0] == "Not met" and "*Not met*: " not in entry:
                fail(f"{place}: the entry is not met and gives no reason")
            for reference in references:
                count()
                if reference not in listed:
                    fail(f"{place}: {reference} is not in the list of tests")
            for transcript in re.findall(r"\]\(\.\./(transcripts/[^)]+\.jsonl)\)", entry):
                count()
                if not (PROTOCOL / transcript).is_file():
                    fail(f"{place}: {transcript} does not exist")
        rows.append((standard, counts))
        totals += counts
    for reference in sorted(listed.keys() - used):
        fail(f"compliance.md: no entry names the listed test {reference}")
    for heading, counts in [*rows, ("Total", totals)]:
        count()
        row = f"| {heading} | " + " | ".join(str(counts[verdict]) for verdict in VERDICTS) + " |"
        if row not in text.splitlines():
            fail(f"compliance.md: the table lacks this row: {row}")

"""Runs all checks of protocol/check."""

import sys
from pathlib import Path

import compliance
import documents
import examples
import growth
import levels
import lines
import openrpc
import transcripts
from schemas import Schemas


def main():
    passed, failures = 0, []

    def count(number=1):
        nonlocal passed
        passed += number

    schemas = Schemas()
    totals = examples.check(schemas, count, failures.append)
    print(f"examples: {totals['accepted']} accepted, {totals['refused']} refused")
    examples.check_flows(schemas, count, failures.append)
    documents.check(schemas, count, failures.append)
    compliance.check(count, failures.append)
    openrpc.check(schemas, count, failures.append)
    levels.check(schemas, count, failures.append)
    growth.check(schemas, count, failures.append)
    transcripts.check(schemas, count, failures.append)
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        files, number = lines.check(schemas, folder, count, failures.append)
        lines.check_planted(schemas, folder, count, failures.append)
        print(f"{number} lines of {files} files")
    for failure in failures[:400]:
        print(f"FAILED {failure}")
    print(f"protocol: {passed - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())

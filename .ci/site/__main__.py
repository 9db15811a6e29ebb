"""Writes what Sphinx makes the website of into a folder: the documents, a reference of the protocol, and a page for each transcript.

Usage: .ci/site FOLDER
"""

import subprocess
import sys
from pathlib import Path

import documents
import reference
import transcripts

ROOT = Path(__file__).resolve().parents[2]


def main():
    folder = Path(sys.argv[1])
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = [name for name in names.split("\0") if name and (ROOT / name).is_file()]
    reference.write(ROOT, folder)
    transcripts.write(ROOT, folder, [name for name in files if name.startswith("protocol/transcripts/") and name.endswith(".jsonl")])
    documents.write(ROOT, folder, files)


if __name__ == "__main__":
    main()

"""Writes the types of each client from protocol/openrpc.json.

Usage: python3 clients/types [--check]    --check: only says whether the files are as they would be written
"""

import sys
from pathlib import Path

import go
import java
import rust
import schema
import typescript

CLIENTS = Path(__file__).resolve().parents[1]
FILES = {"typescript/src/wire.ts": typescript, "go/wire.go": go, "rust/src/wire.rs": rust,
         "java/src/main/java/loginengine/Wire.java": java}

is_check = sys.argv[1:] == ["--check"]
if sys.argv[1:] and not is_check:
    raise SystemExit(__doc__)
definitions, methods = schema.read()
differing = []
for name, language in FILES.items():
    file, text = CLIENTS / name, language.write(definitions, methods)
    if is_check and (not file.exists() or file.read_text() != text):
        differing.append(name)
    elif not is_check:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
if differing:
    raise SystemExit(f"These files are not what clients/types writes: {', '.join(differing)}")

"""Codes for other devices, read by a decoder from the emulated screen."""

import json
import random

from flows import code, flow
from programs import ROOT, ability, has, lacks, same

LEVEL_L = [17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858, 929, 1003, 1091, 1171,
           1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068]  # fmt: skip


@ability
def codes_of_every_size_can_be_scanned(programs):
    draw = random.Random(17)
    letters = [chr(letter) for letter in range(33, 127)]
    for version, most in enumerate(LEVEL_L, 1):
        # The shortest and the longest text of each version; texts of the protocol have at most 2,048 bytes.
        for length in sorted({1 if version == 1 else LEVEL_L[version - 2] + 1, min(most, 2048)}):
            text = "".join(draw.choice(letters) for _ in range(length))
            side = 17 + 4 * version + 8
            rows, columns = (side + 1) // 2 + -(-length // side) + 12, max(72, side + 6)
            # The flow definition is read by the real engine.
            with programs.terminal(flow([code("key", text)]), rows=rows, columns=columns) as terminal:
                terminal.wait("[ Do it ]")
                same(programs.decoded(terminal), text)


@ability
def codes_hold_any_text(programs):
    for text in ("otpauth://totp/Example:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Example", "Größe, 漢字 and 😀", "0" * 64):
        with programs.terminal(flow([code("key", text)]), rows=50) as terminal:
            terminal.wait("[ Do it ]")
            same(programs.decoded(terminal), text)
            has(text[:40], terminal.rows())


@ability
def a_code_of_an_authenticator_can_be_scanned(programs):
    # The screen of a recorded challenge.
    steps = map(json.loads, (ROOT / "protocol/transcripts/challenge/codes.jsonl").read_text().splitlines())
    asked = [step["answer"]["result"]["screen"] for step in steps if step.get("answer", {}).get("result", {}).get("screen")]
    items = asked[0]["sections"][0]["items"]
    wanted = next(item["text"] for item in items if item["kind"] == "code" and item["format"] == "qr")
    script = programs.folder / "asking"
    answer = json.dumps({"jsonrpc": "2.0", "id": 0, "result": {"outcome": "challenge", "screen": asked[0]}})
    script.write_text(f"""#!/bin/bash
while read -r line; do
  jq -cn --argjson it "$line" --argjson answer '{answer}' 'select($it.method == "authenticator/submit") | $answer + {{id: $it.id}}'
done
""")
    script.chmod(0o755)
    with programs.terminal(authenticator=str(script), rows=50) as terminal:
        terminal.wait("[ ]")
        terminal.press("ada@example.com\tcorrect horse\r")
        terminal.wait("JBSW Y3DP EHPK 3PXP")
        same(programs.decoded(terminal), wanted)
        terminal.press("123456")
        terminal.wait("123456")
        same(terminal.quit(), 0)


@ability
def without_colours_the_light_modules_are_drawn(programs):
    with programs.terminal(flow([code("key", "no colours")]), rows=40, NO_COLOR="1") as terminal:
        terminal.wait("[ Do it ]")
        assert b"\x1b[30;47m" not in terminal.written
        same(programs.decoded(terminal), "no colours")


@ability
def a_terminal_that_is_too_small_shows_the_text_of_a_code(programs):
    text = "https://example.com/" + "x" * 30
    for rows, columns in ((24, 42), (15, 72)):
        with programs.terminal(flow([code("key", text)]), rows=rows, columns=columns) as terminal:
            terminal.wait("[ Do it ]")
            lacks("█", terminal.rows())
            has("https://example.com/", terminal.rows())
            has("QR code", [" ".join(row.strip("│ ") for row in terminal.rows())])
    with programs.terminal(flow([code("key", text)]), rows=23, columns=43) as terminal:
        terminal.wait("[ Do it ]")
        terminal.press("\x1b[5~\x1b[5~")
        terminal.wait(lambda _: programs.decoded(terminal) == text)


@ability
def a_plain_code_keeps_its_blanks(programs):
    with programs.terminal(flow([code("key", "AB  CD   EF", "plain")])) as terminal:
        terminal.wait("[ Do it ]")
        has("AB  CD   EF", terminal.rows())
        lacks("█", terminal.rows())


@ability
def the_line_mode_prints_the_text_of_a_code(programs):
    path = programs.folder / "plain.json"
    path.write_text(json.dumps(flow([code("key", "AB  CD")])))
    has("key: AB  CD", programs.lines("q\n", path).split("\n"))

"""An authenticator whose behaviour the address names, in the word before its @. For the soak only."""

import json
import os
import sys
import threading
import time


def write(text):
    try:
        os.write(1, text.encode())
    except OSError:
        os._exit(0)


def answer(number, result):
    write(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}) + "\n")


def accepted(number):
    answer(number, {"outcome": "accepted", "principal": "ada"})


CODE = {
    "id": "code", "title": "A code", "sections": [{"id": "s", "items": [
        {"id": "code", "apiKey": "code", "kind": "input", "inputType": "oneTimeCode", "title": "Code"}]}],
}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        method, number, params = message.get("method"), message.get("id"), message.get("params", {})
        if number is None:
            continue
        if method == "authenticator/describe":
            answer(number, {"name": "faulty"})
            continue
        if method == "authenticator/continue":
            accepted(number)
            continue
        word = str(params.get("values", {}).get("email", "ok")).split("@")[0]
        if word == "late":
            threading.Timer(0.3, accepted, [number]).start()
        elif word == "twice":
            accepted(number)
            accepted(number)
        elif word == "nonsense":
            write("{nonsense\n")
            accepted(number)
        elif word == "silent":
            pass
        elif word == "exit":
            os._exit(3)
        elif word == "deaf":
            time.sleep(0.5)
            accepted(number)
        elif word == "error":
            write(json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": 5, "message": "no"}}) + "\n")
        elif word == "challenge":
            answer(number, {"outcome": "challenge", "screen": CODE})
        elif word == "huge":
            write("x" * 2_000_000 + "\n")
            accepted(number)
        elif word == "half":
            write('{"jsonrpc":"2.0","id":')
            os._exit(0)
        elif word == "noisy":
            os.write(2, b"noise " * 200 + b"\n")
            accepted(number)
        elif word == "notify":
            notice = {"attempt": params.get("attempt", number), "message": "Soon."}
            write(json.dumps({"jsonrpc": "2.0", "method": "authenticator/notify", "params": notice}) + "\n")
            accepted(number)
        else:
            accepted(number)


main()

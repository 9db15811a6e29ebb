"""An authenticator for checks. The part of the address before the @ selects what it asks: `redirect`, `code`, `wait`, `markup`, `context`,
`conditional`; `values` accepts with the values as the principal; otherwise it accepts.

Usage: helper_authenticator.py SITE    SITE is the address of the other site that a redirect leads to."""

import json
import sys
from urllib.parse import quote

#: A text with HTML and terminal control sequences.
MARKUP = "<img src=x onerror=\"window.hurt=1\"><script>window.hurt=1</script>\u001b[31m&amp;"


def challenge(title, *items, **more):
    return {"outcome": "challenge", "screen": {"id": "asked", "title": title, "sections": [{"id": "all", "items": list(items)}]}, **more}


def field(name, kind="input", **members):
    return {"id": name, "apiKey": name, "kind": kind, **members}


def ask(word, context, values):
    if word == "values":
        return accepted(json.dumps(values, sort_keys=True))
    if word == "redirect":
        request = {"url": f"{sys.argv[1]}?back={quote(context['return'])}"}
        rules = [{"rule": "required", "message": "Go to the site."}]
        return challenge("Elsewhere", field("site", "external", type="redirect", title="Go to the site", request=request, rules=rules))
    if word == "code":
        key = "otpauth://totp/Example:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Example"
        return challenge("Set up an app", {"id": "key", "kind": "code", "title": "Scan this with your authenticator app", "text": key, "format": "qr"},
                         field("code", inputType="oneTimeCode", title="Code", autofill="one-time-code", keyboard="number"))
    if word == "wait":
        return challenge("Look at your phone", {"id": "what", "kind": "text", "title": "Approve the login there."}, wait={"pollAfterMs": 1500})
    if word == "markup":
        return challenge(MARKUP, {"id": "text", "kind": "text", "title": MARKUP},
                         field("name", inputType="text", title=MARKUP, placeholder=MARKUP, value=MARKUP),
                         field("pick", "selection", title=MARKUP, options=[{"id": "one", "title": MARKUP}]),
                         {"id": "key", "kind": "code", "title": MARKUP, "text": MARKUP.replace("\u001b", ""), "format": "plain"},
                         field("other", "external", type="x.y", title=MARKUP, text=MARKUP, request=MARKUP), error={"code": "said", "text": MARKUP})
    if word == "conditional":
        request = {"challenge": "AAECAwQFBgcICQoLDA0ODw", "rpId": "localhost", "userVerification": "preferred"}
        return challenge("Passkey or name", field("name", inputType="text", title="Name", autofill="username webauthn"),
                         field("passkey", "external", type="webauthn.get", title="Passkey", request=request))
    return accepted(json.dumps(context, sort_keys=True) if word == "context" else "ada")


def accepted(principal):
    return {"outcome": "accepted", "principal": principal, "secret": {"token": "only for the application"}}


def decide(method, params):
    values = params["values"]
    if method == "authenticator/submit":
        return ask((values.get("email") or "").strip().split("@")[0], params.get("context"), values)
    # The part that the site added to the address at which the browser came back.
    if "site" in values:
        return accepted(values["site"]["url"].partition("?")[2])
    if "code" in values:
        return accepted("code " + values["code"])
    return accepted(values["passkey"]["type"] if values.get("passkey") else "ada")


for line in sys.stdin.buffer:
    message = json.loads(line)
    if "id" not in message:
        continue
    if message["method"] in ("authenticator/submit", "authenticator/continue"):
        answer = {"result": decide(message["method"], message["params"])}
    else:
        answer = {"error": {"code": -32601, "message": "There is no such request.", "data": {"code": "unsupportedRequest"}}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)

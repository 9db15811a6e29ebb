"""Checks openid_login.py with a provider: the steps of a person in a browser, and attacks."""

import base64
import contextlib
import hmac
import json
import time
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests
from person import LONG, Engine, Person, eventually
from provider import AUTH_TIME, CLIENT, REDIRECT, SECRET, Provider


def granted(person):
    """Returns the last value that the authenticator granted the application."""
    return person.session.grants[-1] if person.session.grants else {}


def check_openid(check, program, folder):
    provider = Provider()
    (folder / "secret").write_text(SECRET + "\n")
    recipe = ["openid_login.py", provider.issuer, CLIENT, REDIRECT, "--client-secret", folder / "secret"]
    engine = Engine(program, "openid.json", *recipe)
    check_page(check, engine, provider)
    check_attacks(check, engine, provider)
    check_device(check, engine, provider)
    check("the engine ends with its input", engine.close() == 0)
    words = [value for token in provider.issued for name, value in token.items() if name.endswith("_token")]
    check("tokens were issued", len(words) > 20)
    words += [*provider.devices, SECRET]
    check("no token, device code or client secret is written anywhere", not any(word in engine.written() for word in words))
    check_metadata(check, program, provider, recipe)
    provider.server.shutdown()
    engine = Engine(program, "openid.json", *recipe)
    check("an unreachable provider is reported", begin(engine).error == "network.providerDown")
    engine.close()


def begin(engine, *supports):
    return Person(engine, supports=supports).submit()


def visit(url, decision="yes"):
    """Visits the provider's page, and returns the query with which the browser comes back."""
    response = requests.post(url, {"decision": decision}, allow_redirects=False, timeout=LONG)
    return dict(parse_qsl(urlsplit(response.headers["Location"]).query))


def value(query):
    """Returns the value of the item: the address at which the browser came back."""
    return {"url": f"{REDIRECT}?{urlencode(query)}"}


def page(person):
    return person.items["page"]["request"]["url"]


def check_page(check, engine, provider):
    ada = begin(engine, "redirect")
    check("a view that can redirect leads to the provider's page", (ada.items["page"]["type"], ada.items["page"]["kind"]) == ("redirect", "external"))
    url = page(ada)
    asked = dict(parse_qsl(urlsplit(url).query))
    check("with PKCE", (asked["code_challenge_method"], len(asked["code_challenge"])) == ("S256", 43))
    returned = visit(url)
    ada.submit(page=value(returned))
    check("a login at the provider logs the person in", ada.principal == "ada")
    data = {"issuer": provider.issuer, "name": "Ada", "email": "ada@example.com"}
    proofs = [{"factor": name, "at": AUTH_TIME * 1000} for name in ("pwd", "otp")]
    scene = ada.snapshot["scene"]
    check("the scene has the person's data, and the proofs with their times", (scene["data"], scene["proofs"]) == (data, proofs))
    tokens = granted(ada)
    check("the application gets the tokens apart from the scene", tokens.get("access_token") == provider.issued[-1]["access_token"] and "id_token" in tokens)

    for auth_time in (None, True, -1):
        provider.claims = {"auth_time": auth_time}
        undated = begin(engine, "redirect")
        undated.submit(page=value(visit(page(undated))))
        check(f"a login has no proofs if the token's auth_time is {auth_time}", undated.principal == "ada" and "proofs" not in undated.snapshot["scene"])
    provider.claims = {}

    other = begin(engine, "redirect")
    others = dict(parse_qsl(urlsplit(page(other)).query))
    check("each login has its own secrets", all(asked[name] != others[name] for name in ("state", "nonce", "code_challenge")))
    check("a refusal at the provider is reported", other.submit(page=value(visit(page(other), "no"))).error == "openid.refused")
    check("a response that was used before is refused", begin(engine, "redirect").submit(page=value(returned)).error == "openid.invalid")


def check_attacks(check, engine, provider):
    def refused(what, change, error="openid.invalid"):
        person, count = begin(engine, "redirect"), len(provider.issued)
        changed = change(visit(page(person)))
        person.submit(page=value(changed) if isinstance(changed, dict) else changed[0])
        check(f"{what} is refused", (person.error, person.principal, person.screen) == (error, None, "login"))
        return len(provider.issued) == count

    def of_another_conversation(_):
        return visit(page(begin(engine, "redirect")))

    check("no code is redeemed for an answer to another conversation", refused("an answer to another conversation", of_another_conversation))
    check("no code is redeemed for a wrong state", refused("a wrong state", lambda returned: {**returned, "state": "x"}))
    check("no code is redeemed without a state", refused("no state", lambda returned: {"code": returned["code"]}))
    check("no code is redeemed for another provider", refused("the code of another provider", lambda returned: {**returned, "iss": "https://evil.example"}))
    for other in ("page", [], 7, {}, {"url": 7}, {"url": "http://[/?state=x"}, {"url": ""}):
        refused(f"{other!r}", lambda _: (other,))
    refused("an error of the view", lambda _: ({"error": "cancelled"},), "openid.refused")
    # Another conversation's code, sent by an attacker who can set the state: PKCE binds the code to the conversation that requested it.
    refused("a code that another conversation requested", lambda returned: {**returned, "code": of_another_conversation(returned)["code"]}, "openid.refused")
    refused("an invalid code", lambda returned: {**returned, "code": "x"}, "openid.refused")

    now = int(time.time())
    claims = [
        ("another nonce", {"nonce": "x"}), ("another issuer", {"iss": "https://evil.example"}), ("another audience", {"aud": "other"}),
        ("a token that has expired", {"exp": now - 3600}), ("a token from the future", {"iat": now + 3600}),
        ("a token for another party", {"aud": [CLIENT, "other"], "azp": "other"}), ("a token for several", {"aud": [CLIENT, "other"]}),
        ("no subject", {"sub": None}), ("no audience", {"aud": None}),
    ]  # fmt: skip
    for what, wrong in claims:
        with changed(provider, claims=wrong):
            refused(what, lambda returned: returned)

    def encoded(value):
        return base64.urlsafe_b64encode(value if isinstance(value, bytes) else json.dumps(value).encode()).rstrip(b"=").decode()

    def unsigned(token):
        return f"{encoded({'alg': 'none', 'kid': '1'})}.{token.split('.')[1]}."

    def signed_by_what_everybody_knows(token):
        body = f"{encoded({'alg': 'HS256', 'kid': '1'})}.{token.split('.')[1]}"
        return f"{body}.{encoded(hmac.digest(provider.key.as_pem(private=False), body.encode(), 'sha256'))}"

    def altered(token):
        head, body, signature = token.split(".")
        return f"{head}.{encoded({**json.loads(base64.urlsafe_b64decode(body + '==')), 'sub': 'admin'})}.{signature}"

    for what, change in [("no signature", unsigned), ("a signature by a public key", signed_by_what_everybody_knows), ("an altered token", altered)]:
        with changed(provider, change=change):
            refused(what, lambda returned: returned)
    with changed(provider, signing=provider.other_key):
        refused("the signature of another key", lambda returned: returned)
    with changed(provider, claims={"email_verified": False}):
        ada = begin(engine, "redirect")
        check("an unverified address is not passed on", "email" not in ada.submit(page=value(visit(page(ada)))).snapshot["scene"]["data"])


def check_device(check, engine, provider):
    ada = begin(engine)
    check("a view that cannot redirect shows a code for another device", (ada.items["qr"]["format"], ada.items["code"]["format"]) == ("qr", "plain"))
    code = ada.items["code"]["text"]
    check("the view shows the page where the code is entered", ada.items["page"]["url"] == f"{provider.issuer}/verify" and code in ada.items["qr"]["text"])
    check("and waits", ada.snapshot["activity"])
    requests.post(ada.items["qr"]["text"], {"decision": "yes"}, timeout=LONG)
    ada.wait(lambda person: person.principal == "ada")
    check("the view waits until the login is confirmed there", True)
    check("the application gets the tokens", granted(ada).get("access_token") == provider.issued[-1]["access_token"])

    bob = begin(engine, "redirect").press("device")
    check("a view that can redirect offers the code too", "code" in bob.items)
    requests.post(bob.items["qr"]["text"], {"decision": "no"}, timeout=LONG)
    bob.wait(lambda person: person.error == "openid.refused")
    check("a refusal on the other device is reported", bob.screen == "login")

    with changed(provider, slow=True):
        before = len(provider.polls)
        begin(engine)
        eventually(lambda: len(provider.polls) >= before + 2, "two polls")
        check("slow_down adds five seconds to the polling interval", provider.polls[before + 1] - provider.polls[before] >= 5.5)
    dan = begin(engine)
    provider.devices[list(provider.devices)[-1]]["expires_at"] = 0
    dan.wait(lambda person: person.error == "challengeExpired")
    check("an expired code is reported", dan.screen == "login")


def check_metadata(check, program, provider, recipe):
    with changed(provider, metadata={"jwks_uri": f"{provider.issuer}/moved"}):
        engine = Engine(program, "openid.json", *recipe)
        person = begin(engine, "redirect")
        check("redirects of the keys' address are not followed", person.submit(page=value(visit(page(person)))).error == "network.providerDown")
        engine.close()
    cases = [
        ("another issuer", {"issuer": "https://evil.example"}), ("a page without TLS", {"authorization_endpoint": "http://evil.example/authorize"}),
        ("keys without TLS", {"jwks_uri": "http://evil.example/keys"}), ("tokens without TLS", {"token_endpoint": "http://evil.example/token"}),
    ]  # fmt: skip
    for what, members in cases:
        with changed(provider, metadata=members):
            engine = Engine(program, "openid.json", *recipe)
            person = begin(engine, "redirect")
            if person.screen == "page":
                person.submit(page=value(visit(page(person))))
            check(f"{what} is refused", (person.error, person.principal) == ("openid.invalid", None))
            engine.close()
    with changed(provider, metadata={"authorization_response_iss_parameter_supported": True}):
        engine = Engine(program, "openid.json", *recipe)
        person = begin(engine, "redirect")
        check("a response without an issuer is refused if the provider announces one", person.submit(page=value(visit(page(person)))).error == "openid.invalid")
        person = begin(engine, "redirect")
        check("the right issuer is accepted", person.submit(page=value({**visit(page(person)), "iss": provider.issuer})).principal == "ada")
        engine.close()


@contextlib.contextmanager
def changed(provider, **members):
    former = {name: getattr(provider, name) for name in members}
    vars(provider).update(members)
    yield
    vars(provider).update(former)

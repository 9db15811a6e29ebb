"""Passkeys with the browser's virtual authenticator, and the authenticator of clients/passkeys, which verifies them."""

import json
import shlex
import sys

from processes import HERE, ROOT, WEB, BridgeProcess, bundled, free_port
from user import User

PASSKEYS = ROOT / "clients" / "passkeys"


async def add_key(context, page, verifies=True):
    """Adds a virtual security key that confirms at once. Returns the connection to the browser's developer tools."""
    tools = await context.new_cdp_session(page)
    await tools.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": verifies,
               "automaticPresenceSimulation": True}
    key = await tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return tools, key["authenticatorId"]


async def check(tally, engine, browser):
    port = free_port()
    authenticator = shlex.join([sys.executable, str(PASSKEYS / "authenticator.py"), f"http://localhost:{port}"])
    command = [engine, "--flow", str(PASSKEYS / "flow.json"), "--authenticator", authenticator]
    async with BridgeProcess(["--port", str(port)], command) as bridge:
        context = await browser.new_context()
        page = await context.new_page()
        user = User(page)
        tools, key = await add_key(context, page)
        async with tally.case("a user registers a passkey"):
            await page.goto(bridge.address)
            await user.sees("Log in")
            await user.press("Create an account")
            await user.sees("Create an account")
            await user.enter(email="ada@example.com", password="correct horse")
            await user.submit()
            await user.sees("Save a passkey")
            await page.locator(".external").click()
            await user.is_in("ada@example.com")
            kept = (await tools.send("WebAuthn.getCredentials", {"authenticatorId": key}))["credentials"]
            assert len(kept) == 1 and kept[0]["rpId"] == "localhost", kept
            await user.press("Log out")
        async with tally.case("a user logs in with a passkey"):
            await user.sees("Log in")
            await user.enter(email="ada@example.com")
            await user.submit()
            await user.sees("Passkey")
            assert "Use your password" in await page.inner_text("#links")
            await page.locator(".external").click()
            await user.is_in("ada@example.com")
            factors = await page.evaluate("async () => (await (await fetch('/session')).json()).proofs.map(({ factor }) => factor)")
            assert factors == ["pop", "user"], factors
            await user.press("Log out")
        async with tally.case("a user who provides no passkey gets a message, and tries again"):
            await user.sees("Log in")
            await user.enter(email="ada@example.com")
            await user.submit()
            await user.sees("Passkey")
            await tools.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": False})
            await page.locator(".external").click()
            await page.get_by_text("That did not work. Try again.").wait_for()
            await tools.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": True})
            await page.locator(".external").click()
            await user.is_in("ada@example.com")
        await context.close()
        for number, (what, script) in enumerate(UNCONVERTED.items()):
            async with tally.case(f"passkeys work in a browser that does not convert options, where {what}"):
                await unconverted(browser, bridge, script, f"user{number}@example.com")
        async with tally.case("credentials of password managers are read member by member"):
            page = await browser.new_page()
            found = await page.evaluate(FAKES)
            await page.close()
            answer = {"clientDataJSON": "AQ", "authenticatorData": "Ag", "signature": "_-8"}
            made = {"clientDataJSON": "AQ", "attestationObject": "Aw", "transports": []}
            common = {"id": "AP8", "rawId": "AP8", "type": "public-key", "clientExtensionResults": {}}
            wanted = [{**common, "response": response} for response in (answer, made) for _ in range(5)]
            assert found == wanted, json.dumps(found)
    helper = shlex.join([sys.executable, str(HERE / "helper_authenticator.py"), "http://127.0.0.1:1/"])
    async with BridgeProcess([], [engine, "--authenticator", helper]) as bridge:
        async with tally.case("the field for the user's name offers a passkey, without a button"):
            await conditional(browser, bridge)


#: By what they do: scripts without functions that Safari before 18.4 and Chrome before 129 lack, and that credentials of some password managers lack.
UNCONVERTED = {
    what: "delete PublicKeyCredential.parseRequestOptionsFromJSON; delete PublicKeyCredential.parseCreationOptionsFromJSON;" + script
    for what, script in {
        "toJSON throws": "PublicKeyCredential.prototype.toJSON = () => { throw new TypeError('Illegal invocation'); };",
        "toJSON and getTransports are missing": "delete PublicKeyCredential.prototype.toJSON; delete AuthenticatorAttestationResponse.prototype.getTransports;",
    }.items()
}
#: Converts credentials as password managers make them, for a login and for a registration: `toJSON` missing, throwing, returning nothing or a part.
FAKES = "() => {" + bundled(WEB.parent / "typescript" / "src" / "credentials.ts", "credentials") + """
  const fail = () => { throw new TypeError("Illegal invocation"); };
  const bytes = (...list) => Uint8Array.from(list).buffer;
  const answer = { clientDataJSON: bytes(1), authenticatorData: bytes(2), signature: bytes(255, 239), userHandle: bytes() };
  const made = { clientDataJSON: bytes(1), attestationObject: bytes(3) };
  const common = { id: "AP8", rawId: bytes(0, 255), type: "public-key", authenticatorAttachment: null };
  const odd = [{}, { toJSON: fail }, { toJSON: fail, getClientExtensionResults: fail }, { toJSON: () => undefined }, { toJSON: () => ({ id: "AP8" }) }];
  return [answer, { ...made, getTransports: undefined }].flatMap((response) =>
    odd.map((members, index) => credentials.credentialJSON({ ...common, ...members,
      response: index === 2 && response.attestationObject ? { ...response, getTransports: fail } : response })));
}"""


async def unconverted(browser, bridge, script, email):
    """The page converts options and credentials itself."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.add_init_script(script)
    user = User(page)
    await add_key(context, page)
    await page.goto(bridge.address)
    await user.sees("Log in")
    await user.press("Create an account")
    await user.sees("Create an account")
    await user.enter(email=email, password="correct horse")
    await user.submit()
    await user.sees("Save a passkey")
    await page.locator(".external").click()
    await user.is_in(email)
    await user.press("Log out")
    await user.sees("Log in")
    await user.enter(email=email)
    await user.submit()
    await user.sees("Passkey")
    await page.locator(".external").click()
    await user.is_in(email)
    await context.close()


async def conditional(browser, bridge):
    """The browser offers a passkey at a field, with conditional mediation, so that the user can type as well."""
    context = await browser.new_context()
    page = await context.new_page()
    user = User(page)
    tools, key = await add_key(context, page)
    await page.goto(bridge.address)
    await user.sees("Log in")
    assert await page.evaluate("() => PublicKeyCredential.isConditionalMediationAvailable()")
    make = """async () => (await navigator.credentials.create({publicKey: {challenge: new Uint8Array(16), rp: {id: "localhost", name: "Example"},
      user: {id: new Uint8Array(8), name: "ada", displayName: "Ada"}, pubKeyCredParams: [{type: "public-key", alg: -7}],
      authenticatorSelection: {residentKey: "required"}}})).id"""
    await page.evaluate(make)
    await user.enter(email="conditional@example.com", password="x")
    await user.submit()
    await user.is_in("public-key")
    await context.close()

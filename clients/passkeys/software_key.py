"""A software security key with a fixed P-256 key, and its browser: the counterpart of webauthn.py, for checks."""

import hashlib
import json
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from webauthn import ATTESTED, PRESENT, VERIFIED, base64url, from_base64url

# The private key of RFC 6979, appendix A.2.5.
KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721


def cbor(value):
    """Encodes integers, byte strings, texts and maps of fewer than 65,536 bytes or entries as CBOR."""

    def head(major, number):
        if number < 24:
            return bytes([major << 5 | number])
        size = 1 if number < 256 else 2
        return bytes([major << 5 | 23 + size]) + number.to_bytes(size, "big")

    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    return head(5, len(value)) + b"".join(cbor(part) for member in value.items() for part in member)


class SoftwareKey:
    """Does what `navigator.credentials` does on a page, with values in the form of `toJSON`. Attributes can be changed to make it wrong."""

    def __init__(self, origin, private=KEY):
        self.origin, self.user = origin, None
        self.key = ec.derive_private_key(private, ec.SECP256R1())
        point = self.key.public_key().public_numbers()
        self.cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        self.id = hashlib.sha256(self.cose[-2]).digest()
        self.counter, self.flags, self.attested = 0, PRESENT | VERIFIED, ATTESTED
        self.format, self.algorithm = "none", -7
        self.type = self.site = self.challenge = None
        self.client = {"crossOrigin": False}
        self.behind = b""

    def create(self, options):
        self.user = from_base64url(options["user"]["id"])
        client, data = self._data("webauthn.create", options, options["rp"]["id"], self.attested)
        statement = {} if self.format == "none" else {"alg": self.algorithm, "sig": self._sign(client, data)}
        attestation = cbor({"fmt": self.format, "attStmt": statement, "authData": data})
        response = {"attestationObject": base64url(attestation), "authenticatorData": base64url(data), "transports": ["internal"]}
        response |= {"publicKeyAlgorithm": -7}
        return self._credential(client, response)

    def get(self, options):
        client, data = self._data("webauthn.get", options, options["rpId"], 0)
        response = {"authenticatorData": base64url(data), "signature": base64url(self._sign(client, data))}
        return self._credential(client, response | {"userHandle": base64url(self.user)})

    def _data(self, type, options, site, more):
        """Returns the data of the browser and the key."""
        if self.origin != f"https://{urlsplit(self.origin).netloc}" or not urlsplit(self.origin).hostname.endswith(site):
            raise ValueError("no browser does this")
        self.counter += 1
        challenge = self.challenge or options["challenge"]
        client = json.dumps({"type": self.type or type, "challenge": challenge, "origin": self.origin, **self.client}).encode()
        data = hashlib.sha256((self.site or site).encode()).digest() + bytes([self.flags | more]) + self.counter.to_bytes(4, "big")
        if more:
            data += bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor(self.cose)
        return client, data + self.behind

    def _sign(self, client, data):
        return self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))

    def _credential(self, client, response):
        id = base64url(self.id)
        response = {"clientDataJSON": base64url(client), **response}
        members = {"type": "public-key", "authenticatorAttachment": "platform", "clientExtensionResults": {}}
        return {"id": id, "rawId": id, "response": response, **members}

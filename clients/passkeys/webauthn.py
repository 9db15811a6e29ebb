"""A relying party of Web Authentication, Level 3: https://www.w3.org/TR/webauthn-3/

Options and credentials are JSON, in the form of the browsers' `parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON` and
`PublicKeyCredential.toJSON`.
"""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

import cbor

ES256 = -7
PRESENT, VERIFIED, BACKUP_ELIGIBLE, BACKED_UP, ATTESTED, EXTENDED = 0x01, 0x04, 0x08, 0x10, 0x40, 0x80


class Refused(Exception):
    """A credential proves nothing. The text says why, for a log."""


@dataclass
class Credential:
    id: bytes
    public_key: ec.EllipticCurvePublicKey
    counter: int
    backup_eligible: bool


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64url(data) != text:
        raise ValueError("the text is not base64url without padding")
    return data


def require(holds, otherwise):
    if not holds:
        raise Refused(otherwise)


def verify(public_key, signature, data):
    try:
        public_key.verify(signature, data, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise Refused("the signature is wrong") from None


def refusing(check):
    """Decorates a check, so that it refuses input that cannot be read."""

    def checked(*arguments):
        try:
            return check(*arguments)
        except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
            raise Refused(f"the credential cannot be read: {type(error).__name__}") from None

    return checked


class RelyingParty:
    def __init__(self, origin, name):
        self.origin, self.name = origin, name
        self.id = urlsplit(origin).hostname

    def creation_options(self, challenge, user_id, userName, registered=()):
        return {
            "rp": {"id": self.id, "name": self.name},
            "user": {"id": base64url(user_id), "name": userName, "displayName": userName},
            "challenge": base64url(challenge),
            "pubKeyCredParams": [{"type": "public-key", "alg": ES256}],
            "timeout": 300000,
            "excludeCredentials": [{"type": "public-key", "id": base64url(id)} for id in registered],
            "authenticatorSelection": {"residentKey": "required", "requireResidentKey": True, "userVerification": "required"},
            "attestation": "none",
        }

    def request_options(self, challenge):
        """Returns the options for a login. They list no credentials, which would reveal who has an account: passkeys are discoverable."""
        return {
            "challenge": base64url(challenge),
            "timeout": 300000,
            "rpId": self.id,
            "allowCredentials": [],
            "userVerification": "required",
        }

    @refusing
    def register(self, credential, challenge):
        """Returns a new credential, by section 7.1. The caller has to check whether its id is registered already."""
        response = credential["response"]
        client_hash = self._check_client_data(response, "webauthn.create", challenge)
        attestation, rest = cbor.decode(from_base64url(response["attestationObject"]))
        require(rest == b"", "the attestation is followed by other data")
        flags, counter, attested = self._check_authenticator_data(attestation["authData"])
        require(attested is not None, "there is no new key")
        id, key = attested
        require(id == self._id_of(credential) and 1 <= len(id) <= 1023, "the id does not match")
        require((key[1], key[3], key[-1]) == (2, ES256, 1), "the key is not an ES256 key")
        numbers = (int.from_bytes(key[-2], "big"), int.from_bytes(key[-3], "big"))
        require(len(key[-2]) == len(key[-3]) == 32, "the key has the wrong length")
        public_key = ec.EllipticCurvePublicNumbers(*numbers, ec.SECP256R1()).public_key()
        statement = attestation["attStmt"]
        if attestation["fmt"] == "packed":
            # Self attestation, which browsers pass on even if none was requested. Section 8.2.
            require(statement.keys() == {"alg", "sig"} and statement["alg"] == ES256, "the attestation is not supported")
            verify(public_key, statement["sig"], attestation["authData"] + client_hash)
        else:
            require((attestation["fmt"], statement) == ("none", {}), "the attestation is not supported")
        return Credential(id, public_key, counter, bool(flags & BACKUP_ELIGIBLE))

    @refusing
    def authenticate(self, assertion, challenge, user_id, credentials):
        """Returns the credential that proved itself, with its new counter, by section 7.2. `credentials` are the user's, by id."""
        response = assertion["response"]
        credential = credentials.get(self._id_of(assertion))
        require(credential is not None, "the user has no such credential")
        # A key that was requested by its id need not know its user.
        user_handle = response.get("userHandle")
        require(not user_handle or from_base64url(user_handle) == user_id, "the credential belongs to another user")
        client_hash = self._check_client_data(response, "webauthn.get", challenge)
        data = from_base64url(response["authenticatorData"])
        flags, counter, _ = self._check_authenticator_data(data)
        require(bool(flags & BACKUP_ELIGIBLE) == credential.backup_eligible, "the backup eligibility has changed")
        verify(credential.public_key, from_base64url(response["signature"]), data + client_hash)
        require(counter > credential.counter or counter == credential.counter == 0, "the key may have been copied")
        credential.counter = counter
        return credential

    def _id_of(self, credential):
        require(credential["type"] == "public-key" and credential["id"] == credential["rawId"], "the credential has the wrong type")
        return from_base64url(credential["rawId"])

    def _check_client_data(self, response, type, challenge):
        """Checks the browser's data. Returns their hash, which is signed."""
        text = from_base64url(response["clientDataJSON"])
        client = json.loads(text.decode("utf-8-sig"))
        require(client["type"] == type, "the credential is for another operation")
        require(hmac.compare_digest(from_base64url(client["challenge"]), challenge), "the challenge does not match")
        require(client["origin"] == self.origin, "the origin does not match")
        require(client.get("crossOrigin", False) is False and "topOrigin" not in client, "the page is embedded in another one")
        return hashlib.sha256(text).digest()

    def _check_authenticator_data(self, data):
        """Returns the flags, the counter, and a new key with its id, if there is one. Section 6.1."""
        require(len(data) >= 37, "the data are truncated")
        require(data[:32] == hashlib.sha256(self.id.encode()).digest(), "the credential is for another site")
        flags, counter, rest = data[32], int.from_bytes(data[33:37], "big"), data[37:]
        require(flags & PRESENT, "no user was present")
        require(flags & VERIFIED, "the user was not verified")
        require(flags & BACKUP_ELIGIBLE or not flags & BACKED_UP, "the backup flags contradict each other")
        attested = None
        if flags & ATTESTED:
            length = int.from_bytes(rest[16:18], "big")
            id = rest[18 : 18 + length]
            key, rest = cbor.decode(rest[18 + length :])
            attested = (id, key)
        if flags & EXTENDED:
            _, rest = cbor.decode(rest)
        require(rest == b"", "the data are followed by other data")
        return flags, counter, attested

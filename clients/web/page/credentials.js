// Converts options and credentials of Web Authentication from and to JSON (Level 3, sections 5.1.8 to 5.1.10). Safari before 18.4 and Chrome before 129
// support passkeys without these conversions, and the `toJSON` of credentials from some password managers throws.

/** Whether the browser supports passkeys. */
export const canDoPasskeys = typeof globalThis.PublicKeyCredential === "function" && typeof navigator.credentials?.get === "function";

const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

function encode(buffer) {
  const characters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte));
  return btoa(characters.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const descriptors = (list) => list?.map((one) => ({ ...one, id: decode(one.id) }));

/** Parses `PublicKeyCredentialRequestOptions` from JSON. */
export function requestOptions(json) {
  if (PublicKeyCredential.parseRequestOptionsFromJSON) return PublicKeyCredential.parseRequestOptionsFromJSON(json);
  return { ...json, challenge: decode(json.challenge), ...(json.allowCredentials && { allowCredentials: descriptors(json.allowCredentials) }) };
}

/** Parses `PublicKeyCredentialCreationOptions` from JSON. */
export function creationOptions(json) {
  if (PublicKeyCredential.parseCreationOptionsFromJSON) return PublicKeyCredential.parseCreationOptionsFromJSON(json);
  return {
    ...json,
    challenge: decode(json.challenge),
    user: { ...json.user, id: decode(json.user.id) },
    ...(json.excludeCredentials && { excludeCredentials: descriptors(json.excludeCredentials) }),
  };
}

/** Converts a credential to JSON. */
export function credentialJSON(credential) {
  try {
    return credential.toJSON();
  } catch {
    return {
      id: credential.id,
      rawId: encode(credential.rawId),
      type: credential.type,
      ...(credential.authenticatorAttachment && { authenticatorAttachment: credential.authenticatorAttachment }),
      clientExtensionResults: credential.getClientExtensionResults?.() ?? {},
      response: responseJSON(credential.response),
    };
  }
}

function responseJSON(response) {
  const json = { clientDataJSON: encode(response.clientDataJSON) };
  if (response.attestationObject) {
    return { ...json, attestationObject: encode(response.attestationObject), transports: response.getTransports?.() ?? [] };
  }
  return {
    ...json,
    authenticatorData: encode(response.authenticatorData),
    signature: encode(response.signature),
    ...(response.userHandle && { userHandle: encode(response.userHandle) }),
  };
}

// Converts options and credentials of Web Authentication from and to JSON (Level 3, sections 5.1.8 to 5.1.10). Safari before 18.4 and Chrome before 129
// support passkeys without these conversions, and the `toJSON` of credentials from some password managers throws.

/** What Level 3 adds to the browser's class. */
interface Conversions {
  parseRequestOptionsFromJSON?(json: object): PublicKeyCredentialRequestOptions;
  parseCreationOptionsFromJSON?(json: object): PublicKeyCredentialCreationOptions;
  isConditionalMediationAvailable?(): Promise<boolean>;
}

/** The browser's class, if the browser supports passkeys. */
export const passkeys: Conversions | undefined =
  typeof globalThis.PublicKeyCredential === "function" && typeof navigator.credentials?.get === "function" ? (PublicKeyCredential as Conversions) : undefined;

const decode = (text: string) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));

function encode(buffer: ArrayBuffer): string {
  const characters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte));
  return btoa(characters.join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const descriptors = (list: any[] | undefined) => list?.map((one) => ({ ...one, id: decode(one.id) }));

/** Parses `PublicKeyCredentialRequestOptions` from JSON. */
export function requestOptions(json: any): PublicKeyCredentialRequestOptions {
  if (passkeys?.parseRequestOptionsFromJSON) return passkeys.parseRequestOptionsFromJSON(json);
  return { ...json, challenge: decode(json.challenge), ...(json.allowCredentials && { allowCredentials: descriptors(json.allowCredentials) }) };
}

/** Parses `PublicKeyCredentialCreationOptions` from JSON. */
export function creationOptions(json: any): PublicKeyCredentialCreationOptions {
  if (passkeys?.parseCreationOptionsFromJSON) return passkeys.parseCreationOptionsFromJSON(json);
  return {
    ...json,
    challenge: decode(json.challenge),
    user: { ...json.user, id: decode(json.user.id) },
    ...(json.excludeCredentials && { excludeCredentials: descriptors(json.excludeCredentials) }),
  };
}

/** Returns what a method returns; `otherwise` if it is missing, returns nothing, or throws. */
function call<Result>(target: any, method: string, otherwise: Result): Result {
  try {
    return target[method]() ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Converts a credential to JSON. */
export function credentialJSON(credential: any) {
  const json = call<any>(credential, "toJSON", null);
  // Only a whole credential counts: an object without methods of its own, such as a copy, has a `toJSON` that returns less.
  if (typeof json?.id === "string" && typeof json.response?.clientDataJSON === "string") return json;
  return {
    id: credential.id,
    rawId: encode(credential.rawId),
    type: credential.type,
    ...(credential.authenticatorAttachment && { authenticatorAttachment: credential.authenticatorAttachment }),
    clientExtensionResults: call(credential, "getClientExtensionResults", {}),
    response: responseJSON(credential.response),
  };
}

function responseJSON(response: any) {
  const json = { clientDataJSON: encode(response.clientDataJSON) };
  if (response.attestationObject) {
    return { ...json, attestationObject: encode(response.attestationObject), transports: call(response, "getTransports", []) };
  }
  return {
    ...json,
    authenticatorData: encode(response.authenticatorData),
    signature: encode(response.signature),
    ...(response.userHandle?.byteLength && { userHandle: encode(response.userHandle) }),
  };
}

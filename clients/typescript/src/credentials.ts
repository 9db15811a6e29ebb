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

/** Converts a credential to JSON. */
export function credentialJSON(credential: any) {
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

function responseJSON(response: any) {
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

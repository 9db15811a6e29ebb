// The types of external items that browsers support: passkeys (Web Authentication, Level 3), and redirects to another site and back.

import { creationOptions, credentialJSON, passkeys, requestOptions } from "./credentials.js";
import type { External, Json } from "./wire.js";

/** The supported types, for `supports` of `session/open`. */
export const externalTypes: string[] = [...(passkeys ? ["webauthn.get", "webauthn.create"] : []), "redirect"];

/** What a redirect left for the return, in `sessionStorage`. */
interface Away {
  item: string;
  screen: string;
  from: string;
}

/** The running request for a passkey; only one is possible at a time. */
let running: AbortController | null = null;

/** Runs an external item: asks for a passkey, or leaves for another site. Resolves to the item's value; rejects if the user declines. */
export async function runExternal(item: External, screen: string): Promise<Json> {
  if (item.type === "redirect") return redirect(item, screen);
  const isCreation = item.type === "webauthn.create";
  if (!isCreation && item.type !== "webauthn.get") throw new Error(`This page does not support ${item.type}.`);
  return isCreation ? credential("create", { publicKey: creationOptions(optionsOf(item)) }) : credential("get", { publicKey: requestOptions(optionsOf(item)) });
}

/** Offers a passkey among the suggestions of the field that asks for them (`autofill` with `webauthn`). `null` if the browser cannot. */
export async function offerPasskey(item: External): Promise<Json> {
  if (item.type !== "webauthn.get" || !(await passkeys?.isConditionalMediationAvailable?.())) return null;
  return credential("get", { publicKey: requestOptions(optionsOf(item)), mediation: "conditional" as CredentialMediationRequirement });
}

/** Ends the running request for a passkey. */
export function stopExternal(): void {
  running?.abort();
  running = null;
}

async function credential(action: "get" | "create", options: object): Promise<Json> {
  stopExternal();
  running = new AbortController();
  return credentialJSON(await navigator.credentials[action]({ ...options, signal: running.signal }));
}

function optionsOf({ request }: External): any {
  return (request as any)?.publicKey ?? request ?? {};
}

/** Leaves for `request.url`. The value is the address at which the browser comes back, which `takeReturn` returns. */
function redirect({ id, request }: External, screen: string): Promise<never> {
  const url = new URL((request as { url: string }).url);
  const isLocal = url.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (url.protocol !== "https:" && !isLocal) throw new Error("The address of a redirect begins with https.");
  const away: Away = { item: id, screen, from: location.href };
  sessionStorage.setItem("away", JSON.stringify(away));
  location.assign(url.href);
  return new Promise(() => {});
}

/** Returns the item and its value after a return from another site, and removes the site's query from the address. Otherwise `null`. */
export function takeReturn(): { item: string; screen: string; value: Json } | null {
  const away: Away | null = JSON.parse(sessionStorage.getItem("away") ?? "null");
  // Going back or reloading is not a return from the other site.
  if (!away || !location.search || location.href === away.from) return null;
  const value = { url: location.href };
  sessionStorage.removeItem("away");
  history.replaceState(null, "", location.pathname);
  return { ...away, value };
}

// The kinds of external items that this page knows: passkeys (Web Authentication, Level 3) and the way to another site and back.

import { canDoPasskeys, creationOptions, credentialJSON, requestOptions } from "./credentials.js";

/** The types for `supports` of `session/open`. */
export const types = [...(canDoPasskeys ? ["webauthn.get", "webauthn.create"] : []), "redirect"];

/** Only one request for a passkey can be under way. */
let running = null;

function begin() {
  running?.abort();
  running = new AbortController();
  return running.signal;
}

export function stop() {
  running?.abort();
  running = null;
}

const options = (request) => request?.publicKey ?? request ?? {};

async function get(request, more = {}) {
  const publicKey = requestOptions(options(request));
  return credentialJSON(await navigator.credentials.get({ publicKey, signal: begin(), ...more }));
}

async function create(request) {
  const publicKey = creationOptions(options(request));
  return credentialJSON(await navigator.credentials.create({ publicKey, signal: begin() }));
}

/** Leaves for `request.url`. The value is the address at which the browser comes back, which `takeReturn` gives. */
async function redirect(request, item) {
  const url = new URL(request.url);
  const isLocal = url.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (url.protocol !== "https:" && !isLocal) throw new Error("The address of a redirect begins with https.");
  sessionStorage.setItem("away", JSON.stringify({ item: item.id, screen: item.screen, from: location.href }));
  location.assign(url);
  return new Promise(() => {});
}

/** What to do with an external item when the user presses its button: gives the item's value. */
export const actions = { "webauthn.get": get, "webauthn.create": create, redirect };

/** Offers passkeys in the list of the field that asks for them (`autocomplete` with `webauthn`), if the browser can do so. `null` if it cannot. */
export async function offer(item, field) {
  if (item.type !== "webauthn.get" || !field || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return null;
  return get(item.request, { mediation: "conditional" });
}

/** Once the browser is back from another site: `{item, screen, value}`, and the address loses what the site has added. Else `null`. */
export function takeReturn() {
  const away = JSON.parse(sessionStorage.getItem("away") ?? "null");
  const value = { url: location.href };
  // Who goes back or loads the page anew has not come from the other site.
  if (!away || !location.search || location.href === away.from) return null;
  sessionStorage.removeItem("away");
  history.replaceState(null, "", location.pathname);
  return { ...away, value };
}

// The types of external items that this page supports: passkeys (Web Authentication, Level 3), and redirects to another site and back.

import { canDoPasskeys, creationOptions, credentialJSON, requestOptions } from "./credentials.js";

/** The supported types, for `supports` of `session/open`. */
export const types = [...(canDoPasskeys ? ["webauthn.get", "webauthn.create"] : []), "redirect"];

/** The running request for a passkey; only one is possible at a time. */
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

/** Leaves for `request.url`. The value is the address at which the browser comes back; `takeReturn` returns it. */
async function redirect(request, item) {
  const url = new URL(request.url);
  const isLocal = url.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (url.protocol !== "https:" && !isLocal) throw new Error("The address of a redirect begins with https.");
  sessionStorage.setItem("away", JSON.stringify({ item: item.id, screen: item.screen, from: location.href }));
  location.assign(url);
  return new Promise(() => {});
}

/** The action of an external item's button, by type: returns the item's value. */
export const actions = { "webauthn.get": get, "webauthn.create": create, redirect };

/** Offers passkeys at the field that asks for them (`autocomplete` with `webauthn`). `null` if the browser cannot. */
export async function offer(item, field) {
  if (item.type !== "webauthn.get" || !field || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return null;
  return get(item.request, { mediation: "conditional" });
}

/** Returns `{item, screen, value}` after a return from another site, and removes the site's query from the address. Otherwise `null`. */
export function takeReturn() {
  const away = JSON.parse(sessionStorage.getItem("away") ?? "null");
  const value = { url: location.href };
  // Going back or reloading is not a return from the other site.
  if (!away || !location.search || location.href === away.from) return null;
  sessionStorage.removeItem("away");
  history.replaceState(null, "", location.pathname);
  return { ...away, value };
}

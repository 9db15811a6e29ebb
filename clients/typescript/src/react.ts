// One hook for React 18 or later, which holds the whole state of a login.

import { useSyncExternalStore } from "react";
import type { BridgeLogin, ConnectionState } from "./bridge.js";
import { LoginSession } from "./session.js";
import type { Item, Json, Message, Snapshot } from "./wire.js";

export interface Login {
  /** What to draw; `null` before the engine has answered. */
  snapshot: Snapshot | null;
  /** Returns the content of an item's field. */
  value: (item: Item) => Json;
  /** Sets the whole new content of an item's field. */
  change: (id: string, value: Json) => void;
  /** Presses an action, by default the primary one. */
  press: (action?: string) => void;
  /** Whether a request is pending: show a spinner. */
  pending: boolean;
  /** Why the last attempt failed, or `null`. */
  error: Message | null;
  /** The connection to the bridge; `connected` for a session of an engine in the same program. */
  connection: ConnectionState;
}

/** The last state by source, since React compares states by identity. */
const states = new WeakMap<object, { session: LoginSession; version: number; login: Login }>();

/** Draws the component again after each change. `source` is made once, outside of components. */
export function useLogin(source: BridgeLogin | LoginSession): Login {
  return useSyncExternalStore((listener) => source.subscribe(listener), () => stateOf(source));
}

function stateOf(source: BridgeLogin | LoginSession): Login {
  const [session, connection] = source instanceof LoginSession ? [source, "connected" as const] : [source.session, source.connection];
  const known = states.get(source);
  if (known?.session === session && known.version === session.version && known.login.connection === connection) return known.login;
  const { snapshot } = session;
  const login: Login = {
    snapshot,
    value: (item) => session.value(item),
    change: (id, value) => session.change(id, value),
    press: (action) => session.press(action),
    pending: snapshot?.activity ?? false,
    error: snapshot?.error ?? null,
    connection,
  };
  states.set(source, { session, version: session.version, login });
  return login;
}

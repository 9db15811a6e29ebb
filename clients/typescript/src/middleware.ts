// For Node servers: asks the bridge (clients/web) who has logged in. It has the form of middleware for Express, Connect and `node:http`.

import type { Json, Proof } from "./wire.js";

const TIMEOUT_MS = 10_000;

/** Who has logged in, as the bridge's `/session` says. */
export interface SignedIn {
  principal: string | null;
  scene: string;
  proofs: Proof[] | null;
  data: { [name: string]: Json } | null;
}

export interface MiddlewareOptions {
  /** The address of the bridge, as this server reaches it, such as `http://127.0.0.1:8080`. */
  bridge: string;
  /** Where a person without a login is sent, such as `/login`. Without this, the request goes on with `login` `null`. */
  page?: string;
}

interface Request {
  headers: { cookie?: string };
  login?: SignedIn | null;
}

interface Response {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
}

/** Sets `login` of each request. If the bridge does not answer, the request fails with status 503, because it is unknown who sent it. */
export function login({ bridge, page }: MiddlewareOptions) {
  const address = new URL("session", bridge.endsWith("/") ? bridge : `${bridge}/`);
  return async (request: Request, response: Response, next: () => void): Promise<void> => {
    try {
      request.login = await ask(address, request.headers.cookie);
    } catch {
      response.statusCode = 503;
      response.setHeader("Retry-After", "5");
      return void response.end("The login service does not answer.");
    }
    if (request.login || !page) return next();
    response.statusCode = 303;
    response.setHeader("Location", page);
    response.end();
  };
}

async function ask(address: URL, cookies: string | undefined): Promise<SignedIn | null> {
  // The bridge gets its own cookie only.
  const cookie = cookies?.split(/; */).filter((one) => /^(__Host-)?entry=/.test(one)).join("; ");
  if (!cookie) return null;
  const response = await fetch(address, { headers: { cookie }, signal: (AbortSignal as any).timeout(TIMEOUT_MS) });
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`the bridge answers with status ${response.status}`);
  return response.json();
}

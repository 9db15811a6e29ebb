// Sessions over any connection that carries the protocol's messages. The connection hands lines over as parsed JSON.

import { LoginSession, type Outgoing } from "./session.js";
import type { Error as WireError, Json, Methods, SessionOpenParams } from "./wire.js";

/** A request that the engine refused. `code` is stable (protocol/errors.md), and `data` says more. */
export class EngineError extends Error {
  readonly code: string;
  readonly data: Partial<WireError["data"]>;

  /** An error of the bridge has no `data`; then its code is the number of the error. */
  constructor({ code, message, data }: { code: number; message: string; data?: WireError["data"] }) {
    super(message);
    this.name = "EngineError";
    this.code = data?.code ?? String(code);
    this.data = data ?? {};
  }
}

/** The connection ended before the response came. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}

interface Pending {
  resolve(result: any): void;
  reject(error: Error): void;
}

type Message = { id?: string | number | null; method?: string; params?: any; result?: any; error?: WireError };

export class LoginClient {
  /** The open sessions, by name. */
  readonly sessions = new Map<string, LoginSession>();
  #send: (message: Outgoing) => void;
  #pending = new Map<string | number, Pending>();
  #requests = 0;
  #opened = 0;
  /** Why there is no connection any more. */
  #ended: string | null = null;

  /** `send` writes one message as a line. */
  constructor(send: (message: Outgoing) => void) {
    this.#send = send;
  }

  /** Sends a request; resolves to its result, or rejects with an `EngineError`. */
  request<Name extends keyof Methods>(method: Name, params: Methods[Name]["params"]): Promise<Methods[Name]["result"]>;
  request(method: string, params: object): Promise<any>;
  request(method: string, params: object): Promise<any> {
    if (this.#ended !== null) return Promise.reject(new ConnectionLost(this.#ended));
    this.#requests += 1;
    const id = this.#requests;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** Opens a session. Its first snapshot is there once this resolves. */
  async open(params: SessionOpenParams = {}): Promise<LoginSession> {
    this.#opened += 1;
    const name = params.session ?? `session${this.#opened}`;
    if (this.sessions.has(name)) throw new Error(`there already is a session ${name}`);
    const session = this.attach(name);
    try {
      await this.request("session/open", { ...params, session: name });
      return session;
    } catch (error) {
      if (this.sessions.get(name) === session) this.sessions.delete(name);
      throw error;
    }
  }

  /** Follows a session that is opened otherwise, in place of a former one of this name. */
  attach(name: string): LoginSession {
    const session = new LoginSession(name, { notify: (message) => this.#send(message), request: (method, params) => this.request(method, params) });
    this.sessions.set(name, session);
    return session;
  }

  /** Closes a session, so that the engine forgets its secrets. */
  async close(session: LoginSession): Promise<void> {
    this.sessions.delete(session.name);
    session.end("closed");
    await this.request("session/close", { session: session.name });
  }

  /** Takes a message from the engine. Returns whether it was for a session or answered a request. */
  receive(message: Message): boolean {
    const { id, method, params } = message;
    if (method === undefined) return this.#answer(message);
    const session = id === undefined ? this.sessions.get(params?.session) : undefined;
    if (method === "session/update") session?.update(params);
    else if (method === "session/granted") session?.onGranted(params.secret as Json);
    else if (method === "session/closed" && session) {
      this.sessions.delete(session.name);
      session.end(params.reason);
    }
    // The update before `session/refused` has undone the refused edit, so a view need not look at it.
    if (session?.needsSnapshot) void this.#resynchronise(session);
    return session !== undefined;
  }

  /** Ends all requests and sessions, because the connection is lost for good. */
  end(reason: string): void {
    this.#ended = reason;
    this.dropRequests(reason);
    for (const session of this.sessions.values()) session.end(reason);
    this.sessions.clear();
  }

  /** Rejects all requests with `ConnectionLost`. */
  dropRequests(reason: string): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new ConnectionLost(reason));
  }

  #answer({ id, result, error }: Message): boolean {
    const pending = this.#pending.get(id ?? 0);
    this.#pending.delete(id ?? 0);
    if (error) pending?.reject(new EngineError(error));
    else pending?.resolve(result);
    return pending !== undefined;
  }

  async #resynchronise(session: LoginSession): Promise<void> {
    const result = await this.request("session/snapshot", { session: session.name }).catch(() => null);
    // Updates that wait for the view are missing in the snapshot; the next of them requests it again.
    if (result && !result.queued && session.needsSnapshot) session.resume(result);
  }
}

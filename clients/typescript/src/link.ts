// The connection to the bridge. A lost connection is reopened, and continues the same session: the bridge identifies the tab by its secret.

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;
/** Why the tab has lost its session for good, by the close codes of the bridge (tabs.py of the bridge). */
const ENDINGS = { 4001: "elsewhere", 4002: "loggedOut", 4003: "gone", 4004: "disabled", 4005: "done" } as const;
const UNACCEPTABLE = 1008;

export type Ending = typeof ENDINGS[keyof typeof ENDINGS];

/** The bridge's answer to a new connection. `engine` differs for each engine that the bridge has started. */
export interface Begun {
  secret: string;
  resumed: boolean;
  locales: string[];
  engine: string;
}

export interface LinkHandler {
  begun(result: Begun): void;
  received(message: any): void;
  lost(reason: "connection" | "unacceptable" | Ending): void;
}

export class Link {
  #socket: WebSocket | null = null;
  #delay = FIRST_DELAY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWanted = true;

  /** `address` is that of the bridge's WebSocket. */
  constructor(readonly address: URL, readonly handler: LinkHandler) {
    addEventListener("online", () => this.#isWanted && this.connect());
    // A page restored from the back/forward cache has lost its connection.
    addEventListener("pageshow", ({ persisted }) => persisted && this.connect());
  }

  connect(): void {
    clearTimeout(this.#timer);
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    this.#isWanted = true;
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      const params = { secret: sessionStorage.getItem("secret") };
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: "begin", method: "bridge/begin", params }));
    });
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.id === "begin") this.#begin(message.result);
      else this.handler.received(message);
    });
    socket.addEventListener("close", ({ code }) => this.#close(socket, code));
  }

  #begin(result: Begun): void {
    this.#delay = FIRST_DELAY_MS;
    sessionStorage.setItem("secret", result.secret);
    this.handler.begun(result);
  }

  #close(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    const ending = ENDINGS[code as keyof typeof ENDINGS];
    if (ending) {
      this.#isWanted = false;
      return this.handler.lost(ending);
    }
    if (!this.#isWanted) return;
    this.handler.lost(code === UNACCEPTABLE ? "unacceptable" : "connection");
    // Random, so that tabs that lost the same bridge do not reconnect at the same time.
    this.#timer = setTimeout(() => this.connect(), this.#delay * (0.5 + Math.random()));
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY_MS);
  }

  /** Sends a message, which is lost without a connection. */
  send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Ends the connection for good: the tab's session has ended. */
  forget(): void {
    this.#isWanted = false;
    sessionStorage.removeItem("secret");
    this.#socket?.close();
  }

  /** Connects with a new session for this tab. */
  restart(): void {
    sessionStorage.removeItem("secret");
    this.#delay = FIRST_DELAY_MS;
    this.connect();
  }
}

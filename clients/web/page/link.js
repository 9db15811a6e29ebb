// The connection to the bridge. A lost connection is reopened, and continues the same session: the bridge identifies the tab by its secret.

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
/** A close code of the bridge (bridge/tabs.py). */
const TAKEN_OVER = 4001;
const UNACCEPTABLE = 1008;

export class Link {
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = null;
  #isWanted = true;

  /** `handler` has `begun({resumed, locales})`, `received(message)`, `lost(isOurFault)` and `takenOver()`. */
  constructor(handler) {
    this.handler = handler;
    addEventListener("online", () => this.#isWanted && this.connect());
    // A page restored from the back/forward cache has lost its connection.
    addEventListener("pageshow", (event) => event.persisted && this.connect());
    this.connect();
  }

  connect() {
    clearTimeout(this.#timer);
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    this.#isWanted = true;
    const socket = new WebSocket(new URL("/link", location.href.replace(/^http/, "ws")));
    this.#socket = socket;
    socket.addEventListener("open", () => {
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: "begin", method: "bridge/begin", params: { secret: sessionStorage.getItem("secret") } }));
    });
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.id === "begin") this.#begin(message.result);
      else this.handler.received(message);
    });
    socket.addEventListener("close", ({ code }) => this.#close(socket, code));
  }

  #begin(result) {
    this.#wait = FIRST_WAIT;
    sessionStorage.setItem("secret", result.secret);
    this.handler.begun(result);
  }

  #close(socket, code) {
    if (socket !== this.#socket) return;
    if (code === TAKEN_OVER) {
      this.#isWanted = false;
      this.handler.takenOver();
    }
    if (!this.#isWanted) return;
    this.handler.lost(code === UNACCEPTABLE);
    // Random, so that tabs that lost the same bridge do not reconnect at the same time.
    this.#timer = setTimeout(() => this.connect(), this.#wait * (0.5 + Math.random()));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  /** Sends a message, which is lost without a connection; the session sends it again after a reconnection. */
  send(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Ends the connection for good: the tab's session has ended. */
  forget() {
    this.#isWanted = false;
    sessionStorage.removeItem("secret");
    this.#socket.close();
  }

  /** Starts a separate session for this tab. */
  beginAnew() {
    sessionStorage.removeItem("secret");
    this.#isWanted = true;
    this.#wait = FIRST_WAIT;
    this.connect();
  }
}

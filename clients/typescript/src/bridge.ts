// A login in a browser, through a bridge that runs the engine (clients/web). It survives lost connections, reloads and a restarted bridge or engine.

import { ConnectionLost, LoginClient } from "./client.js";
import { externalTypes, runExternal, takeReturn } from "./external.js";
import { Link, type Begun, type Ending } from "./link.js";
import { findItem, plainValues } from "./model.js";
import type { LoginSession, Outgoing } from "./session.js";
import type { External, Json, SessionOpenParams, SnapshotResult } from "./wire.js";

/** The page's name for its session; the bridge uses another one. */
const NAME = "tab";

/**
 * `lost`: reconnects by itself. `restarted`: a new session replaced a lost one. `busy`: the bridge takes no further sessions, and is asked again.
 * `elsewhere`: another tab has taken the session over; `ended`: the engine has ended it. After these two, call `restart`.
 * On the account page, the login has ended: `loggedOut`, `gone` (the account is deleted) or `disabled`. Then show nothing of the session, and reload the
 * page, which leads to the login. `done`: the account's flow is over, and the browser leaves.
 */
export type ConnectionState = "connecting" | "connected" | "lost" | "restarted" | "busy" | "ended" | Ending;

/** A screen of the flow, and values of its items that are not secret. */
export interface Place {
  screen: string;
  values?: { [item: string]: Json };
}

export interface BridgeOptions {
  /** The address of the bridge; by default the page's base. */
  address?: string | URL;
  /** A BCP 47 tag; by default the browser's language. */
  locale?: string;
  /** The screen to begin with; by default the flow's first one. */
  screen?: string | null;
  /** Where a success leads, if the bridge allows it. By default where the bridge says. It is kept while the user is at another site. */
  next?: string | null;
  /** Whether the view reports with `presented` what it shows, once its animations have finished. */
  acknowledged?: boolean;
  /** Called after a success, with what `/enter` of the bridge exchanges for the login's cookie. By default the browser goes there. */
  onTicket?: (ticket: string) => void;
}

export class BridgeLogin {
  /** The session. A restart replaces it by a new one. */
  session: LoginSession;
  connection: ConnectionState = "connecting";
  /** The languages of the flow. */
  locales: string[] = [];
  /** Whether the snapshot has just arrived from the engine, so that its `afterMs` begins now. */
  isFresh = true;

  #client = new LoginClient((message) => this.#send(message));
  #link: Link;
  #options: BridgeOptions;
  #listeners = new Set<() => void>();
  #unsubscribe = () => {};
  #returned = takeReturn();
  /** Where the user was, and in which language, kept while no session can be opened. */
  #before: { place: Place; locale: string } | null = null;
  /** A language that the engine may not know of yet. */
  #wanted: string | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Whether a snapshot has to come before events are sent: until then it is unknown which earlier ones arrived. */
  #isResuming = false;
  /** The bridge's last engine, and whether another has replaced it since the session was shown. */
  #engine: string | null = null;
  #isReplaced = false;

  constructor(options: BridgeOptions = {}) {
    this.#options = options;
    this.session = this.#attach();
    // Comes back from another site without the query that it had.
    if (options.next) sessionStorage.setItem("next", options.next);
    const address = this.#at("link");
    address.protocol = address.protocol.replace("http", "ws");
    this.#link = new Link(address, {
      begun: (result) => this.#begun(result),
      received: (message) => this.#received(message),
      lost: (reason) => this.#lost(reason),
    });
    this.#link.connect();
  }

  /** The language that a new session asks for. */
  get locale(): string {
    return this.session.snapshot?.locale ?? this.#before?.locale ?? this.#options.locale ?? navigator.language;
  }

  /** Calls the listener after each change of the session or connection. Returns a function that ends this. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows the session in another language, which a new session asks for, too. */
  setLocale(locale: string): void {
    this.#options.locale = this.#wanted = locale;
    // Without a connection it is asked for again, by the next session or for the same.
    this.session.setLocale(locale).catch(() => {}).then(() => {
      if (!this.#isResuming) this.#wanted = null;
    });
  }

  /** Runs an external item, such as a passkey; then sets its value and presses the primary action. Rejects if the user declines. */
  async run(item: External): Promise<void> {
    // The bridge keeps the tab for longer while its user is at another site.
    if (item.type === "redirect") this.#send({ jsonrpc: "2.0", method: "bridge/away", params: {} });
    this.finish(item, await runExternal(item, this.session.snapshot?.screen ?? ""));
  }

  /** Sets the value of an external item, and presses the primary action. */
  finish(item: External, value: Json): void {
    this.session.change(item.id, value);
    this.session.press();
  }

  /** Returns the QR code of a `code` item as the path of an SVG with `size` units on each side. */
  drawCode(text: string): Promise<{ size: number; path: string }> {
    return this.#client.request("bridge/code", { text });
  }

  /** Begins again, after the session went elsewhere or ended. */
  restart(): void {
    if (this.connection === "elsewhere") this.#link.restart();
    else void this.#open();
    this.#become("connecting");
  }

  /** Shows a screen in a new session in place of this one: of several, the first that the flow has. */
  reopen(places: Place[]): Promise<void> {
    return this.#open(places, "connected");
  }

  // The connection

  /** Events are held back while a session is resumed, which sends them again. */
  #send(message: Outgoing): void {
    const isEvent = message.id === undefined && message.method.startsWith("session/");
    if (!isEvent || !this.#isResuming) this.#link.send(message);
  }

  #begun({ resumed, locales, engine }: Begun): void {
    this.locales = locales;
    this.#isReplaced ||= this.#engine !== null && this.#engine !== engine;
    this.#engine = engine;
    if (!resumed) return void this.#open();
    // The bridge sends a snapshot, also to a reloaded page, which has no state yet.
    this.#isResuming = true;
    if (this.connection === "lost") this.#become("connected");
  }

  #lost(reason: "connection" | "unacceptable" | Ending): void {
    this.#client.dropRequests("The connection is lost.");
    // The page where people log in leads on those who are.
    if (reason === "done") location.assign(this.#at(".."));
    if (reason !== "connection" && reason !== "unacceptable") return this.#become(reason);
    this.#isResuming = true;
    // The bridge would refuse the same messages again.
    if (reason === "unacceptable") this.session.dropEvents();
    this.#become("lost");
  }

  #received(message: any): void {
    if (message.method === "bridge/snapshot") this.#resume(message.params);
    else if (message.method === "bridge/restarted") void this.#open();
    else if (message.method === "bridge/ticket") this.#enter(message.params.ticket);
    else if (message.method === "session/closed") this.#become("ended");
    // An update of the session that this one replaces, on its way when this one was opened.
    else if (message.method === "session/update" && !this.session.revision && message.params.revision !== 1) return;
    else {
      this.isFresh = true;
      this.#client.receive(message);
    }
  }

  // The session

  #attach(): LoginSession {
    this.#unsubscribe();
    this.#isReplaced = false;
    const session = this.#client.attach(NAME);
    this.#unsubscribe = session.subscribe(() => this.#changed());
    return session;
  }

  /** Opens a session at the first of the places that the flow has; without one, where a lost session was. */
  async #open(places?: Place[], done: ConnectionState = "restarted"): Promise<void> {
    clearTimeout(this.#retry);
    this.#isResuming = false;
    this.#returned = null;
    const { session } = this;
    const locale = this.#wanted ?? this.locale;
    if (session.snapshot) {
      const values = plainValues(session.snapshot, (item) => session.value(item));
      this.#before = { place: { screen: session.snapshot.screen, values }, locale };
    }
    const { screen } = this.#options;
    const [place, ...rest] = places ?? (this.#before ? [this.#before.place] : screen ? [{ screen }] : []);
    this.session = this.#attach();
    const params: SessionOpenParams = {
      locale, supports: [...externalTypes, "restoreSecret"], transitions: this.#options.acknowledged ? "acknowledged" : "instant", ...place,
    };
    try {
      await this.#client.request("session/open", { session: NAME, ...params });
      this.#wanted = null;
      this.#become(this.#before ? done : "connected");
    } catch (error) {
      // The next connection opens a session.
      if (error instanceof ConnectionLost) return;
      if (place) return this.#open(rest, done);
      this.#become("busy");
      this.#retry = setTimeout(() => this.#open(), 3000 + 4000 * Math.random());
    }
  }

  #resume(result: SnapshotResult): void {
    const wasLost = this.#isResuming;
    this.#isResuming = false;
    this.isFresh = false;
    this.session.resume(result, { wasLost, isReplaced: this.#isReplaced });
    this.#isReplaced = false;
    this.#become("connected");
    if (this.#wanted) this.setLocale(this.#wanted);
    const returned = this.#returned;
    this.#returned = null;
    const item = returned && findItem(result.snapshot, returned.item);
    if (item?.kind === "external" && item.editable && result.snapshot.screen === returned?.screen) this.finish(item, returned.value);
  }

  /** Leaves for the application's own page, with a cookie that only the server reads. */
  #enter(ticket: string): void {
    this.#link.forget();
    if (this.#options.onTicket) return this.#options.onTicket(ticket);
    const form = Object.assign(document.createElement("form"), { method: "post", action: this.#at("enter").href, hidden: true });
    const fields = { ticket, next: sessionStorage.getItem("next") ?? "" };
    sessionStorage.removeItem("next");
    form.append(...Object.entries(fields).map(([name, value]) => Object.assign(document.createElement("input"), { name, value })));
    document.body.append(form);
    form.submit();
  }

  /** Returns an address of the bridge. */
  #at(path: string): URL {
    return new URL(path, new URL(this.#options.address ?? "", document.baseURI));
  }

  #become(connection: ConnectionState): void {
    this.connection = connection;
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

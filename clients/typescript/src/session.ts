// The state of one session, without its connection: the user's input and the engine's updates (protocol/updates.md, "Typing fast").

import { apply, EMPTY, enter, equal, findItem, primaryOf } from "./model.js";
import type { Item, Json, Option, SessionUpdateParams, Snapshot, SnapshotResult, SubmitResult } from "./wire.js";

/** The methods that the engine counts as events. */
const COUNTED = new Set(["session/edit", "session/press", "session/submit"]);

/** A request or notification for the engine. */
export interface Outgoing {
  jsonrpc: "2.0";
  id?: string | number | null;
  method: string;
  params?: { [name: string]: any };
}

/** How a session reaches its engine. `request` resolves to the result, or rejects with an `EngineError`. */
export interface Channel {
  notify(message: Outgoing): void;
  request(method: string, params: object): Promise<any>;
}

export class LoginSession {
  readonly name: string;
  /** The revision of the last update; 0 before the first one. */
  revision = 0;
  /** The number of updates and snapshots that the engine has sent. */
  updates = 0;
  /** The number of screens shown so far. A change of language shows the screen again, but is not counted. */
  screens = 0;
  /** Why the engine has ended the session: the reason of `session/closed`. */
  closed: string | null = null;
  /** The first update whose commands did not lead to its snapshot: a defect of the engine or of this client. Needs `detail: "full"`. */
  violation: string | null = null;
  /** Whether a command of a later version has come without a snapshot. The connection then requests a snapshot. */
  needsSnapshot = false;
  /** Increases with every change of the state, so that a view knows that it has to be drawn. */
  version = 0;
  /** Called with a secret that an authenticator gives the application. Keep it out of logs. */
  onGranted: (secret: Json) => void = () => {};

  #shown = EMPTY;
  #channel: Channel;
  #listeners = new Set<() => void>();
  #sent = 0;
  /** The number of events that the last update has counted. It can decrease after an update that reported a refusal. */
  #counted = 0;
  /** Events that the engine has not counted yet, in order. */
  #inFlight: { number: number; message: Outgoing }[] = [];
  /** The content of the fields that the user has edited, by item. */
  #drafts = new Map<string, Json>();
  /** By item: the number of its last edit. */
  #lastEdits = new Map<string, number>();
  /** The texts of secrets that the engine has accepted, in case it refuses a later one and keeps the accepted one. */
  #accepted = new Map<string, Json>();
  /** A press that waits until the engine has counted all edits. */
  #press: { action: string | null } | null = null;

  /** `name` is the name under which the session is opened. */
  constructor(name: string, channel: Channel) {
    this.name = name;
    this.#channel = channel;
  }

  /** What the engine shows, without edits that it has not counted yet (see `value`); `null` before the first update. */
  get snapshot(): Snapshot | null {
    return this.revision > 0 ? this.#shown : null;
  }

  /** Whether the engine has counted everything that was sent. */
  get isInSync(): boolean {
    return this.#counted >= this.#sent;
  }

  /** Calls the listener after each change of the state. Returns a function that ends this. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves to the first snapshot, from now on, that the function accepts. Rejects if the session ends before. */
  until(accepts: (snapshot: Snapshot) => unknown): Promise<Snapshot> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const isThere = this.snapshot !== null && accepts(this.snapshot);
        if (isThere) resolve(this.#shown);
        else if (this.closed !== null) reject(new Error(`the session has ended: ${this.closed}`));
        if (isThere || this.closed !== null) end();
      };
      const end = this.subscribe(look);
      look();
    });
  }

  // What the fields show

  /**
   * Returns the content of an item's field: a text, an option's id, a boolean, any JSON for an external item, or `null` if there is none.
   * `null` for a secret also means that the engine has a text that was not typed here.
   */
  value(item: Item): Json {
    const draft = this.#drafts.get(item.id);
    if (draft !== undefined) return draft;
    if ("filled" in item) return item.filled ? null : "";
    return "value" in item ? item.value : null;
  }

  // What the user does

  /** Sets the whole new value of an item. */
  change(id: string, value: Json): void {
    const item = findItem(this.#shown, id);
    if (!item || !("editable" in item) || !item.editable || equal(this.value(item), value)) return;
    this.#event("session/edit", { item: id, value });
  }

  /** Presses an action, by default the primary one, once the engine has counted all edits, because an edit may change what the button does. */
  press(action: string | null = null): void {
    if (this.#inFlight.some(({ message }) => message.method !== "session/edit")) return;
    this.#press = { action };
    this.#sendPress();
  }

  /** Sets several values, secret ones included, and presses an action. Resolves once the outcome is known (protocol/README.md, `session/submit`). */
  submit(values: { [item: string]: Json }, action?: string): Promise<SubmitResult> {
    const params = { session: this.name, values, ...(action !== undefined && { action }) };
    this.record({ jsonrpc: "2.0", method: "session/submit", params });
    return this.#channel.request("session/submit", params);
  }

  /** Returns all options of a selection that has more than its snapshot contains (`optionCount`). */
  async options(item: string): Promise<Option[]> {
    return (await this.#channel.request("session/options", { session: this.name, item, revision: this.revision })).options;
  }

  /** Shows the session in another language, given as a BCP 47 tag. */
  setLocale(locale: string): Promise<unknown> {
    return this.#channel.request("session/locale", { session: this.name, locale });
  }

  /** Reports that the view shows this revision. Only for sessions with acknowledged transitions (protocol/transitions.md). */
  presented(revision: number): void {
    this.#channel.notify({ jsonrpc: "2.0", method: "session/presented", params: { session: this.name, revision } });
  }

  #sendPress(): void {
    const press = this.#press;
    if (!press || !this.isInSync) return;
    this.#press = null;
    const actions: { id: string }[] = this.#shown.alert?.actions ?? this.#shown.actions;
    const primary = this.#shown.alert ? undefined : primaryOf(this.#shown);
    const action = press.action === null ? primary : actions.find(({ id }) => id === press.action);
    if (action) this.#event("session/press", { action: action.id });
  }

  #event(method: string, params: object): void {
    const message: Outgoing = { jsonrpc: "2.0", method, params: { session: this.name, revision: this.revision, ...params } };
    this.record(message);
    this.#channel.notify(message);
  }

  /** Counts a message that is sent to the engine. For messages that were not made by this object. */
  record(message: Outgoing): void {
    if (!COUNTED.has(message.method)) return;
    this.#sent += 1;
    this.#inFlight.push({ number: this.#sent, message });
    const { item, value } = message.params ?? {};
    if (message.method !== "session/edit" || item === undefined) return;
    this.#drafts.set(item, value);
    this.#lastEdits.set(item, this.#sent);
    this.#changed();
  }

  // What the engine says

  /** Applies the params of an update. */
  update({ revision, events, snapshot, commands }: Omit<SessionUpdateParams, "session">): void {
    this.updates += 1;
    // Only the update that answers a refused event repeats the last revision.
    this.#count(events, revision === this.revision);
    const [before, isFirst] = [this.#shown, this.revision === 0];
    this.revision = revision;
    let isKnown = true;
    for (const command of commands ?? []) {
      const next = apply(this.#shown, command);
      if (next) this.#shown = next;
      else isKnown = false;
    }
    if (snapshot) {
      if (commands && isKnown && !equal(this.#shown, snapshot)) {
        const texts = [this.#shown, snapshot].map((document) => JSON.stringify(document));
        this.violation ??= `revision ${revision} of ${this.name}: ${texts.join(" is shown for ")}`;
      }
      this.#shown = snapshot;
    } else if (!isKnown) this.needsSnapshot = true;
    const isShown = commands ? commands.some(({ command }) => command === "showScreen") : isFirst || before.screen !== this.#shown.screen || !!before.scene;
    const isTranslated = !isFirst && before.screen === this.#shown.screen && before.locale !== this.#shown.locale;
    if (isShown && !isTranslated) this.#newScreen();
    this.#settleDrafts();
    this.#sendPress();
    this.#changed();
  }

  /** Records that the engine has ended the session. */
  end(reason: string): void {
    this.closed = reason;
    this.#forget();
    this.#changed();
  }

  #changed(): void {
    this.version += 1;
    for (const listener of [...this.#listeners]) listener();
  }

  #newScreen(): void {
    this.screens += 1;
    this.#forget();
  }

  /** Whether the user has edited the item since the last edit that the engine has counted. */
  #isAhead(id: string): boolean {
    return (this.#lastEdits.get(id) ?? 0) > this.#counted;
  }

  /** Records how many events the engine has counted. It accepted them, or refused the last one. */
  #count(events: number, isRefusal: boolean): void {
    this.#counted = events;
    this.#sent = Math.max(this.#sent, events);
    const counted = this.#inFlight.filter(({ number }) => number <= events);
    this.#inFlight = this.#inFlight.filter(({ number }) => number > events);
    for (const { number, message } of counted) {
      const item = message.method === "session/edit" && findItem(this.#shown, message.params?.item);
      if (!item) continue;
      if (isRefusal && number === events) this.#restore(item);
      else {
        if ("filled" in item) this.#accepted.set(item.id, message.params?.value);
        this.#shown = enter(this.#shown, item.id, message.params?.value);
      }
    }
  }

  /** Replaces the text of a refused secret by the accepted one, which the engine may still have. Commands undo all other edits. */
  #restore(item: Item): void {
    if (!("filled" in item) || this.#isAhead(item.id)) return;
    const accepted = this.#accepted.get(item.id);
    if (accepted !== undefined) this.#drafts.set(item.id, accepted);
    else this.#drafts.delete(item.id);
  }

  /** Replaces drafts whose last edit the engine has counted by the engine's value, except the text of a secret, which only the draft has. */
  #settleDrafts(): void {
    if (this.#shown.scene) return this.#forget();
    for (const id of [...this.#drafts.keys()]) {
      if (this.#isAhead(id)) continue;
      const item = findItem(this.#shown, id);
      if (item && "filled" in item && item.filled) continue;
      this.#accepted.delete(id);
      if (item && "value" in item) this.#drafts.set(id, item.value);
      else this.#drafts.delete(id);
    }
  }

  #forget(): void {
    this.#drafts.clear();
    this.#lastEdits.clear();
    this.#accepted.clear();
    this.#press = null;
  }

  // A lost connection

  /** Drops the events that the engine has not counted, so that they are not sent again. */
  dropEvents(): void {
    this.#inFlight = [];
    this.#press = null;
  }

  /**
   * Shows the result of a `session/snapshot`, which says which events the engine has counted. If the connection was lost (`wasLost`), all others
   * are sent again; otherwise they are still on their way. `isReplaced` means that another engine has opened the saved session.
   */
  resume({ revision, events, snapshot }: Omit<SnapshotResult, "session">, { wasLost = false, isReplaced = false } = {}): void {
    const isSame = this.#shown.screen === snapshot.screen && events <= this.#sent;
    const later = this.#inFlight.filter(({ number }) => number > events);
    // It is unknown whether the engine accepted or refused these edits. The content of the field decides.
    const unsure = new Map(this.#inFlight
      .filter(({ number, message }) => isSame && number <= events && message.method === "session/edit" && this.#drafts.has(message.params?.item))
      .map(({ message }) => [message.params?.item as string, this.#drafts.get(message.params?.item) ?? null]));
    this.#counted = events;
    this.#inFlight = wasLost ? [] : later;
    if (wasLost) {
      this.#sent = events;
      this.#lastEdits.clear();
    }
    this.updates += 1;
    this.#shown = snapshot;
    this.revision = revision;
    this.needsSnapshot = false;
    if (!isSame) this.#newScreen();
    this.#settleDrafts();
    for (const { message } of wasLost && isSame ? later : []) {
      // The meaning of a press is unknown after a replacement; an edit keeps its meaning.
      if (isReplaced && message.method === "session/edit") message.params = { ...message.params, revision };
      this.record(message);
      this.#channel.notify(message);
    }
    for (const [id, text] of unsure) {
      const item = findItem(snapshot, id);
      if (item && "filled" in item && item.editable && !this.#isAhead(id)) this.#event("session/edit", { item: id, value: text });
    }
    this.#changed();
  }
}

// One session with the engine: what the user has typed, what was sent, and what the engine has said (protocol/updates.md, "Typing fast").

import { accept, apply, equal, isKnown, isSecret, items, itemOf, primaryOf } from "./model.js";

/** The methods whose events the engine counts. */
const COUNTED = new Set(["session/change", "session/perform", "session/submit"]);

export class Session {
  /** What the engine says is shown; `null` before the first update. */
  shown = null;
  revision = 0;
  /** Grows with each screen, but not with a screen that comes again in another language. */
  screens = 0;
  /** What the engine has said against the last event; `null` if nothing. */
  refusal = null;
  /** The first update whose commands did not lead to its snapshot, as a text. A correct engine and a correct view have none. */
  violation = null;

  #send;
  #sent = 0;
  #taken = 0;
  /** Events that the engine has not counted yet, in order: `{number, message}`. */
  #inFlight = [];
  /** What the fields hold: of items for which the user is ahead of the engine, and the texts of secrets. */
  #drafts = new Map();
  /** For each item the number of its last edit. */
  #lastEdits = new Map();
  /** The texts of secrets that the engine holds, for when the engine asks to put one back. */
  #held = new Map();
  /** A press that waits until the engine has taken all edits. */
  #press = null;

  /** `send` takes a message. The view shows the session under the name that it opens it with. */
  constructor(name, send) {
    this.name = name;
    this.#send = send;
  }

  /** Whether the engine has taken everything that was sent. */
  get isLevel() {
    return this.#taken >= this.#sent;
  }

  // What fields show

  /** What the field of an item holds: a text, an option's id, a boolean, JSON or `null`. `null` for a secret that is filled, but not known here. */
  valueOf(item) {
    if (this.#drafts.has(item.id)) return this.#drafts.get(item.id);
    if (isSecret(item)) return item.filled ? null : "";
    return item.value ?? null;
  }

  // What the user does

  /** Takes the whole new value of an item. */
  change(item, value) {
    const known = itemOf(this.shown, item);
    if (!known?.editable || equal(this.valueOf(known), value)) return;
    this.#event("session/change", { item, value });
  }

  /** Presses an action, or the primary one, as soon as the engine has taken all edits: an edit may change what the button does. */
  press(action = null) {
    if (this.#inFlight.some(({ message }) => message.method !== "session/change")) return;
    this.#press = { action, screens: this.screens };
    this.#pressHeld();
  }

  #pressHeld() {
    const press = this.#press;
    if (!press || !this.isLevel) return;
    this.#press = null;
    const actions = this.shown.alert?.actions ?? this.shown.actions;
    const named = actions.find(({ id }) => id === press.action);
    const action = press.action === null ? primaryOf({ actions }) : named;
    if (action && press.screens === this.screens) this.#event("session/perform", { action: action.id });
  }

  #event(method, params) {
    this.refusal = null;
    const message = { jsonrpc: "2.0", method, params: { session: this.name, revision: this.revision, ...params } };
    this.record(message);
    this.#send(message);
  }

  /** Counts a message that is on its way to the engine. */
  record(message) {
    if (!COUNTED.has(message.method)) return;
    this.#sent += 1;
    this.#inFlight.push({ number: this.#sent, message });
    const { item, value } = message.params;
    if (message.method !== "session/change" || item === undefined) return;
    this.#drafts.set(item, value);
    this.#lastEdits.set(item, this.#sent);
  }

  // What the engine says

  /** Takes a message of the engine's. Gives whether there is something new to draw. */
  receive(message) {
    if (message.method === "session/update") this.#update(message.params);
    else if (!this.shown) return false;
    else if (message.method === "session/refused") this.#refuse(message.params.events, message.params.error, message.params.commands);
    else if (typeof message.error?.data?.events === "number") this.#refuse(message.error.data.events, message.error, message.error.data.commands);
    else return false;
    this.#pressHeld();
    return true;
  }

  #update({ revision, events, snapshot, commands }) {
    this.#take(events);
    this.revision = revision;
    const before = this.shown;
    for (const command of commands) this.shown = apply(this.shown, command);
    // Where the user is ahead, the commands begin from edits that the engine may have taken without counting them here yet.
    for (const item of items(snapshot).filter(({ id }) => this.#isAhead(id))) {
      const held = isSecret(item) ? { filled: item.filled } : { value: item.value };
      this.shown = apply(this.shown, { command: "setItem", item: item.id, ...held });
    }
    if (snapshot && !equal(this.shown, snapshot)) {
      // A command of a later version says what this page cannot follow. The snapshot is complete.
      const texts = [this.shown, snapshot].map((document) => JSON.stringify(document));
      if (commands.every(isKnown)) this.violation ??= `revision ${revision} of ${this.name}: ${texts.join(" is shown for ")}`;
      this.shown = snapshot;
    }
    if (commands.some(({ command }) => command === "showScreen")) this.#newScreen(before);
    this.#settle();
  }

  #newScreen(before) {
    if (before && before.screen === this.shown.screen && before.locale !== this.shown.locale) return;
    this.screens += 1;
    this.#forget();
  }

  /** The commands of a refusal undo the edit. */
  #refuse(events, error, commands = []) {
    this.refusal = error;
    if (events < this.#taken) return;
    const { message } = this.#inFlight.find(({ number }) => number === events) ?? {};
    this.#inFlight = this.#inFlight.filter(({ number }) => number !== events);
    this.#take(events);
    const item = message?.params?.item;
    if (item !== undefined && this.#lastEdits.get(item) === events) this.#drafts.delete(item);
    for (const command of commands) {
      this.shown = apply(this.shown, command);
      if (!command.filled || this.#isAhead(command.item) || !this.#held.has(command.item)) continue;
      this.#drafts.set(command.item, this.#held.get(command.item));
    }
    this.#settle();
  }

  #isAhead(item) {
    return (this.#lastEdits.get(item) ?? 0) > this.#taken;
  }

  /** The engine has taken so many events, and those that are not refused it has accepted. */
  #take(events) {
    this.#taken = Math.max(this.#taken, events);
    this.#sent = Math.max(this.#sent, this.#taken);
    while (this.#inFlight[0]?.number <= this.#taken) {
      const { message } = this.#inFlight.shift();
      const known = message.method === "session/change" && itemOf(this.shown, message.params.item);
      if (!known) continue;
      if (isSecret(known)) this.#held.set(known.id, message.params.value);
      this.shown = accept(this.shown, message.params);
    }
  }

  /** Once the engine has taken the last edit of an item, the engine says what the item's field holds; but only the view knows the text of a secret. */
  #settle() {
    if (this.shown.scene) return this.#forget();
    const filled = new Set(items(this.shown).filter((item) => item.filled).map(({ id }) => id));
    for (const id of this.#held.keys()) if (!filled.has(id)) this.#held.delete(id);
    for (const id of this.#drafts.keys()) if (!filled.has(id) && !this.#isAhead(id)) this.#drafts.delete(id);
  }

  #forget() {
    this.#drafts.clear();
    this.#lastEdits.clear();
    this.#held.clear();
    this.#press = null;
  }

  /** Forgets what is on its way, so that it is not sent again. */
  giveUp() {
    this.#inFlight = [];
    this.#press = null;
  }

  /**
   * Goes on after updates were left out. `events` says exactly which events the engine has taken. The others are sent again where the connection was
   * lost with them (`wasLost`), and are on their way otherwise. An engine that has taken the place of another (`isReplaced`) takes all that it shows for new.
   */
  resume({ revision, events, snapshot }, wasLost, isReplaced) {
    const isSame = this.shown?.screen === snapshot.screen && events <= this.#sent;
    const later = this.#inFlight.filter(({ number }) => number > events);
    const lost = wasLost && isSame ? later : [];
    // Whether the engine took or refused these is not known. What the field holds decides.
    const unsure = isSame ? this.#inFlight.filter(({ number, message }) => number <= events && message.method === "session/change") : [];
    this.#taken = events;
    this.#inFlight = wasLost ? [] : later;
    if (wasLost) {
      this.#sent = events;
      this.#lastEdits.clear();
    }
    const texts = new Map(unsure.filter(({ message }) => this.#drafts.has(message.params.item))
      .map(({ message }) => [message.params.item, this.#drafts.get(message.params.item)]));
    this.shown = snapshot;
    this.revision = revision;
    if (!isSame) {
      this.screens += 1;
      this.#forget();
    }
    this.#settle();
    for (const { message } of lost) {
      // What a press meant is not known any more; what was typed is.
      if (isReplaced && message.method === "session/change") message.params.revision = revision;
      this.record(message);
      this.#send(message);
    }
    for (const [id, text] of texts) {
      const item = itemOf(snapshot, id);
      if (item && isSecret(item) && item.editable && !this.#isAhead(id)) this.#event("session/change", { item: id, value: text });
    }
  }
}

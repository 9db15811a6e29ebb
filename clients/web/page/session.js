// One session with the engine: what the user has typed, what was sent, and what the engine has said (protocol/updates.md, "Typing fast").

import { accept, apply, equal, isKnown, isSecret, itemOf, primaryOf } from "./model.js";

/** The methods whose events the engine counts. */
const COUNTED = new Set(["session/edit", "session/press", "session/submit"]);

export class Session {
  /** What the engine says is shown; `null` before the first update. */
  shown = null;
  revision = 0;
  /** Grows with each screen, but not with a screen that comes again in another language. */
  screens = 0;
  /** The first update whose commands did not lead to its snapshot, as a text. A correct engine and a correct view have none. */
  violation = null;

  #send;
  #sent = 0;
  /** How many events the last update has counted: fewer than an update before, where that one told of a refusal. */
  #taken = 0;
  /** Events that the engine has not counted yet, in order: `{number, message}`. */
  #inFlight = [];
  /** What the fields of items hold that the user has edited. */
  #drafts = new Map();
  /** For each item the number of its last edit. */
  #lastEdits = new Map();
  /** The texts of secrets that the engine has taken, for when it refuses a later one and keeps what it has. */
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
  edit(item, value) {
    const known = itemOf(this.shown, item);
    if (!known?.editable || equal(this.valueOf(known), value)) return;
    this.#event("session/edit", { item, value });
  }

  /** Presses an action, or the primary one, as soon as the engine has taken all edits: an edit may change what the button does. */
  press(action = null) {
    if (this.#inFlight.some(({ message }) => message.method !== "session/edit")) return;
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
    if (action && press.screens === this.screens) this.#event("session/press", { action: action.id });
  }

  #event(method, params) {
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
    if (message.method !== "session/edit" || item === undefined) return;
    this.#drafts.set(item, value);
    this.#lastEdits.set(item, this.#sent);
  }

  // What the engine says

  /** Takes the params of an update. */
  update({ revision, events, snapshot, commands }) {
    // Only the update that answers a refused event has the revision of the update before.
    this.#take(events, revision === this.revision);
    this.revision = revision;
    const before = this.shown;
    for (const command of commands) this.shown = apply(this.shown, command);
    if (snapshot && !equal(this.shown, snapshot)) {
      // A command of a later version says what this page cannot follow. The snapshot is complete.
      const texts = [this.shown, snapshot].map((document) => JSON.stringify(document));
      if (commands.every(isKnown)) this.violation ??= `revision ${revision} of ${this.name}: ${texts.join(" is shown for ")}`;
      this.shown = snapshot;
    }
    if (commands.some(({ command }) => command === "showScreen")) this.#newScreen(before);
    this.#settle();
    this.#pressHeld();
  }

  #newScreen(before) {
    if (before && before.screen === this.shown.screen && before.locale !== this.shown.locale) return;
    this.screens += 1;
    this.#forget();
  }

  #isAhead(item) {
    return (this.#lastEdits.get(item) ?? 0) > this.#taken;
  }

  /** The engine has taken so many events. It has accepted them, or refused the last of them. */
  #take(events, isRefusal) {
    this.#taken = events;
    this.#sent = Math.max(this.#sent, events);
    while (this.#inFlight[0]?.number <= events) {
      const { number, message } = this.#inFlight.shift();
      const known = message.method === "session/edit" && itemOf(this.shown, message.params.item);
      if (!known) continue;
      if (isRefusal && number === events) this.#putBack(known);
      else {
        if (isSecret(known)) this.#held.set(known.id, message.params.value);
        this.shown = accept(this.shown, message.params);
      }
    }
  }

  /** The text of a secret that is refused gives way to the one before, which the engine may hold still. The commands undo all other edits. */
  #putBack(item) {
    if (!isSecret(item) || this.#isAhead(item.id)) return;
    if (this.#held.has(item.id)) this.#drafts.set(item.id, this.#held.get(item.id));
    else this.#drafts.delete(item.id);
  }

  /** Once the engine has taken the last edit of an item, the engine says what the item's field holds; but only the view knows the text of a secret. */
  #settle() {
    if (this.shown.scene) return this.#forget();
    for (const id of this.#drafts.keys()) {
      if (this.#isAhead(id)) continue;
      const item = itemOf(this.shown, id);
      if (item?.filled) continue;
      this.#held.delete(id);
      if (!item || isSecret(item)) this.#drafts.delete(id);
      else this.#drafts.set(id, item.value);
    }
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
    const unsure = isSame ? this.#inFlight.filter(({ number, message }) => number <= events && message.method === "session/edit") : [];
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
      if (isReplaced && message.method === "session/edit") message.params.revision = revision;
      this.record(message);
      this.#send(message);
    }
    for (const [id, text] of texts) {
      const item = itemOf(snapshot, id);
      if (item && isSecret(item) && item.editable && !this.#isAhead(id)) this.#event("session/edit", { item: id, value: text });
    }
  }
}

// A session with the engine: the user's input, the messages sent, and the engine's state (protocol/updates.md, "Typing fast").

import { accept, apply, equal, isKnown, isSecret, itemOf, primaryOf } from "./model.js";

/** The methods that the engine counts as events. */
const COUNTED = new Set(["session/edit", "session/press", "session/submit"]);

export class Session {
  /** The engine's state; `null` before the first update. */
  shown = null;
  revision = 0;
  /** Increases with each screen, but not when a screen changes its language. */
  screens = 0;
  /** The first update whose commands did not lead to its snapshot, as a text. None with a correct engine and a correct view. */
  violation = null;

  #send;
  #sent = 0;
  /** The number of events that the last update has counted. It can decrease after an update that reported a refusal. */
  #taken = 0;
  /** Events that the engine has not counted yet, in order: `{number, message}`. */
  #inFlight = [];
  /** The field values of the items that the user has edited. */
  #drafts = new Map();
  /** By item: the number of its last edit. */
  #lastEdits = new Map();
  /** The texts of secrets that the engine has accepted, in case it refuses a later one and keeps the accepted one. */
  #held = new Map();
  /** A press that waits until the engine has counted all edits. */
  #press = null;

  /** `send` sends a message. `name` is the name under which the session is opened. */
  constructor(name, send) {
    this.name = name;
    this.#send = send;
  }

  /** Whether the engine has counted everything that was sent. */
  get isLevel() {
    return this.#taken >= this.#sent;
  }

  // Field values

  /** Returns the value of an item's field: a text, an option's id, a boolean, JSON or `null`. `null` for a filled secret whose text is unknown. */
  valueOf(item) {
    if (this.#drafts.has(item.id)) return this.#drafts.get(item.id);
    if (isSecret(item)) return item.filled ? null : "";
    return item.value ?? null;
  }

  // User input

  /** Sets the whole new value of an item. */
  edit(item, value) {
    const known = itemOf(this.shown, item);
    if (!known?.editable || equal(this.valueOf(known), value)) return;
    this.#event("session/edit", { item, value });
  }

  /** Presses an action, by default the primary one, once the engine has counted all edits: an edit may change what the button does. */
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

  /** Counts a message that is sent to the engine. */
  record(message) {
    if (!COUNTED.has(message.method)) return;
    this.#sent += 1;
    this.#inFlight.push({ number: this.#sent, message });
    const { item, value } = message.params;
    if (message.method !== "session/edit" || item === undefined) return;
    this.#drafts.set(item, value);
    this.#lastEdits.set(item, this.#sent);
  }

  // Engine updates

  /** Applies the params of an update. */
  update({ revision, events, snapshot, commands }) {
    // Only the update that answers a refused event repeats the last revision.
    this.#take(events, revision === this.revision);
    this.revision = revision;
    const before = this.shown;
    for (const command of commands) this.shown = apply(this.shown, command);
    if (snapshot && !equal(this.shown, snapshot)) {
      // This page cannot apply a command of a later version. The snapshot is complete.
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

  /** Records how many events the engine has counted. It accepted them, or refused the last one. */
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

  /** Replaces the text of a refused secret by the accepted one, which the engine may still have. Commands undo all other edits. */
  #putBack(item) {
    if (!isSecret(item) || this.#isAhead(item.id)) return;
    if (this.#held.has(item.id)) this.#drafts.set(item.id, this.#held.get(item.id));
    else this.#drafts.delete(item.id);
  }

  /** Drops drafts whose last edit the engine has counted: then the engine determines the field's value, except for the text of a secret. */
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

  /** Discards the pending events, so that they are not sent again. */
  giveUp() {
    this.#inFlight = [];
    this.#press = null;
  }

  /**
   * Resumes after dropped updates. `events` says exactly which events the engine has counted. The others are sent again if the connection was
   * lost with them (`wasLost`), and are still on their way otherwise. To an engine that replaced another (`isReplaced`) its whole state is new.
   */
  resume({ revision, events, snapshot }, wasLost, isReplaced) {
    const isSame = this.shown?.screen === snapshot.screen && events <= this.#sent;
    const later = this.#inFlight.filter(({ number }) => number > events);
    const lost = wasLost && isSame ? later : [];
    // It is unknown whether the engine accepted or refused these. The field's value decides.
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
      // The meaning of a press is unknown after a replacement; an edit keeps its meaning.
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

// Draws the session's state into the page, and passes the user's input to the session.

import { Countdown } from "./countdown.js";
import { element, setAttribute, setChildren, setText } from "./dom.js";
import * as external from "./external.js";
import { drawMessages, makeField, shape } from "./fields.js";
import { isSecret, items, primaryOf } from "./model.js";

const USER_NAME = /\busername\b/;

export class View {
  #fields = new Map();
  #sections = new Map();
  #links = new Map();
  #screens = 0;
  /** The revision up to which the focus has followed the engine. */
  #followed = 0;
  /** The options of long lists, by the item's id. */
  #lists = new Map();
  #pressed = null;
  #offered = null;

  /**
   * `root` is the page's `main`. `ask(method, params)` returns the result of a request to the engine or the bridge, and `leave()` reports that the user
   * goes to another site and comes back.
   */
  constructor(root, { session, words, ask, leave }) {
    Object.assign(this, { root, session, words, ask, leave });
    const find = (id) => root.querySelector(`#${id}`);
    this.parts = Object.fromEntries(
      ["card", "title", "error", "notice", "form", "user", "sections", "primary", "label", "left", "links", "activity", "waiting", "dialog",
        "dialog-title", "dialog-text", "dialog-actions"].map((id) => [id, find(id)]));
    const { form, primary, dialog } = this.parts;
    this.countdown = new Countdown(this.parts.left);
    // The page may have shown another session before.
    this.listeners = new AbortController();
    const listen = (target, name, listener) => target.addEventListener(name, listener, { signal: this.listeners.signal });
    listen(form, "submit", (event) => this.#submit(event));
    listen(primary, "pointerdown", () => (this.#pressed = primary.dataset.action));
    listen(dialog, "cancel", (event) => this.#cancelDialog(event));
    this.parts.sections.replaceChildren();
    this.parts.links.replaceChildren();
  }

  /** Releases the page for another view. */
  end() {
    this.listeners.abort();
    external.stop();
  }

  // User input

  #submit(event) {
    event.preventDefault();
    // The button had another action when the pointer went down on it.
    const isOther = this.#pressed !== null && this.#pressed !== this.parts.primary.dataset.action;
    this.#pressed = null;
    // Enter in a field submits. While a request is pending the button cancels it, which a second Enter does not intend.
    const isInField = document.activeElement !== this.parts.primary && this.session.shown.activity;
    if (!isOther && !isInField) this.session.press();
  }

  #cancelDialog(event) {
    event.preventDefault();
    const actions = this.session.shown.alert?.actions ?? [];
    if (actions.length === 1) this.session.press(actions[0].id);
  }

  #finish(item, value) {
    this.session.edit(item.id, value);
    this.session.press();
  }

  // Drawing

  /** `isNow` means that the state has just arrived from the engine. */
  draw({ isNow = true } = {}) {
    const { shown, screens } = this.session;
    const isNew = screens !== this.#screens;
    this.#screens = screens;
    if (isNew) this.#beginScreen();
    document.title = shown.title;
    setAttribute(document.documentElement, "lang", shown.locale);
    setAttribute(document.documentElement, "dir", shown.direction);
    setText(this.parts.title, shown.title);
    this.#drawMessage(this.parts.error, shown.error);
    this.#drawMessage(this.parts.notice, shown.notice);
    this.#drawSections(shown);
    this.#drawActions(shown, isNow);
    this.parts.activity.hidden = !shown.activity;
    setText(this.parts.waiting, shown.activity ? this.words.wait : "");
    setAttribute(this.parts.card, "aria-busy", shown.activity ? "true" : null);
    setAttribute(this.parts.card, "data-scene", Boolean(shown.scene));
    this.#drawAlert(shown.alert);
    this.#drawUser(shown);
    this.#follow(shown);
    this.#offer(shown);
  }

  #beginScreen() {
    this.#fields.clear();
    this.#sections.clear();
    this.#lists.clear();
    this.#offered = null;
    external.stop();
    const { card } = this.parts;
    // Restarts the animation.
    card.classList.remove("enter");
    void card.offsetWidth;
    card.classList.add("enter");
  }

  #drawMessage(target, message) {
    if (message) setAttribute(target, "data-severity", message.severity);
    target.hidden = !message;
    setText(target, message?.text ?? "");
  }

  #drawSections(shown) {
    const used = new Set();
    const sections = shown.sections.map((section) => {
      const made = this.#sections.get(section.id) ?? this.#makeSection(section.id);
      setText(made.legend, section.title ?? "");
      made.legend.hidden = !section.title;
      made.element.hidden = section.items.length === 0;
      setChildren(made.list, section.items.map((item) => {
        const named = { ...item, name: item.title ?? item.placeholder ?? section.title ?? item.kind, screen: shown.screen };
        used.add(item.id);
        return this.#drawItem(named).element;
      }));
      return made.element;
    });
    for (const id of this.#fields.keys()) if (!used.has(id)) this.#fields.delete(id);
    setChildren(this.parts.sections, sections);
  }

  #makeSection(id) {
    const legend = element("legend");
    const list = element("div", { class: "items" });
    const made = { legend, list, element: element("fieldset", {}, legend, list) };
    this.#sections.set(id, made);
    return made;
  }

  #drawItem(item) {
    let field = this.#fields.get(item.id);
    if (field?.shape !== shape(item)) {
      field = makeField(item, {
        words: this.words,
        change: (id, value) => this.session.edit(id, value),
        finish: (changed, value) => this.#finish(changed, value),
        canBegin: () => !this.session.shown.activity && !this.session.shown.alert,
        leave: () => this.leave(),
        drawCode: (text) => this.ask("bridge/code", { text }),
      });
      field.shape = shape(item);
      this.#fields.set(item.id, field);
    }
    if (item.optionCount) this.#askOptions(item, field);
    field.draw(item, this.session.valueOf(item), item.optionCount ? this.#lists.get(item.id) : undefined);
    return field;
  }

  /** Requests a long list once per screen and language. */
  async #askOptions(item, field) {
    const key = `${this.#screens} ${this.session.shown.locale}`;
    if (field.asked === key) return;
    field.asked = key;
    const result = await this.ask("session/options", { item: item.id, revision: this.session.revision }).catch(() => null);
    if (!result || this.#fields.get(item.id) !== field || field.asked !== key) return;
    this.#lists.set(item.id, result.options);
    this.draw({ isNow: false });
  }

  #drawActions(shown, isNow) {
    const { primary, label, links } = this.parts;
    const action = primaryOf(shown);
    primary.hidden = !action;
    if (action) {
      primary.dataset.action = action.id;
      setText(label, action.title);
      // Not `disabled`: then a press shows what is missing, and the focus stays.
      setAttribute(primary, "aria-disabled", action.enabled ? null : "true");
    }
    this.countdown.draw(shown.retryAt, isNow, shown.locale);
    const others = shown.actions.filter(({ role }) => role !== "primary");
    const wanted = new Set(others.map(({ id }) => id));
    for (const id of this.#links.keys()) if (!wanted.has(id)) this.#links.delete(id);
    setChildren(links, others.map((link) => this.#drawLink(link, isNow, shown.locale)));
    links.hidden = others.length === 0;
  }

  #drawLink(action, isNow, locale) {
    if (!this.#links.has(action.id)) {
      const [text, left] = [element("span"), element("span", { class: "left", "aria-hidden": "true" })];
      const button = element("button", { type: "button", class: "link", click: () => this.#pressLink(action.id) }, text, left);
      this.#links.set(action.id, { button, text, countdown: new Countdown(left) });
    }
    const { button, text, countdown } = this.#links.get(action.id);
    setText(text, action.title);
    setAttribute(button, "aria-disabled", action.enabled ? null : "true");
    countdown.draw(action.retryAt ?? null, isNow, locale);
    return button;
  }

  #pressLink(id) {
    if (this.session.shown.actions.find((action) => action.id === id)?.enabled) this.session.press(id);
  }

  #drawAlert(alert) {
    const { dialog } = this.parts;
    if (!alert) {
      if (dialog.open) dialog.close();
      return;
    }
    setText(this.parts["dialog-title"], alert.title ?? "");
    this.parts["dialog-title"].hidden = !alert.title;
    setAttribute(dialog, "aria-label", alert.title ? null : this.session.shown.title);
    setAttribute(dialog, "aria-labelledby", alert.title ? "dialog-title" : null);
    setText(this.parts["dialog-text"], alert.text);
    if (dialog.dataset.alert !== String(alert.id) || !this.parts["dialog-actions"].children.length) {
      dialog.dataset.alert = alert.id;
      this.parts["dialog-actions"].replaceChildren(...alert.actions.map(({ id, title, role }) =>
        element("button", { type: "button", class: role, "data-action": id, click: () => this.session.press(id) }, title)));
    } else {
      alert.actions.forEach(({ title }, index) => setText(this.parts["dialog-actions"].children[index], title));
    }
    if (!dialog.open) dialog.showModal();
  }

  /** Keeps the user's name in the form for password managers, even if an earlier screen asked for it. */
  #drawUser(shown) {
    const inputs = items(shown).filter(({ kind }) => kind === "input");
    const name = inputs.find((item) => USER_NAME.test(item.autofill ?? "")) ?? inputs.find(({ inputType }) => inputType === "email");
    if (name && !isSecret(name) && name.value) sessionStorage.setItem("user", name.value);
    const isWanted = (!name || name.readOnly) && inputs.some(({ inputType }) => ["password", "newPassword"].includes(inputType));
    const value = isWanted ? sessionStorage.getItem("user") : null;
    this.parts.user.disabled = !value;
    this.parts.user.value = value ?? "";
  }

  /** Moves the focus where the engine says, once per change. */
  #follow({ focus }) {
    if (!focus || focus.since <= this.#followed) return;
    this.#followed = focus.since;
    if (primaryOf(this.session.shown)?.id === focus.on) return this.parts.primary.focus();
    const answer = [...this.parts["dialog-actions"].children].find((button) => button.dataset.action === focus.on);
    if (this.session.shown.alert) return answer?.focus();
    this.#fields.get(focus.on)?.focus();
  }

  /** Offers a passkey at the field that asks for one. */
  #offer(shown) {
    const item = items(shown).find(({ type, editable }) => type === "webauthn.get" && editable);
    const field = items(shown).find(({ autofill }) => /\bwebauthn\b/.test(autofill ?? ""));
    const key = item && field && !shown.activity ? JSON.stringify(item.request) : null;
    if (!key || key === this.#offered) return;
    this.#offered = key;
    external.offer(item, field).then((value) => value && this.#finish(item, value)).catch(() => {});
  }
}

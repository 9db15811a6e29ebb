// Draws the session's state into the page, and passes the user's input to the session.

import type { BridgeLogin } from "../../typescript/src/bridge.js";
import { offerPasskey, stopExternal } from "../../typescript/src/external.js";
import { itemsOf, primaryOf } from "../../typescript/src/model.js";
import type { Action, Alert, External, Item, Message, Option, Section, Snapshot } from "../../typescript/src/wire.js";
import { Codes } from "./codes.js";
import { Countdown } from "./countdown.js";
import { element, setAttribute, setChildren, setText, showText } from "./dom.js";
import { makeField, shape, type Field, type Words } from "./fields.js";

/** For how long the button that has become another one ignores the second press of a double click, in milliseconds. */
const DOUBLE_CLICK_MS = 500;
const USER_NAME = /\busername\b/;
/** The name of the organisation whose page it is, if it has a brand. */
const BRAND = document.querySelector<HTMLMetaElement>("meta[name=application-name]")?.content;

/** Returns what the user has typed into the first screen of the page, by item. */
function typedIn(root: HTMLElement): Map<string, string | boolean> {
  const fields = [...root.querySelectorAll<HTMLInputElement>("[name^='value.']")];
  const changed = fields.filter(({ type, value, checked, defaultChecked, defaultValue }) =>
    type === "checkbox" ? checked !== defaultChecked : value !== (defaultValue ?? ""));
  return new Map(changed.map(({ name, type, value, checked }) => [name.slice("value.".length), type === "checkbox" ? checked : value]));
}

/** What the view uses of a login. */
export type Shown = Pick<BridgeLogin, "session" | "isFresh" | "run" | "finish" | "drawCode">;

interface Drawn {
  field: Field;
  shape: string;
  /** The options of a long list, and for which screen and language they were requested. */
  options?: Option[];
  asked?: string;
}

export class View {
  words: Words;
  #login: Shown;
  #find: (id: string) => HTMLElement;
  #items = new Map<string, Drawn>();
  #sections = new Map<string, { legend: HTMLElement; list: HTMLElement; codes: Codes; element: HTMLElement }>();
  #links = new Map<string, { button: HTMLElement; text: HTMLElement; countdown: Countdown }>();
  #countdown: Countdown;
  #listeners = new AbortController();
  #screens = 0;
  /** The revision up to which the focus has followed the engine. */
  #followed = 0;
  /** The action that the button had when the pointer went down on it. */
  #pressed: string | null = null;
  /** How often the pointer has clicked the button; 0 if the keyboard pressed it, or if Enter in a field did. */
  #clicks = 0;
  /** Whether a request was pending at the last drawing, and when that changed. */
  #wasPending = false;
  #turned = -Infinity;
  /** What the user typed into the first screen of the page before its script was there, by item, and the field that had the focus. */
  #typed: Map<string, string | boolean> | null = null;
  #focused = document.activeElement?.id;
  /** The request of the passkey that is offered at a field. */
  #offered: string | null = null;

  /** `root` is the page's `main`, which may have shown another session before. `follow` is called with a link that is pressed. */
  constructor(root: HTMLElement, login: Shown, words: Words, readonly follow: (link: string) => void = () => {}) {
    this.#login = login;
    this.words = words;
    this.#find = (id) => root.querySelector(`#${id}`) as HTMLElement;
    this.#countdown = new Countdown(this.#find("left"));
    const listen = (id: string, name: string, listener: (event: Event) => void) =>
      this.#find(id).addEventListener(name, listener, { signal: this.#listeners.signal });
    listen("form", "submit", (event) => this.#submit(event));
    listen("primary", "pointerdown", () => (this.#pressed = this.#find("primary").dataset["action"] ?? null));
    listen("primary", "click", (event) => (this.#clicks = (event as MouseEvent).detail));
    listen("dialog", "cancel", (event) => this.#cancelDialog(event));
    if (this.#find("card").hasAttribute("data-first")) this.#typed = typedIn(root);
    this.#find("sections").replaceChildren();
    this.#find("links").replaceChildren();
    this.#find("card").removeAttribute("data-first");
  }

  /** Releases the page for another view. With `isCleared`, nothing of the session remains on it. */
  end(isCleared = false): void {
    this.#listeners.abort();
    stopExternal();
    if (!isCleared) return;
    (this.#find("dialog") as HTMLDialogElement).close();
    this.#find("card").hidden = true;
    for (const id of ["title", "error", "notice", "sections", "label", "links", "dialog-actions"]) this.#find(id).replaceChildren();
    (this.#find("user") as HTMLInputElement).value = "";
  }

  // User input

  #submit(event: Event): void {
    event.preventDefault();
    const primary = this.#find("primary");
    const isByPointer = this.#clicks > 0;
    const isOther = isByPointer && this.#pressed !== null && this.#pressed !== primary.dataset["action"];
    [this.#clicks, this.#pressed] = [0, null];
    // Enter in a field submits. While a request is pending the button cancels it, which a second Enter does not intend; nor does a double click.
    const isOnButton = isByPointer || document.activeElement === primary;
    const isMeant = isOnButton ? performance.now() - this.#turned >= DOUBLE_CLICK_MS : !this.#login.session.snapshot?.activity;
    if (!isOther && isMeant) this.#press();
  }

  #press(action: string | null = null): void {
    this.#read();
    this.#login.session.press(action);
  }

  #read(): void {
    // All are read before the first change, after which the fields are drawn again.
    const read = [...this.#items].map(([id, { field }]) => [id, field.read?.()] as const);
    for (const [id, value] of read) if (value !== undefined) this.#login.session.change(id, value);
  }

  #cancelDialog(event: Event): void {
    event.preventDefault();
    const actions = this.#login.session.snapshot?.alert?.actions ?? [];
    if (actions.length === 1) this.#login.session.press(actions[0]?.id);
  }

  // Drawing

  draw(): void {
    const { session, isFresh } = this.#login;
    const shown = session.snapshot;
    if (!shown) return;
    if (session.screens !== this.#screens) this.#beginScreen();
    this.#screens = session.screens;
    document.title = BRAND ? `${shown.title} · ${BRAND}` : shown.title;
    setAttribute(document.documentElement, "lang", shown.locale);
    setAttribute(document.documentElement, "dir", shown.direction);
    setText(this.#find("title"), shown.title);
    this.#drawMessage("error", shown.error);
    this.#drawMessage("notice", shown.notice);
    this.#drawSections(shown);
    this.#drawActions(shown, isFresh);
    this.#find("activity").hidden = !shown.activity;
    setText(this.#find("waiting"), shown.activity ? this.words.wait : "");
    setAttribute(this.#find("card"), "aria-busy", shown.activity ? "true" : null);
    setAttribute(this.#find("card"), "data-scene", Boolean(shown.scene));
    this.#drawAlert(shown.alert, shown.title);
    this.#drawUser(shown);
    this.#follow(shown);
    this.#offer(shown);
    this.#takeOver();
  }

  /** Goes on where the user was in the first screen of the page. */
  #takeOver(): void {
    const typed = this.#typed;
    if (!typed) return;
    this.#typed = null;
    for (const [id, value] of typed) this.#login.session.change(id, value);
    const field = this.#focused ? document.getElementById(this.#focused) : null;
    field?.focus();
    if (field instanceof HTMLInputElement && typed.size) field.setSelectionRange?.(field.value.length, field.value.length);
  }

  #beginScreen(): void {
    this.#items.clear();
    this.#sections.clear();
    this.#offered = null;
    stopExternal();
    // The first screen is there already, and must not fade in again.
    if (this.#typed) return;
    const card = this.#find("card");
    // Restarts the animation.
    card.classList.remove("enter");
    void card.offsetWidth;
    card.classList.add("enter");
  }

  #drawMessage(id: string, message: Message | null): void {
    if (message) setAttribute(this.#find(id), "data-severity", message.severity);
    showText(this.#find(id), message?.text);
  }

  #drawSections(shown: Snapshot): void {
    const used = new Set<string>();
    setChildren(this.#find("sections"), shown.sections.map((section) => {
      const made = this.#sections.get(section.id) ?? this.#makeSection(section.id);
      showText(made.legend, section.title);
      made.element.hidden = section.items.length === 0;
      setChildren(made.list, section.items.map((item) => {
        used.add(item.id);
        return this.#drawItem(item, section, shown).element;
      }));
      made.codes.draw(shown.title, section.items, this.words);
      return made.element;
    }));
    for (const id of this.#items.keys()) if (!used.has(id)) this.#items.delete(id);
  }

  #makeSection(id: string) {
    const legend = element("legend");
    const list = element("div", { class: "items" });
    const codes = new Codes(list);
    const made = { legend, list, codes, element: element("fieldset", {}, legend, list, codes.element) };
    this.#sections.set(id, made);
    return made;
  }

  #drawItem(item: Item, section: Section, shown: Snapshot): Field {
    const { session } = this.#login;
    let drawn = this.#items.get(item.id);
    if (drawn?.shape !== shape(item)) {
      drawn = { field: this.#makeField(item), shape: shape(item) };
      this.#items.set(item.id, drawn);
    }
    if ("optionCount" in item && item.optionCount) void this.#askOptions(item.id, drawn, `${session.screens} ${shown.locale}`);
    const placeholder = "placeholder" in item ? item.placeholder : undefined;
    drawn.field.draw(item, session.value(item), item.title ?? placeholder ?? section.title ?? item.kind, drawn.options);
    return drawn.field;
  }

  #makeField(item: Item): Field {
    const login = this.#login;
    return makeField(item, {
      words: this.words,
      change: (id, value) => login.session.change(id, value),
      run: (external) => {
        this.#read();
        return login.run(external);
      },
      canRun: () => !login.session.snapshot?.activity && !login.session.snapshot?.alert,
      drawCode: (text) => login.drawCode(text),
    });
  }

  /** Requests a long list once per screen and language. */
  async #askOptions(id: string, drawn: Drawn, key: string): Promise<void> {
    if (drawn.asked === key) return;
    drawn.asked = key;
    const options = await this.#login.session.options(id).catch(() => null);
    if (!options || drawn.asked !== key) return;
    drawn.options = options;
    this.draw();
  }

  #drawActions(shown: Snapshot, isFresh: boolean): void {
    const [primary, links] = [this.#find("primary"), this.#find("links")];
    const action = primaryOf(shown);
    primary.hidden = !action;
    if (this.#wasPending !== shown.activity) this.#turned = performance.now();
    this.#wasPending = shown.activity;
    if (action) {
      primary.dataset["action"] = action.id;
      setText(this.#find("label"), action.title);
      // Not `disabled`: then a press shows what is missing, and the focus stays.
      setAttribute(primary, "aria-disabled", action.enabled ? null : "true");
    }
    this.#countdown.draw(shown.retryAt, isFresh, shown.locale);
    const others = shown.actions.filter(({ role }) => role !== "primary");
    for (const id of this.#links.keys()) if (!others.some((link) => link.id === id)) this.#links.delete(id);
    setChildren(links, others.map((link) => this.#drawLink(link, isFresh, shown.locale)));
    links.hidden = others.length === 0;
  }

  #drawLink(action: Action, isFresh: boolean, locale: string): Element {
    const made = this.#links.get(action.id) ?? this.#makeLink(action.id);
    setText(made.text, action.title);
    setAttribute(made.button, "aria-disabled", action.enabled ? null : "true");
    made.countdown.draw("retryAt" in action ? action.retryAt ?? null : null, isFresh, locale);
    return made.button;
  }

  #makeLink(id: string) {
    const [text, left] = [element("span"), element("span", { class: "left", "aria-hidden": "true" })];
    const press = () => {
      if (!this.#login.session.snapshot?.actions.find((action) => action.id === id)?.enabled) return;
      this.follow(id);
      this.#press(id);
    };
    const made = { button: element("button", { type: "button", class: "link", click: press }, text, left), text, countdown: new Countdown(left) };
    this.#links.set(id, made);
    return made;
  }

  #drawAlert(alert: Alert | null, title: string): void {
    const [dialog, actions] = [this.#find("dialog") as HTMLDialogElement, this.#find("dialog-actions")];
    if (!alert) {
      if (dialog.open) dialog.close();
      return;
    }
    showText(this.#find("dialog-title"), alert.title);
    setAttribute(dialog, "aria-label", alert.title ? null : title);
    setAttribute(dialog, "aria-labelledby", alert.title ? "dialog-title" : null);
    setText(this.#find("dialog-text"), alert.text);
    if (dialog.dataset["alert"] !== String(alert.id) || !actions.children.length) {
      dialog.dataset["alert"] = String(alert.id);
      actions.replaceChildren(...alert.actions.map(({ id, role }) =>
        element("button", { type: "button", class: role, "data-action": id, click: () => this.#login.session.press(id) })));
    }
    alert.actions.forEach((action, index) => setText(actions.children[index] as Element, action.title));
    if (!dialog.open) dialog.showModal();
  }

  /** Keeps the user's name in the form for password managers, even if an earlier screen asked for it. */
  #drawUser(shown: Snapshot): void {
    const inputs = itemsOf(shown).flatMap((item) => (item.kind === "input" ? [item] : []));
    const name = inputs.find(({ autofill }) => USER_NAME.test(autofill ?? "")) ?? inputs.find(({ inputType }) => inputType === "email");
    if (name && "value" in name && name.value) sessionStorage.setItem("user", name.value);
    const isReadOnly = name && "readOnly" in name && name.readOnly;
    const isWanted = (!name || isReadOnly) && inputs.some(({ inputType }) => ["password", "newPassword"].includes(inputType));
    if (shown.scene) sessionStorage.removeItem("user");
    const user = this.#find("user") as HTMLInputElement;
    user.value = (isWanted && sessionStorage.getItem("user")) || "";
    user.disabled = !user.value;
  }

  /** Moves the focus where the engine says, once per change. */
  #follow(shown: Snapshot): void {
    const { focus } = shown;
    if (!focus || focus.since <= this.#followed) return;
    this.#followed = focus.since;
    if (primaryOf(shown)?.id === focus.on) return this.#find("primary").focus();
    if (!shown.alert) return this.#items.get(focus.on)?.field.focus();
    const answers = [...this.#find("dialog-actions").children] as HTMLElement[];
    answers.find(({ dataset }) => dataset["action"] === focus.on)?.focus();
  }

  /** Offers a passkey at the field that asks for one. */
  #offer(shown: Snapshot): void {
    const items = itemsOf(shown);
    const passkey = items.find((item): item is External => item.kind === "external" && item.type === "webauthn.get" && item.editable);
    const isAsked = items.some((item) => "autofill" in item && /\bwebauthn\b/.test(item.autofill ?? ""));
    const request = passkey && isAsked && !shown.activity ? JSON.stringify(passkey.request) : null;
    if (!passkey || !request || request === this.#offered) return;
    this.#offered = request;
    offerPasskey(passkey).then((value) => {
      if (!value) return;
      this.#read();
      this.#login.finish(passkey, value);
    }).catch(() => {});
  }
}

// The fields of items: each kind creates its element once, and updates the element at each drawing.

import * as external from "./external.js";
import { element, setAttribute, setChildren, setText } from "./dom.js";
import { isSecret } from "./model.js";

const INPUT_MODES = { text: "text", ascii: "text", email: "email", number: "numeric", phone: "tel", url: "url" };
const MASKED = new Set(["password", "newPassword"]);
const AUTOFILL = { email: "email", password: "current-password", newPassword: "new-password", oneTimeCode: "one-time-code" };
// A browser's date field cannot hold a date that does not exist, such as 30 February.
const isDate = (text) => text === "" || (/^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true);
const canFollow = (url) => /^(https?|mailto):/i.test(url ?? "");

/** Identifies a field's element: an item whose shape changes needs a new element. */
export function shape(item) {
  const writesDate = item.inputType === "date" && isDate(item.value ?? "");
  return [item.kind, item.inputType, item.type, item.readOnly, item.format, item.filled === undefined, writesDate].join(" ");
}

/**
 * Creates the field of an item: `element`, `focus()` and `draw(item, value, options)`. `item.name` is set even if there is no title. `context` has
 * `words`, `change(id, value)`, `finish(item, value)`, `canBegin()`, `leave()` and `drawCode(text)`.
 */
export function makeField(item, context) {
  if (item.kind === "input") return item.readOnly ? new ReadOnly(item) : new Input(item, context);
  if (item.kind === "selection") return new Selection(item, context);
  if (item.kind === "switch") return new Switch(item, context);
  if (item.kind === "link") return new PageLink(item);
  if (item.kind === "code") return new Code(item, context);
  if (item.kind === "external" && external.types.includes(item.type)) return new External(item, context);
  return new Reading(item);
}

/** The common parts of fields with a control: title, hint and messages, connected for screen readers. */
class Field {
  constructor(item, control, ...around) {
    const id = `item-${item.id}`;
    this.id = item.id;
    this.control = control;
    control.id = id;
    this.mark = element("span", { class: "mark", "aria-hidden": "true" }, "*");
    this.caption = element("span");
    this.title = element("label", { for: id, class: "caption" }, this.caption, this.mark);
    this.hint = element("p", { id: `${id}-hint`, class: "hint" });
    this.messages = element("ul", { id: `${id}-messages`, class: "messages", "aria-live": "polite" });
    this.element = element("div", { class: "field" }, ...around, this.hint, this.messages);
    setAttribute(control, "aria-describedby", `${id}-hint ${id}-messages`);
  }

  focus() {
    this.control.focus();
  }

  draw(item) {
    setAttribute(this.element, "data-emphasis", item.emphasis);
    setText(this.caption, item.title ?? "");
    this.title.hidden = !item.title;
    setAttribute(this.control, "aria-label", item.title ? null : item.name);
    this.mark.hidden = !item.required;
    setText(this.hint, item.hint ?? "");
    this.hint.hidden = !item.hint;
    setAttribute(this.control, "aria-required", item.required ? "true" : null);
    setAttribute(this.control, "aria-invalid", item.validity === "invalid" ? "true" : null);
    setAttribute(this.element, "data-validity", item.validity);
    drawMessages(this.messages, item.messages ?? []);
  }
}

/** Draws messages. Leaves existing ones alone, so that a screen reader does not repeat them. */
export function drawMessages(list, messages) {
  const same = messages.length === list.children.length && messages.every(({ text }, index) => list.children[index].textContent === text);
  if (!same) setChildren(list, messages.map(({ text }) => element("li", {}, text)));
  messages.forEach(({ severity }, index) => setAttribute(list.children[index], "data-severity", severity));
}

class Input extends Field {
  constructor(item, { change, words }) {
    const control = element("input", { name: `value.${item.id}`, input: () => this.#edit(), change: () => this.#edit() });
    const masked = MASKED.has(item.inputType) || (isSecret(item) && !["text", "email", "date", "oneTimeCode"].includes(item.inputType));
    const box = element("div", { class: "box" }, control);
    super(item, control, box);
    this.element.prepend(this.title);
    this.change = change;
    control.type = masked ? "password" : item.inputType === "date" && isDate(item.value ?? "") ? "date" : "text";
    if (masked) box.append(this.#reveal(words));
    setAttribute(control, "autocomplete", item.autofill ?? AUTOFILL[item.inputType]);
    setAttribute(control, "inputmode", INPUT_MODES[item.keyboard] ?? (item.inputType === "email" ? "email" : null));
    setAttribute(control, "enterkeyhint", item.enterKey);
    // Text that is not prose is not corrected, and runs from left to right in every language.
    const isProse = item.inputType === "text" && ["text", undefined].includes(item.keyboard);
    setAttribute(control, "spellcheck", isProse && !item.autofill ? null : "false");
    setAttribute(control, "autocapitalize", isProse && !item.autofill ? null : "off");
    setAttribute(control, "dir", isProse ? "auto" : "ltr");
    setAttribute(control, "class", isProse ? null : "ltr");
    /** The value of the control. The control itself may show less: no line feeds, and only complete dates. */
    this.current = null;
  }

  #reveal(words) {
    const button = element("button", { type: "button", class: "reveal", "aria-pressed": "false" }, words.show);
    button.addEventListener("click", () => {
      const isShown = this.control.type === "password";
      this.control.type = isShown ? "text" : "password";
      setAttribute(button, "aria-pressed", String(isShown));
    });
    this.labelReveal = ({ name }) => setAttribute(button, "aria-label", `${words.show}: ${name}`);
    return button;
  }

  #edit() {
    // Some keyboards enter a character beyond U+FFFF in two halves; the first half alone is not valid.
    const text = this.control.value.toWellFormed();
    if (text === this.current) return;
    this.current = text;
    this.change(this.id, text);
  }

  draw(item, value) {
    super.draw(item);
    this.labelReveal?.(item);
    const isUnknown = value === null && item.filled;
    // The engine has a secret whose text this page does not know, for example after a reload.
    const example = item.inputType === "date" && this.control.type === "text" ? "YYYY-MM-DD" : null;
    setAttribute(this.control, "placeholder", isUnknown ? "••••••••" : (item.placeholder ?? example));
    setAttribute(this.control, "readonly", !item.editable);
    const text = value ?? "";
    if (this.current === text) return;
    this.current = text;
    this.control.value = text;
  }
}

class ReadOnly extends Field {
  constructor(item) {
    const value = element("output", { class: "value", dir: "auto" });
    super(item, value, value);
    this.element.prepend(this.title);
  }

  draw(item) {
    super.draw(item);
    setText(this.control, item.value ?? "");
  }
}

class Selection extends Field {
  constructor(item, { change, words }) {
    const control = element("select", { name: `value.${item.id}`, change: () => change(item.id, control.value || null) });
    super(item, control, control);
    this.element.prepend(this.title);
    setAttribute(control, "autocomplete", item.autofill);
    this.none = words.none;
  }

  /** `options` are all options of a long list, once they are known. */
  draw(item, value, options) {
    super.draw(item);
    const wanted = options ?? item.options;
    const listed = [{ id: "", title: item.placeholder ?? this.none }, ...wanted];
    const key = JSON.stringify(listed);
    if (this.key !== key) {
      this.key = key;
      this.control.replaceChildren(...listed.map(({ id, title }) => element("option", { value: id }, title)));
    }
    setAttribute(this.control, "disabled", !item.editable);
    if (this.control.value !== (value ?? "")) this.control.value = value ?? "";
  }
}

class Switch extends Field {
  constructor(item, { change }) {
    const control = element("input", { type: "checkbox", role: "switch", name: `value.${item.id}`, change: () => change(item.id, control.checked) });
    super(item, control, element("div", { class: "switch" }, control));
    control.after(this.title);
  }

  draw(item, value) {
    super.draw(item);
    setAttribute(this.control, "disabled", !item.editable);
    this.control.checked = value === true;
  }
}

/** A text to read, and the fallback for unknown kinds. */
class Reading {
  constructor() {
    this.title = element("p");
    this.text = element("p");
    this.messages = element("ul", { class: "messages", "aria-live": "polite" });
    this.element = element("div", { class: "reading", tabindex: "-1" }, this.title, this.text, this.messages);
  }

  focus() {
    this.element.focus();
  }

  draw(item) {
    setAttribute(this.element, "data-emphasis", item.emphasis);
    for (const [target, text] of [[this.title, item.title], [this.text, item.text]]) {
      setText(target, text ?? "");
      target.hidden = !text;
    }
    drawMessages(this.messages, item.messages ?? []);
  }
}

class PageLink {
  constructor() {
    this.link = element("a", { target: "_blank", rel: "noopener noreferrer" });
    this.hint = element("p", { class: "hint" });
    this.element = element("div", { class: "reading" }, element("p", {}, this.link), this.hint);
  }

  focus() {
    this.link.focus();
  }

  draw(item) {
    setAttribute(this.element, "data-emphasis", item.emphasis);
    setText(this.link, item.title ?? item.url);
    setAttribute(this.link, "href", canFollow(item.url) ? item.url : null);
    setText(this.hint, item.hint ?? "");
    this.hint.hidden = !item.hint;
  }
}

class Code {
  constructor(item, { words, drawCode }) {
    this.title = element("p", { class: "caption" });
    this.picture = element("div", { class: "picture", hidden: true });
    this.text = element("code", { dir: "ltr", tabindex: "0" });
    this.copy = element("button", { type: "button", class: "copy" }, words.copy);
    this.copy.addEventListener("click", async () => {
      await navigator.clipboard?.writeText(this.text.textContent);
      setText(this.copy, words.copied);
    });
    this.element = element("div", { class: "code" }, this.title, this.picture, element("div", { class: "box" }, this.text, this.copy));
    this.words = words;
    this.drawCode = drawCode;
  }

  focus() {
    this.text.focus();
  }

  async draw(item) {
    setAttribute(this.element, "data-emphasis", item.emphasis);
    setText(this.title, item.title ?? "");
    this.title.hidden = !item.title;
    setAttribute(this.text, "aria-label", item.title);
    if (this.text.textContent === item.text) return;
    setText(this.text, item.text);
    setText(this.copy, this.words.copy);
    if (item.format !== "qr") return;
    const picture = await this.drawCode(item.text).catch(() => null);
    if (!picture || this.text.textContent !== item.text) return;
    this.picture.replaceChildren(drawing(picture, this.words.scan));
    this.picture.hidden = false;
  }
}

/** Draws a QR code as an SVG, from the path of its dark modules. */
function drawing({ size, path }, title) {
  const make = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const svg = make("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title, "shape-rendering": "crispEdges" });
  svg.append(make("path", { d: path, stroke: "currentColor" }));
  return svg;
}

class External extends Field {
  constructor(item, { words, finish, canBegin, leave }) {
    const button = element("button", { type: "button", class: "external", click: () => this.#run() });
    super(item, button, button);
    this.title.remove();
    this.failure = element("p", { class: "messages", "aria-live": "polite" });
    this.element.append(this.failure);
    Object.assign(this, { words, finish, canBegin, leave });
  }

  async #run() {
    if (!this.item.editable || !this.canBegin()) return;
    setText(this.failure, "");
    if (this.item.type === "redirect") this.leave();
    try {
      this.finish(this.item, await external.actions[this.item.type](this.item.request, this.item));
    } catch (error) {
      if (error.name !== "AbortError") setText(this.failure, this.words.failed);
    }
  }

  draw(item) {
    this.item = item;
    super.draw(item);
    setText(this.control, item.title ?? item.text ?? this.words.continue);
    setAttribute(this.control, "data-type", item.type);
    setAttribute(this.control, "aria-label", null);
    setAttribute(this.control, "aria-required", null);
    setAttribute(this.control, "aria-invalid", null);
    setAttribute(this.control, "aria-disabled", item.editable ? null : "true");
    setAttribute(this.control, "data-done", item.value !== null);
  }
}

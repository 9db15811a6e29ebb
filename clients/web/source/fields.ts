// The fields of items: each kind creates its element once, and updates the element at each drawing.

import type * as wire from "../../typescript/src/wire.js";
import type { External, Item, Json, Link, Message, Option } from "../../typescript/src/wire.js";
import type allWords from "../page/words.json";
import { externalTypes } from "../../typescript/src/external.js";
import { element, setAttribute, setChildren, setText, showText } from "./dom.js";

/** The page's own words, in one language. */
export type Words = typeof allWords["en"];

/** What fields use of the view. */
export interface Context {
  words: Words;
  change(id: string, value: Json): void;
  /** Runs an external item. Rejects if the user declines. */
  run(item: External): Promise<void>;
  /** Whether an external item may be run now. */
  canRun(): boolean;
  drawCode(text: string): Promise<{ size: number; path: string }>;
}

export interface Field {
  element: HTMLElement;
  focus(): void;
  /** Returns what the control holds, before a press, if it is not what was drawn: password managers set values without events. */
  read?(): Json | undefined;
  /** `name` is the item's title, or else what a screen reader may say in its place. `options` are all options of a long list, once they are known. */
  draw(item: Item, value: Json, name: string, options?: Option[]): void;
}

type Titled = Item & { title?: string; hint?: string; inputType?: string; minLength?: number; emphasis?: string; required?: boolean; validity?: string; messages?: Message[] };
type Input = wire.PlainInput | wire.SecretInput;

const INPUT_MODES: { [keyboard: string]: string } = { text: "text", ascii: "text", email: "email", number: "numeric", phone: "tel", url: "url" };
const AUTOFILL: { [type: string]: string } = {
  email: "email", password: "current-password", newPassword: "new-password", oneTimeCode: "one-time-code",
};
/** The number of options up to which a selection is drawn as a list. */
const LONGEST_LIST = 6;
/** Input types whose text is shown. */
const LEGIBLE = ["text", "email", "date", "oneTimeCode"];
// A browser's date field cannot hold a date that does not exist, such as 30 February.
const isDate = (text: string) => text === "" || (/^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true);
/** Digits, maybe in groups. */
const GROUPED = /^\p{Nd}(?:[\s\p{Pd}\p{Cf}]*\p{Nd})*$/u;
const SEPARATORS = /[\s\p{Pd}\p{Cf}]+/gu;
const isEmail = (item: Input) => item.inputType === "email" || /\b(email|username)\b/.test(item.autofill ?? "");
const isCode = (item: Input) => item.inputType === "oneTimeCode" || /\bone-time-code\b/.test(item.autofill ?? "");
const usesPicker = (item: Item) => item.kind === "input" && item.inputType === "date" && isDate(item.value ?? "");

/** Identifies a field's element: an item whose shape changes needs a new element. */
export function shape(item: Titled): string {
  const { kind, inputType, type, readOnly, format } = item as any;
  return [kind, inputType, type, readOnly, format, "filled" in item, usesPicker(item)].join(" ");
}

export function makeField(item: Item, context: Context): Field {
  switch (item.kind) {
    case "input": return "readOnly" in item && item.readOnly ? new ReadOnlyField(item) : new InputField(item, context);
    case "selection": return new SelectionField(item, context);
    case "switch": return new SwitchField(item, context);
    case "link": return new LinkField();
    case "code": return new CodeField(context);
    // A type that this page does not support is drawn like a kind of a later version.
    case "external": return externalTypes.includes(item.type) ? new ExternalField(item, context) : new TextField();
    default: return new TextField();
  }
}

/** Returns a text without blanks that cannot belong to it: around an address, a name or a code, and between the groups of a code's digits. */
export function tidied(item: Input, text: string): string {
  if (!isEmail(item) && !isCode(item)) return text;
  const inner = text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, "");
  if (!isCode(item) || !GROUPED.test(inner)) return inner;
  // Where the flow's rules want the signs between the groups, they stay.
  const digits = inner.replace(SEPARATORS, "");
  const isWanted = item.pattern ? new RegExp(`^(?:${item.pattern})$`, "u").test(inner) : digits.length < (item.minLength ?? 0);
  return isWanted ? inner : digits;
}

/** Draws messages. Leaves existing ones alone, so that a screen reader does not repeat them. */
function drawMessages(list: Element, messages: Message[]): void {
  const same = messages.length === list.children.length && messages.every(({ text }, index) => list.children[index]?.textContent === text);
  if (!same) setChildren(list, messages.map(({ text }) => element("li", {}, text)));
  messages.forEach(({ severity }, index) => setAttribute(list.children[index] as Element, "data-severity", severity));
}

/** The common parts of fields with a control: title, hint and messages, connected for screen readers. */
abstract class ControlField<Control extends HTMLElement> implements Field {
  readonly element: HTMLElement;
  protected readonly id: string;
  protected readonly title: HTMLElement;
  #caption = element("span");
  #mark = element("span", { class: "mark", "aria-hidden": "true" }, "*");
  #hint: HTMLElement;
  #rule: HTMLElement;
  #messages: HTMLElement;
  /** Has one line of space from the beginning, so that messages move nothing. */
  protected readonly notes: HTMLElement;

  constructor(item: Item, protected readonly control: Control, around: HTMLElement) {
    const id = `item-${item.id}`;
    this.id = item.id;
    control.id = id;
    this.title = element("label", { for: id, class: "caption" }, this.#caption, this.#mark);
    this.#hint = element("p", { id: `${id}-hint`, class: "hint" });
    this.#rule = element("p", { id: `${id}-rule`, class: "rule" });
    this.#messages = element("ul", { id: `${id}-messages`, class: "messages", "aria-live": "polite" });
    this.notes = element("div", { class: "notes" }, this.#rule, this.#messages);
    this.element = element("div", { class: "field" }, this.title, around, this.#hint, this.notes);
    setAttribute(control, "aria-describedby", `${id}-hint ${id}-rule ${id}-messages`);
  }

  focus(): void {
    this.control.focus();
  }

  /** What a new password needs, said before the first key unless the flow's hint says it. */
  protected drawRule(item: Titled, words: Words): void {
    const isSaid = item.inputType === "newPassword" && item.minLength && !item.hint;
    setText(this.#rule, isSaid ? words.least.replace("{count}", String(item.minLength)) : "");
  }

  draw(item: Titled, _value: Json, name: string, _options?: Option[]): void {
    setAttribute(this.element, "data-emphasis", item.emphasis);
    setText(this.#caption, item.title ?? "");
    this.title.hidden = !item.title;
    setAttribute(this.control, "aria-label", item.title ? null : name);
    this.#mark.hidden = !item.required;
    showText(this.#hint, item.hint);
    setAttribute(this.control, "aria-required", item.required ? "true" : null);
    setAttribute(this.control, "aria-invalid", item.validity === "invalid" ? "true" : null);
    setAttribute(this.element, "data-validity", item.validity);
    drawMessages(this.#messages, item.messages ?? []);
  }
}

class InputField extends ControlField<HTMLInputElement> {
  /** The text of the field. The control may show less: no line feeds, and only complete dates. */
  #text: string | null = null;
  /** What the control held when `#text` was set. */
  #held = "";
  #item: Input;
  #reveal: HTMLElement | null = null;

  constructor(item: Input, readonly context: Context) {
    const control = element("input", { name: `value.${item.id}`, input: () => this.#edit(), change: () => this.#edit() });
    const box = element("div", { class: "box" }, control);
    super(item, control, box);
    this.#item = item;
    const isMasked = !LEGIBLE.includes(item.inputType);
    control.type = isMasked ? "password" : usesPicker(item) ? "date" : "text";
    if (isMasked) {
      box.append((this.#reveal = this.#makeReveal()));
      this.#watchCapsLock();
    }
    setAttribute(control, "autocomplete", item.autofill ?? AUTOFILL[item.inputType]);
    setAttribute(control, "inputmode", INPUT_MODES[item.keyboard ?? ""] ?? (item.inputType === "email" ? "email" : null));
    setAttribute(control, "enterkeyhint", item.enterKey);
    // Text that is not prose is not corrected, and runs from left to right in every language.
    const isProse = item.inputType === "text" && ["text", undefined].includes(item.keyboard);
    setAttribute(control, "spellcheck", isProse && !item.autofill ? null : "false");
    setAttribute(control, "autocapitalize", isProse && !item.autofill ? null : "off");
    setAttribute(control, "dir", isProse ? "auto" : "ltr");
    setAttribute(control, "class", isProse ? null : "ltr");
  }

  #makeReveal(): HTMLElement {
    const click = () => this.#show(this.control.type === "password");
    return element("button", { type: "button", class: "reveal", "aria-pressed": "false", click }, this.context.words.show);
  }

  #show(isShown: boolean): void {
    this.control.type = isShown ? "text" : "password";
    setAttribute(this.#reveal as Element, "aria-pressed", String(isShown));
  }

  #watchCapsLock(): void {
    const hint = element("p", { class: "caps", "aria-live": "polite" });
    this.notes.prepend(hint);
    // Some password managers send events that are no events of a keyboard.
    const look = (event: Partial<KeyboardEvent>) => setText(hint, event.getModifierState?.("CapsLock") ? this.context.words.caps : "");
    for (const name of ["keydown", "keyup"] as const) this.control.addEventListener(name, look);
    this.control.addEventListener("blur", () => setText(hint, ""));
  }

  /** Also masks a text that is shown: browsers save only what a password field holds when it is submitted. */
  read(): string | undefined {
    if (this.#reveal) this.#show(false);
    const text = tidied(this.#item, this.#typed());
    return text === this.#held ? undefined : text;
  }

  #typed(): string {
    // Some keyboards enter a character beyond U+FFFF in two halves; the first half alone is not valid.
    return this.control.value.replace(/[\ud800-\udfff]/gu, "\ufffd");
  }

  #edit(): void {
    const text = this.#typed();
    if (text === this.#held) return;
    this.#text = this.#held = text;
    this.context.change(this.id, text);
  }

  override draw(item: Input, value: string | null, name: string): void {
    super.draw(item, value, name);
    this.#item = item;
    this.drawRule(item, this.context.words);
    if (this.#reveal) setAttribute(this.#reveal, "aria-label", `${this.context.words.show}: ${name}`);
    // The engine may have a secret whose text this page does not know, for example after a reload.
    const isUnknown = value === null && "filled" in item && item.filled;
    const example = item.inputType === "date" && this.control.type === "text" ? "YYYY-MM-DD" : null;
    setAttribute(this.control, "placeholder", isUnknown ? "••••••••" : (item.placeholder ?? example));
    setAttribute(this.control, "readonly", !item.editable);
    const text = value ?? "";
    if (this.#text === text) return;
    this.#text = text;
    this.control.value = text;
    this.#held = this.#typed();
  }
}

class ReadOnlyField extends ControlField<HTMLOutputElement> {
  constructor(item: Item) {
    const value = element("output", { class: "value", dir: "auto" });
    super(item, value, value);
  }

  override draw(item: wire.PlainInput, value: Json, name: string): void {
    super.draw(item, value, name);
    setText(this.control, item.value ?? "");
  }
}

class SelectionField extends ControlField<HTMLSelectElement> {
  #drawn = "";
  #none: string;
  /** What the control showed at the last drawing. */
  #held = "";

  constructor(item: Item, { change, words }: Context) {
    const control: HTMLSelectElement = element("select", { name: `value.${item.id}`, change: () => change(item.id, control.value || null) });
    super(item, control, control);
    this.#none = words.none;
  }

  read(): string | null | undefined {
    return this.control.value === this.#held ? undefined : this.control.value || null;
  }

  override draw(item: wire.Selection, value: string | null, name: string, options: Option[] = item.options): void {
    super.draw(item, value, name);
    // A short list of which one is wanted can be read at once. Without `none` no choice can be taken back.
    const isList = item.required && options.length <= LONGEST_LIST;
    const listed = isList ? options : [{ id: "", title: this.#none }, ...options];
    const drawn = JSON.stringify(listed);
    if (this.#drawn !== drawn) {
      this.#drawn = drawn;
      setAttribute(this.control, "size", isList ? Math.max(options.length, 2) : null);
      this.control.replaceChildren(...listed.map(({ id, title }) => element("option", { value: id }, title)));
    }
    setAttribute(this.control, "disabled", !item.editable);
    if (this.control.value !== (value ?? "")) this.control.value = value ?? "";
    this.#held = this.control.value;
  }
}

class SwitchField extends ControlField<HTMLInputElement> {
  /** What the control showed at the last drawing. */
  #held = false;

  constructor(item: Item, { change }: Context) {
    const control: HTMLInputElement = element("input", { type: "checkbox", role: "switch", name: `value.${item.id}`, change: () => change(item.id, control.checked) });
    super(item, control, element("div", { class: "switch" }, control));
    control.after(this.title);
  }

  read(): boolean | undefined {
    return this.control.checked === this.#held ? undefined : this.control.checked;
  }

  override draw(item: wire.Switch, value: Json, name: string): void {
    super.draw(item, value, name);
    setAttribute(this.control, "disabled", !item.editable);
    this.control.checked = this.#held = value === true;
  }
}

class ExternalField extends ControlField<HTMLButtonElement> {
  #item: External;
  #failure = element("p", { class: "messages", "aria-live": "polite" });

  constructor(item: External, readonly context: Context) {
    const button = element("button", { type: "button", class: "external", click: () => this.#run() });
    super(item, button, button);
    this.#item = item;
    this.title.remove();
    this.element.append(this.#failure);
  }

  async #run(): Promise<void> {
    if (!this.#item.editable || !this.context.canRun()) return;
    setText(this.#failure, "");
    await this.context.run(this.#item).catch(({ name }) => {
      if (name !== "AbortError") setText(this.#failure, this.context.words.failed);
    });
  }

  override draw(item: External, value: Json, name: string): void {
    this.#item = item;
    super.draw(item, value, name);
    setText(this.control, item.title ?? item.text ?? this.context.words.continue);
    for (const attribute of ["aria-label", "aria-required", "aria-invalid"]) setAttribute(this.control, attribute, null);
    setAttribute(this.control, "data-type", item.type);
    setAttribute(this.control, "aria-disabled", item.editable ? null : "true");
    setAttribute(this.control, "data-done", item.value !== null);
  }
}

/** A text to read, and the fallback for unknown kinds. */
class TextField implements Field {
  #title = element("p");
  #text = element("p");
  #messages = element("ul", { class: "messages", "aria-live": "polite" });
  readonly element = element("div", { class: "reading", tabindex: "-1" }, this.#title, this.#text, this.#messages);

  focus(): void {
    this.element.focus();
  }

  draw(item: Titled & { text?: string }): void {
    setAttribute(this.element, "data-emphasis", item.emphasis);
    showText(this.#title, item.title);
    showText(this.#text, item.text);
    drawMessages(this.#messages, item.messages ?? []);
  }
}

class LinkField implements Field {
  #link = element("a", { target: "_blank", rel: "noopener noreferrer" });
  readonly element = element("div", { class: "reading" }, element("p", {}, this.#link));

  focus(): void {
    this.#link.focus();
  }

  draw(item: Link): void {
    setAttribute(this.element, "data-emphasis", item.emphasis);
    setText(this.#link, item.title ?? item.url);
    setAttribute(this.#link, "href", /^(https?|mailto):/i.test(item.url) ? item.url : null);
  }
}

class CodeField implements Field {
  #title = element("p", { class: "caption" });
  #picture = element("div", { class: "picture", hidden: true });
  #text = element("code", { dir: "ltr", tabindex: "0" });
  #copy = element("button", { type: "button", class: "copy", click: () => this.#copyText() });
  // Without TLS there is no clipboard; then the text can be marked.
  #box = element("div", { class: "box" }, this.#text, ...("clipboard" in navigator ? [this.#copy] : []));
  #summary = element("summary");
  /** Keeps the text behind the picture, for those who cannot scan it. */
  #details = element("details", {}, this.#summary);
  readonly element = element("div", { class: "code" }, this.#title, this.#picture, this.#box);

  constructor(readonly context: Context) {}

  async #copyText(): Promise<void> {
    const isCopied = await navigator.clipboard.writeText(this.#text.textContent ?? "").then(() => true, () => false);
    if (isCopied) setText(this.#copy, this.context.words.copied);
  }

  focus(): void {
    (this.#details.isConnected ? this.#summary : this.#text).focus();
  }

  async draw(item: wire.CodeItem): Promise<void> {
    setAttribute(this.element, "data-emphasis", item.emphasis);
    showText(this.#title, item.title);
    setAttribute(this.#text, "aria-label", item.title);
    if (this.#text.textContent === item.text) return;
    setText(this.#text, item.text);
    setText(this.#copy, this.context.words.copy);
    if (item.format !== "qr") return;
    const picture = await this.context.drawCode(item.text).catch(() => null);
    if (!picture || this.#text.textContent !== item.text) return;
    this.#picture.replaceChildren(drawing(picture, this.context.words.scan));
    this.#picture.hidden = false;
    setText(this.#summary, this.context.words.asText);
    this.#details.append(this.#box);
    this.element.append(this.#details);
  }
}

/** Draws a QR code as an SVG, from the path of its dark modules. */
function drawing({ size, path }: { size: number; path: string }, title: string): Element {
  const make = (name: string, attributes: { [name: string]: string }, ...children: Element[]) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const dark = make("path", { d: path, stroke: "currentColor" });
  return make("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title, "shape-rendering": "crispEdges" }, dark);
}

// Several codes in one section, such as recovery codes, which a person keeps together: a block, with buttons to copy, save and print them.

import type { Item } from "../../typescript/src/wire.js";
import { element, setAttribute, setText } from "./dom.js";
import type { Words } from "./fields.js";

export class Codes {
  #texts: string[] = [];
  #title = "";
  #words: Words | null = null;
  // Without TLS there is no clipboard.
  #copy = element("button", { type: "button", class: "link", hidden: !("clipboard" in navigator), click: () => this.#copyAll() });
  #save = element("button", { type: "button", class: "link", click: () => this.#download() });
  #print = element("button", { type: "button", class: "link", click: () => print() });
  readonly element = element("div", { class: "tools", hidden: true }, this.#copy, this.#save, this.#print);

  /** `list` has the fields of the section. */
  constructor(readonly list: HTMLElement) {}

  /** Codes with a title are each for something else. */
  draw(title: string, items: Item[], words: Words): void {
    const texts = items.flatMap((item) => (item.kind === "code" && item.format === "plain" && !item.title ? [item.text] : []));
    const isBlock = texts.length > 1;
    setAttribute(this.list, "data-codes", isBlock);
    this.element.hidden = !isBlock;
    if (!isBlock || (texts.join() === this.#texts.join() && words === this.#words)) return;
    [this.#title, this.#texts, this.#words] = [title, texts, words];
    setText(this.#copy, words.copyAll);
    setText(this.#save, words.download);
    setText(this.#print, words.print);
  }

  async #copyAll(): Promise<void> {
    const isCopied = await navigator.clipboard.writeText(this.#texts.join("\n")).then(() => true, () => false);
    if (isCopied && this.#words) setText(this.#copy, this.#words.copied);
  }

  /** Saves a text file that says what the codes are for. */
  #download(): void {
    const text = [this.#title, location.host, "", ...this.#texts, ""].join("\n");
    const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    element("a", { href, download: `${location.hostname} ${this.#title}.txt` }).click();
    // The browser has taken the content by then.
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  }
}

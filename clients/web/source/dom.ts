// Creates and updates elements. Texts are never parsed as HTML.

type Value = string | number | boolean | null | undefined;

/** Creates an element with attributes (`false`, `null` and `undefined` omit one, functions are listeners) and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name, attributes: { [name: string]: Value | ((event: any) => void) } = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else setAttribute(made, key, value);
  }
  made.append(...children);
  return made;
}

export function setAttribute(target: Element, name: string, value: Value): void {
  if (value === false || value === null || value === undefined) target.removeAttribute(name);
  else if (target.getAttribute(name) !== String(value)) target.setAttribute(name, value === true ? "" : String(value));
}

/** Sets a text only if it differs, so that a screen reader does not repeat it. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Sets a text, and hides the element if there is none. */
export function showText(target: HTMLElement, text: string | null | undefined): void {
  setText(target, text ?? "");
  target.hidden = !text;
}

/** Sets an element's children, and does not move those already in place: an element that is moved loses the focus. */
export function setChildren(parent: Element, children: Element[]): void {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

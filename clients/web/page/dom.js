// Elements from texts. Nothing here takes HTML.

/** An element with attributes (`false`, `null` and `undefined` leave one out, functions are listeners) and children (texts or elements). */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else setAttribute(made, key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function setAttribute(target, name, value) {
  if (value === false || value === null || value === undefined) target.removeAttribute(name);
  else if (target.getAttribute(name) !== String(value)) target.setAttribute(name, value === true ? "" : value);
}

/** Sets a text only where the text differs, so that a screen reader does not say the same twice. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Gives an element these children in this order, and moves none that stands right already: an element that is moved loses the keyboard. */
export function setChildren(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

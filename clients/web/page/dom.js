// Creates and updates elements. Texts are never parsed as HTML.

/** Creates an element with attributes (`false`, `null` and `undefined` omit one, functions are listeners) and children (texts or elements). */
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

/** Sets a text only if it differs, so that a screen reader does not repeat it. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** Sets an element's children, and does not move those already in place: an element that is moved loses the focus. */
export function setChildren(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

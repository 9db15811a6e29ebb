// Compares what a page shows with its session, item by item.

const one = (root, selector) => root.querySelector(selector);
const isVisible = (element) => element !== null && element.closest("[hidden]") === null;

/** Returns the differences between the page and the session as texts; none if the page is right. */
export function differences(root, session) {
  const shown = session.snapshot;
  const found = [];
  const expect = (what, actual, wanted) => {
    if (actual !== wanted) found.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`);
  };
  const said = (id) => (isVisible(one(root, `#${id}`)) ? one(root, `#${id}`).textContent : null);
  expect("title", one(root, "#title").textContent, shown.title);
  expect("error", said("error"), shown.error?.text ?? null);
  expect("notice", said("notice"), shown.notice?.text ?? null);
  expect("activity", isVisible(one(root, "#activity")), shown.activity);
  expect("alert", one(root, "#dialog").open ? one(root, "#dialog-text").textContent : null, shown.alert?.text ?? null);
  if (shown.alert) {
    const answers = [...one(root, "#dialog-actions").children].map((button) => `${button.dataset.action} ${button.textContent}`);
    expect("alert's actions", answers.join(), shown.alert.actions.map(({ id, title }) => `${id} ${title}`).join());
  }
  const primary = shown.actions.find(({ role }) => role === "primary");
  expect("button", said("primary") === null ? null : one(root, "#label").textContent, primary?.title ?? null);
  if (primary) expect("button's state", one(root, "#primary").getAttribute("aria-disabled"), primary.enabled ? null : "true");
  const links = [...one(root, "#links").children].map((button) => `${button.firstChild.textContent} ${button.getAttribute("aria-disabled")}`);
  const others = shown.actions.filter(({ role }) => role !== "primary");
  expect("links", links.join(), others.map(({ title, enabled }) => `${title} ${enabled ? null : "true"}`).join());
  const fieldsets = [...one(root, "#sections").children];
  expect("sections", fieldsets.length, shown.sections.length);
  shown.sections.forEach((section, index) => {
    const fields = [...(fieldsets[index]?.querySelector(".items").children ?? [])];
    expect(`items of ${section.id}`, fields.length, section.items.length);
    section.items.forEach((item, place) => fields[place] && compareItem(expect, fields[place], item, session));
  });
  return found;
}

function compareItem(expect, field, item, session) {
  const control = field.querySelector("input, select, output");
  const value = session.value(item);
  if (item.title) expect(`title of ${item.id}`, field.textContent.includes(item.title) || item.kind === "code", true);
  for (const { text } of item.messages ?? []) expect(`message of ${item.id}`, field.textContent.includes(text), true);
  if (item.kind === "code") expect(`text of ${item.id}`, field.querySelector("code").textContent, item.text);
  if (item.kind === "link") expect(`address of ${item.id}`, field.querySelector("a").getAttribute("href"), item.url);
  if (item.kind === "switch") expect(item.id, control.checked, value === true);
  if (item.kind === "selection" && !item.optionCount) expect(item.id, control.value, value ?? "");
  if (item.kind === "input" && item.readOnly) expect(item.id, control.textContent, item.value ?? "");
  if (item.kind !== "input" || item.readOnly) return;
  // A field has one line.
  expect(item.id, control.value.toWellFormed(), (value ?? "").replace(/[\r\n]/g, ""));
  expect(`${item.id} locked`, control.readOnly, !item.editable);
  const isRevealed = field.querySelector('[aria-pressed="true"]') !== null;
  if (["password", "newPassword"].includes(item.inputType)) expect(`${item.id} masked`, control.type, isRevealed ? "text" : "password");
}

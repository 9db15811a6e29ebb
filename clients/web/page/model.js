// The state that the view shows: the members of a snapshot, changed by commands (protocol/commands.md).

const REPLACES = ["screen", "state", "title", "locale", "direction", "sections", "actions"];
const BLANK = { activity: false, error: null, notice: null, alert: null, scene: null, retryAt: null, focus: null };

/** Returns all items on the screen. */
export function items(shown) {
  return (shown?.sections ?? []).flatMap((section) => section.items);
}

export function itemOf(shown, id) {
  return items(shown).find((item) => item.id === id);
}

/** Whether an item is a secret. Views get no text of a secret, only whether there is one. */
export function isSecret(item) {
  return typeof item.filled === "boolean";
}

/** Returns the primary action, whose id says what the button does. */
export function primaryOf(shown) {
  return shown?.actions?.find((action) => action.role === "primary");
}

/** Returns the state after an edit that the engine has counted. An item without a value does not change. */
export function accept(shown, { item, value }) {
  return changeItem(shown, item, (old) => {
    if (isSecret(old)) return { ...old, filled: value !== "" };
    return "value" in old ? { ...old, value } : old;
  });
}

/** Returns the state after a command; unchanged for a command of a later version, which `isKnown` detects. */
export function apply(shown, command) {
  return COMMANDS.get(command.command)?.(shown, command) ?? shown;
}

export function isKnown(command) {
  return COMMANDS.has(command.command);
}

const set = (member, value) => (shown, command) => ({ ...shown, [member]: value === undefined ? (command[member] ?? null) : value });

const COMMANDS = new Map(Object.entries({
  showScreen: (_, command) => ({ ...Object.fromEntries(REPLACES.map((name) => [name, command[name]])), ...BLANK }),
  setState: set("state"),
  setItem: (shown, { command, item, ...members }) => changeItem(shown, item, (old) => ({ ...old, ...members })),
  setAction: (shown, { command, action, ...members }) => changeAction(shown, action, (old) => ({ ...old, ...members })),
  replaceAction: (shown, command) => changeAction(shown, command.action, () => command.newAction),
  insertSection: (shown, { index, newSection }) => ({ ...shown, sections: shown.sections.toSpliced(index, 0, newSection) }),
  removeSection: (shown, { section }) => ({ ...shown, sections: shown.sections.filter(({ id }) => id !== section) }),
  insertItem: (shown, { section, index, newItem }) => changeLists(shown, (list, id) => (id === section ? list.toSpliced(index, 0, newItem) : list)),
  removeItem: (shown, { item }) => changeLists(shown, (list) => list.filter(({ id }) => id !== item)),
  showActivity: set("activity", true),
  hideActivity: set("activity", false),
  showError: set("error"),
  hideError: set("error", null),
  showNotice: set("notice"),
  hideNotice: set("notice", null),
  showAlert: set("alert"),
  hideAlert: set("alert", null),
  showScene: set("scene"),
  setRetryAt: set("retryAt"),
  setFocus: set("focus"),
}));

function changeLists(shown, change) {
  return { ...shown, sections: shown.sections.map((section) => ({ ...section, items: change(section.items, section.id) })) };
}

function changeItem(shown, id, change) {
  return changeLists(shown, (list) => list.map((item) => (item.id === id ? change(item) : item)));
}

function changeAction(shown, id, change) {
  return { ...shown, actions: shown.actions.map((action) => (action.id === id ? change(action) : action)) };
}

/** Whether two JSON values are equal, regardless of the order of their members. */
export function equal(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && equal(one[name], other[name]));
}

// The snapshot that a view shows, changed by commands: protocol/commands.md. Snapshots are immutable: functions return new ones.

import type { Action, Command, Item, Json, Section, Snapshot } from "./wire.js";

const BARE = { activity: false, error: null, notice: null, alert: null, scene: null, retryAt: null, focus: null };

/** What a view shows before the first update. */
export const EMPTY: Snapshot = { screen: "", state: "initial", title: "", locale: "en", direction: "ltr", sections: [], actions: [], ...BARE };

/** Returns all items of a snapshot, in the order in which they are shown. */
export function itemsOf(snapshot: Snapshot): Item[] {
  return snapshot.sections.flatMap(({ items }) => items);
}

export function findItem(snapshot: Snapshot, id: string): Item | undefined {
  return itemsOf(snapshot).find((item) => item.id === id);
}

/** Returns the primary action, whose id says what the button does now. */
export function primaryOf(snapshot: Snapshot): Action | undefined {
  return snapshot.actions.find(({ role }) => role === "primary");
}

/** Returns the snapshot after an edit that the engine has counted. A secret shows only whether it is filled; an item without a value does not change. */
export function enter(snapshot: Snapshot, id: string, value: Json): Snapshot {
  return changeItem(snapshot, id, (item) => {
    if ("filled" in item) return { ...item, filled: value !== "" };
    return "value" in item ? { ...item, value } : item;
  });
}

/** Returns the snapshot after a command; `null` for a command of a later version of the protocol. */
export function apply(snapshot: Snapshot, given: Command): Snapshot | null {
  switch (given.command) {
    case "showScreen": return { ...without(given, "command"), ...BARE };
    case "setState": return { ...snapshot, state: given.state };
    case "setItem": return changeItem(snapshot, given.item, (item) => ({ ...item, ...without(given, "command", "item") }));
    case "setAction": return changeAction(snapshot, given.action, (action) => ({ ...action, ...without(given, "command", "action") }));
    case "replaceAction": return changeAction(snapshot, given.action, () => given.newAction);
    case "insertSection": return { ...snapshot, sections: inserted(snapshot.sections, given.index, given.newSection) };
    case "removeSection": return { ...snapshot, sections: snapshot.sections.filter(({ id }) => id !== given.section) };
    case "insertItem": return changeItems(snapshot, (items, { id }) => (id === given.section ? inserted(items, given.index, given.newItem) : items));
    case "removeItem": return changeItems(snapshot, (items) => items.filter(({ id }) => id !== given.item));
    case "showActivity": return { ...snapshot, activity: true };
    case "hideActivity": return { ...snapshot, activity: false };
    case "showError": return { ...snapshot, error: given.error };
    case "hideError": return { ...snapshot, error: null };
    case "showNotice": return { ...snapshot, notice: given.notice };
    case "hideNotice": return { ...snapshot, notice: null };
    case "showAlert": return { ...snapshot, alert: given.alert };
    case "hideAlert": return { ...snapshot, alert: null };
    case "showScene": return { ...snapshot, scene: given.scene };
    case "setRetryAt": return { ...snapshot, retryAt: given.retryAt };
    case "setFocus": return { ...snapshot, focus: given.focus };
    default: return null;
  }
}

/** Returns the values that another session may begin with: of inputs, selections and switches, no secrets, and none that only says that nothing was entered. */
export function plainValues(snapshot: Snapshot, value = (item: Item): Json => ("value" in item ? item.value : null)): { [item: string]: Json } {
  const plain = itemsOf(snapshot).filter((item) => ["input", "selection", "switch"].includes(item.kind) && "value" in item && !("readOnly" in item));
  const isEmpty = (item: Item) => value(item) === null || value(item) === "" || (value(item) === false && "required" in item);
  return Object.fromEntries(plain.filter((item) => !isEmpty(item)).map((item) => [item.id, value(item)]));
}

/** Whether two JSON values are equal, regardless of the order of their members. */
export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const members = new Map(Object.entries(other));
  const entries = Object.entries(one);
  return entries.length === members.size && entries.every(([name, value]) => members.has(name) && equal(value, members.get(name)));
}

function changeItems(snapshot: Snapshot, change: (items: Item[], section: Section) => Item[]): Snapshot {
  return { ...snapshot, sections: snapshot.sections.map((section) => ({ ...section, items: change(section.items, section) })) };
}

/** The engine sends a kind of item only the members that this kind has, which the types of `setItem` cannot say. */
function changeItem(snapshot: Snapshot, id: string, change: (item: Item) => object): Snapshot {
  return changeItems(snapshot, (items) => items.map((item) => (item.id === id ? (change(item) as Item) : item)));
}

function changeAction(snapshot: Snapshot, id: string, change: (action: Action) => object): Snapshot {
  return { ...snapshot, actions: snapshot.actions.map((action) => (action.id === id ? (change(action) as Action) : action)) };
}

function inserted<Entry>(list: Entry[], index: number, entry: Entry): Entry[] {
  return [...list.slice(0, index), entry, ...list.slice(index)];
}

function without<Given extends object, Name extends keyof Given>(given: Given, ...names: Name[]): Omit<Given, Name> {
  const rest = { ...given };
  for (const name of names) delete rest[name];
  return rest;
}

// Random edits, presses and submits with the real engine. Each update is checked: its commands lead to its snapshot. In sync, the fields hold what the
// engine shows, and a session that gets commands only shows what the engine says.
// Usage: random.mjs ENGINE FLOW EVENTS SEED [OPTION ...]    OPTION: of the engine. Prints `N passed, N failed`

import { Engine, itemsOf } from "login-engine";

const [command, flow, count, seed, ...options] = process.argv.slice(2);
const EVENTS = Number(count);
const WORDS = ["", "ada@example.com", "taken@example.com", "challenge@example.com", "wait@example.com", "notice@example.com", "error@example.com",
  "throttled@example.com", "correct horse", "123456", "x".repeat(5000), "<b>\"'&\u202e", "wrong", "ada", "x@é🙂"];
let state = Number(seed);
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const pick = (list) => list[random(list.length)];

const engine = new Engine(["--authenticator", "demo", ...options], { command });
const sessions = [];
let done = 0;

/** Changes an item to a value of its kind, sometimes of another one, which the engine refuses. */
function change(session, item) {
  if (!random(20)) return session.change(item.id, pick([true, "no such option", { a: 1 }, 1]));
  if (item.kind === "switch") return session.change(item.id, !session.value(item));
  if (item.kind === "selection") return session.change(item.id, pick([null, ...item.options.map(({ id }) => id)]));
  if (item.kind === "external") return session.change(item.id, pick([null, { url: "https://example.com" }]));
  const text = String(session.value(item) ?? "");
  if (random(2)) return session.change(item.id, pick(WORDS));
  for (let typed = 1; typed <= 3; typed += 1) session.change(item.id, text + "abc".slice(0, typed));
}

function act(session) {
  const { snapshot } = session;
  const parts = snapshot.alert?.actions ?? [...itemsOf(snapshot).filter((item) => item.editable), ...snapshot.actions];
  const part = pick(parts);
  if (!part) return;
  if ("role" in part) session.press(random(4) ? part.id : undefined);
  else change(session, part);
}

/** Returns why a session in sync is wrong, or `null`. */
async function fault(session, detail) {
  const { snapshot } = await engine.request("session/snapshot", { session: session.name });
  if (!session.isInSync) return null;
  if (JSON.stringify(sorted(snapshot)) !== JSON.stringify(sorted(session.snapshot))) return `a session with ${detail} shows something else than the engine`;
  const wrong = itemsOf(snapshot).find((item) => ("filled" in item ? item.filled === (session.value(item) === "") : "value" in item &&
    JSON.stringify(sorted(session.value(item))) !== JSON.stringify(sorted(item.value))));
  return wrong ? `the field ${wrong.id} does not hold what the engine shows` : null;
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}

async function inSync(session) {
  await session.until(() => session.isInSync);
}

const failures = [];
for (const detail of ["full", "commands", "snapshot"]) {
  while (done < EVENTS / 3 * (sessions.length + 1) && !failures.length) {
    const session = await engine.open({ flow, detail, supports: random(2) ? ["restoreSecret", "redirect"] : [], transitions: "instant" });
    for (let turns = 30; turns > 0 && !session.snapshot.scene && session.closed === null; turns -= 1) {
      // Several events at once, without waiting for the engine, as a fast typist does.
      const events = 1 + random(8);
      for (let event = 0; event < events; event += 1) act(session);
      done += events;
      if (random(3)) continue;
      await inSync(session);
      const found = session.violation ?? (await fault(session, detail));
      if (found) failures.push(found);
    }
    await engine.close(session);
  }
  sessions.push(detail);
}
await engine.stop();
for (const failure of failures) console.log(`FAILED: ${flow}, seed ${seed}: ${failure}`);
console.log(`${done} random events in ${flow}, seed ${seed}`);
console.log(`${failures.length ? 0 : sessions.length} passed, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);

// The client with a real engine: requests, errors, endings, secrets, long lists.
// Usage: client.mjs ENGINE FLOW    FLOW is a file with a selection of more options than a snapshot shows. Prints `N passed, N failed`

import assert from "node:assert/strict";
import { ConnectionLost, Engine, EngineError, LoginClient, findItem, primaryOf } from "login-engine";
import { finish, holds } from "./harness.mjs";

const [command, countries] = process.argv.slice(2);
const demo = (...more) => new Engine(["--authenticator", "demo", ...more], { command });

await holds("a refused request rejects with the code and data of the error", async () => {
  const engine = demo();
  await assert.rejects(engine.open({ flow: "nothing" }), (error) => error instanceof EngineError && error.code === "unknownFlow" && Array.isArray(error.data.flows));
  assert.equal(engine.sessions.size, 0);
  await engine.stop();
});

await holds("an engine that ends rejects requests and ends sessions", async () => {
  const engine = demo();
  const session = await engine.open();
  session.change("email", "wait@example.com");
  session.change("password", "correct horse");
  const waiting = session.until((snapshot) => snapshot.scene);
  const described = engine.stop();
  await assert.rejects(waiting, /the session has ended: the engine has ended/);
  assert.equal(await described, 0);
  assert.equal(session.closed, "the engine has ended");
});

await holds("requests after the end of the connection reject", async () => {
  const client = new LoginClient(() => {});
  const asked = client.request("engine/stats", {});
  client.end("gone");
  await assert.rejects(asked, (error) => error instanceof ConnectionLost && error.message === "gone");
});

await holds("an engine that cannot be started rejects `ended` and every request", async () => {
  const engine = new Engine([], { command: "/nowhere/login-engine" });
  await assert.rejects(engine.open(), ConnectionLost);
  await assert.rejects(engine.ended, /ENOENT/);
});

await holds("requests after `stop` reject, and an error without data has its number as code", async () => {
  const engine = demo();
  await engine.stop();
  await assert.rejects(engine.open(), ConnectionLost);
  const client = new LoginClient(() => {});
  const asked = client.request("bridge/code", {});
  client.receive({ id: 1, error: { code: 1, message: "not there" } });
  await assert.rejects(asked, (error) => error instanceof EngineError && error.code === "1");
});

await holds("a press waits until the edits before it are counted, and a second one is dropped meanwhile", async () => {
  const engine = demo();
  const session = await engine.open({ detail: "full" });
  session.change("email", "ada@example.com");
  session.change("password", "correct horse");
  session.press();
  session.press();
  const { scene } = await session.until((snapshot) => snapshot.scene);
  assert.equal(scene.principal, "ada@example.com");
  await engine.stop();
});

await holds("fields hold what is typed at once, and what the engine shows once it has counted", async () => {
  const engine = demo();
  const session = await engine.open();
  session.change("email", "ada@example.com");
  const email = () => findItem(session.snapshot, "email");
  assert.equal(email().value, "");
  assert.equal(session.value(email()), "ada@example.com");
  session.change("remember", "not a boolean");
  assert.equal(session.isInSync, false);
  await session.until(() => session.isInSync);
  assert.equal(email().value, "ada@example.com");
  assert.equal(session.value(findItem(session.snapshot, "remember")), false, "a refused edit is undone");
  session.change("password", "correct horse");
  await session.until(() => session.isInSync);
  assert.equal(session.value(findItem(session.snapshot, "password")), "correct horse");
  await engine.stop();
});

await holds("a language can be changed, and drops nothing that is typed", async () => {
  const engine = demo();
  const session = await engine.open({ detail: "full" });
  session.change("password", "correct horse");
  await session.setLocale("de");
  await session.until(() => session.isInSync);
  assert.equal(primaryOf(session.snapshot).title, "Anmelden");
  assert.equal(session.value(findItem(session.snapshot, "password")), "correct horse");
  assert.equal(session.screens, 1);
  await engine.stop();
});

await holds("all options of a long list can be requested", async () => {
  const engine = demo("--flow", countries);
  const session = await engine.open();
  const item = session.snapshot.sections.flatMap(({ items }) => items).find(({ optionCount }) => optionCount);
  assert.equal((await session.options(item.id)).length, item.optionCount);
  await engine.stop();
});

await holds("a closed session is forgotten, and ends", async () => {
  const engine = demo();
  const session = await engine.open({ session: "one" });
  await assert.rejects(engine.open({ session: "one" }), /there already is a session one/);
  await engine.close(session);
  assert.equal(session.closed, "closed");
  assert.equal((await engine.open({ session: "one" })).name, "one");
  await engine.stop();
});

await holds("a command of a later version leads to a request for the snapshot", async () => {
  const sent = [];
  const client = new LoginClient((message) => sent.push(message));
  const session = client.attach("s");
  const screen = { screen: "login", state: "initial", title: "Log in", locale: "en", direction: "ltr", sections: [], actions: [] };
  client.receive({ method: "session/update", params: { session: "s", revision: 1, events: 0, commands: [{ command: "showScreen", ...screen }] } });
  client.receive({ method: "session/update", params: { session: "s", revision: 2, events: 0, commands: [{ command: "turnAround" }] } });
  assert.deepEqual(sent.map(({ method }) => method), ["session/snapshot"]);
  const bare = { activity: false, error: null, notice: null, alert: null, scene: null, retryAt: null, focus: null };
  client.receive({ id: sent[0].id, result: { session: "s", revision: 2, events: 0, snapshot: { ...screen, ...bare, title: "Turned" } } });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([session.snapshot.title, session.needsSnapshot], ["Turned", false]);
});

await holds("commands that do not lead to the snapshot are reported", async () => {
  const client = new LoginClient(() => {});
  const session = client.attach("s");
  const snapshot = { screen: "login", state: "initial", title: "Log in", locale: "en", direction: "ltr", sections: [], actions: [], activity: false,
    error: null, notice: null, alert: null, scene: null, retryAt: null, focus: null };
  const { activity, error, notice, alert, scene, retryAt, focus, ...screen } = snapshot;
  client.receive({ method: "session/update", params: { session: "s", revision: 1, events: 0, commands: [{ command: "showScreen", ...screen }], snapshot } });
  assert.equal(session.violation, null);
  client.receive({ method: "session/update", params: { session: "s", revision: 2, events: 0, commands: [], snapshot: { ...snapshot, title: "Other" } } });
  assert.match(session.violation, /^revision 2 of s: /);
  assert.equal(session.snapshot.title, "Other");
});

finish();

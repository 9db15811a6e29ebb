// The helper for authenticators: by hand, message by message, and with a real engine.
// Usage: authenticator.mjs ENGINE    prints `N passed, N failed`

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Engine, itemsOf } from "login-engine";
import { Authenticator, Failure } from "login-engine/authenticator";
import { finish, holds } from "./harness.mjs";

const command = process.argv[2];
const screen = { id: "code", title: "One more step", sections: [{ id: "code", items: [
  { id: "code", apiKey: "code", kind: "input", inputType: "oneTimeCode", title: "Code" }] }] };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An authenticator without an engine: `ask` sends a request, and `sent` has what came back. */
function byHand(authenticator) {
  const sent = [];
  const connection = authenticator.connect((message) => sent.push(message));
  const params = { request: "login", values: {}, locale: "en", session: "s", flow: "standard", screen: "login", key: "k1" };
  return {
    sent, connection,
    ask: (method, attempt, more = {}, id = attempt) => connection.receive({ jsonrpc: "2.0", id, method: `authenticator/${method}`, params: { ...params, attempt, ...more } }),
    notify: (method, given) => connection.receive({ jsonrpc: "2.0", method: `authenticator/${method}`, params: given }),
  };
}

const result = { outcome: "accepted", principal: "ada" };

await holds("an answer has the id of its question", async () => {
  const { ask, sent } = byHand(new Authenticator().on("login", () => result));
  ask("submit", 7);
  await turn();
  assert.deepEqual(sent, [{ jsonrpc: "2.0", id: 7, result }]);
});

await holds("a handler for a request of one flow goes before the one for all flows", async () => {
  const { ask, sent } = byHand(new Authenticator().on("login", () => result).on("staff/login", () => ({ outcome: "rejected" })));
  ask("submit", 1, { flow: "staff", key: "a" });
  ask("submit", 2, { key: "b" });
  await turn();
  assert.deepEqual(sent.map((message) => message.result.outcome).sort(), ["accepted", "rejected"]);
});

await holds("the description names the requests, each once", async () => {
  const { ask, sent } = byHand(new Authenticator({ name: "staff" }).on("login", () => result).on("staff/login", () => result).on("signUp", () => result));
  ask("describe", undefined, {}, "d");
  assert.deepEqual(sent, [{ jsonrpc: "2.0", id: "d", result: { name: "staff", requests: ["login", "signUp"] } }]);
});

await holds("an unknown request, check and method are refused", async () => {
  const { ask, sent } = byHand(new Authenticator());
  ask("submit", 1);
  ask("check", 2, { item: "email" });
  ask("other", 3);
  await turn();
  assert.deepEqual(sent.map(({ id, error }) => [id, error.code]).sort(), [[1, 100], [2, 100], [3, -32601]]);
});

await holds("a challenge goes on with the next question, until the conversation is decided", async () => {
  const { ask, sent } = byHand(new Authenticator().on("login", async (question) => {
    let next = await question.ask({ outcome: "challenge", screen });
    while (next.values.code !== "2") next = await question.ask({ outcome: "challenge", error: { text: "Wrong." } });
    assert.equal(next.request, "login");
    return result;
  }));
  ask("submit", 1);
  await turn();
  ask("continue", 1, { values: { code: "1" }, key: "k2" }, 2);
  await turn();
  ask("continue", 1, { values: { code: "2" }, key: "k3" }, 3);
  await turn();
  assert.deepEqual(sent.map(({ id, result: { outcome } }) => [id, outcome]), [[1, "challenge"], [2, "challenge"], [3, "accepted"]]);
  ask("continue", 1, { values: { code: "2" }, key: "k3" }, 4);
  await turn();
  assert.deepEqual(sent.at(-1), { jsonrpc: "2.0", id: 4, result }, "a repeated last question gets the same answer");
  ask("continue", 1, { values: {}, key: "k4" }, 5);
  await turn();
  assert.equal(sent.at(-1).result.reason, "challengeExpired");
});

await holds("a failure during a conversation keeps it open, and one before it ends it", async () => {
  const { ask, sent } = byHand(new Authenticator().on("login", async (question) => {
    if (question.values.down) throw new Failure("directoryDown", "The directory does not answer.");
    await question.ask({ outcome: "challenge", screen });
    await question.ask(new Failure("directoryDown"));
    return result;
  }));
  ask("submit", 1, { values: { down: true }, key: "a" });
  ask("submit", 2, { key: "b" });
  await turn();
  ask("continue", 2, { key: "c" }, 3);
  await turn();
  ask("continue", 2, { key: "c", retryOf: 3 }, 4);
  await turn();
  const error = { code: 1, message: "The directory does not answer.", data: { code: "directoryDown" } };
  assert.deepEqual(sent.find(({ id }) => id === 1), { jsonrpc: "2.0", id: 1, error });
  assert.equal(sent.find(({ id }) => id === 3).error.data.code, "directoryDown");
  assert.deepEqual(sent.at(-1), { jsonrpc: "2.0", id: 4, result });
});

await holds("an answer that ends a conversation cannot be asked", async () => {
  const { ask, sent } = byHand(new Authenticator().on("login", async (question) => question.ask(result)));
  const { error } = console;
  console.error = () => {};
  ask("submit", 1);
  await turn();
  console.error = error;
  assert.equal(sent[0].error.data.code, "authenticatorFailed");
});

await holds("a question is carried out once, however often it is repeated, even while it is decided", async () => {
  let [runs, decide] = [0, null];
  const { ask, notify, sent } = byHand(new Authenticator().on("login", () => {
    runs += 1;
    return new Promise((resolve) => (decide = resolve));
  }));
  ask("submit", 1);
  await turn();
  notify("cancel", { attempt: 1 });
  ask("submit", 2, { retryOf: 1 });
  await turn();
  decide(result);
  await turn();
  ask("submit", 3, { retryOf: 1 });
  await turn();
  assert.equal(runs, 1);
  assert.deepEqual(sent, [{ jsonrpc: "2.0", id: 2, result }, { jsonrpc: "2.0", id: 3, result }]);
});

await holds("a rejected question is decided again", async () => {
  let runs = 0;
  const { ask } = byHand(new Authenticator().on("login", () => ((runs += 1), { outcome: "rejected" })));
  ask("submit", 1);
  await turn();
  ask("submit", 2, { retryOf: 1 });
  await turn();
  assert.equal(runs, 2);
});

await holds("a cancelled conversation aborts its signal, and gets no answer", async () => {
  const aborted = [];
  const { ask, notify, sent, connection } = byHand(new Authenticator().on("login", async (question) => {
    question.signal.addEventListener("abort", () => aborted.push(question.attempt));
    await question.ask({ outcome: "challenge", screen });
    return result;
  }));
  ask("submit", 1, { key: "a" });
  ask("submit", 2, { key: "b" });
  await turn();
  notify("cancel", { attempt: 1 });
  connection.close();
  await turn();
  assert.deepEqual(aborted, [1, 2]);
  assert.deepEqual(sent.map(({ result: { outcome } }) => outcome), ["challenge", "challenge"]);
});

await holds("a fault of a handler is logged without the error's text", async () => {
  const { error } = console;
  const logged = [];
  console.error = (text) => logged.push(text);
  const { ask, sent } = byHand(new Authenticator().on("login", ({ values }) => {
    throw new RangeError(`cannot read ${values.password}`);
  }));
  ask("submit", 1, { values: { password: "secret1" } });
  await turn();
  console.error = error;
  assert.match(logged.join("\n"), /^RangeError while deciding login at .*authenticator\.mjs/);
  assert.doesNotMatch(logged.join("\n"), /secret1/);
  assert.equal(sent[0].error.data.code, "authenticatorFailed");
});

await holds("a handler that returns nothing is a fault, and its question gets a failure", async () => {
  const { error } = console;
  console.error = () => {};
  const { ask, sent } = byHand(new Authenticator().on("login", () => {}));
  ask("submit", 1);
  await turn();
  console.error = error;
  assert.equal(sent[0].error.data.code, "authenticatorFailed");
});

await holds("a check gets the value of its item", async () => {
  const { ask, sent } = byHand(new Authenticator().check("login", "email", ({ value }) => (value === "taken" ? { outcome: "invalid", message: "Taken." } : { outcome: "valid" })));
  ask("check", 1, { item: "email", values: { email: "taken" } });
  ask("check", 2, { item: "email", values: { email: "free" } });
  await turn();
  assert.deepEqual(sent.map((message) => message.result.outcome), ["invalid", "valid"]);
});

await holds("an engine asks an authenticator in the same process, which shows an alert meanwhile", async () => {
  const authenticator = new Authenticator().on("login", async (question) => {
    question.alert({ messages: ["Maintenance at noon."], title: "News" });
    const { code } = (await question.ask({ outcome: "challenge", screen })).values;
    return code === "123456" ? { ...result, data: { team: "green" } } : { outcome: "rejected", reason: "invalidCredentials" };
  });
  const engine = new Engine([], { command, authenticator });
  // The screens of this flow show alerts.
  const session = await engine.open({ detail: "full", flow: "coordinators", screen: "login" });
  for (const { id, kind, inputType } of itemsOf(session.snapshot)) if (kind === "input") session.change(id, inputType === "password" ? "correct horse" : "ada@example.com");
  session.press();
  const { alert } = await session.until((snapshot) => snapshot.alert && snapshot.title === "One more step");
  assert.deepEqual([alert.title, alert.text], ["News", "Maintenance at noon."]);
  session.press(alert.actions[0].id);
  await session.until((snapshot) => !snapshot.alert);
  session.change("code", "123456");
  session.press();
  const { scene } = await session.until((snapshot) => snapshot.scene);
  assert.deepEqual([scene.principal, scene.data], ["ada", { team: "green" }]);
  assert.equal(session.violation, null);
  assert.equal(await engine.stop(), 0);
});

await holds("a message of an authenticator is shown while its question is open", async () => {
  let decide;
  const authenticator = new Authenticator().on("login", (question) => {
    question.notify("Asking the directory.");
    return new Promise((resolve) => (decide = resolve));
  });
  const engine = new Engine([], { command, authenticator });
  const session = await engine.open();
  const outcome = session.submit({ email: "ada@example.com", password: "correct horse" });
  assert.equal((await session.until(({ notice }) => notice)).notice.text, "Asking the directory.");
  decide(result);
  assert.equal((await outcome).outcome, "accepted");
  await engine.stop();
});

await holds("the program staff.mjs of the documents decides logins", async () => {
  const engine = new Engine(["--authenticator", "node staff.mjs"], { command });
  const session = await engine.open();
  assert.equal((await session.submit({ email: "ada@example.com", password: "wrong horses" })).outcome, "rejected");
  assert.equal((await session.submit({ email: "ada@example.com", password: "correct horse" })).outcome, "challenge");
  assert.equal((await session.submit({ code: "654321" })).outcome, "rejected");
  assert.equal(session.snapshot.error.text, "That is not the code.");
  assert.equal((await session.submit({ code: "123456" })).snapshot.scene.principal, "ada");
  await engine.stop();
});

await holds("the program ends when its input ends", async () => {
  const child = spawn("node", ["staff.mjs"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"authenticator/describe","params":{}}\n');
  for await (const line of lines) assert.deepEqual(JSON.parse(line).result, { name: "staff", requests: ["login"] });
  assert.equal(await new Promise((resolve) => child.on("close", resolve)), 0);
});

await holds("all titles of a form are there after `open`", async () => {
  const engine = new Engine(["--authenticator", "demo"], { command });
  const session = await engine.open({ locale: "de" });
  assert.deepEqual(itemsOf(session.snapshot).map(({ title }) => title), ["E-Mail-Adresse", "Passwort", "Angemeldet bleiben"]);
  await engine.stop();
});

finish();

// Plays all transcripts through `login-engine mock` with the client, which applies the commands of each update and compares the result with its snapshot.
// Usage: transcripts.mjs ENGINE FOLDER    prints `N passed, N failed`

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LoginClient } from "login-engine";

const [engine, folder] = process.argv.slice(2);
let updates = 0;

class Player {
  client = new LoginClient(() => {});
  failures = [];
  unnamed = 0;
  opening = new Map();
  closing = new Map();

  /** Follows what the transcript's view sends. */
  record(message) {
    if (Array.isArray(message)) return message.forEach((entry) => this.record(entry));
    if (typeof message !== "object" || message === null) return;
    const name = message.params?.session;
    if (message.method === "session/open" && typeof name === "string" && !this.client.sessions.has(name)) {
      this.client.attach(name);
      this.opening.set(message.id, name);
    } else if (message.method === "session/open" && name === undefined) this.unnamed += 1;
    else if (message.method === "session/close" && message.id !== undefined) this.closing.set(message.id, name);
    else if (message.method === "session/close") this.close(name);
    else if (typeof name === "string") {
      // The engine names a session that is opened without a name, and the view may guess the name.
      if (this.unnamed && !this.client.sessions.has(name)) this.client.attach(name);
      this.client.sessions.get(name)?.record(message);
    }
  }

  /** Forgets a session, or all. */
  close(name) {
    for (const other of [...this.client.sessions.keys()]) if (name === undefined || name === other) this.client.sessions.delete(other);
  }

  receive(message) {
    if (Array.isArray(message)) return message.forEach((entry) => this.receive(entry));
    const name = message.params?.session ?? this.opening.get(message.id);
    if (message.error && this.client.sessions.get(name)?.revision === 0) this.client.sessions.delete(name);
    if (message.result && this.closing.has(message.id)) this.close(this.closing.get(message.id));
    if (message.method !== "session/update") return void this.client.receive(message);
    if (!this.client.sessions.has(name)) this.client.attach(name);
    this.client.receive(message);
    updates += 1;
    const { violation } = this.client.sessions.get(name);
    if (violation) this.failures.push(violation);
  }
}

/** Returns the verbatim text of a line after the name of the step. */
const rest = (line, name) => line.slice(`{"${name}":`.length, -1);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function play(file) {
  const player = new Player();
  const mock = spawn(engine, ["mock", "--timeout", "600", file], { stdio: ["pipe", "pipe", "pipe"], cwd: join(folder, "../..") });
  const ended = new Promise((resolve) => mock.on("close", resolve));
  let [received, errors, unread] = [[], "", ""];
  let wake = () => {};
  mock.stdin.on("error", () => {});
  mock.stdout.setEncoding("utf8").on("data", (chunk) => {
    const lines = (unread + chunk).split("\n");
    unread = lines.pop();
    received.push(...lines);
    wake();
  });
  mock.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  let isOver = false;
  mock.stdout.on("end", () => ((isOver = true), wake()));
  for (const line of readFileSync(file, "utf8").split("\n").filter((line) => line.trim())) {
    const step = JSON.parse(line);
    if ("in" in step) {
      player.record(step.in);
      mock.stdin.write(`${rest(line, "in")}\n`);
    }
    if ("raw" in step) {
      player.record(parsed(step.raw));
      mock.stdin.write(step.raw + "x".repeat(Math.max(0, (step.length ?? 0) - step.raw.length)) + (step.unterminated ? "" : "\n"));
    }
    if ("rawBase16" in step) {
      const bytes = Buffer.from(step.rawBase16, "hex");
      const padding = Buffer.alloc(Math.max(0, (step.length ?? 0) - bytes.length), "x");
      mock.stdin.write(Buffer.concat([bytes, padding, Buffer.from(step.unterminated ? "" : "\n")]));
    }
    if (step.end || step.unterminated) mock.stdin.end();
    if ("out" in step) {
      while (!received.length && !isOver) await new Promise((resolve) => (wake = resolve));
      if (!received.length) break;
      player.receive(JSON.parse(received.shift()));
    }
  }
  mock.stdin.end();
  const status = await ended;
  for (const line of received) player.receive(JSON.parse(line));
  if (status !== 0) player.failures.push(`the mock ended with ${status}: ${errors.slice(-200)}`);
  return player.failures;
}

const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(folder, name)).filter((file) => file.endsWith(".jsonl")).map((file) => join(folder, name, file)));
let [passed, failed] = [0, 0];
const queue = files.values();
// Mocks sometimes wait for a timer, so several run at once.
await Promise.all(Array.from({ length: 6 }, async () => {
  for (const file of queue) {
    const failures = await play(file);
    if (failures.length) console.log(`FAILED: ${file}: ${failures.join("; ").slice(0, 600)}`);
    if (failures.length) failed += 1;
    else passed += 1;
  }
}));
if (updates < 2000) console.log(`FAILED: only ${updates} updates`);
console.log(`${passed + (updates >= 2000)} passed, ${failed + (updates < 2000)} failed`);

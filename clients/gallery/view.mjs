#!/usr/bin/env node
// A line-based view for login-engine. Usage: view.mjs [--verify] [ENGINE [ARGUMENT ...]]

import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const BARE = { activity: false, error: null, notice: null, alert: null, scene: null, retryAt: null, focus: null };
const find = (parts, wanted) => parts.find(({ id }) => id === wanted) ?? {};
const items = (screen) => screen.sections.flatMap((section) => section.items);
const without = (parts, wanted) => parts.filter(({ id }) => id !== wanted);

/** The effect of each command on a screen. */
const COMMANDS = {
  showScreen: (screen, { command, ...it }) => Object.assign(screen, BARE, it),
  setState: (screen, { state }) => (screen.state = state),
  setItem: (screen, { command, item, ...it }) => Object.assign(find(items(screen), item), it),
  setAction: (screen, { command, action, ...it }) => Object.assign(find(screen.actions, action), it),
  replaceAction: (screen, it) => (screen.actions = screen.actions.map((old) => (old.id === it.action ? it.newAction : old))),
  insertSection: (screen, { index, newSection }) => screen.sections.splice(index, 0, newSection),
  removeSection: (screen, { section }) => (screen.sections = without(screen.sections, section)),
  insertItem: (screen, { section, index, newItem }) => find(screen.sections, section).items.splice(index, 0, newItem),
  removeItem: (screen, { item }) => screen.sections.forEach((it) => (it.items = without(it.items, item))),
  showActivity: (screen) => (screen.activity = true),
  hideActivity: (screen) => (screen.activity = false),
  showError: (screen, { error }) => (screen.error = error),
  hideError: (screen) => (screen.error = null),
  showNotice: (screen, { notice }) => (screen.notice = notice),
  hideNotice: (screen) => (screen.notice = null),
  showAlert: (screen, { alert }) => (screen.alert = alert),
  hideAlert: (screen) => (screen.alert = null),
  showScene: (screen, { scene }) => (screen.scene = scene),
  setRetryAt: (screen, { retryAt }) => (screen.retryAt = retryAt),
  setFocus: (screen, { focus }) => (screen.focus = focus),
};

/** Prints synchronously: on exit, `process.stdout` would drop its buffer for a slow reader. */
const print = (text) => writeFileSync(1, text);

/** Prints texts, all but the first indented. � replaces characters that could control the terminal or reorder a line. */
function say(...texts) {
  const text = texts.filter(Boolean).join("\n").replace(/[\0-\t\v-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, "�");
  print(`${text.replaceAll("\n", "\n   ")}\n`);
}

/** Formats an item or an action. */
function look({ role, kind, title, value, url, text, enabled, filled, options, placeholder, inputType }) {
  if (role) return enabled ? `[${title}]` : `(${title})`;
  let shown = url ?? text;
  if (kind === "switch") shown = value ? "[x]" : "[ ]";
  else if (kind === "selection") shown = find(options, value).title ?? "–";
  else if (kind === "input") {
    const empty = placeholder ?? (inputType === "date" ? "YYYY-MM-DD" : "–");
    shown = filled ? "********" : value || `(${empty})`;
  }
  return [title, shown].filter(Boolean).join(": ");
}

/** Prints a screen, and returns the choices, by the number to type. */
function draw({ title, alert, scene, sections, actions, notice, error, activity }) {
  const choices = new Map();
  print("\n");
  say(scene ? `== scene: ${scene.id}` : `== ${title}`, scene?.principal);
  for (const message of [alert, notice, error].filter(Boolean)) say(message.title, `! ${message.text}`);
  const shown = (alert?.actions ?? actions).filter((action) => action.enabled || !scene);
  for (const section of [...(alert || scene ? [] : sections), { items: shown }]) {
    if (section.title) say(`-- ${section.title}`);
    for (const part of section.items) {
      let number = "";
      if (part.role || (["input", "selection", "switch"].includes(part.kind) && !part.readOnly)) {
        number = `${choices.size + 1}. `;
        choices.set(`${choices.size + 1}`, part);
      }
      say(number + look(part), part.hint, ...(part.messages ?? []).map(({ text }) => `! ${text}`));
    }
  }
  if (activity) say("...");
  return choices;
}

const isVerifying = process.argv[2] === "--verify";
const [command = "login-engine", ...parameters] = process.argv.slice(isVerifying ? 3 : 2);
const engine = spawn(command, parameters, { stdio: ["pipe", "pipe", "inherit"] });
let [screen, revision, events, choices, isWaiting] = [{}, 0, 0, new Map(), true];
let [asked, options] = [null, new Map()]; // the item whose value is asked for
let edit = []; // not counted by the engine yet
const typed = [];
let prompted = ["", "echo"];

function end(status, problem) {
  if (problem) console.error(problem);
  process.exit(status);
}

/** Sets the echo. In the background, `stty` stops unless it ignores SIGTTOU. */
function setEcho(echo) {
  const command = echo === "echo" ? "trap '' TTOU; stty echo" : "stty -echo";
  process.off("SIGTSTP", suspend); // the view waits for `stty`, so Ctrl-Z has to stop both
  if (process.stdin.isTTY) spawnSync("sh", ["-c", command], { stdio: "inherit" });
  process.on("SIGTSTP", suspend);
}

function prompt(text, echo = "echo") {
  prompted = [text, echo];
  setEcho(echo);
  print(text);
}

/** Handles Ctrl-Z: turns the echo on for the shell, and prints the prompt again when the view continues. */
function suspend() {
  setEcho("echo");
  process.off("SIGTSTP", suspend);
  process.kill(process.pid, "SIGTSTP"); // the view stops here, if a shell can continue it
  process.on("SIGTSTP", suspend);
  print(prompted[0]);
  process.kill(process.pid, "SIGCONT");
}

/** Sends a request. Input waits until the response arrives. */
function send(method, params) {
  isWaiting = true;
  engine.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { session: "view", ...params } })}\n`);
}

/** Applies a line from the engine. */
function receive(line) {
  const message = JSON.parse(line);
  const content = message.params ?? message.result ?? {};
  let commands = content.commands ?? [];
  // The engine has counted the edit; its commands undo a refused edit.
  if (content.events > events) [commands, edit] = [[...edit, ...commands], []];
  for (const it of commands) COMMANDS[it.command]?.(screen, it);
  ({ revision = revision, events = events } = content);
  const { snapshot = screen } = content;
  if (isVerifying && !isDeepStrictEqual(screen, snapshot)) {
    end(1, `the commands do not lead to the snapshot of revision ${revision}`);
  }
  screen = snapshot; // includes the effects of commands of later versions
  for (const [index, { id, title }] of (content.options ?? []).entries()) {
    options.set(`${index + 1}`, id);
    say(`   ${index + 1}. ${title}`);
  }
  if (message.method === "session/closed") end(1, `the session has ended: ${content.reason}`);
  if (message.error) {
    say(`! ${message.error.message}`);
    [asked, edit] = [null, []];
  }
  isWaiting &&= "method" in message;
  show();
}

/** Prints the screen or the prompt. */
function show() {
  if (isWaiting) return;
  if (asked) prompt("value: ", "filled" in asked ? "-echo" : "echo");
  else {
    choices = draw(screen);
    if (choices.size === 0) end(0);
    prompt("> ");
  }
  takeTyped();
}

/** Handles typed lines. A person may choose during a request; a script waits. */
function takeTyped() {
  if (typed.length > 0 && !isWaiting && (process.stdin.isTTY || !screen.activity)) choose(typed.shift());
}

/** Handles a line from the person: the number of a choice, or a value. */
function choose(line) {
  if (line === null) end(screen.scene ? 0 : 1);
  const part = asked ?? choices.get(line);
  let value = line;
  if (!part) {
    say(`! Type one number from 1 to ${choices.size}.`);
    return show();
  }
  if (part.role) return send("session/press", { action: part.id, revision });
  if (part.kind === "switch") value = !part.value;
  else if (!asked) {
    [asked, options] = [part, new Map()];
    return part.kind === "selection" ? send("session/options", { item: part.id }) : show();
  } else if (part.kind === "selection") {
    value = options.get(line) ?? null;
    if (line && !value) {
      say(`! Type one number from 1 to ${options.size}, or nothing for none.`);
      return show();
    }
  }
  asked = null;
  edit = [{ command: "setItem", item: part.id, ...("filled" in part ? { filled: value !== "" } : { value }) }];
  send("session/edit", { item: part.id, value, revision });
}

/** Calls a function with each line of a stream. */
function read(stream, take) {
  let rest = "";
  stream.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    lines.forEach(take);
  });
}

engine.on("error", (error) => end(1, error.message));
engine.stdin.on("error", () => {}); // the end of the engine's output is detected below
engine.stdout.on("end", () => end(1, "the engine has stopped"));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) process.on(signal, () => end(1));
process.on("SIGCONT", () => setEcho(prompted[1])); // a shell turns the echo on when the view stops
process.on("exit", () => prompt("\n"));
read(engine.stdout, receive);
read(process.stdin, (line) => typed.push(line) && takeTyped());
process.stdin.on("end", () => typed.push(null) && takeTyped());
send("session/open", { detail: "full", transitions: "instant" });

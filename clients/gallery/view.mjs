#!/usr/bin/env node
// A view for login-engine, in lines of text. Usage: view.mjs [ENGINE [ARGUMENT ...]]

import { spawn, spawnSync } from "node:child_process";

/** Prints texts, all but the first indented, without what could command the terminal or reorder a line. */
function say(...texts) {
  const text = texts.filter(Boolean).join("\n");
  console.log(text.replace(/[\0-\t\v-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, " ").replaceAll("\n", "\n   "));
}

/** An item or an action as text. */
function look(part) {
  let title = (part.title ?? "") + (part.required ? " *" : "");
  let value = part.value;
  if (part.role) {
    title = part.enabled ? title : `(${title})`;
    return ["primary", "dismiss", "destructive"].includes(part.role) ? `[ ${title} ]` : `-> ${title}`;
  }
  if (part.kind === "switch") return `[${value === null ? "-" : value ? "x" : " "}] ${title}`;
  if (part.kind === "selection") value = part.options.find((option) => option.id === value)?.title ?? "(–)";
  else if (part.kind === "input") {
    const empty = part.placeholder ?? (part.inputType === "date" ? "YYYY-MM-DD" : "–");
    value = part.filled ? "********" : value || `(${empty})`;
  } else value = part.url ?? part.text;
  return [title, value].filter(Boolean).join(": ");
}

/** Prints a screen, and returns what can be chosen, in the order of the numbers. */
function draw({ title, alert, scene, sections, actions, notice, error, activity }) {
  const choices = [];
  console.log();
  if (scene) say(`== scene: ${scene.id}`, `principal: ${scene.principal ?? "–"}`, `data: ${JSON.stringify(scene.data)}`);
  else say(`== ${title}`);
  if (alert) say("alert:", alert.title, alert.text);
  const shown = (alert?.actions ?? actions).filter((action) => action.enabled || !scene);
  for (const section of [...(alert || scene ? [] : sections), { items: shown }]) {
    if (section.title) say(`-- ${section.title}`);
    for (const part of section.items) {
      const isChoice = part.role || (["input", "selection", "switch"].includes(part.kind) && !part.readOnly);
      const number = isChoice ? `${choices.push(part)}. ` : "";
      say(number + look(part), part.hint, ...(part.messages ?? []).map((message) => `! ${message.text}`));
    }
  }
  if (notice) say(`notice: ${notice.text}`);
  if (error) say(`error: ${error.text}`);
  if (activity) say("working ...");
  return choices;
}

/** The choice that has this number, or undefined. */
const pick = (choices, number) => (/^\d+$/.test(number) ? choices[number - 1] : undefined);

/** Reads the lines of a stream; `next` is a promise of the next one, and of undefined at the end. */
class Lines {
  constructor(stream) {
    this.lines = Lines.of(stream.setEncoding("utf8"));
    this.take();
  }
  static async *of(stream) {
    let rest = "";
    for await (const chunk of stream) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop();
      yield* lines;
    }
  }
  take() {
    const next = this.next;
    this.next = this.lines.next().then(({ value }) => value);
    return next;
  }
}

const [command, ...parameters] = process.argv.length > 2 ? process.argv.slice(2) : ["login-engine"];
const engine = spawn(command, parameters, { stdio: ["pipe", "pipe", "inherit"] });
const updates = new Lines(engine.stdout);
const typed = new Lines(process.stdin);
let screen, revision;

function end(status, problem) {
  if (problem) console.error(problem);
  process.exit(status);
}
engine.on("error", (error) => end(1, error.message));
engine.stdin.on("error", () => {}); // an engine that has ended is noticed when its lines end
process.on("SIGINT", () => end(1));
process.on("exit", () => {
  prompt("\n");
  engine.kill();
});

/** Takes the engine's next line. */
async function receive() {
  const message = JSON.parse((await updates.take()) ?? end(1, "the engine has stopped"));
  const content = message.params ?? message.result ?? {};
  if (content.snapshot) ({ snapshot: screen, revision } = content);
  if (message.method === "session/closed") end(1, `the session has ended: ${content.reason}`);
  return message;
}

/** Makes a request, and returns its result. What the engine refuses stays as the engine has it. */
async function call(method, params) {
  engine.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { session: "view", ...params } })}\n`);
  let message;
  do message = await receive(); // updates come first
  while (message.method);
  if (message.error) {
    say(`(${message.error.message})`);
    await (screen ? call("session/snapshot") : end(1));
  }
  return message.result ?? {};
}

function prompt(text, echo = "echo") {
  if (process.stdin.isTTY) spawnSync("stty", [echo], { stdio: "inherit" });
  process.stdout.write(text);
}

/** The line that the person types; the view ends at the end of the input. */
const read = async () => (await typed.take()) ?? end(screen.scene ? 0 : 1);

/** Presses an action, or changes an item. */
async function choose(part) {
  if (part.role) return call("session/perform", { action: part.id, revision });
  let value;
  if (part.kind === "switch") value = !part.value;
  else if (part.kind === "selection") {
    const { options = [] } = await call("session/options", { item: part.id });
    say("options:", ...options.map((option, index) => `${index + 1} ${option.title}`));
    prompt("number, or nothing for none: ");
    value = pick(options, await read())?.id ?? null;
  } else {
    const isMasked = "filled" in part && part.inputType !== "oneTimeCode";
    prompt(isMasked ? "value (not shown): " : "value: ", isMasked ? "-echo" : "echo");
    value = await read();
  }
  return call("session/change", { item: part.id, value, revision });
}

await call("session/open", { transitions: "instant", supports: ["restoreSecret"] });
for (let choices; (choices = draw(screen)).length > 0; ) {
  prompt("> ");
  // A person may choose while something is under way; a script waits.
  const mayChoose = process.stdin.isTTY || !screen.activity;
  const first = await Promise.race([...(mayChoose ? [typed] : []), updates].map((lines) => lines.next.then(() => lines)));
  if (first === updates) await receive();
  else {
    const part = pick(choices, await read());
    if (part) await choose(part);
  }
}
end(0);

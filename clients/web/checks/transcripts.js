// Plays transcripts to `login-engine mock` with the page's own session and view, and checks each update and each drawing.

import { LoginSession } from "../../typescript/src/session.js";
import { View } from "../source/view.js";
import { differences } from "./drawn.js";

const words = (await (await fetch("/page/words.json")).json()).en;
const template = document.querySelector("main");
template.remove();

class Player {
  sessions = new Map();
  failures = [];
  updates = 0;
  unnamed = 0;
  closing = new Map();

  record(message) {
    if (Array.isArray(message)) return message.forEach((entry) => this.record(entry));
    if (typeof message !== "object" || message === null) return;
    const name = message.params?.session;
    if (message.method === "session/open" && typeof name === "string" && !this.sessions.has(name)) this.add(name).opening = message.id;
    else if (message.method === "session/open" && name === undefined) this.unnamed += 1;
    else if (message.method === "session/close" && message.id === undefined) this.close(name);
    else if (message.method === "session/close") this.closing.set(message.id, name);
    else if (typeof name === "string") {
      // The engine names a session that is opened without a name, and the view may guess the name.
      if (this.unnamed && !this.sessions.has(name)) this.add(name);
      this.sessions.get(name)?.session.record(message);
    }
  }

  add(name) {
    const root = template.cloneNode(true);
    document.body.append(root);
    const session = new LoginSession(name, { notify() {}, request: () => Promise.reject(new Error("no bridge")) });
    const view = new View(root, { session, isFresh: true, drawCode: () => Promise.reject(new Error("no bridge")) }, words);
    this.sessions.set(name, { session, view, root });
    return this.sessions.get(name);
  }

  close(name) {
    for (const [other, { view, root }] of this.sessions) {
      if (name !== undefined && name !== other) continue;
      view.end();
      root.remove();
      this.sessions.delete(other);
    }
  }

  receive(message) {
    if (Array.isArray(message)) return message.forEach((entry) => this.receive(entry));
    if (message.method === "session/closed") return this.close(message.params.session);
    if (message.method) {
      const name = message.params?.session;
      // A session with snapshots only has no commands to apply.
      if (message.method !== "session/update" || !message.params.commands) return;
      this.unnamed = 0;
      const known = this.sessions.get(name) ?? this.add(name);
      known.session.update(message.params);
      this.draw(known);
      this.updates += 1;
      return;
    }
    if (message.result && this.closing.has(message.id)) return this.close(this.closing.get(message.id));
    for (const known of this.sessions.values()) {
      if (message.error && known.opening === message.id && !known.session.snapshot) return this.close(known.session.name);
    }
  }

  draw({ session, view, root }) {
    view.draw();
    const found = [session.violation, ...differences(root, session)].filter(Boolean);
    if (found.length) this.failures.push(`revision ${session.revision} of ${session.name}: ${found.join("; ")}`);
  }
}

/** Returns the verbatim text of a line after the name of the step. */
const rest = (line, name) => line.slice(`{"${name}":`.length, -1);

/** Parses a text as JSON; returns `null` if it is none. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function play(name) {
  const lines = (await (await fetch(`/transcripts/${name}`)).text()).split("\n").filter((line) => line.trim());
  const player = new Player();
  const socket = new WebSocket(`ws://${location.host}/mock/${name}`);
  const received = [];
  let wake = () => {};
  let end = null;
  // The last message contains the exit status of the mock.
  socket.onmessage = ({ data }) => {
    if (data.startsWith("exit ")) end = data.slice(5);
    else received.push(data);
    wake();
  };
  const closed = new Promise((resolve) => (socket.onclose = ({ code }) => ((end ??= `the connection, ${code}`), wake(), resolve())));
  await new Promise((resolve) => (socket.onopen = resolve));
  for (const line of lines) {
    const step = JSON.parse(line);
    if ("in" in step) {
      player.record(step.in);
      socket.send(`${rest(line, "in")}\n`);
    }
    if ("raw" in step) player.record(parsed(step.raw));
    if ("raw" in step) socket.send(step.raw + "x".repeat(Math.max(0, (step.length ?? 0) - step.raw.length)) + (step.unterminated ? "" : "\n"));
    if ("rawBase16" in step) {
      const bytes = (step.rawBase16.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
      while (bytes.length < (step.length ?? 0)) bytes.push(0x78);
      socket.send(new Uint8Array(step.unterminated ? bytes : [...bytes, 10]));
    }
    if (step.end || step.unterminated) socket.send("end of input");
    if ("out" in step) {
      while (!received.length && end === null) await new Promise((resolve) => (wake = resolve));
      if (!received.length) break;
      player.receive(JSON.parse(received.shift()));
    }
  }
  if (end === null) socket.send("end of input");
  await closed;
  for (const line of received) player.receive(JSON.parse(line));
  player.close();
  if (end !== "0") player.failures.push(`the mock ended with ${end}`);
  return { failures: player.failures, updates: player.updates };
}

window.play = play;

import { spawn } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { program } from "login-engine";

const engine = spawn(program("login-engine"), ["--accounts", "accounts.sqlite3"], { stdio: ["pipe", "pipe", "inherit"] });
const person = createInterface({ input: process.stdin, output: process.stdout });
const call = (method, params) => engine.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) + "\n");

call("session/open", { session: "s1", screen: process.argv[2] });
let snapshot;
for await (const line of createInterface({ input: engine.stdout })) {
  const { params, result } = JSON.parse(line);
  snapshot = params?.snapshot ?? snapshot;
  if (!result) continue;
  if (snapshot.scene) break;
  const items = snapshot.sections.flatMap((section) => section.items);
  const problems = [snapshot.error, ...items.flatMap((item) => item.messages ?? [])].filter(Boolean).map(({ text }) => text);
  console.log([snapshot.title, ...problems].join("\n"));
  const values = {};
  for (const { id, kind, title } of items) if (kind === "input") values[id] = await person.question(`${title}: `);
  call("session/submit", { session: "s1", values });
}
console.log(`Hello ${snapshot.scene.principal}`);
person.close();
engine.stdin.end();

import { createInterface } from "node:readline/promises";
import { Engine, itemsOf } from "login-engine";

const engine = new Engine(["--accounts", "accounts.sqlite3"]);
const session = await engine.open({ screen: process.argv[2] });
const person = createInterface({ input: process.stdin, output: process.stdout });
while (!session.snapshot.scene) {
  console.log(session.snapshot.title);
  const values = {};
  for (const { id, kind, title } of itemsOf(session.snapshot)) if (kind === "input") values[id] = await person.question(`${title}: `);
  const { snapshot } = await session.submit(values);
  for (const problem of [snapshot.error, ...itemsOf(snapshot).flatMap((item) => item.messages ?? [])]) if (problem) console.log(problem.text);
}
console.log(`Hello ${session.snapshot.scene.principal}`);
person.close();
await engine.stop();

import { Engine, itemsOf } from "login-engine";

const engine = new Engine(["--accounts", "accounts.sqlite3"]);
const session = await engine.open();
const { title, actions } = session.snapshot;
console.log(title);
for (const part of [...itemsOf(session.snapshot), ...actions]) console.log("  " + part.title);
await engine.stop();

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { program } from "login-engine";

const engine = spawn(program("login-engine"), ["--authenticator", "demo"], { stdio: ["pipe", "pipe", "inherit"] });
engine.stdin.end('{"jsonrpc":"2.0","method":"session/open"}\n');
for await (const line of createInterface({ input: engine.stdout })) {
  const { title, sections, actions } = JSON.parse(line).params.snapshot;
  console.log([title, ...[...sections.flatMap((section) => section.items), ...actions].map((part) => "  " + part.title)].join("\n"));
}

// Answers each question of example/form.mjs when it is asked, as a user does; a pipe would answer too early.
// Usage: node answer.mjs SCREEN ANSWER ...    SCREEN is empty for the first screen.
import { spawn } from "node:child_process";
const [screen, ...answers] = process.argv.slice(2);
const child = spawn("node", ["form.mjs", ...(screen ? [screen] : [])], { stdio: ["pipe", "pipe", "inherit"] });
child.stdout.on("data", (text) => {
  process.stdout.write(text);
  if (String(text).endsWith(": ") && answers.length) child.stdin.write(answers.shift() + "\n");
});
child.on("close", (status) => (process.exitCode = status));

// What the commands share: runs a program in this terminal, and ends as the program has ended.
import { spawnSync } from "node:child_process";
import { program } from "../index.js";

export function run(name) {
  const options = process.argv.slice(2);
  const stdio = ["inherit", "inherit", "inherit"];
  // The descriptor that `login-terminal --json` writes to. Others stay here.
  const descriptor = Number(options[options.indexOf("--json") + 1]);
  if (options.includes("--json") && descriptor > 2 && descriptor < 1024) stdio.push(...Array(descriptor - 3).fill("ignore"), descriptor);
  const { error, signal, status } = spawnSync(program(name), options, { stdio });
  if (error) throw error;
  if (signal) process.kill(process.pid, signal);
  process.exitCode = status ?? 1;
}

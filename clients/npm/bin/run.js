// What the commands share: runs a program in this terminal, and ends as the program has ended.
import { spawn } from "node:child_process";
import { program } from "../index.js";

export function run(name) {
  const options = process.argv.slice(2);
  const stdio = ["inherit", "inherit", "inherit"];
  // The descriptor that `login-terminal --json` writes to. Others stay here.
  const descriptor = Number(options[options.indexOf("--json") + 1]);
  if (options.includes("--json") && descriptor > 2 && descriptor < 1024) stdio.push(...Array(descriptor - 3).fill("ignore"), descriptor);
  const child = spawn(program(name), options, { stdio });
  // A terminal sends these to the program as well, which decides what they lead to.
  for (const signal of ["SIGINT", "SIGQUIT"]) process.on(signal, () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (status, signal) => {
    process.exitCode = status ?? 1;
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

// For Node: finds the programs, which are in a separate package for each platform, and runs an engine as a child process.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Authenticator, Connection } from "./authenticator.js";
import { LoginClient } from "./client.js";
import { linesOf, type Lines } from "./lines.js";

export { ConnectionLost, EngineError, LoginClient } from "./client.js";
export { findItem, itemsOf, primaryOf } from "./model.js";
export { LoginSession } from "./session.js";
export * from "./wire.js";

const PROGRAMS = ["login-engine", "login-accounts", "login-terminal"] as const;

/**
 * Returns the path of a program, for `child_process.spawn`. For `login-engine` the variable `LOGIN_ENGINE` takes precedence.
 * Throws an `Error` if the package for this platform is not installed.
 */
export function program(name: (typeof PROGRAMS)[number]): string {
  if (!PROGRAMS.includes(name)) throw new Error(`there is no program ${name}, only ${PROGRAMS.join(", ")}`);
  const chosen = process.env["LOGIN_ENGINE"];
  if (name === "login-engine" && chosen) return chosen;
  const platform = `@login-engine/${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${platform}/bin/${name}`);
  } catch {
    const other = name === "login-engine" ? ", or set LOGIN_ENGINE to the path of a login-engine" : "";
    throw new Error(`${name} is not in node_modules: install the file of ${platform} from the release${other}`);
  }
}

export interface EngineOptions {
  /** The path of the engine; by default `program("login-engine")`. */
  command?: string;
  /** Decides logins in this process. The engine is then started with `--authenticator frontend`. */
  authenticator?: Authenticator;
}

/** A running engine, which ends with this process. */
export class Engine extends LoginClient {
  /** Resolves to the exit status once the engine has ended; `null` if a signal ended it. Rejects if it could not be started. */
  readonly ended: Promise<number | null>;
  #finish: () => void;

  /** `parameters` are options of the engine, such as `["--accounts", "accounts.sqlite3"]`. */
  constructor(parameters: string[] = [], { command = program("login-engine"), authenticator }: EngineOptions = {}) {
    const all = authenticator ? [...parameters, "--authenticator", "frontend"] : parameters;
    const child = spawn(command, all, { stdio: ["pipe", "pipe", "inherit"] });
    const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    super(send);
    this.#finish = () => child.stdin.end();
    // An engine that has ended is reported by `ended`.
    child.stdin.on("error", () => {});
    this.ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    const connection = authenticator?.connect(send);
    const finish = () => {
      this.end("the engine has ended");
      connection?.close();
    };
    this.ended.then(finish, finish);
    void this.#read(child.stdout, connection);
  }

  /** Ends the engine, once it has answered everything. Resolves to its exit status. */
  stop(): Promise<number | null> {
    this.#finish();
    return this.ended;
  }

  async #read(output: Lines, connection?: Connection): Promise<void> {
    for await (const line of linesOf(output)) {
      const message = JSON.parse(line);
      if (message.method?.startsWith("authenticator/")) connection?.receive(message);
      else this.receive(message);
    }
  }
}

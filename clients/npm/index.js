// Finds the programs, which are in a separate package for each platform: npm installs the one for this machine.
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);

const programs = ["login-engine", "login-accounts", "login-terminal"];

export function program(name) {
  if (!programs.includes(name)) throw new Error(`there is no program ${name}, only ${programs.join(", ")}`);
  if (name === "login-engine" && process.env.LOGIN_ENGINE) return process.env.LOGIN_ENGINE;
  const platform = `@login-engine/${process.platform}-${process.arch}`;
  try {
    return resolve(`${platform}/bin/${name}`);
  } catch (cause) {
    const other = name === "login-engine" ? ", or set LOGIN_ENGINE to the path of a login-engine" : "";
    throw new Error(`${name} is not in node_modules: install the file of ${platform} from the release${other}`, { cause });
  }
}

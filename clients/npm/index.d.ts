/**
 * Returns the path of a program, for `child_process.spawn`. For `login-engine` the variable `LOGIN_ENGINE` takes precedence.
 *
 * Throws an `Error` if the package for this platform is not installed.
 */
export function program(name: "login-engine" | "login-accounts" | "login-terminal"): string;

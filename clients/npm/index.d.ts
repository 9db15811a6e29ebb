/**
 * The path of a program, for `child_process.spawn`. For `login-engine` the variable `LOGIN_ENGINE` comes first.
 *
 * Throws an `Error` where the package for this platform is not installed.
 */
export function program(name: "login-engine" | "login-accounts" | "login-terminal"): string;

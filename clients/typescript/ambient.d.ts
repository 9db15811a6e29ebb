// What the sources use of Node and React, so that they compile without packages of types. Not part of the published package.

declare module "node:child_process" {
  interface Input {
    write(text: string): void;
    end(): void;
    on(event: "error", listener: (error: Error) => void): void;
  }
  export function spawn(command: string, parameters: string[], options: { stdio: ["pipe", "pipe", "inherit"] }): {
    stdin: Input;
    stdout: AsyncIterable<string> & { setEncoding(encoding: "utf8"): void };
    on(event: "error", listener: (error: Error) => void): void;
    on(event: "close", listener: (status: number | null) => void): void;
  };
}

declare module "node:module" {
  export function createRequire(url: string): { resolve(name: string): string };
}

declare module "react" {
  export function useSyncExternalStore<Value>(subscribe: (listener: () => void) => () => void, get: () => Value, getOnServer?: () => Value): Value;
}

declare namespace process {
  const env: Record<string, string | undefined>;
  const platform: string;
  const arch: string;
  const stdin: AsyncIterable<string> & { setEncoding(encoding: "utf8"): void };
  const stdout: { write(text: string): void };
}

// Writes an authenticator as functions: many conversations at once, each an async function (protocol/authenticators.md).

import { linesOf } from "./lines.js";
import type { Answer, CheckParams, CheckResult, ContinueParams, GivenAlert, GivenMessage, Json, SubmitParams } from "./wire.js";

export * from "./wire.js";

/** How many accepted answers are remembered, in case an answer was lost and its question is repeated. */
const REMEMBERED = 1000;

/** Nothing was decided, for example because a directory does not answer; the user can try again. The text is shown, so it must not contain secrets. */
export class Failure extends Error {
  /** `code` consists of letters, digits, `.`, `-` and `_`: the view shows the flow's text for `network.` and this code, or else `text`. */
  constructor(readonly code: string, text = "The request could not be carried out.") {
    super(text);
  }
}

/** A question of the engine: a submit, or what the user did at a challenge. */
export interface Question extends Omit<SubmitParams, "resume"> {
  /** Whether the time of a challenge's `wait` has passed without input. */
  poll?: boolean;
  /** Aborts when the conversation is cancelled: the user left, or the engine waits no longer. */
  signal: AbortSignal;
  /** Shows a challenge, and resolves to the user's next question. After a challenge, `throttled` or a `Failure` also keep the conversation open. */
  ask(answer: Answer | Failure): Promise<Question>;
  /** Shows a message as the notice until the question is answered. */
  notify(message: GivenMessage): void;
  /** Shows an alert that the user has to dismiss. */
  alert(alert: GivenAlert): void;
}

export type Handler = (question: Question) => Answer | Failure | Promise<Answer | Failure>;
export type Check = (check: CheckParams & { value: Json }) => CheckResult | Failure | Promise<CheckResult | Failure>;

type Send = (message: object) => void;
type RequestId = string | number | null;

class Cancelled extends Error {}

/** One conversation: its open question, and the function that takes the next one. */
class Conversation {
  readonly cancelled = new AbortController();
  open: { id: RequestId; key: string } | null = null;
  #next: { resolve(question: Question): void; reject(error: Error): void } | null = null;
  #hasAsked = false;

  constructor(readonly submit: SubmitParams, readonly send: Send) {
    this.cancelled.signal.addEventListener("abort", () => this.#next?.reject(new Cancelled()));
  }

  /** Takes the next question. Returns `null` if the former one is not answered yet. */
  take(id: RequestId, params: SubmitParams | ContinueParams): Question | null {
    if (this.open) return null;
    this.open = { id, key: params.key };
    const { attempt, request } = this.submit;
    const question = {
      ...params, attempt, request, signal: this.cancelled.signal,
      ask: (answer: Answer | Failure) => this.#ask(answer),
      notify: (message: GivenMessage) => this.#notify({ message }),
      alert: (alert: GivenAlert) => this.#notify({ alert }),
    };
    this.#next?.resolve(question);
    this.#next = null;
    return question;
  }

  answer(answer: Answer | Failure): void {
    const open = this.open;
    this.open = null;
    if (open && !this.cancelled.signal.aborted) this.send(response(open.id, answer));
  }

  #ask(answer: Answer | Failure): Promise<Question> {
    const isOpen = this.#hasAsked && (answer instanceof Failure || answer.outcome === "throttled");
    if (!isOpen && (answer instanceof Failure || answer.outcome !== "challenge")) throw new TypeError("this answer ends the conversation: return it");
    if (this.cancelled.signal.aborted) return Promise.reject(new Cancelled());
    this.#hasAsked = true;
    return new Promise((resolve, reject) => {
      this.#next = { resolve, reject };
      this.answer(answer);
    });
  }

  #notify(members: object): void {
    if (this.open) this.send({ jsonrpc: "2.0", method: "authenticator/notify", params: { attempt: this.submit.attempt, ...members } });
  }
}

/** The side of an authenticator that talks to one engine. */
export interface Connection {
  /** Takes a message from the engine. */
  receive(message: Incoming): void;
  /** Cancels all conversations, because the engine has ended. */
  close(): void;
}

interface Incoming {
  id?: RequestId;
  method?: string;
  params?: any;
}

export class Authenticator {
  readonly description: { [name: string]: Json };
  readonly handlers = new Map<string, Handler>();
  readonly checks = new Map<string, Check>();
  /** By key: the answer, once there is one; `null` if a repeated question has to be decided again. */
  #answers = new Map<string, Promise<Answer | null>>();

  /** `description` is shown by `engine/describe`: `name`, `version`. */
  constructor(description: { [name: string]: Json } = {}) {
    this.description = description;
  }

  /** Decides a request, such as `login`; in one flow only if it is given as `FLOW/REQUEST`. */
  on(request: string, handler: Handler): this {
    this.handlers.set(request, handler);
    return this;
  }

  /** Checks the values of an item, given by its `apiKey`, while the user types. */
  check(request: string, item: string, check: Check): this {
    this.checks.set(`${request} ${item}`, check);
    return this;
  }

  /** Reads questions from standard input and writes answers to standard output, until the input ends. */
  async run(): Promise<void> {
    const connection = this.connect((message) => process.stdout.write(`${JSON.stringify(message)}\n`));
    for await (const line of linesOf(process.stdin)) connection.receive(JSON.parse(line));
    connection.close();
  }

  /** Serves an engine that runs with `--authenticator frontend`; `send` writes a message to it. `Engine` does this for its `authenticator`. */
  connect(send: Send): Connection {
    return new EngineConnection(this, send);
  }

  /** Returns the answer to a question with this key. If the first one is still being decided, waits for it, so that nothing is carried out twice. */
  async answerTo(key: string): Promise<Answer | null> {
    return (await this.#answers.get(key)) ?? null;
  }

  remember(key: string, answer: Promise<Answer | null>): void {
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > REMEMBERED && oldest !== undefined) this.#answers.delete(oldest);
  }
}

class EngineConnection implements Connection {
  #conversations = new Map<number, Conversation>();

  constructor(readonly authenticator: Authenticator, readonly send: Send) {}

  receive({ id = null, method, params }: Incoming): void {
    if (method === "authenticator/describe") this.#describe(id);
    else if (method === "authenticator/submit") void this.#submit(id, params);
    else if (method === "authenticator/continue") void this.#continue(id, params);
    else if (method === "authenticator/check") void this.#check(id, params);
    else if (method === "authenticator/cancel") this.#cancel(params.attempt);
    else if (method !== undefined && id !== null) this.send(failed(id, -32601, "This authenticator has no such method."));
  }

  close(): void {
    for (const attempt of [...this.#conversations.keys()]) this.#cancel(attempt);
  }

  #cancel(attempt: number): void {
    this.#conversations.get(attempt)?.cancelled.abort();
    this.#conversations.delete(attempt);
  }

  #describe(id: RequestId): void {
    const { description, handlers } = this.authenticator;
    const requests = [...new Set([...handlers.keys()].map((name) => name.split("/").pop()))];
    this.send({ jsonrpc: "2.0", id, result: { ...description, requests } });
  }

  async #submit(id: RequestId, params: SubmitParams): Promise<void> {
    const { handlers } = this.authenticator;
    const handler = handlers.get(`${params.flow}/${params.request}`) ?? handlers.get(params.request);
    if (!handler) return this.send(failed(id, 100, "There is no such request.", "unsupportedRequest"));
    const conversation = new Conversation(params, this.send);
    this.#conversations.set(params.attempt, conversation);
    const question = conversation.take(id, params);
    const answer = (await this.authenticator.answerTo(params.key)) ?? (question && (await this.#decide(handler, question, conversation)));
    if (answer) conversation.answer(answer);
    if (this.#conversations.get(params.attempt) === conversation) this.#conversations.delete(params.attempt);
  }

  async #decide(handler: Handler, question: Question, conversation: Conversation): Promise<Answer | Failure | null> {
    const deciding = run(question.request, async () => handler(question));
    const remembered = deciding.then((answer) => (answer && "outcome" in answer && ["accepted", "notice"].includes(answer.outcome) ? answer : null));
    this.authenticator.remember(question.key, remembered);
    const answer = await deciding;
    // The question that is answered at the end may be a later one than the first.
    if (conversation.open) this.authenticator.remember(conversation.open.key, remembered);
    return answer;
  }

  async #continue(id: RequestId, params: ContinueParams): Promise<void> {
    const earlier = await this.authenticator.answerTo(params.key);
    const conversation = this.#conversations.get(params.attempt);
    if (earlier) this.send(response(id, earlier));
    else if (!conversation) this.send(response(id, { outcome: "rejected", reason: "challengeExpired" }));
    else if (!conversation.take(id, params)) this.send(failed(id, 2, "The previous question is not answered yet."));
  }

  async #check(id: RequestId, params: CheckParams): Promise<void> {
    const check = this.authenticator.checks.get(`${params.request} ${params.item}`);
    if (!check) return this.send(failed(id, 100, "There is no such check.", "unsupportedRequest"));
    const answer = await run(params.request, async () => check({ ...params, value: params.values[params.item] ?? null }));
    if (answer) this.send(response(id, answer));
  }
}

/** Runs a handler. Reports where it failed, but not the text of the error, which may quote what the user entered. */
async function run<Result>(request: string, handler: () => Promise<Result>): Promise<Result | Failure | null> {
  try {
    const answer = await handler();
    if (answer === undefined || answer === null) throw new TypeError("a handler has to return an answer");
    return answer;
  } catch (error) {
    if (error instanceof Failure) return error;
    if (error instanceof Cancelled) return null;
    const [name, stack] = error instanceof Error ? [error.name, error.stack ?? ""] : ["Error", ""];
    const place = stack.split("\n").find((line) => line.trimStart().startsWith("at "))?.trim() ?? "";
    console.error(`${name} while deciding ${request} ${place}`);
    return new Failure("authenticatorFailed");
  }
}

function response(id: RequestId, answer: Answer | CheckResult | Failure): object {
  return answer instanceof Failure ? failed(id, 1, answer.message, answer.code) : { jsonrpc: "2.0", id, result: answer };
}

function failed(id: RequestId, code: number, message: string, name?: string): object {
  return { jsonrpc: "2.0", id, error: { code, message, ...(name !== undefined && { data: { code: name } }) } };
}

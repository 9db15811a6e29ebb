// Counts down the remaining time of a throttle. The engine reports when a throttle begins and ends, and nothing in between.

import type { RetryTime } from "../../typescript/src/wire.js";
import { setText } from "./dom.js";

export class Countdown {
  #timer: ReturnType<typeof setInterval> | undefined;
  #retryAt: RetryTime | null = null;
  #end = 0;

  constructor(readonly target: HTMLElement) {}

  /** `retryAt` as in a snapshot. If it has just arrived (`isFresh`) its duration counts, because the user's clock may be wrong. */
  draw(retryAt: RetryTime | null, isFresh: boolean, locale: string): void {
    if (retryAt && retryAt.at !== this.#retryAt?.at) {
      this.#end = performance.now() + (isFresh ? retryAt.afterMs : Math.min(retryAt.at - Date.now(), retryAt.afterMs));
    }
    this.#retryAt = retryAt;
    clearInterval(this.#timer);
    if (retryAt) this.#timer = setInterval(() => this.#tick(locale), 250);
    this.#tick(locale);
  }

  #tick(locale: string): void {
    const seconds = Math.max(0, Math.ceil((this.#end - performance.now()) / 1000));
    this.target.hidden = !this.#retryAt || seconds === 0;
    if (this.target.hidden) return clearInterval(this.#timer);
    const [value, unit] = seconds < 100 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
    setText(this.target, new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "narrow" }).format(value));
  }
}

// Counts down the remaining time of a throttle. The engine reports when a throttle begins and ends, and nothing in between.

import { setText } from "./dom.js";

export class Countdown {
  #timer = null;
  #retryAt = null;
  #end = 0;

  constructor(target) {
    this.target = target;
  }

  /** `retryAt` as in a snapshot. `isNow` means that the engine has just sent it: then its duration counts, because the user's clock may be wrong. */
  draw(retryAt, isNow, locale) {
    this.locale = locale;
    if (retryAt?.at !== this.#retryAt?.at) {
      const left = isNow ? retryAt?.afterMs : Math.min(retryAt?.at - Date.now(), retryAt?.afterMs);
      this.#end = performance.now() + (left ?? 0);
    }
    this.#retryAt = retryAt;
    clearInterval(this.#timer);
    if (retryAt) this.#timer = setInterval(() => this.#tick(), 250);
    this.#tick();
  }

  #tick() {
    const seconds = Math.max(0, Math.ceil((this.#end - performance.now()) / 1000));
    this.target.hidden = !this.#retryAt || seconds === 0;
    if (this.target.hidden) return clearInterval(this.#timer);
    const format = (value, unit) => new Intl.NumberFormat(this.locale, { style: "unit", unit, unitDisplay: "narrow" }).format(value);
    setText(this.target, seconds < 100 ? format(seconds, "second") : format(Math.ceil(seconds / 60), "minute"));
  }
}

// The browser's history has an entry for each screen, so that its buttons lead from screen to screen, and not off the site.

import type { BridgeLogin, Place } from "../../typescript/src/bridge.js";
import { findItem, plainValues } from "../../typescript/src/model.js";
import type { Json, Snapshot } from "../../typescript/src/wire.js";

export class Trail {
  /** The screens of the browser's entries, up to the current one. */
  #screens: string[] = [];
  #shown: Snapshot | null = null;
  /** Whether the browser has gone to another entry, whose screen is not shown yet. */
  #isGoing = false;
  /** The link that the user has pressed on the screen. */
  #pressed: string | null = null;
  /** By screen and the screen that it led to: a link. No snapshot tells where a link leads. */
  #links = new Map<string, string>();
  /** By screen: the values that it had when it was left. */
  #values = new Map<string, Place["values"]>();

  constructor(readonly login: BridgeLogin) {
    addEventListener("popstate", ({ state }) => this.#go(screensOf(state)));
  }

  press(link: string): void {
    this.#pressed = link;
  }

  /** Follows what the session shows. */
  follow(): void {
    const { session } = this.login;
    const [before, shown] = [this.#shown, session.snapshot];
    if (!shown || shown.scene) return;
    this.#shown = shown;
    if (before?.screen !== shown.screen) this.#enter(before, shown);
    else if (session.isInSync) {
      // A press that did not lead to another screen at once was no link to a screen.
      this.#pressed = null;
      if (this.#isGoing) this.#stay(shown.screen);
    }
  }

  #enter(before: Snapshot | null, { screen }: Snapshot): void {
    if (before) this.#values.set(before.screen, plainValues(before));
    if (before && this.#pressed) this.#links.set(`${before.screen} ${screen}`, this.#pressed);
    this.#pressed = null;
    if (!before) {
      const screens = screensOf(history.state);
      this.#screens = screens.at(-1) === screen ? screens : [screen];
      history.replaceState({ screens: this.#screens }, "");
    } else if (this.#isGoing) {
      this.#stay(screen);
      this.#restore(this.#values.get(screen) ?? {});
    } else if (this.#screens.at(-2) === screen) {
      this.#screens = this.#screens.slice(0, -1);
      history.back();
    } else {
      this.#screens = [...this.#screens, screen];
      history.pushState({ screens: this.#screens }, "");
    }
  }

  /** Makes the browser's current entry that of the screen. */
  #stay(screen: string): void {
    this.#isGoing = false;
    this.#screens = [...this.#screens.slice(0, -1), screen];
    history.replaceState({ screens: this.#screens }, "");
  }

  #go(screens: string[]): void {
    const { session, connection } = this.login;
    const [from, to] = [session.snapshot, screens.at(-1)];
    if (!from || to === undefined) return;
    const isBack = screens.length < this.#screens.length;
    this.#screens = screens;
    if (from.screen === to) return;
    const link = from.alert ? undefined : from.actions.find(({ id, enabled }) => enabled && id === this.#links.get(`${from.screen} ${to}`));
    this.#isGoing = true;
    this.#values.set(from.screen, plainValues(from, (item) => session.value(item)));
    if (link) return session.press(link.id);
    // Only the flow's own screens can be opened, so a later one may lead nowhere, and an earlier one further back.
    if (!isBack || !["connected", "restarted"].includes(connection)) return this.#stay(from.screen);
    void this.login.reopen([...screens].reverse().map((screen) => ({ screen, values: this.#values.get(screen) ?? {} })));
  }

  /** Enters the values that the screen had, where it has none. */
  #restore(values: { [item: string]: Json }): void {
    const { session } = this.login;
    for (const [id, value] of Object.entries(values)) {
      const item = findItem(session.snapshot as Snapshot, id);
      if (item && !session.value(item)) session.change(id, value);
    }
  }
}

function screensOf(state: unknown): string[] {
  const { screens } = (state ?? {}) as { screens?: unknown };
  return Array.isArray(screens) ? screens : [];
}

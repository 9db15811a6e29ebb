// Connects the parts of the page: the login through the bridge, and the view.

import { BridgeLogin, type ConnectionState } from "../../typescript/src/bridge.js";
import type { LoginSession } from "../../typescript/src/session.js";
import { element, setAttribute, setText } from "./dom.js";
import type { Words } from "./fields.js";
import { Trail } from "./trail.js";
import { View } from "./view.js";

/** The longest time for an update's transition, in milliseconds. */
const LONGEST_TRANSITION_MS = 500;

const allWords: { en: Words; [language: string]: Words } = await (await fetch(new URL("words.json", import.meta.url))).json();
const find = (id: string) => document.getElementById(id) as HTMLElement;

class App {
  readonly login: BridgeLogin;
  /** Without animations the view shows each update at once. */
  #isAnimated = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  #trail: Trail;
  #view: View | null = null;
  #drawn: LoginSession | null = null;
  #updates = 0;

  constructor() {
    const locale = localStorage.getItem("locale") ?? navigator.language;
    const query = new URLSearchParams(location.search);
    this.login = new BridgeLogin({ locale, screen: query.get("screen"), next: nextOf(location.search), acknowledged: this.#isAnimated });
    this.#trail = new Trail(this.login);
    this.login.subscribe(() => this.#draw());
    find("locale").addEventListener("change", () => this.#changeLocale((find("locale") as HTMLSelectElement).value));
    // Without its login, the account page leads to the page where people log in.
    find("connection-button").addEventListener("click", () => (isLoggedOut(this.login.connection) ? location.reload() : this.login.restart()));
  }

  get session(): LoginSession {
    return this.login.session;
  }

  #draw(): void {
    const { session, connection, locale } = this.login;
    const words = allWords[locale.split("-")[0] ?? "en"] ?? allWords.en;
    const isOver = connection === "elsewhere" || connection === "ended" || isLoggedOut(connection);
    this.#drawConnection(words, isOver);
    if (session !== this.#drawn || isOver) {
      this.#view?.end(isLoggedOut(connection));
      this.#view = null;
      this.#drawn = session;
      this.#updates = 0;
    }
    if (!session.snapshot || isOver) return;
    if (session.violation) console.error(session.violation);
    this.#view ??= new View(document.querySelector("main") as HTMLElement, this.login, words, (link) => this.#trail.press(link));
    this.#view.words = words;
    this.#view.draw();
    this.#trail.follow();
    this.#drawLocales(words);
    if (this.#isAnimated && session.updates !== this.#updates) void this.#present(session);
    this.#updates = session.updates;
  }

  async #present(session: LoginSession): Promise<void> {
    const { revision } = session;
    await settled(find("card").parentElement as HTMLElement);
    if (this.session === session) session.presented(revision);
  }

  #drawConnection(words: Words, isOver: boolean): void {
    const { connection } = this.login;
    const isSilent = connection === "connecting" || connection === "connected" || connection === "done";
    // The first screen of the page works by posting its form, even if a network lets no WebSocket through.
    const isPlain = connection === "lost" && find("card").hasAttribute("data-first");
    find("connection").hidden = isSilent;
    if (!isSilent) setText(find("connection-text"), isPlain ? words.plain : words[connection]);
    if (isLoggedOut(connection)) {
      // Nothing else is left on the page.
      document.title = words[connection];
      setAttribute(find("connection-text"), "role", "heading");
      setAttribute(find("connection-text"), "aria-level", 1);
    }
    find("connection-button").hidden = !isOver;
    setText(find("connection-button"), isLoggedOut(connection) ? words.logIn : words.here);
    find("card").inert = isOver;
  }

  #drawLocales(words: Words): void {
    const { locales, locale } = this.login;
    find("language").hidden = locales.length < 2;
    setText(find("language-title"), words.language);
    if (find("locale").children.length !== locales.length) {
      const name = (tag: string) => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
      find("locale").replaceChildren(...locales.map((tag) => element("option", { value: tag, lang: tag }, name(tag))));
    }
    (find("locale") as HTMLSelectElement).value = locale;
  }

  #changeLocale(locale: string): void {
    localStorage.setItem("locale", locale);
    this.login.setLocale(locale);
  }
}

/** Whether the login to which the page belonged has ended. */
function isLoggedOut(connection: ConnectionState): connection is "loggedOut" | "gone" | "disabled" {
  return connection === "loggedOut" || connection === "gone" || connection === "disabled";
}

/** Returns where a success leads. A proxy that cannot encode it puts the whole address, with its own query, at the end of ours. */
function nextOf(search: string): string | null {
  const given = search.split(/[?&]next=/).slice(1).join("&next=");
  return given.startsWith("/") ? given : new URLSearchParams(search).get("next");
}

/** Resolves when all animations have finished. */
function settled(root: HTMLElement): Promise<unknown> {
  const moving = root.getAnimations({ subtree: true }).filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
  const rest = Promise.allSettled(moving.map(({ finished }) => finished));
  return Promise.race([rest, new Promise((resolve) => setTimeout(resolve, LONGEST_TRANSITION_MS))]);
}

/** For tests and for the browser's developer tools. */
export const app = new App();

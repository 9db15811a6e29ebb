// Connects the parts of the page: the link to the bridge, the session of this tab, and the view.

import * as external from "./external.js";
import { element, setText } from "./dom.js";
import { Link } from "./link.js";
import { itemOf } from "./model.js";
import { Session } from "./session.js";
import { View } from "./view.js";

/** The page's name for its session; the bridge uses another one. */
const NAME = "tab";
/** The longest time for an update's transition, in milliseconds. */
const LONGEST_TRANSITION = 500;

const allWords = await (await fetch("/page/words.json")).json();
const find = (id) => document.getElementById(id);

class App {
  #questions = new Map();
  #count = 0;
  #returned = external.takeReturn();
  /** The last snapshot, kept while no session can be opened. */
  #before = null;
  #retry = null;
  /** Whether a snapshot has to come before anything is sent: until then it is unknown which earlier messages arrived. */
  #isResuming = false;
  /** The bridge's last engine, and whether another has replaced it since the session was shown. */
  #engine = null;
  #isReplaced = false;

  constructor() {
    this.locale = localStorage.getItem("locale") ?? navigator.language;
    this.isAcknowledged = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    find("locale").addEventListener("change", () => this.#changeLocale(find("locale").value));
    find("connection-button").addEventListener("click", () => this.#continue());
    this.link = new Link({
      begun: (result) => this.#begun(result),
      received: (message) => this.#received(message),
      lost: (isOurFault) => this.#lost(isOurFault),
      takenOver: () => this.#stop("elsewhere"),
    });
  }

  get words() {
    const language = (this.session?.shown?.locale ?? this.locale).split("-")[0];
    return allWords[language] ?? allWords.en;
  }

  #begun({ resumed, locales, engine }) {
    this.locales = locales;
    this.#isReplaced ||= this.#engine !== null && this.#engine !== engine;
    this.#engine = engine;
    if (!resumed) return this.#open();
    this.#isResuming = true;
    // A reloaded page has no state yet; the bridge sends a snapshot in either case.
    if (!this.session) this.#newSession();
    this.#hush("lost");
  }

  #lost(isOurFault) {
    this.#isResuming = true;
    // The bridge would refuse the same messages again.
    if (isOurFault) this.session?.giveUp();
    this.#say("lost");
  }

  #newSession() {
    this.#isReplaced = false;
    this.view?.end();
    this.session = new Session(NAME, (message) => this.#isResuming || this.link.send(message));
    this.view = null;
    this.#questions.clear();
  }

  /** Opens a session, with the field values of a lost one. */
  async #open(isPlain = false) {
    clearTimeout(this.#retry);
    this.#isResuming = false;
    this.#returned = null;
    const before = this.#before = this.session?.shown ?? this.#before;
    const values = before && Object.fromEntries(before.sections.flatMap(({ items }) => items)
      .filter((item) => ["input", "selection", "switch"].includes(item.kind) && item.value && !item.readOnly)
      .map((item) => [item.id, item.value]));
    const screen = new URLSearchParams(location.search).get("screen");
    const where = before ? { screen: before.screen, values } : screen ? { screen } : {};
    this.#newSession();
    const supports = [...external.types, "restoreSecret"];
    const transitions = this.isAcknowledged ? "acknowledged" : "instant";
    try {
      await this.ask("session/open", { locale: before?.locale ?? this.locale, supports, transitions, ...(isPlain ? {} : where) });
      if (before) this.#say("restarted");
      else this.#hush();
    } catch {
      if (!isPlain && Object.keys(where).length) return this.#open(true);
      this.#say("busy");
      this.#retry = setTimeout(() => this.#open(), 3000 + 4000 * Math.random());
    }
  }

  /** Returns the result of a request. */
  ask(method, params) {
    this.#count += 1;
    const id = this.#count;
    const isBridges = method.startsWith("bridge/");
    this.link.send({ jsonrpc: "2.0", id, method, params: isBridges ? params : { session: NAME, ...params } });
    return new Promise((resolve, reject) => this.#questions.set(id, { resolve, reject }));
  }

  #received(message) {
    const { method, params, id } = message;
    if (method === "bridge/snapshot") this.#resume(params);
    else if (method === "bridge/restarted") this.#open();
    else if (method === "bridge/ticket") this.#enter(params.ticket);
    else if (method === "session/closed") this.#stop("ended");
    else if (this.#questions.has(id)) this.#answer(id, message);
    else if (method === "session/update") {
      this.session.update(params);
      this.#draw();
    }
  }

  #answer(id, { result, error }) {
    const { resolve, reject } = this.#questions.get(id);
    this.#questions.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  #resume(snapshot) {
    const wasLost = this.#isResuming;
    this.#isResuming = false;
    this.session.resume(snapshot, wasLost, this.#isReplaced);
    this.#isReplaced = false;
    this.#hush();
    this.#draw({ isNow: false });
    const item = this.#returned && itemOf(this.session.shown, this.#returned.item);
    if (item?.editable && this.session.shown.screen === this.#returned.screen) {
      this.session.edit(item.id, this.#returned.value);
      this.session.press();
    }
    this.#returned = null;
  }

  async #draw(how) {
    const { session } = this;
    if (!session.shown) return;
    if (session.violation) console.error(session.violation);
    this.view ??= new View(document.querySelector("main"), {
      session,
      words: this.words,
      ask: (method, params) => this.ask(method, params),
      leave: () => this.link.send({ jsonrpc: "2.0", method: "bridge/away", params: {} }),
    });
    this.view.words = this.words;
    this.view.draw(how);
    this.#drawLocales();
    const presented = session.revision;
    if (!this.isAcknowledged) return;
    await settled(find("card").parentElement);
    if (this.session === session) this.link.send({ jsonrpc: "2.0", method: "session/presented", params: { session: NAME, revision: presented } });
  }

  // The language

  #drawLocales() {
    const { locale } = this.session.shown;
    find("language").hidden = this.locales.length < 2;
    setText(find("language-title"), this.words.language);
    if (find("locale").children.length !== this.locales.length) {
      const name = (tag) => new Intl.DisplayNames([tag], { type: "language" }).of(tag);
      find("locale").replaceChildren(...this.locales.map((tag) => element("option", { value: tag, lang: tag }, name(tag))));
    }
    find("locale").value = locale;
  }

  #changeLocale(locale) {
    this.locale = locale;
    localStorage.setItem("locale", locale);
    this.ask("session/locale", { locale }).catch(() => {});
  }

  // The end of the session

  /** Leaves for the application's own page, with a cookie that only the server reads. */
  #enter(ticket) {
    this.link.forget();
    sessionStorage.removeItem("user");
    const form = element("form", { method: "post", action: "/enter", hidden: true }, element("input", { name: "ticket", value: ticket }));
    document.body.append(form);
    form.submit();
  }

  /** Shows a message of the page itself. */
  #say(word, button = null) {
    this.said = word;
    setText(find("connection-text"), this.words[word]);
    find("connection-button").hidden = !button;
    if (button) setText(find("connection-button"), this.words[button]);
    find("connection").hidden = false;
  }

  #hush(word = this.said) {
    if (this.said === word) find("connection").hidden = true;
  }

  #stop(word) {
    this.view?.end();
    this.view = null;
    this.#say(word, "here");
    find("card").inert = true;
  }

  #continue() {
    find("card").inert = false;
    this.#hush();
    if (this.said === "elsewhere") this.link.beginAnew();
    else this.#open();
  }
}

/** Resolves when all animations have finished. */
function settled(root) {
  const moving = root.getAnimations({ subtree: true }).filter(({ effect }) => effect.getTiming().iterations !== Infinity);
  const rest = Promise.allSettled(moving.map(({ finished }) => finished));
  return Promise.race([rest, new Promise((resolve) => setTimeout(resolve, LONGEST_TRANSITION))]);
}

/** For tests and for the browser's developer tools. */
export const app = new App();

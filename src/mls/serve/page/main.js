// The page: a text becomes a summary that follows the slider.

import { element } from "../explain/dom.js";
import { draft } from "./kept.js";
import { ServiceError, example, info, read } from "./service.js";
import { restored } from "./share.js";
import { Start, takeDrops } from "./start.js";
import { Workspace } from "./workspace.js";

const main = document.querySelector("main");
const OWN = "#text"; // behind the address while one works with a text of one's own, which it does not hold
const TITLE = document.title;
const LONGEST_TITLE = 70;

/** The page's two views: where a text is given, and where it is worked with. */
class Page {
  constructor(facts) {
    this.facts = facts;
    this.start = new Start(facts, {
      begin: (text) => this.work(text, null, titleOf(text), text === this.file?.text ? this.file.settings : {}),
      open: (file) => this.open(file),
      pick: (name) => this.pick(name),
    });
    this.workspace = new Workspace(facts, { another: () => this.again(), failed: (error) => this.fail(error) });
    this.show(this.start.section);
    this.start.fill(draft());
    takeDrops(document.body, (file) => this.open(file));
    addEventListener("popstate", () => this.restore());
    addEventListener("hashchange", () => this.restore());
    this.restore();
  }

  show(section) {
    if (main.firstElementChild !== section) main.replaceChildren(section);
  }

  /** Work with a text. Back leads to where it was given, and a reload here again. */
  work(text, name, title, settings = {}) {
    this.text = text;
    if (!name && location.hash !== OWN) history.pushState(null, "", OWN);
    this.show(this.workspace.section);
    document.title = `${title} · MLS`;
    scrollTo(0, 0);
    this.workspace.begin(text, name, title, settings);
  }

  async pick(name, settings = {}) {
    const { title } = this.facts.examples.find((one) => one.name === name);
    if (!location.hash) history.pushState(null, "", `#example=${name}`);
    await this.guarded(async () => this.work(await example(name), name, title, settings));
  }

  async open(file) {
    const { file_bytes: most } = this.facts.limits;
    await this.guarded(async () => {
      if (file.size > most) throw new ServiceError(`${file.name} has ${file.size.toLocaleString("en")} bytes; this server takes up to ${most.toLocaleString("en")}.`, 413);
      this.start.complain(`Reading ${file.name} …`);
      const { text, marks, kind } = await read(file);
      this.start.fill(text);
      this.file = { text, settings: { marks, kind } };
      this.work(text, null, file.name.replace(/\.\w+$/, ""), this.file.settings);
    });
  }

  /** What goes wrong before there is a summary is said at the start. */
  async guarded(action) {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.fail(error);
    }
  }

  fail(error) {
    this.again(false);
    this.start.complain(error.message);
  }

  again(focus = true) {
    if (location.hash) history.pushState(null, "", location.pathname + location.search);
    this.back(focus);
  }

  back(focus = true) {
    document.title = TITLE;
    if (this.text !== undefined) this.start.fill(this.text);
    this.show(this.start.section);
    if (focus) this.start.field.focus();
  }

  /** Show what the address says: an example, one's own text, or the start. */
  restore() {
    const settings = restored(location.hash, this.facts);
    const own = this.text ?? draft();
    if (settings) {
      if (!this.workspace.isAt(location.hash)) this.pick(settings.example, settings);
    } else if (location.hash === OWN && own.trim()) {
      if (!this.workspace.section.isConnected) this.work(own, null, titleOf(own));
    } else if (this.workspace.section.isConnected) {
      this.back(false);
    }
  }
}

/** What a text may be called: its first line, if that is short, or the beginning of it. */
function titleOf(text) {
  const line = text.trim().split(/\r?\n/, 1)[0].replace(/^#+\s*/, "").replace(/\s+/g, " ").trim();
  const letters = Array.from(line);
  return letters.length <= LONGEST_TITLE ? line || "Your text" : `${letters.slice(0, LONGEST_TITLE).join("").replace(/\s+\S*$/, "")} …`;
}

try {
  new Page(await info());
} catch (error) {
  if (!(error instanceof ServiceError)) throw error;
  main.replaceChildren(element("p", { class: "alert", role: "alert" }, error.message));
}

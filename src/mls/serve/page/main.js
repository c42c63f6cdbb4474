// The page: a text becomes a summary that follows the slider.

import { element } from "../explain/dom.js";
import { Refusal, example, info, read } from "./service.js";
import { restored } from "./share.js";
import { Start, takeDrops } from "./start.js";
import { Workspace } from "./workspace.js";

const main = document.querySelector("main");

/** The page's two views: where a text is given, and where it is worked with. */
class Page {
  constructor(facts) {
    this.facts = facts;
    this.start = new Start(facts, {
      begin: (text) => this.work(text, null, text === this.file?.text ? this.file.settings : {}),
      open: (file) => this.open(file),
      pick: (name) => this.pick(name),
    });
    this.workspace = new Workspace(facts, { another: () => this.again(), failed: (error) => this.refused(error) });
    this.show(this.start.section);
    takeDrops(document.body, (file) => this.open(file));
    addEventListener("hashchange", () => this.restore());
    this.restore();
  }

  show(section) {
    if (main.firstElementChild !== section) main.replaceChildren(section);
  }

  work(text, name, settings = {}) {
    this.text = text;
    this.show(this.workspace.section);
    scrollTo(0, 0);
    this.workspace.begin(text, name, settings);
  }

  async pick(name, settings = {}) {
    await this.guarded(async () => this.work(await example(name), name, settings));
  }

  async open(file) {
    const { file_bytes: most } = this.facts.limits;
    await this.guarded(async () => {
      if (file.size > most) throw new Refusal(`${file.name} has ${file.size.toLocaleString("en")} bytes; this server takes up to ${most.toLocaleString("en")}.`, 413);
      this.start.complain(`Reading ${file.name} …`);
      const { text, marks, kind } = await read(file);
      this.start.fill(text);
      this.file = { text, settings: { marks, kind } };
      this.work(text, null, this.file.settings);
    });
  }

  /** What goes wrong before there is a summary is said at the start. */
  async guarded(action) {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refused(error);
    }
  }

  refused(error) {
    this.again(false);
    this.start.complain(error.message);
  }

  again(focus = true) {
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    if (this.text !== undefined) this.start.fill(this.text);
    this.show(this.start.section);
    if (focus) this.start.field.focus();
  }

  restore() {
    const settings = restored(location.hash, this.facts);
    if (settings && !this.workspace.isAt(location.hash)) this.pick(settings.example, settings);
  }
}

try {
  new Page(await info());
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  main.replaceChildren(element("p", { class: "alert", role: "alert" }, error.message));
}

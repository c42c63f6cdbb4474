// Where a text is worked with: its length, its summary beside its source, its reasons, and what to do with it.

import { element, heading, quoted } from "../explain/dom.js";
import { notes, records, viewOf } from "../explain/explanation.js";
import { choose, listen, whySection } from "../explain/links.js";
import { fillSummary, legend, showSource, sourceSection, summarySection } from "../explain/texts.js";
import { Rival, rivals } from "./compare.js";
import { Length } from "./length.js";
import { Asker } from "./service.js";
import { FORMS, copy, download, written } from "./share.js";
import { WEIGHTS_HINT, WeightSliders } from "./weights.js";

const SLOW = 200; // milliseconds after which one is told that something is being done
const KEPT = "kept";

export class Workspace {
  /** `another` is called when another text is wanted, `failed` when there is no summary to show at all. */
  constructor(facts, { another, failed }) {
    Object.assign(this, { facts, another, failed });
    this.rivals = new Map(rivals(facts).map(([value, label, how]) => [value, { label, how }]));
    this.length = new Length((budget) => this.change({ budget }));
    this.weights = new WeightSliders((weights) => this.change({ weights }));
    this.rival = new Rival();
    this.view = { page: element("div", { class: "views" }), chosen: null };
    this.asker = this.askerFor((data, asked) => this.show(data, asked));
    this.rivalAsker = this.askerFor((data) => this.showRival(data));
    this.build();
    listen(this.view);
    this.view.page.addEventListener("click", () => this.remember());
    this.view.page.addEventListener("keyup", () => this.remember());
  }

  build() {
    this.alert = element("p", { class: "alert", role: "alert" });
    this.status = element("p", { class: "unseen", role: "status" });
    this.notes = element("div", { class: "said-notes" });
    this.legend = element("div");
    this.records = element("div");
    this.summary = summarySection("choose a sentence to see its reasons", this.notes, this.legend);
    this.source = sourceSection();
    this.spread = element("div", { class: "spread" }, this.summary.section, this.rival.section, this.source.section, whySection(this.view));
    const more = element("details", { class: "more" }, element("summary", {}, "The whole record: ledger, what was passed over, the prototype"), this.records);
    this.view.page.append(this.spread, more);
    this.length.section.append(this.tools());
    this.section = element("div", { class: "workspace" },
      this.length.section, this.panel, this.alert, this.status, this.view.page);
  }

  /** The row of buttons, and the panel that two of them open. */
  tools() {
    const button = (label, action) => {
      const made = element("button", { type: "button" }, label);
      made.addEventListener("click", action);
      return made;
    };
    this.panel = element("div", { class: "panel", id: "settings", hidden: "" }, this.settingsPanel());
    const settings = button("Tune and compare", () => {
      this.panel.hidden = !this.panel.hidden;
      settings.setAttribute("aria-expanded", !this.panel.hidden);
    });
    settings.setAttribute("aria-expanded", false);
    settings.setAttribute("aria-controls", "settings");
    this.opener = settings;
    this.link = button("Copy link", () => this.tell(copy(location.href), "The link is copied."));
    return element("div", { class: "tools" }, settings,
      button("Copy", () => this.tell(copy(this.view.data.text), "The summary is copied.")),
      this.downloads(), this.link, button("Another text", () => this.another()));
  }

  downloads() {
    const entry = ([form, { label }]) => {
      const item = element("button", { type: "button", "data-form": form }, label);
      item.addEventListener("click", () => {
        menu.open = false;
        menu.firstChild.focus();
        this.tell(download(form, { data: this.view.data, asked: this.asked }).then(() => true), "The file is on its way.");
      });
      return element("li", {}, item);
    };
    const menu = element("details", { class: "menu" }, element("summary", {}, "Download"), element("ul", {}, Object.entries(FORMS).map(entry)));
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.firstChild.focus();
      event.stopPropagation();
    });
    document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
    return menu;
  }

  settingsPanel() {
    const reset = element("button", { type: "button" }, "Weights as they were");
    reset.addEventListener("click", () => this.change({ weights: null }));
    this.drafts = select("draft", [["", "the server’s default"], ...this.facts.choices.prototype.map((name) => [name, name])], (value) => this.change({ prototype: value || null }));
    this.kinds = select("kind", [["", "recognised"], ...this.facts.choices.kind.filter((name) => name !== "recognised").map((name) => [name, name])], (value) => this.change({ kind: value || null }));
    this.presets = select("recipe", [["", "the server’s default"], ...Object.keys(this.facts.recipes).map((name) => [name, name])], (value) => this.change({ recipe: value || null, weights: null }));
    this.compared = select("rival", [["", "nothing"], [KEPT, "these settings, kept as they are"], ...[...this.rivals].map(([value, { label }]) => [value, label])], (value) => this.compare(value));
    return [
      element("section", { class: "counts", "aria-label": "What counts" }, heading("What counts", WEIGHTS_HINT), this.weights.list),
      element("section", { class: "choices", "aria-label": "Settings" },
        labelled("Compare with", this.compared), labelled("Recipe", this.presets), labelled("Drafted by", this.drafts), labelled("Kind of text", this.kinds), reset),
    ];
  }

  askerFor(show) {
    let slow = 0;
    return new Asker({
      show: (data, asked) => {
        if (asked.text !== this.settings.text) return; // of a text that was left in the meantime
        if (!this.alert.classList.contains("good")) this.alert.replaceChildren();
        show(data, asked);
      },
      before: () => { slow = setTimeout(() => this.section.classList.add("working"), SLOW); },
      after: () => {
        clearTimeout(slow);
        this.section.classList.remove("working");
      },
      fail: (error, asked) => {
        if (asked.text !== this.settings.text) return;
        this.alert.classList.remove("good");
        if (this.view.data) this.alert.replaceChildren(quoted(error.message));
        else this.failed(error);
      },
    });
  }

  // ---- what is asked ---------------------------------------------------------------------------

  begin(text, name, { budget = "1/8", weights = null, recipe = null, prototype = null, kind = null, marks = null, rival = "", chosen = NaN } = {}) {
    this.settings = { text, marks, kind, budget, weights, recipe, prototype };
    this.example = name;
    this.wanted = Number.isNaN(chosen) ? null : chosen; // a sentence that a link says was chosen
    this.kept = null;
    this.rivalData = null;
    this.view.data = null;
    this.view.hues = undefined;
    this.view.chosen = null;
    this.section.classList.add("empty");
    for (const pane of [this.summary.pane, this.source.pane, this.view.reasons]) pane.replaceChildren();
    this.alert.replaceChildren();
    this.length.put(budget);
    this.drafts.value = prototype ?? "";
    this.presets.value = recipe ?? "";
    this.kinds.value = kind ?? "";
    this.compared.value = this.rivals.has(rival) ? rival : "";
    this.rival.hide();
    this.link.disabled = !name;
    this.link.title = name ? "" : "A link can restore an example, not a text of your own: that is stored nowhere.";
    this.change({});
  }

  change(settings) {
    Object.assign(this.settings, settings);
    this.asker.ask(body(this.settings));
    this.askRival();
  }

  compare(value) {
    this.kept = value === KEPT ? { ...this.settings } : null;
    this.askRival();
    this.remember();
  }

  askRival() {
    const value = this.compared.value;
    if (!value) return this.rival.hide();
    const how = this.rivals.get(value)?.how ?? {};
    const rest = value === KEPT ? this.kept : { text: this.settings.text, marks: this.settings.marks, ...how };
    return this.rivalAsker.ask(body({ ...rest, budget: this.settings.budget }));
  }

  rivalName() {
    return this.rivals.get(this.compared.value)?.label ?? "The settings you kept";
  }

  // ---- what is shown ---------------------------------------------------------------------------

  show(data, asked) {
    this.asked = asked;
    const before = this.view.data?.sentences[this.view.chosen]?.unit;
    const first = !this.view.data;
    viewOf(data, this.view.page, this.view);
    fillSummary(this.view, this.summary.pane);
    showSource(this.view, this.source);
    this.length.show(this.view);
    this.weights.show(data.heads);
    this.notes.replaceChildren(...notes(data));
    this.legend.replaceChildren(legend(data));
    this.records.replaceChildren(records(this.view));
    const stays = data.sentences.findIndex((sentence) => sentence.unit === before);
    const wanted = first && this.wanted !== null && data.sentences[this.wanted] ? this.wanted : null;
    choose(this.view, wanted ?? (stays < 0 ? null : stays));
    this.section.classList.remove("empty");
    this.remember();
    this.announce(data);
    this.showRival(this.rivalData);
  }

  /** Shown against the summary as it is now, whichever of the two was there first. */
  showRival(data) {
    this.rivalData = data;
    if (data && this.view.data && this.compared.value) this.rival.show(this.view, this.rivalName(), data);
  }

  /** Told to screen readers once the slider rests. */
  announce(data) {
    clearTimeout(this.telling);
    const count = data.sentences.length;
    this.telling = setTimeout(() => {
      this.status.textContent = `${count} ${count === 1 ? "sentence" : "sentences"}, ${data.length} of ${data.budget.limit} ${data.budget.unit} used`;
    }, 600);
  }

  async tell(done, message) {
    let said = message;
    try {
      if (!await done) said = "That did not work: mark the text and copy it with the keyboard.";
    } catch (error) {
      said = error.message;
    }
    this.alert.classList.toggle("good", said === message);
    this.alert.replaceChildren(said);
    clearTimeout(this.untelling);
    this.untelling = setTimeout(() => this.alert.textContent === said && this.alert.replaceChildren(), 4000);
  }

  /** Keep the address in step, so that it can be passed on; a text of one's own leaves no trace in it. */
  remember() {
    if (!this.example || !this.view.data) return;
    const rival = this.rivals.has(this.compared.value) ? this.compared.value : "";
    this.hash = written({ ...this.settings, example: this.example, rival, chosen: this.view.chosen });
    if (location.hash !== this.hash) history.replaceState(null, "", this.hash);
  }

  isAt(hash) {
    return this.section.isConnected && this.hash === hash;
  }
}

/** A request: what was not chosen is left out, so that the server's own defaults hold. */
function body({ text, marks, kind, budget, weights, recipe, prototype, method }) {
  const chosen = Object.entries({ marks, kind, weights, recipe, prototype, method }).filter(([, value]) => value);
  return { text, budget, ...Object.fromEntries(chosen) };
}

function select(id, entries, changed) {
  const made = element("select", { id }, entries.map(([value, label]) => element("option", { value }, label)));
  made.addEventListener("change", () => changed(made.value));
  return made;
}

const labelled = (text, control) => element("p", {}, element("label", { for: control.id }, text), control);

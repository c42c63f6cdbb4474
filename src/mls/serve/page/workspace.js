// Where a text is worked with: its length, its summary beside its source, its reasons, and what to do with it.

import { without } from "../explain/card.js";
import { element, heading, para, quoted } from "../explain/dom.js";
import { notes, records, viewOf } from "../explain/explanation.js";
import { sourceUnits } from "../explain/facts.js";
import { cardSection, choose, listen } from "../explain/links.js";
import { checked } from "../explain/record.js";
import { fillSummary, legend, showSource, sourceSection, summarySection } from "../explain/texts.js";
import { Rival, rivals } from "./compare.js";
import { damaged, forget, note, profile } from "./kept.js";
import { Length, segments } from "./length.js";
import { Asker, CANCELLED, ServiceError, post } from "./service.js";
import { FORMS, copy, download, written } from "./share.js";
import { WEIGHTS_HINT, WeightSliders } from "./weights.js";

const SLOW = 200; // milliseconds after which one is told that something is being done,
const LONG = 1500; // and in words, with a way out
const AGAIN = 2000; // after which a server that did not answer is asked again
const KEPT = "kept";
const DAMAGED = "Your profile in this browser is damaged: it is not used, and stays as it is until you forget it.";

export class Workspace {
  /** `another` is called when another text is wanted, `failed` when there is no summary to show at all. */
  constructor(facts, { another, failed }) {
    Object.assign(this, { facts, another, failed });
    this.rivals = new Map(rivals(facts).map(([value, label, how]) => [value, { label, how }]));
    this.length = new Length((budget) => this.change({ budget }));
    this.weights = new WeightSliders((weights) => this.change({ weights }));
    this.rival = new Rival();
    this.view = { page: element("div", { class: "views" }), chosen: null, left: null, actions: this.actions() };
    this.asker = this.askerFor((data, asked) => this.show(data, asked));
    this.rivalAsker = this.askerFor((data) => this.showRival(data));
    this.build();
    listen(this.view);
    this.view.page.addEventListener("click", () => this.remember());
    this.view.page.addEventListener("keyup", () => this.remember());
  }

  /** What the card offers: its buttons, and what is looked up when it opens. */
  actions() {
    const toggled = (list, position) => (list.includes(position) ? list.filter((one) => one !== position) : [...list, position]);
    const decide = (name, other) => (position) => this.change({
      [name]: toggled(this.settings[name], position), [other]: this.settings[other].filter((one) => one !== position) });
    const noted = (said) => (position) => {
      const kept = note(said, sourceUnits(this.view.data)[position].text.trim());
      this.tell(Promise.resolve(kept), said === "more" ? "Noted: more of this." : "Noted: you know this.", damaged() ? DAMAGED : "This browser keeps nothing, so it can’t be noted.");
      if (kept) this.change({});
      this.showProfile();
    };
    return { pin: decide("pin", "ban"), ban: decide("ban", "pin"), more: noted("more"), known: noted("known"), opened: (unit) => this.lookUp(unit) };
  }

  /** What would change without the sentence, or what it would need to come in: asked for when its card is open. */
  async lookUp(unit) {
    const box = this.view.reasons.querySelector(".afterwards");
    const asked = this.asked;
    if (!box || !asked || asked.method) return;
    clearTimeout(this.looking);
    this.looking = setTimeout(async () => {
      try {
        const found = await post("why", { ...asked, sentence: unit.anchor });
        if (box.isConnected) box.replaceChildren(...this.found(found).filter(Boolean));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    }, SLOW);
  }

  found(why) {
    const { units, budget } = this.view.data;
    if (why.inside) return without(why, units);
    const go = element("button", { type: "button", class: "enters" }, `Go to ${why.enters}`.replace("chars", "characters"));
    go.addEventListener("click", () => this.length.set(why.enters));
    const enters = why.enters ? [para(`It comes in by itself at ${why.enters.replace("chars", "characters")}; now the limit is ${budget.limit.toLocaleString("en")}. `, go)]
      : [para("Only the whole document has it.")];
    return [...enters, ...(why.pinned ? [para(quoted(`It can’t be pinned here: ${why.pinned}.`))] : without(why, units, true))];
  }

  build() {
    this.alert = element("p", { class: "alert", role: "alert" });
    this.status = element("p", { class: "unseen", role: "status" });
    this.notes = element("div", { class: "said-notes" });
    this.legend = element("div");
    this.records = element("div");
    this.title = element("h1", { tabindex: -1 });
    this.ask = element("input", { type: "search", id: "about", maxlength: 2000, autocomplete: "off", placeholder: "a question, a phrase, a name" });
    this.ask.addEventListener("change", () => this.change({ about: this.ask.value.trim(), weights: null }));
    this.looks = segments("View", "look", [["explained", "Explained"], ["plain", "Reading"]], (look) => this.view.page.classList.toggle("plain", look === "plain"));
    this.looks.querySelector("input").checked = true;
    this.progress = element("p", { class: "progress", role: "status", hidden: "" });
    this.marks = element("p", { class: "marked" });
    this.summary = summarySection("click any sentence, here or in the source: why is it in, why is it not?", this.notes, this.marks, this.legend);
    this.source = sourceSection();
    this.spread = element("div", { class: "spread" }, this.summary.section, this.rival.section, this.source.section);
    this.more = element("details", { class: "more" }, element("summary", {}, "The whole record: ledger, what was passed over, the prototype"), this.checker(), this.records);
    this.more.addEventListener("toggle", () => this.showRecords());
    this.view.page.append(this.spread, this.more, cardSection(this.view));
    const asking = element("div", { class: "asking" }, element("label", { for: "about" }, "Ask it"), this.ask, this.looks);
    this.controls = element("div", { class: "controls" }, asking, this.length.section, this.tools());
    this.section = element("div", { class: "workspace" },
      this.title, this.controls, this.length.bar, this.panel, this.progress, this.alert, this.status, this.view.page);
  }

  /** Take each reason away in turn: computed when asked. */
  checker() {
    const box = element("div");
    const button = element("button", { type: "button" }, "Take each reason away: what changes?");
    button.addEventListener("click", async () => {
      button.disabled = true;
      box.replaceChildren(para("Taking each reason away …"));
      try {
        const check = await post("check", this.asked);
        box.replaceChildren(checked({ check }));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        box.replaceChildren(para(quoted(error.message)));
      }
      button.disabled = false;
    });
    this.checkBox = box;
    return element("div", { class: "checker" }, button, box);
  }

  showRecords() {
    if (this.more.open && this.view.data) this.records.replaceChildren(records(this.view));
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
      if (!this.view.card.hidden) choose(this.view, null);
      this.panel.hidden = !this.panel.hidden;
      settings.setAttribute("aria-expanded", !this.panel.hidden);
    });
    this.panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      settings.click();
      settings.focus();
      event.stopPropagation();
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
        this.tell(download(form, { data: this.view.data, asked: this.asked, title: this.name }).then(() => true), "The file is on its way.");
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
    this.wordings = select("wording", [["", "the server’s default"], ...this.facts.choices.wording.map((name) => [name, WORDINGS[name] ?? name])], (value) => this.change({ wording: value || null }));
    this.profileBox = element("p", { class: "profile" });
    this.compared = select("rival", [["", "nothing"], [KEPT, "these settings, kept as they are"], ...[...this.rivals].map(([value, { label }]) => [value, label])], (value) => this.compare(value));
    return [
      element("section", { class: "counts", "aria-label": "What counts" }, heading("What counts", WEIGHTS_HINT), this.weights.list),
      element("section", { class: "choices", "aria-label": "Settings" },
        labelled("Compare with", this.compared), labelled("Recipe", this.presets), labelled("Wording", this.wordings), labelled("Drafted by", this.drafts), labelled("Kind of text", this.kinds), reset),
      this.profileBox,
    ];
  }

  /** What this browser has noted of its reader, and a way to forget it. */
  showProfile() {
    const notes = profile()?.notes ?? [];
    const button = element("button", { type: "button" }, "Forget it all");
    button.addEventListener("click", () => {
      forget();
      this.showProfile();
      this.change({});
    });
    const count = (said) => notes.filter((one) => one.said === said).length;
    if (damaged()) this.profileBox.replaceChildren(`${DAMAGED} `, button);
    else this.profileBox.replaceChildren(...(notes.length
      ? [`Your profile, kept in this browser alone: ${count("more")} of which you want more, ${count("known")} that you know. `, button] : []));
  }

  /** In words, with a way out, while a long text is being read. */
  busy(since) {
    const words = this.settings.text.split(/\s+/).length.toLocaleString("en");
    const cancel = element("button", { type: "button" }, "Cancel");
    cancel.addEventListener("click", () => this.asker.cancel());
    const said = element("span");
    const tick = () => { said.textContent = `Reading ${words} words, ${Math.round((performance.now() - since) / 1000)} seconds so far. `; };
    tick();
    this.ticking = setInterval(tick, 1000);
    this.progress.replaceChildren(said, cancel);
    this.progress.hidden = false;
  }

  idle() {
    clearInterval(this.ticking);
    this.progress.hidden = true;
  }

  askerFor(show) {
    let slow = 0;
    let long = 0;
    return new Asker({
      show: (data, asked) => {
        if (asked.text !== this.settings.text) return; // of a text that was left in the meantime
        if (!this.alert.classList.contains("good")) this.alert.replaceChildren();
        show(data, asked);
      },
      before: () => {
        slow = setTimeout(() => this.section.classList.add("working"), SLOW);
        long = setTimeout(() => this.busy(performance.now() - LONG), LONG);
      },
      after: () => {
        clearTimeout(slow);
        clearTimeout(long);
        this.idle();
        this.section.classList.remove("working");
      },
      fail: (error, asked) => {
        if (asked.text !== this.settings.text) return;
        this.alert.classList.remove("good");
        if (this.view.data) this.alert.replaceChildren(quoted(error.message));
        else this.failed(error.status === CANCELLED ? new ServiceError("", CANCELLED) : error);
        clearTimeout(this.again);
        if (this.view.data && error.status === 0) this.again = setTimeout(() => this.section.isConnected && this.change({}), AGAIN);
      },
    });
  }

  // ---- what is asked ---------------------------------------------------------------------------

  begin(text, name, title, { budget = "1/8", weights = null, recipe = null, prototype = null, kind = null, marks = null, wording = null, about = "", pin = [], ban = [], rival = "", chosen = NaN } = {}) {
    this.settings = { text, marks, kind, budget, weights, recipe, prototype, wording, about, pin, ban };
    this.name = title;
    this.title.replaceChildren(quoted(title));
    this.ask.value = about;
    this.controls.inert = this.length.bar.inert = true; // until there is something to control
    this.showProfile();
    this.checkBox.replaceChildren();
    this.example = name;
    this.wanted = Number.isNaN(chosen) ? null : chosen; // a sentence that a link says was chosen
    this.kept = null;
    this.rivalData = null;
    this.view.data = null;
    this.view.hues = undefined;
    this.view.chosen = this.view.left = null;
    this.view.card.hidden = true;
    this.section.classList.add("empty");
    for (const pane of [this.summary.pane, this.source.pane, this.view.reasons, this.marks]) pane.replaceChildren();
    this.alert.replaceChildren();
    this.length.put(budget);
    this.drafts.value = prototype ?? "";
    this.presets.value = recipe ?? "";
    this.kinds.value = kind ?? "";
    this.wordings.value = wording ?? "";
    this.compared.value = this.rivals.has(rival) ? rival : "";
    this.rival.hide();
    this.link.disabled = !name;
    this.link.title = name ? "" : "A link can restore an example, not a text of your own: no server stores that.";
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
    if (!value) return this.rival.hide(this.view);
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
    const { chosen, left } = this.view;
    const before = this.view.data?.sentences[chosen]?.source[0]?.sentence ?? this.view.data?.units[left]?.source;
    const first = !this.view.data;
    const refocus = this.heldFocus();
    viewOf(data, this.view.page, this.view);
    fillSummary(this.view, this.summary.pane);
    showSource(this.view, this.source);
    this.length.show(this.view);
    this.weights.show(data.heads);
    this.notes.replaceChildren(...notes(data));
    this.legend.replaceChildren(legend(data));
    this.showRecords();
    this.checkBox.replaceChildren();
    this.showMarks(data);
    const stays = data.sentences.findIndex((sentence) => sentence.source.some((span) => span.sentence === before));
    const wanted = first && this.wanted !== null && data.sentences[this.wanted] ? this.wanted : null;
    const out = before !== undefined && stays < 0 ? sourceUnits(data)[before]?.unit ?? null : null;
    choose(this.view, wanted ?? (stays < 0 ? null : stays), wanted === null ? out : null);
    this.section.classList.remove("empty");
    this.controls.inert = this.length.bar.inert = false;
    if (first) this.title.focus({ preventScroll: true });
    refocus(data);
    this.remember();
    this.announce(data);
    this.showRival(this.rivalData);
  }

  /** What puts the focus back on the sentence that has it, once an answer that came late is shown. */
  heldFocus() {
    const node = document.activeElement?.closest(".said[data-sentence]");
    const pane = [this.summary.pane, this.source.pane].find((one) => one.contains(node));
    const source = node && this.view.data?.sentences[node.dataset.sentence]?.source[0]?.sentence;
    return (data) => {
      if (!pane || !node) return;
      const stays = data.sentences.findIndex((sentence) => sentence.source.some((span) => span.sentence === source));
      const shown = [...pane.querySelectorAll(".said[data-sentence]")];
      (shown.find((one) => Number(one.dataset.sentence) === stays) ?? shown[0])?.focus({ preventScroll: true });
    };
  }

  /** What was pinned and banned, and how to take it back. */
  showMarks({ pins, bans }) {
    const undo = (name, position) => {
      const made = element("button", { type: "button" }, `${name === "pin" ? "Pinned" : "Never"}: ${position + 1} ×`);
      made.setAttribute("aria-label", `${name === "pin" ? "Take the pin away from" : "Allow again"} sentence ${position + 1}`);
      made.addEventListener("click", () => this.view.actions[name](position));
      return made;
    };
    this.marks.replaceChildren(...pins.map((position) => undo("pin", position)), ...bans.map((position) => undo("ban", position)));
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

  async tell(done, message, otherwise = "That did not work: mark the text and copy it with the keyboard.") {
    let said = message;
    try {
      if (!await done) said = otherwise;
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
function body({ text, marks, kind, budget, weights, recipe, prototype, wording, about, pin, ban, method }) {
  const own = method ? {} : { kind, weights, recipe, prototype, wording, about, pin, ban, profile: profile() };
  const chosen = Object.entries({ ...own, marks, method }).filter(([, value]) => value && value.length !== 0);
  return { text, budget, ...Object.fromEntries(chosen) };
}

const WORDINGS = { forms: "sentences, also shortened", source: "whole sentences only", network: "the network’s own words", draft: "the draft’s, unchecked" };

function select(id, entries, changed) {
  const made = element("select", { id }, entries.map(([value, label]) => element("option", { value }, label)));
  made.addEventListener("change", () => changed(made.value));
  return made;
}

const labelled = (text, control) => element("p", {}, element("label", { for: control.id }, text), control);

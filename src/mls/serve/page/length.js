// The length: slider, field, unit switch and presets are one budget; the meter tells what was used of it.

import { element, sized, small, unseen } from "../explain/dom.js";
import { amount } from "../explain/facts.js";
import { fillMeter } from "../explain/texts.js";
import { PRESETS, STEPS, UNITS, budgetAt, inUnit, stepAt, unitOf, writtenShare } from "./budget.js";

const MARKS = ["1/32", "1/16", "1/8", "1/4", "1/2", "all"];

export class Length {
  /** `changed` is told each new budget, as text. */
  constructor(changed) {
    this.changed = changed;
    this.unit = "share";
    this.slider = element("input", { type: "range", id: "length", min: 0, max: STEPS, step: 1 });
    this.field = element("input", { type: "text", id: "budget", autocomplete: "off", spellcheck: "false", maxlength: 40, "aria-describedby": "used" });
    this.used = element("p", { id: "used", class: "used" });
    this.meter = element("div", { class: "meter", role: "img" });
    this.units = segments("Unit", "unit", Object.entries(UNITS), (unit) => this.switchTo(unit));
    this.presets = element("div", { class: "presets", role: "group", "aria-label": "Lengths that people know" }, PRESETS.map((preset) => this.preset(preset)));
    this.slider.addEventListener("input", () => this.set(budgetAt(Number(this.slider.value), this.unit, this.lengths)));
    this.field.addEventListener("change", () => this.set(this.field.value.trim() || this.budget));
    this.section = element("section", { class: "length", "aria-label": "How long" },
      element("div", { class: "reading" },
        element("label", { for: "budget" }, "Length"), this.field, this.units, this.presets));
    this.bar = element("section", { class: "length ruler", "aria-label": "Length and what is used of it" },
      element("div", { class: "scale" },
        element("label", { for: "length", class: "unseen" }, "Length, from 1/32 of the document to the whole"), this.slider,
        element("div", { class: "marks", "aria-hidden": true }, MARKS.map((mark, at) => sized(element("span", {}, mark), { "--position": at / (MARKS.length - 1) })))),
      this.meter, this.used);
  }

  preset({ name, budget }) {
    const length = budget.replace("chars", "characters");
    const button = element("button", { type: "button", "data-budget": budget, "aria-pressed": false, title: length }, name, unseen(` ${length}`));
    button.addEventListener("click", () => this.set(budget));
    return button;
  }

  /** Take a budget over without asking for it. */
  put(budget) {
    this.budget = budget;
    this.unit = unitOf(budget) ?? this.unit;
    this.field.value = budget;
    for (const input of this.units.querySelectorAll("input")) input.checked = input.value === this.unit;
    for (const button of this.presets.children) button.setAttribute("aria-pressed", button.dataset.budget === budget);
  }

  set(budget) {
    this.put(budget);
    this.changed(budget);
  }

  switchTo(unit) {
    if (!this.shown) return;
    this.set(inUnit(unit, this.shown.budget, this.lengths));
  }

  /** Show what became of the budget: its limit, and what is used of it. */
  show(view) {
    const { data } = view;
    this.shown = data;
    this.lengths = data.document.lengths;
    const { limit, unit } = data.budget;
    const share = Math.min(1, limit / data.document_length);
    if (document.activeElement !== this.slider) this.slider.value = stepAt(share);
    this.slider.setAttribute("aria-valuetext", `${amount(limit, unit)}, ${writtenShare(stepAt(share) === STEPS ? 1 : share)} of the document`);
    this.slider.style.setProperty("--to", Number(this.slider.value) / STEPS);
    fillMeter(view, this.meter);
    const left = limit - data.length;
    const count = words(data.text);
    this.used.replaceChildren(
      `${amount(count, "words")}, ${readingTime(count)} to read. `,
      element("strong", {}, `${data.length.toLocaleString("en")} of ${amount(limit, unit)} used`),
      left > 0 && data.notes[0]?.code !== "whole-document" ? `, ${left.toLocaleString("en")} left` : "",
      small(` The document has ${amount(data.document_length, unit)}.`));
  }
}

/** Words as people count them. */
const words = (text) => text.split(/\s+/).filter(Boolean).length;
const A_MINUTE = 230; // words that people read in one

/** How long so many words take to read: "about 20 seconds". */
export function readingTime(count) {
  const seconds = (60 * count) / A_MINUTE;
  if (seconds < 55) return `about ${Math.max(5, 5 * Math.round(seconds / 5))} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 2 ? "about a minute" : `about ${minutes} minutes`;
}

/** One of a few, as radio buttons that look like a switch. */
export function segments(label, name, entries, changed) {
  const group = element("fieldset", { class: "segments" }, element("legend", { class: "unseen" }, label),
    entries.map(([value, text]) => element("label", {}, element("input", { type: "radio", name, value }), element("span", {}, text))));
  group.addEventListener("change", (event) => changed(event.target.value));
  return group;
}

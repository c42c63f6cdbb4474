// Shows why a summary says what it says: builds the whole view from the object that `--json` prints.

import { element, quoted } from "./dom.js";
import { amount, coloured, numberFormat, strongest } from "./facts.js";
import { cardSection, choose, listen } from "./links.js";
import { checked, ledger, passed, prototype } from "./record.js";
import { fillMeter, fillSummary, legend, showSource, sourceSection, summarySection } from "./texts.js";

/** Put the explanation of one summary into `root`, in place of what was there. */
export function render(root, data) {
  const view = viewOf(data, element("article", { class: "explanation" }));
  const summary = summarySection("click any sentence, here or in the source: why is it in, why is it not?", legend(data));
  const source = sourceSection();
  view.page.append(
    header(view),
    element("div", { class: "spread" }, summary.section, source.section),
    records(view),
    cardSection(view),
  );
  fillSummary(view, summary.pane);
  showSource(view, source);
  root.replaceChildren(view.page);
  choose(view, null);
  listen(view);
}

/** What the parts of a page share: the summary, its numbers and its colours. `before` is the view it follows on. */
export function viewOf(data, page, before = null) {
  return Object.assign(before ?? { page, chosen: null, left: null }, {
    data,
    numbers: numberFormat(data.units.length),
    most: strongest(data),
    hues: coloured(data, before?.hues),
  });
}

export const records = (view) =>
  element("div", { class: "notes" }, ledger(view), passed(view), prototype(view.data), checked(view.data));

export const notes = (data) =>
  data.notes.map((note) => element("p", { class: "note" }, element("strong", {}, "Note: "), quoted(note.message), "."));

function header(view) {
  const { budget, length, document_length: whole, prototype: draft } = view.data;
  const asked = /[a-z]/.test(budget.requested) ? "" : ` (${budget.requested} of the document)`;
  const meter = element("div", { class: "meter", role: "img" });
  fillMeter(view, meter);
  return element("header", {},
    element("p", { class: "eyebrow" }, "MLS · Multi-Level Summarizer"),
    element("h1", {}, "Why this summary says what it says"),
    element("p", { class: "lead" },
      "Where each sentence comes from, what spoke for it, what it cost and what was left out, in the numbers it was decided by."),
    element("dl", { class: "budget" },
      fact(`Limit${asked}`, amount(budget.limit, budget.unit)),
      fact("Used", amount(length, budget.unit)),
      fact("Left", amount(budget.limit - length, budget.unit)),
      fact("Document", amount(whole, budget.unit)),
      draft ? fact("Prototype by", quoted(draft.generator)) : null),
    meter,
    notes(view.data));
}

const fact = (name, value) => element("div", {}, element("dt", {}, name), element("dd", {}, value));

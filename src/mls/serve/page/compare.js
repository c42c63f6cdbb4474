// A second summary beside the first: a baseline, other settings, or these settings as they are now.

import { element, heading, paragraphOf, quoted, small } from "../explain/dom.js";
import { amount, direction, sourceUnits } from "../explain/facts.js";

const NAMES = {
  lead: "Lead: the first sentences",
  random: "Random: drawn at random",
  a1: "A1: every third sentence",
  a2: "A2: graph ranking",
  a3: "A3: the network alone",
};

/** What can stand beside the summary: a value for the select, a label, and how it is asked for. */
export function rivals(facts) {
  const methods = facts.methods.filter((name) => name !== "mls").map((name) => [name, NAMES[name] ?? name, { method: name }]);
  const recipes = Object.keys(facts.recipes).filter((name) => name !== "default").map((name) => [`recipe-${name}`, `MLS by the recipe “${name}”`, { recipe: name }]);
  const drafts = facts.choices.prototype.map((name) => [`draft-${name}`, `MLS drafted by ${name}`, { prototype: name }]);
  return [...methods, ...recipes, ...drafts];
}

/** The second summary; sentences that both have carry the first one's number. */
export class Rival {
  constructor() {
    this.title = element("h2", {});
    this.pane = element("div", { class: "pane text" });
    this.used = element("p", { class: "used" });
    this.section = element("section", { class: "rival", "aria-label": "Compared with", hidden: "" }, this.title, this.pane, this.used);
  }

  show(view, name, data) {
    const shared = new Map(view.data.sentences.flatMap((sentence, index) => sentence.source.map((span) => [span.sentence, index])));
    this.title.replaceChildren(...heading(name, agreement(view.data, data)).childNodes);
    const paragraphs = new Map();
    for (const sentence of data.sentences) {
      const { paragraph } = data.units[sentence.unit];
      const index = shared.get(sentence.source[0]?.sentence);
      if (!paragraphs.has(paragraph)) paragraphs.set(paragraph, paragraphOf(direction(sentence.text)));
      paragraphs.get(paragraph).append(theirs(view, sentence, index), " ");
    }
    this.pane.replaceChildren(...paragraphs.values());
    this.used.replaceChildren(`${data.length} of ${amount(data.budget.limit, data.budget.unit)} used`);
    this.section.hidden = false;
    const there = new Set(data.sentences.flatMap((sentence) => sentence.source.map((span) => span.sentence)));
    this.mark(view, (sentence) => !sentence.source.some((span) => there.has(span.sentence)));
  }

  /** Mark what of ours is not among theirs. */
  mark(view, isOnly) {
    for (const node of view.page.querySelectorAll(".summary .said[data-sentence]")) {
      node.classList.toggle("only-here", isOnly(view.data.sentences[Number(node.dataset.sentence)]));
    }
  }

  hide(view) {
    if (view?.data) this.mark(view, () => false);
    this.section.hidden = true;
  }
}

function theirs(view, sentence, index) {
  if (index === undefined) {
    const unit = sourceUnits(view.data)[sentence.source[0]?.sentence];
    return element("span", { class: "only", role: "button", tabindex: 0, ...(unit ? { "data-unit": unit.unit } : {}) },
      element("span", { class: "tag" }, small("only here")), quoted(sentence.text));
  }
  const hue = `hue-${view.hues.get(view.data.sentences[index].unit)}`;
  return element("span", { class: `shared ${hue}`, role: "button", tabindex: 0, "data-sentence": index },
    element("span", { class: `tag ${hue}` }, String(index + 1)), quoted(sentence.text));
}

function agreement(ours, other) {
  const positions = (data) => new Set(data.sentences.flatMap((sentence) => sentence.source.map((span) => span.sentence)));
  const [here, there] = [positions(ours), positions(other)];
  const both = [...here].filter((position) => there.has(position)).length;
  return `${both} of ${there.size} source sentences in both`;
}

// The numbers behind a sentence: its step, what each head says, the arithmetic, and what it was chosen from.

import { element, formula, para, quoted, row, sized, small, term, words } from "./dom.js";
import { STAGES, amount, madeBy, positions, rank } from "./facts.js";

/** All numbers that decided a sentence: of the summary’s `index`, or of a unit that was left out. */
export function numbersOf(view, index, unit) {
  const { data } = view;
  const size = (count) => amount(count, data.budget.unit);
  const heads = [
    element("h3", {}, "What each head says ", small("the mark on a bar is the average sentence")),
    element("ul", { class: "heads" }, data.heads.map((head) => headRow(view, head, unit))),
    arithmetic(view, unit),
  ];
  if (index === null) return heads;
  const sentence = data.sentences[index];
  const step = data.steps[sentence.step];
  return [
    para(origin(data, sentence, step)),
    ...heads,
    element("h3", {}, `How step ${step.step + 1} decided`),
    decision(view, step),
    step.candidates.length ? candidates(view, step) : "",
    step.operation === "document" ? "" : contenders(view, step),
    ownWords(data, unit),
    element("p", { class: "room" }, `It ${step.needs < 0 ? "freed" : "needed"} ${size(Math.abs(step.needs))}: `
      + `room for ${size(step.room_before)} before, for ${size(step.room_after)} after.`),
  ];
}

/** What was done to get the sentence, in words. */
function origin(data, sentence, step) {
  const given = data.units.filter((unit) => unit.origin === "source").length;
  const from = `${positions([...new Set(sentence.source.map((span) => span.sentence))])} of ${given}`;
  const turn = quoted(data.units[step.unit].text);
  const by = `Step ${step.step + 1}`;
  return {
    copy: [`${by} copied it word for word: ${from}.`],
    reword: [`${by} took it in the prototype’s own words. It is marked where the source says it: ${from}.`],
    brief: [`${by} took a shorter form of ${from}: only what is marked in the source.`],
    expand: step.stage === "grow"
      ? [`${by} took ${positions(step.sources)}: ${step.reason}. This is ${from}.`]
      : [`${by} expanded a sentence of the prototype, “`, turn, `”, to ${positions(step.sources)}. This is ${from}.`],
    shorten: [`${by} shortened ${from}: only what is marked in the source fits.`],
    title: [`${by} answered with the title, ${from}: it says more than any sentence that fits.`],
    keyphrase: [`${by} answered with a phrase of ${from}, since not even a shortened sentence fits.`],
    document: [`Nothing had to be decided: the budget holds the whole document. This is ${from}; the heads judged it all the same.`],
  }[madeBy(data, sentence)];
}

function headRow({ data, numbers, most }, head, unit) {
  const local = unit.local[head.name];
  const ratio = local * data.units.length; // 1 is the average sentence
  const bar = element("span", { class: "bar", "aria-hidden": true });
  return element("li", { class: head.weight < 0 ? "against" : "" },
    element("span", { class: "question" }, head.question, " ", small(head.name)),
    sized(bar, { "--share": ratio / most, "--average": 1 / most }),
    element("span", { class: "ratio" }, `${ratio.toFixed(2)} × average`),
    formula(term(numbers(local), "local attention"), "×",
      term(numbers(head.weight, 2), head.weight < 0 ? "weight, against" : "weight"), "=", term(numbers(head.weight * local), "contribution")));
}

/** From the heads' contributions to the attention, written out. Paper: Eq. (3). */
function arithmetic({ data, numbers }, unit) {
  const { shift, total } = data.attention;
  const sum = data.heads.reduce((all, head) => all + head.weight * unit.local[head.name], 0);
  const count = data.units.length;
  const rankText = `Rank ${rank(data.units, unit)} of ${count} candidate sentences, ${(unit.attention * count).toFixed(2)} × average.`;
  const written = total > 0
    ? formula(term(`(${numbers(sum)}`, "contributions"), "÷", term(String(data.heads.length), "heads"), shift < 0 ? "+" : "−",
      term(`${numbers(Math.abs(shift))})`, "shift"), "÷", term(numbers(total), "total"), "=", term(numbers(unit.attention), "attention"))
    : formula(term(numbers(unit.attention), "attention"), "for every sentence: the heads see no difference");
  return element("div", { class: "arithmetic" }, written, para(element("strong", {}, rankText),
    " The shift lifts the lowest sum to zero where one is negative; the total makes all attention add up to 1."));
}

function decision({ numbers }, step) {
  if (step.operation === "document") return para("Nothing was weighed: all of it fits.");
  if (step.p_copy === null) return para(words(`Sentences have their turns as this method ranks them.${verdict(step, false)}`));
  const expands = step.p_expand !== null;
  const replaces = step.stage === "magnify" && step.operation === "expand";
  const rows = [
    ["P_c", step.p_copy, replaces ? "It stands in the summary already: copying would add nothing."
      : `Copying: its part of the attention not yet spent, ${numbers(step.p_copy * step.mass)} ÷ ${numbers(step.mass)}.`],
    ["P_e", step.p_expand, expands ? "Expanding: the mean part of the best run of source sentences it could become."
      : "Expanding: there was nothing to expand it to, or no room to."],
    ["α", step.alpha, expands ? "The switch: the larger of the two, how far it leans to expanding."
      : "The switch: without an expansion it stays at copying."],
    ["p_o", step.p_o, "Its claim to the turn: α × P_e + (1 − α) × P_c."],
  ];
  const probability = ([name, value, meaning]) => element("div", {}, element("dt", {}, words(name)),
    element("dd", { class: "value" }, value === null ? "none" : numbers(value)), element("dd", {}, words(meaning)));
  return element("div", {}, para(words(STAGES[step.stage] + verdict(step, replaces))),
    element("dl", { class: "probabilities" }, rows.map(probability)));
}

function verdict(step, replaces) {
  if (replaces) return " It put the expansion in the place of a sentence that was copied before.";
  const done = step.operation === "expand" ? "expanded" : "taken as it stands";
  return step.reason ? ` It was ${done}: ${step.reason}.` : "";
}

/** The runs among which E(s) was chosen, in the order they were ranked. */
function candidates({ data, numbers }, step) {
  const given = new Map(data.units.filter((unit) => unit.origin === "source").map((unit) => [unit.source, unit.text]));
  const items = step.candidates.map((run, index) => {
    const indices = Array.from({ length: run.size }, (_, offset) => run.first + offset);
    const name = positions(indices) + (step.operation === "expand" && index === 0 ? ", chosen" : "");
    return element("li", {}, small(name),
      element("span", { class: "excerpt" }, quoted(indices.map((at) => given.get(at) ?? "").join(" "))),
      formula(term(numbers(run.similarity, 3), "similarity"), "×", term(numbers(run.overlap, 3), "overlap"), "=",
        term(numbers(run.score, 3), "score"), `· ${run.repeats} repeats`));
  });
  return element("div", {}, element("h3", {}, "What it could be expanded to"),
    para("What repeats the fewest word pairs and triples of the summary comes first, then the best score."),
    element("ul", { class: "runs" }, items));
}

/** Who else might have had the turn: the most attended of those that were still free, and what became of them. */
function contenders({ data, numbers }, step) {
  const before = data.steps.filter((other) => other.step <= step.step && other.operation !== "pass");
  const taken = new Set(before.flatMap((other) => [...other.sources, data.units[other.unit].source]));
  const turns = new Set(data.steps.filter((other) => other.step <= step.step).map((other) => other.unit));
  const origin = step.stage === "place" ? data.units[step.unit].origin : "source";
  const free = data.units.filter((unit) => unit.origin === origin && !turns.has(unit.unit) && !taken.has(unit.source ?? -1))
    .sort((a, b) => b.attention - a.attention || a.unit - b.unit);
  const entry = (unit) => element("li", {}, small(`attention ${numbers(unit.attention)}, ${fate(data, unit)}`),
    element("span", { class: "excerpt" }, quoted(unit.text)));
  if (!free.length) return para("Nothing else was left to choose from.");
  return element("div", {}, element("h3", {}, "What it was chosen before ", small(`the first of ${free.length} still free`)),
    element("ul", { class: "rivals" }, free.slice(0, 3).map(entry)));
}

/** What became of a unit in the end. */
function fate(data, unit) {
  const inside = data.steps.find((step) => step.operation !== "pass" && (step.unit === unit.unit || step.sources.includes(unit.source)));
  if (inside) return `in at step ${inside.step + 1}`;
  const passed = data.steps.find((step) => step.operation === "pass" && step.unit === unit.unit);
  return passed ? `passed over at step ${passed.step + 1}: ${passed.reason}` : "never reached";
}

/** Where a network worded the sentence: of every word, how much it wanted to generate it, and where it copied it from. */
function ownWords(data, unit) {
  const tokens = unit.origin === "prototype" ? data.prototype?.sentences?.[unit.unit]?.tokens ?? [] : [];
  if (!tokens.length) return "";
  const given = data.units.filter((other) => other.origin === "source");
  const from = ({ source }) => {
    if (!source) return "generated";
    const holder = given.find((other) => other.start <= source.start && source.end <= other.end);
    return `characters ${source.start} to ${source.end}${holder ? `, sentence ${holder.source + 1}` : ""}`;
  };
  const line = (token) => row("td", [element("span", { class: token.source ? "taken" : "generated" }, quoted(token.text)), token.p_gen.toFixed(2), from(token)]);
  return element("details", { class: "own-words" },
    element("summary", {}, `Its ${tokens.length} words: generated, or copied from where?`),
    para("p_gen is how much the network wanted to choose a word itself rather than to copy one."),
    element("table", {}, element("thead", {}, row("th", ["Word", "p_gen", "Copied from"])), element("tbody", {}, tokens.map(line))));
}

// What can be told from the object that `--json` prints, without a page.

export const MADE = {
  copy: { label: "copied", meaning: "word for word from the source" },
  reword: { label: "reworded", meaning: "in the prototype’s own words, marked where the source says it" },
  brief: { label: "shortened", meaning: "a source sentence without parts that it can do without" },
  expand: { label: "expanded", meaning: "with what it leans on, or in a fuller form than before" },
  shorten: { label: "shortened", meaning: "parts of a sentence, since no whole one fits" },
  keyphrase: { label: "keyphrase", meaning: "a phrase, since not even a shortened sentence fits" },
  title: { label: "title", meaning: "the title, which says more than any sentence that fits" },
  document: { label: "kept", meaning: "the whole document, since the budget holds all of it" },
};

export const STAGES = {
  grow: "The summary grows: what is wanted most comes first, with what it leans on, in the longest form that fits.",
  title: "The title says more than any sentence that fits.",
  place: "The prototype’s sentences have their turns, the highest p_o before the others.",
  magnify: "The other sentences have theirs, those with the most attention before the others, if they still fit.",
  shorten: "No whole sentence fitted, so the ones with the most attention were tried in shorter form.",
};

/** "1 token", "99 tokens", "280 characters". */
export function amount(count, unit) {
  const name = unit === "chars" ? "characters" : unit;
  return `${count.toLocaleString("en")} ${Math.abs(count) === 1 ? name.replace(/s$/, "") : name}`;
}

/** Writes numbers with as many digits as a share of `units` sentences needs to be told from another. */
export function numberFormat(units) {
  const digits = Math.max(4, Math.ceil(Math.log10(units)) + 3);
  return (value, exact = digits) => value.toFixed(exact).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
}

/** How a summary sentence was made: its operation, but told apart where the prototype worded it itself. */
export function madeBy(data, sentence) {
  return sentence.operation === "copy" && data.units[sentence.unit].source === null ? "reword" : sentence.operation;
}

/** Cut 0..length at the ends of all spans: stretches in order, each with the spans that cover it.
 *  Spans may overlap: a reworded sentence can stand at a source sentence that was copied as well. */
export function cut(length, spans, breaks = []) {
  const ends = [0, length, ...breaks, ...spans.flatMap((span) => [span.start, span.end])];
  const edges = [...new Set(ends)].sort((a, b) => a - b);
  const positions = new Map(edges.map((edge, position) => [edge, position]));
  const owners = edges.slice(1).map(() => new Set());
  for (const { start, end, owner } of spans) {
    for (let position = positions.get(start); position < positions.get(end); position += 1) owners[position].add(owner);
  }
  return owners.map((over, position) => ({ start: edges[position], end: edges[position + 1], owners: [...over] }));
}

/** The document’s sentences, in order. */
export const sourceUnits = (data) => data.units.filter((unit) => unit.origin === "source");

/** The step at which a unit, or its source sentence, was passed over. */
export const stepOf = (data, unit) => data.steps.find((step) => step.operation === "pass"
  && (step.unit === unit.unit || (unit.source !== null && data.units[step.unit].source === unit.source)));

/** "1st", "2nd", "13th". */
export function ordinal(number) {
  const end = number % 100 > 10 && number % 100 < 14 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th";
  return `${number.toLocaleString("en")}${end}`;
}

/** Which way a text runs, by its first letter that tells. */
export function direction(text) {
  const letter = /\p{L}/u.exec(text)?.[0] ?? "";
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter) ? "rtl" : "ltr";
}

/** A unit's position by attention among all of them, from 1; equals share a position. */
export function rank(units, unit) {
  return 1 + units.filter((other) => other.attention > unit.attention).length;
}

/** The strongest local attention there is, in average sentences: one scale for the bars of all heads. */
export function strongest(data) {
  const count = data.units.length;
  return count * data.units.reduce((most, unit) => Math.max(most, ...Object.values(unit.local)), 2 / count);
}

/** Units that no step looked at: neither themselves nor as another wording of the same source sentence. */
export function neverReached(data) {
  const turns = new Set(data.steps.map((step) => step.unit));
  const sources = new Set(data.steps.flatMap((step) => [...step.sources, data.units[step.unit].source]));
  return data.units
    .filter((unit) => !turns.has(unit.unit) && (unit.source === null || !sources.has(unit.source)))
    .sort((a, b) => b.attention - a.attention || a.unit - b.unit);
}

/** "source sentence 5", "source sentences 3, 4 and 5": counted from 1, as people do. */
export function positions(indices) {
  const names = indices.map((index) => String(index + 1));
  const listed = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
  return `source sentence${names.length > 1 ? "s" : ""} ${listed}`;
}

const HUES = 8; // the palette repeats; the number beside it never does

/** A colour for each sentence, by its unit. Those that have one keep it; the others take what their
 *  neighbours have not. */
export function coloured(data, before = new Map()) {
  const hues = new Map();
  const used = new Map(); // how often each was given
  const units = [...new Set(data.sentences.map((sentence) => sentence.unit))];
  for (const unit of units.filter((one) => before.has(one))) give(unit, before.get(unit));
  units.forEach((unit, at) => {
    if (hues.has(unit)) return;
    const near = new Set([at - 2, at - 1, at + 1, at + 2].map((position) => hues.get(units[position])));
    const order = Array.from({ length: HUES }, (_, step) => (at + step) % HUES);
    const cost = (hue) => (used.get(hue) ?? 0) + (near.has(hue) ? HUES : 0);
    give(unit, order.reduce((best, hue) => (cost(hue) < cost(best) ? hue : best)));
  });
  function give(unit, hue) {
    hues.set(unit, hue);
    used.set(hue, (used.get(hue) ?? 0) + 1);
  }
  return hues;
}

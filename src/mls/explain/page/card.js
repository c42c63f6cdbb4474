// The reason card: why a sentence is in, or why it is not, in plain words first and in numbers when asked.

import { element, para, quoted, sized, small } from "./dom.js";
import { amount, ordinal, positions, sourceUnits, stepOf } from "./facts.js";
import { lettersOf } from "./texts.js";
import { numbersOf } from "./why.js";

/** What a head says for a sentence, and against it, in plain words; a head of somebody’s own is told by its question. */
const WORDS = {
  importance: ["a careful reader would mark it", "a careful reader would mark it"],
  centrality: ["it says what much of the text says as well", "much of the text says it as well"],
  redundancy: ["it says what much of the text says as well", "much of the text says it as well"],
  position: ["it stands where such texts make their point", "it stands early"],
  salience: ["people who summarize such texts keep sentences like this", "people who summarize such texts keep sentences like this"],
  settles: ["it settles something: a decision, a task, a date", "it settles something: a decision, a task, a date"],
  topics: ["it speaks of what the text is about", "it speaks of what the text is about"],
  keywords: ["it uses the text’s key terms", "it uses the text’s key terms"],
  focus: ["it speaks of what you asked", "it speaks of what you asked"],
  interest: ["it speaks of what you like to read more of", "it speaks of what you like to read more of"],
  known: ["you know already what it says", "you know already what it says"],
};
const PARTS = [[1, "All of it"], [0.9, "Nearly all"], [0.75, "Three quarters"], [0.667, "Two thirds"], [0.5, "Half"], [0.333, "A third"],
  [0.25, "A quarter"], [0.2, "A fifth"], [0.125, "An eighth"], [0.06, "A little"]];
const LEAST = 0.03; // of the whole: what counts for less is folded away

/** A share in words: the nearest there is. */
export const part = (share) => PARTS.reduce((best, one) => (Math.abs(one[0] - share) < Math.abs(best[0] - share) ? one : best))[1];

/** What spoke for a sentence and against it, largest first, each as a share of all that spoke for it. */
export function contributions(data, unit) {
  const all = data.heads.map((head) => ({ head, value: head.weight * unit.local[head.name] }));
  const total = all.reduce((sum, { value }) => sum + Math.max(0, value), 0) || 1;
  return all.map((one) => ({ ...one, share: one.value / total })).sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
}

/** The card of a sentence: of the summary’s `index`, or of a unit of the source that was left out. */
export function cardOf(view, { index = null, unit }) {
  const { data } = view;
  const all = sourceUnits(data);
  const source = all[unit.anchor] ?? unit;
  const rank = 1 + all.filter((other) => other.attention > source.attention).length;
  const inside = index !== null;
  return [
    element("p", { class: "verdict" }, element("strong", {}, inside ? "In the summary" : "Left out"),
      ` · ${ordinal(rank)} most wanted of ${all.length} sentences`),
    element("blockquote", {}, quoted(inside ? data.sentences[index].text : unit.text)),
    para(inside ? whyIn(data, index) : whyOut(view, unit, rank)),
    ...(inside ? namedIn(view, data.sentences[index]) : []),
    spoke(data, unit),
    view.actions ? element("div", { class: "afterwards", "aria-live": "polite" }) : checkedWithout(data, unit, inside),
    view.actions ? buttons(view, unit) : null,
    element("details", { class: "numbers" }, element("summary", {}, "Show the arithmetic"), numbersOf(view, index, unit)),
  ];
}

/** The bar of what counted, and a sentence for each. */
function spoke(data, unit) {
  const found = contributions(data, unit);
  const counts = found.filter(({ share }) => Math.abs(share) >= LEAST);
  const idle = found.filter(({ share }) => Math.abs(share) < LEAST);
  const bar = element("div", { class: "stack", role: "img", "aria-label": counts.map(spoken).join("; ") },
    counts.filter(({ share }) => share > 0).map(({ share }, at) => sized(element("i", { class: `hue-${at}` }), { "--share": share })));
  const line = (one, at) => element("li", { class: one.share < 0 ? "against" : `hue-${at}` }, spoken(one), " ", small(one.head.name));
  const folded = idle.length ? element("details", {}, element("summary", {}, `${idle.length} that count for nothing here`),
    element("ul", {}, idle.map(({ head }) => element("li", {}, head.question, " ", small(head.weight ? head.name : `${head.name}, off`))))) : null;
  return element("div", { class: "spoke" }, bar, element("ul", {}, counts.map(line)), folded);
}

/** “Half: people who summarize such texts keep sentences like this.” */
function spoken({ head, share }) {
  const [pro, contra] = WORDS[head.name] ?? [`to “${head.question}” the answer is yes`, `to “${head.question}” the answer is yes`];
  return share < 0 ? `Against it, ${part(-share).toLowerCase()}: ${contra}.` : `${part(share)}: ${pro}.`;
}

function whyIn(data, index) {
  const sentence = data.sentences[index];
  const step = data.steps[sentence.step];
  const from = positions([...new Set(sentence.source.map((span) => span.sentence))]);
  const left = sentence.dropped?.length ? ", without parts that it can do without" : "";
  if (step.operation === "document") return `All of the document fits. This is ${from}.`;
  if (data.pins?.includes(sentence.source[0]?.sentence)) return `You pinned it. It is ${from}${left}.`;
  return `It is ${from}${left}. It came in ${ordinal(1 + data.steps.slice(0, step.step).filter((other) => other.operation !== "pass").length)}${step.reason ? `: ${step.reason}` : ""}.`;
}

/** Which words stand in the place of a pronoun, and how surely they are right. */
function namedIn(view, { named = [] }) {
  const letters = lettersOf(view);
  return named.map(({ start, end, text, sure }) => para("“", quoted(text), "” stands where the source says “", quoted(letters.slice(start, end).join("")),
    sure < 1 ? `”: ${Math.round(100 * sure)} of 100 sure.` : "”: the name is told in full before."));
}

const KINDS = { heading: "a heading", caption: "a caption", speaker: "the name of who speaks", dateline: "a dateline", boilerplate: "no part of the text proper" };

function whyOut(view, unit, rank) {
  const { data } = view;
  const step = stepOf(data, unit);
  const room = step ? ` It would need ${amount(step.needs, data.budget.unit)}, and there was room for ${step.room_before}.` : "";
  if (data.bans?.includes(unit.source)) return "You said never.";
  if (unit.kind && unit.kind !== "prose") return `It is ${KINDS[unit.kind] ?? `no sentence of the text (${unit.kind})`}, and a summary is made of sentences.`;
  if (step) return `It had its turn, but ${/^it\b/.test(step.reason) ? "" : "it is "}${step.reason}.${room}`.replace("it is repeats", "it repeats").replace("it is says", "it says");
  if (unit.says_little || unit.has_verb === false) return "It says too little by itself.";
  const ahead = rank - 1;
  return `${ahead === 1 ? "One sentence is" : `${ahead.toLocaleString("en")} sentences are`} wanted more, and the room was used up before its turn. It needs ${amount(unit.length, data.budget.unit)}.`;
}

/** Where the check was made before, what the summary is without this sentence. */
function checkedWithout({ check, units }, unit, inside) {
  const found = check?.sentences.find(({ sentence }) => sentence === unit.anchor);
  return inside && found ? element("div", { class: "afterwards" }, without(found, units)) : null;
}

/** What would change without a sentence, or with it pinned: other sentences that come and go. */
export function without({ lost, gained }, units, pinned = false) {
  const given = units.filter((unit) => unit.origin === "source");
  const list = (title, indices) => (indices.length ? [para(element("strong", {}, title)), element("ul", {}, indices.slice(0, 4).map((index) =>
    element("li", { class: "excerpt" }, small(`${index + 1} `), quoted(given[index]?.text ?? "")))),
    indices.length > 4 ? para(`and ${indices.length - 4} more`) : null] : []);
  const what = pinned ? "Pinned" : "Without it";
  if (!lost.length && !gained.length) return [para(pinned ? "Pinned, it would come in and nothing else would change." : "Without it, nothing would come in.")];
  return [...list(`${what}, would come in:`, gained), ...list(`${what}, would go:`, lost)];
}

/** Below the reasons: what the reader may decide. */
function buttons(view, unit) {
  const { pins, bans } = view.data;
  const position = unit.anchor;
  const button = (label, act, pressed) => {
    const made = element("button", { type: "button", ...(pressed === undefined ? {} : { "aria-pressed": pressed }) }, label);
    made.addEventListener("click", () => act(position));
    return made;
  };
  const { pin, ban, more, known } = view.actions;
  return element("div", { class: "decide" }, button("Pin", pin, pins.includes(position)), button("Never", ban, bans.includes(position)),
    button("More of this", more), button("I know this", known));
}

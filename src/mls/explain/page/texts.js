// The summary and the document side by side, one colour and one number per summary sentence.
//
// All of this can be filled again with another summary of the same document: what stays is not
// touched, what comes and goes does so visibly.

import { element, heading, hueClass, isLeaving, paragraphOf, quoted, reconcile, sized, small, unseen } from "./dom.js";
import { MADE, cut, direction, madeBy, sourceUnits } from "./facts.js";

const LEAVE = 260; // milliseconds, as in the style sheet

/** Put the summary's sentences into a pane, paragraph by paragraph. */
export function fillSummary(view, pane) {
  const { data } = view;
  const old = keyed(pane, ".item");
  const blocks = keyed(pane, "p");
  const wanted = new Map(); // paragraph -> its sentences
  data.sentences.forEach((sentence, index) => {
    const { paragraph } = data.units[sentence.unit];
    const key = `${sentence.unit} ${madeBy(data, sentence)} ${sentence.text}`;
    const item = old.get(key) ?? withKey(element("span", { class: "item" }, said(view, [index], wordedText(data, sentence)), " "), key);
    old.delete(key);
    renumber(view, item.firstChild, [index]);
    wanted.set(paragraph, [...(wanted.get(paragraph) ?? []), item]);
  });
  pane.classList.toggle("uniform", new Set(data.sentences.map((sentence) => madeBy(data, sentence))).size < 2);
  for (const item of old.values()) leave(item);
  const paragraphs = [...wanted].map(([number, items]) => {
    const block = blocks.get(String(number)) ?? withKey(paragraphOf(direction(items[0].textContent)), String(number));
    block.classList.remove("leaving");
    reconcile(block, items);
    return block;
  });
  for (const block of pane.querySelectorAll("p")) if (!paragraphs.includes(block)) leave(block);
  reconcile(pane, paragraphs);
}

/** Put the document into a pane, with the stretches that the summary came from marked. */
export function fillSource(view, pane) {
  const { data } = view;
  const letters = lettersOf(view);
  const spans = spansOf(data);
  const given = sourceUnits(data);
  const starts = new Set(given.filter((unit, index) => unit.paragraph !== given[index - 1]?.paragraph).map((unit) => unit.start));
  const taken = new Set(data.sentences.flatMap((sentence) => sentence.source.map((span) => span.sentence)));
  const edges = given.flatMap((unit) => [unit.start, unit.end]);
  let here = 0; // the unit that may hold the stretch
  const old = keyed(pane, ".stretch");
  const blocks = keyed(pane, "p");
  const wanted = new Map([[0, []]]);
  let block = 0;
  for (const { start, end, owners } of cut(letters.length, spans, edges)) {
    if (starts.has(start)) wanted.set(block = start, wanted.get(start) ?? []);
    while (here < given.length - 1 && given[here].end <= start) here += 1;
    const inside = given[here] && given[here].start <= start && end <= given[here].end;
    const free = inside && !owners.length && !taken.has(given[here].source); // a sentence that was left out
    const made = owners.map((owner) => `${data.sentences[owner].unit} ${madeBy(data, data.sentences[owner])}`);
    const key = `${start} ${end} ${made.join()} ${free}`;
    const node = old.get(key) ?? withKey(stretchOf(view, owners, letters.slice(start, end).join(""), free), key);
    node.classList.add("stretch");
    if (inside) node.dataset.unit = given[here].unit;
    const aside = inside && !owners.length && given[here].speaks === false; // what is no prose is grey, and says what it is
    node.classList.toggle("aside", Boolean(aside));
    if (aside) node.title = given[here].kind;
    if (owners.length) renumber(view, node, owners);
    wanted.get(block).push(node);
  }
  reconcile(pane, [...wanted].map(([start, nodes]) => {
    const paragraph = blocks.get(String(start)) ?? withKey(paragraphOf(direction(nodes.map((node) => node.textContent).join(""))), String(start));
    reconcile(paragraph, nodes);
    return paragraph;
  }));
}

/** A stretch of the source: what the summary took, a sentence that it did not, or what stands between. */
function stretchOf(view, owners, text, free) {
  if (owners.length) return said(view, owners, quoted(text), false);
  const made = quoted(text);
  if (free) for (const [name, value] of [["role", "button"], ["tabindex", "-1"], ["class", "left"]]) made.setAttribute(name, value);
  return made;
}

/** The document's characters: offsets count code points, not UTF-16 units. */
export function lettersOf(view) {
  if (view.lettersOf !== view.data.document.text) {
    view.lettersOf = view.data.document.text;
    view.letters = Array.from(view.lettersOf);
  }
  return view.letters;
}

const spansOf = (data) => data.sentences.flatMap((sentence, owner) => sentence.source.map((span) => ({ ...span, owner })));

const keys = new WeakMap();

function withKey(node, key) {
  keys.set(node, key);
  return node;
}

const keyed = (pane, selector) => new Map([...pane.querySelectorAll(selector)]
  .filter((node) => !isLeaving(node) && keys.has(node)).map((node) => [keys.get(node), node]));

/** Let a node fade before it goes; to readers that do not see it, it has gone already. */
function leave(node) {
  if (isLeaving(node)) return;
  node.classList.add("leaving");
  node.setAttribute("aria-hidden", "true");
  for (const part of node.querySelectorAll("[data-sentence]")) {
    for (const name of ["data-sentence", "tabindex", "role", "aria-pressed"]) part.removeAttribute(name);
  }
  setTimeout(() => isLeaving(node) && node.remove(), LEAVE);
}

/** A sentence of the summary, or a stretch of the source that sentences of the summary came from. */
function said(view, owners, text, labelled = true) {
  const made = owners.map((owner) => madeBy(view.data, view.data.sentences[owner]));
  const tags = made.map((how) => element("span", { class: "tag" },
    element("span"), labelled ? small(` ${MADE[how].label}`) : unseen(` ${MADE[how].label}:`)));
  return element("span", { role: "button", tabindex: -1, "aria-pressed": false, class: `said ${made[0]}` }, tags, text);
}

/** Numbers change when sentences come and go; the node and its colour stay. */
function renumber(view, node, owners) {
  const hues = owners.map((owner) => hueClass(view.hues.get(view.data.sentences[owner].unit)));
  node.dataset.sentence = owners.join(" ");
  node.classList.remove(...[...node.classList].filter((name) => name.startsWith("hue-")));
  node.classList.add(hues[0]);
  node.querySelectorAll(".tag").forEach((tag, at) => {
    tag.className = `tag ${hues[at]}`;
    tag.firstChild.textContent = String(owners[at] + 1);
  });
}

/** The words of a summary sentence; where the prototype wrote it, generated ones are marked. */
function wordedText(data, sentence) {
  const drafted = data.prototype?.sentences?.[sentence.unit];
  const own = madeBy(data, sentence) === "reword" && drafted?.text === sentence.text && drafted.tokens.length;
  if (own) return element("bdi", { lang: "" }, worded(drafted));
  return sentence.named?.length ? element("bdi", { lang: "" }, withNames(sentence)) : quoted(sentence.text);
}

/** A sentence in which names stand in the place of pronouns: they are marked. */
function withNames({ text, named }) {
  const nodes = [];
  let rest = text;
  for (const name of [...named].sort((a, b) => a.start - b.start)) {
    const at = rest.toLowerCase().indexOf(name.text.toLowerCase());
    if (at < 0 || rest.toLowerCase().length !== rest.length) continue; // letters that have no capital of the same length
    nodes.push(rest.slice(0, at), element("span", { class: "named", title: "a name in the place of a pronoun" }, rest.slice(at, at + name.text.length)));
    rest = rest.slice(at + name.text.length);
  }
  return [...nodes, rest];
}

/** A sentence of the prototype, word by word: each tells whether it was copied, and from where. */
export function worded({ text, tokens }) {
  const letters = Array.from(text);
  let position = 0;
  const nodes = tokens.flatMap((token) => {
    const space = letters.slice(position, token.start).join("");
    position = token.start + Array.from(token.text).length;
    const origin = token.source ? `copied from characters ${token.source.start} to ${token.source.end}` : "generated";
    return [space, element("span", { class: token.source ? "taken" : "generated", title: `${origin}; p_gen ${token.p_gen.toFixed(2)}` }, token.text)];
  });
  return [...nodes, letters.slice(position).join("")];
}

export function legend(data) {
  const present = new Set(data.sentences.map((sentence) => madeBy(data, sentence)));
  const entries = Object.entries(MADE).filter(([made]) => present.has(made)).map(([made, { label, meaning }]) =>
    element("li", {}, element("span", { class: `said ${made}` }, label), ` ${meaning}`));
  const named = data.sentences.some((sentence) => sentence.named?.length);
  if (named) entries.push(element("li", {}, element("span", { class: "named" }, "name"), " it stands where the source has a pronoun, or half of the name"));
  const generated = present.has("reword") && data.prototype?.sentences?.some(({ tokens }) => tokens.some((token) => !token.source));
  if (generated) entries.push(element("li", {}, element("span", { class: "generated" }, "generated"), " a word that the network chose itself; the others it copied"));
  return element("ul", { class: "legend" }, present.size === 1 && present.has("copy") && !named ? [] : entries);
}

export function summarySection(aside, ...after) {
  const pane = element("div", { class: "pane text" });
  return { pane, section: element("section", { class: "summary", "aria-label": "Summary" }, heading("Summary", aside), pane, ...after) };
}

/** The frame of the document: its pane, and a thin map of where the summary comes from. */
export function sourceSection() {
  const pane = element("div", { class: "pane text", tabindex: 0, role: "region", "aria-label": "Text of the source" });
  const map = element("div", { class: "map", "aria-hidden": true }); // the text says the same in words
  const count = small();
  const title = element("h2", {}, "Source ", count);
  const section = element("section", { class: "source", "aria-label": "Source" }, title, element("div", { class: "beside" }, map, pane));
  const shown = element("b");
  const track = () => stretch(shown, pane.scrollTop, pane.clientHeight, pane.scrollHeight);
  pane.addEventListener("scroll", track, { passive: true });
  new ResizeObserver(track).observe(pane);
  return { pane, map, shown, count, section };
}

const stretch = (node, start, size, whole) => sized(node, { "--from": start / whole, "--share": size / whole });

/** Everything in the source's section that depends on the summary. */
export function showSource(view, { pane, map, shown, count }) {
  const { data } = view;
  const given = data.units.filter((unit) => unit.origin === "source").length;
  count.textContent = given === 1 ? "1 sentence" : `${given} sentences`;
  fillSource(view, pane);
  const tick = (owner) => element("i", { class: `tick ${hueClass(view.hues.get(data.sentences[owner].unit))}`, "data-sentence": owner });
  const whole = lettersOf(view).length;
  map.replaceChildren(shown, ...wholes(data).map(({ start, end, owner }) => stretch(tick(owner), start, end - start, whole)));
}

/** The used part of the budget, one stretch a sentence, in the sentences' colours. */
export function fillMeter(view, meter) {
  const { sentences, length, units, budget } = view.data;
  meter.setAttribute("aria-label", `${length} of ${budget.limit} ${budget.unit} used`);
  const old = keyed(meter, "i");
  const joints = length - sentences.reduce((sum, { unit }) => sum + units[unit].length, 0); // spaces, counted in characters
  reconcile(meter, sentences.map((sentence, index) => {
    const part = sentences.length === 1 ? length // one alone may be a shortened unit
      : units[sentence.unit].length + (index ? joints / (sentences.length - 1) : 0);
    const key = `${sentence.unit} ${index}`;
    const node = old.get(key) ?? withKey(element("i"), key);
    node.className = hueClass(view.hues.get(sentence.unit));
    return sized(node, { "--share": part / budget.limit });
  }));
}

/** Where each sentence of the summary comes from, from its first stretch to its last. */
function wholes(data) {
  const found = new Map();
  for (const { start, end, owner } of spansOf(data)) {
    const known = found.get(owner) ?? { start, end, owner };
    found.set(owner, { start: Math.min(known.start, start), end: Math.max(known.end, end), owner });
  }
  return [...found.values()];
}

// Shows why a summary says what it says: builds the whole view from the object that `--json` prints.
//
// Everything the document says reaches the page as a text node inside a <bdi>: it can be neither
// markup nor able to turn the writing direction of what stands around it. Attributes are made from
// this file's own words and from numbers only.

const HUES = 8; // the palette repeats; the number beside it never does

const MADE = {
  copy: { label: "copied", meaning: "word for word from the source" },
  reword: { label: "reworded", meaning: "in the prototype’s own words, marked where the source says it" },
  expand: { label: "expanded", meaning: "source sentences that stand in for one of the prototype’s" },
  shorten: { label: "shortened", meaning: "parts of a sentence, since no whole one fits" },
  keyphrase: { label: "keyphrase", meaning: "a phrase, since not even a shortened sentence fits" },
  document: { label: "kept", meaning: "the whole document, since the budget holds all of it" },
};

const STAGES = {
  place: "The prototype’s sentences have their turns first, the highest p_o before the others.",
  magnify: "The room that was left is filled with what has the most attention and still fits.",
  shorten: "No whole sentence fitted, so the ones with the most attention were tried in shorter form.",
};

/** Put the explanation of one summary into `root`, in place of what was there. */
export function render(root, data) {
  const view = { data, page: element("article", { class: "explanation" }), numbers: numberFormat(data.units.length) };
  view.most = strongest(data);
  view.reasons = element("div");
  view.status = element("p", { class: "unseen", role: "status" });
  view.page.append(
    header(data),
    element("div", { class: "spread" }, summary(view), source(view), why(view)),
    element("div", { class: "notes" }, ledger(data), passed(view), prototype(data), checked(data)),
  );
  root.replaceChildren(view.page);
  choose(view, data.sentences.length ? 0 : null);
  listen(view);
}

// ---- small pure helpers ------------------------------------------------------------------------

/** "1 token", "99 tokens", "280 characters". */
export function amount(count, unit) {
  const name = unit === "chars" ? "characters" : unit;
  return `${count.toLocaleString("en")} ${Math.abs(count) === 1 ? name.replace(/s$/, "") : name}`;
}

/** Writes numbers with as many places as a share of `units` sentences needs to be told from another. */
export function numberFormat(units) {
  const places = Math.max(4, Math.ceil(Math.log10(units)) + 3);
  return (value, exact = places) => value.toFixed(exact).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
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
  return edges.slice(0, -1).map((start, index) => {
    const end = edges[index + 1];
    const over = spans.filter((span) => span.start <= start && end <= span.end);
    return { start, end, owners: [...new Set(over.map((span) => span.owner))] };
  });
}

/** A unit's place by attention among all of them, from 1; equals share a place. */
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
export function places(indices) {
  const names = indices.map((index) => String(index + 1));
  const listed = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
  return `source sentence${names.length > 1 ? "s" : ""} ${listed}`;
}

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

const small = (...children) => element("small", {}, ...children);
const para = (...children) => element("p", {}, ...children);
/** Text that somebody else wrote: its language is unknown and its direction its own. */
const quoted = (text) => element("bdi", { lang: "" }, text);
const unseen = (text) => element("span", { class: "unseen" }, text); // for screen readers only
/** Our own words, with the paper's P_c, P_e and p_o set as they are in print. */
const words = (text) => text.split(/([Pp]_[ceo])/).map((part, at) =>
  (at % 2 ? element("i", {}, part[0], element("sub", {}, part[2])) : part));
const hue = (index) => `hue-${index % HUES}`;
const badge = (index) => element("span", { class: `badge ${hue(index)}` }, String(index + 1));
const heading = (text, aside = "") => element("h2", {}, text, " ", small(aside));

// ---- the parts of the page ---------------------------------------------------------------------

function header(data) {
  const { budget, length } = data;
  const asked = /[a-z]/.test(budget.requested) ? "" : ` (${budget.requested === "1" ? "all" : budget.requested} of the document)`;
  const used = `${length} of ${amount(budget.limit, budget.unit)} used`;
  return element("header", {},
    element("p", { class: "eyebrow" }, "MLS · Multi-Level Summarizer"),
    element("h1", {}, "Why this summary says what it says"),
    element("p", { class: "lead" },
      "Where each sentence comes from, what spoke for it, what it cost and what was left out, in the numbers it was decided by."),
    element("dl", { class: "budget" },
      fact(`Limit${asked}`, amount(budget.limit, budget.unit)),
      fact("Used", amount(length, budget.unit)),
      fact("Left", amount(budget.limit - length, budget.unit)),
      fact("Document", amount(data.document_length, budget.unit)),
      fact("Prototype by", quoted(data.prototype.generator))),
    element("div", { class: "meter", role: "img", "aria-label": used }, meter(data)),
    data.notes.map((note) => element("p", { class: "note" }, element("strong", {}, "Note: "), quoted(note.message), ".")));
}

const fact = (name, value) => element("div", {}, element("dt", {}, name), element("dd", {}, value));

/** The used part of the budget, one stretch a sentence, in the sentences' colours. */
const meter = ({ sentences, length, units, budget }) => sentences.map((sentence, index) => {
  const part = sentences.length === 1 ? length : units[sentence.unit].length; // one alone may be a shortened unit
  return sized(element("i", { class: hue(index) }), { "--share": part / budget.limit });
});

/** Sizes go through the CSSOM: a style attribute would need 'unsafe-inline' in the page's policy. */
function sized(node, properties) {
  for (const [name, value] of Object.entries(properties)) node.style.setProperty(name, value);
  return node;
}

function summary(view) {
  const { data } = view;
  const paragraphs = [];
  data.sentences.forEach((sentence, index) => {
    const { paragraph } = data.units[sentence.unit];
    if (!paragraphs.length || paragraphs.at(-1).number !== paragraph) paragraphs.push({ number: paragraph, nodes: [] });
    paragraphs.at(-1).nodes.push(said(view, [index], sentence.text), " ");
  });
  return element("section", { class: "summary", "aria-label": "Summary" },
    heading("Summary", "choose a sentence; its reasons stand below"),
    element("div", { class: "pane text" }, paragraphs.map(({ nodes }) => element("p", { dir: "auto" }, nodes))),
    legend(data));
}

/** A sentence of the summary, or a stretch of the source that sentences of the summary came from. */
function said(view, owners, text, labelled = true) {
  const made = owners.map((owner) => madeBy(view.data, view.data.sentences[owner]));
  const tags = owners.map((owner, at) => element("span", { class: `tag ${hue(owner)}` },
    String(owner + 1), labelled ? small(` ${MADE[made[at]].label}`) : unseen(` ${MADE[made[at]].label}:`)));
  const attributes = { role: "button", tabindex: -1, "aria-pressed": false, "data-sentence": owners.join(" ") };
  return element("span", { ...attributes, class: `said ${hue(owners[0])} ${made[0]}` }, tags, quoted(text));
}

function legend(data) {
  const present = new Set(data.sentences.map((sentence) => madeBy(data, sentence)));
  const entries = Object.entries(MADE).filter(([made]) => present.has(made));
  return element("ul", { class: "legend" }, entries.map(([made, { label, meaning }]) =>
    element("li", {}, element("span", { class: `said ${made}` }, label), ` ${meaning}`)));
}

/** The document, with the stretches that the summary came from marked, and its map beside it. */
function source(view) {
  const { data } = view;
  const letters = Array.from(data.document.text); // offsets count code points, not UTF-16 units
  const spans = data.sentences.flatMap((sentence, owner) => sentence.source.map((span) => ({ ...span, owner })));
  const given = data.units.filter((unit) => unit.origin === "source");
  const starts = new Set(given.filter((unit, index) => unit.paragraph !== given[index - 1]?.paragraph).map((unit) => unit.start));
  const paragraphs = [element("p", { dir: "auto" })];
  for (const { start, end, owners } of cut(letters.length, spans, starts)) {
    if (start > 0 && starts.has(start)) paragraphs.push(element("p", { dir: "auto" }));
    const text = letters.slice(start, end).join("");
    paragraphs.at(-1).append(owners.length ? said(view, owners, text, false) : quoted(text));
  }
  const pane = element("div", { class: "pane text", tabindex: 0, role: "region", "aria-label": "Text of the source" }, paragraphs);
  return element("section", { class: "source", "aria-label": "Source" },
    heading("Source", `${given.length} sentences`),
    element("div", { class: "beside" }, map(pane, spans, letters.length), pane));
}

/** A thin bar as high as the document is long: where the summary comes from, and what the pane shows. */
function map(pane, spans, length) {
  const stretch = (node, start, size, whole) => sized(node, { "--from": start / whole, "--share": size / whole });
  const tick = (owner) => element("i", { class: `tick ${hue(owner)}`, "data-sentence": owner });
  const ticks = spans.map(({ start, end, owner }) => stretch(tick(owner), start, end - start, length));
  const shown = element("b");
  const track = () => stretch(shown, pane.scrollTop, pane.clientHeight, pane.scrollHeight);
  pane.addEventListener("scroll", track, { passive: true });
  new ResizeObserver(track).observe(pane);
  return element("div", { class: "map", "aria-hidden": true }, shown, ticks); // the text says the same in words
}

// ---- why this sentence? ------------------------------------------------------------------------

/** The frame of the panel, with ways to the neighbours: choosing a sentence fills it. */
function why(view) {
  const count = view.data.sentences.length;
  const walk = (stride, label) => {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      choose(view, view.chosen === null ? 0 : (view.chosen + stride + count) % count);
      reveal(ends(view, "source", view.chosen)[0], false);
    });
    return button;
  };
  return element("section", { class: "why", "aria-label": "Why this sentence?" },
    element("div", { class: "walk" }, count > 1 ? [walk(-1, "← previous"), walk(1, "next →")] : []), view.status, view.reasons);
}

function reasons(view, index) {
  const { data } = view;
  if (index === null) return [heading("Why this sentence?"), para("Choose a sentence of the summary to see its reasons.")];
  const sentence = data.sentences[index];
  const step = data.steps[sentence.step];
  const unit = data.units[sentence.unit];
  const size = (count) => amount(count, data.budget.unit);
  return [
    heading("Why this sentence?", `${index + 1} of ${data.sentences.length}`),
    element("blockquote", {}, badge(index), " ", quoted(sentence.text)),
    para(origin(data, sentence, step)),
    element("h3", {}, "What each head says ", small("the mark on a bar is the average sentence")),
    element("ul", { class: "heads" }, data.heads.map((head) => headRow(view, head, unit))),
    arithmetic(view, unit),
    element("h3", {}, `How step ${step.step + 1} decided`),
    decision(view, step),
    step.candidates.length ? candidates(view, step) : "",
    element("p", { class: "room" }, `It ${step.needs < 0 ? "freed" : "needed"} ${size(Math.abs(step.needs))}: `
      + `room for ${size(step.room_before)} before, for ${size(step.room_after)} after.`),
  ];
}

/** What was done to get the sentence, in words. */
function origin(data, sentence, step) {
  const given = data.units.filter((unit) => unit.origin === "source").length;
  const from = `${places([...new Set(sentence.source.map((span) => span.sentence))])} of ${given}`;
  const turn = quoted(data.units[step.unit].text);
  const by = `Step ${step.step + 1}`;
  const own = data.units[sentence.unit].source === null; // the prototype's wording, which the source does not have
  return {
    copy: [`${by} copied it word for word: ${from}.`],
    reword: [`${by} took it in the prototype’s own words. It is marked where the source says it: ${from}.`],
    expand: [`${by} expanded a sentence of the prototype, “`, turn, `”, to ${places(step.sources)}. This is ${from}.`],
    shorten: own ? [`${by} shortened a sentence of the prototype, “`, turn, `”. It is marked where the source says it: ${from}.`]
      : [`${by} shortened ${from}: only what is marked in the source fits.`],
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

const formula = (...parts) => element("span", { class: "formula" }, parts.flatMap((part) => [part, " "]));
const term = (value, name) => element("span", { class: "term" }, element("b", {}, value), " ", small(name));

/** From the heads' contributions to the attention, written out. Paper: Eq. (3). */
function arithmetic({ data, numbers }, unit) {
  const { shift, total } = data.attention;
  const sum = data.heads.reduce((all, head) => all + head.weight * unit.local[head.name], 0);
  const count = data.units.length;
  const place = `Rank ${rank(data.units, unit)} of ${count} candidate sentences, ${(unit.attention * count).toFixed(2)} × average.`;
  const written = total > 0
    ? formula(term(`(${numbers(sum)}`, "contributions"), "÷", term(String(data.heads.length), "heads"), "−",
      term(`${numbers(shift)})`, "shift"), "÷", term(numbers(total), "total"), "=", term(numbers(unit.attention), "attention"))
    : formula(term(numbers(unit.attention), "attention"), "for every sentence: the heads see no difference");
  return element("div", { class: "arithmetic" }, written, para(element("strong", {}, place),
    " The shift lifts the lowest sum to zero where one is negative; the total makes all attention add up to 1."));
}

function decision({ numbers }, step) {
  if (step.operation === "document") return para("Nothing was weighed: all of it fits.");
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
  const chance = ([name, value, meaning]) => element("div", {}, element("dt", {}, words(name)),
    element("dd", { class: "value" }, value === null ? "none" : numbers(value)), element("dd", {}, words(meaning)));
  return element("div", {}, para(words(STAGES[step.stage] + verdict(step, replaces))),
    element("dl", { class: "chances" }, rows.map(chance)));
}

function verdict(step, replaces) {
  if (replaces) return " It put the expansion in the place of a sentence that was copied before.";
  const done = step.operation === "expand" ? "expanded" : "copied";
  return step.reason ? ` It was ${done}: ${step.reason}.` : "";
}

/** The runs among which E(s) was chosen, in the order they were ranked. */
function candidates({ data, numbers }, step) {
  const given = new Map(data.units.filter((unit) => unit.origin === "source").map((unit) => [unit.source, unit.text]));
  const items = step.candidates.map((run, index) => {
    const indices = Array.from({ length: run.size }, (_, offset) => run.first + offset);
    const name = places(indices) + (step.operation === "expand" && index === 0 ? ", chosen" : "");
    return element("li", {}, small(name),
      element("span", { class: "excerpt" }, quoted(indices.map((at) => given.get(at) ?? "").join(" "))),
      formula(term(numbers(run.similarity, 3), "similarity"), "×", term(numbers(run.overlap, 3), "overlap"), "=",
        term(numbers(run.score, 3), "score"), `· ${run.repeats} repeats`));
  });
  return element("div", {}, element("h3", {}, "What it could be expanded to"),
    para("What repeats the fewest word pairs and triples of the summary comes first, then the best score."),
    element("ul", { class: "runs" }, items));
}

const row = (tag, cells) => element("tr", {}, cells.map((cell) => element(tag, tag === "th" ? { scope: "col" } : {}, cell)));

// ---- the ledger, what was passed over, the prototype -------------------------------------------

function ledger(data) {
  const rows = data.steps.filter((step) => step.operation !== "pass").map((step) => ledgerRow(data, step));
  return element("section", { class: "ledger", "aria-label": "The ledger" },
    heading("The ledger", `every step that used room, in ${amount(2, data.budget.unit).slice(2)}`),
    element("table", {},
      element("thead", {}, row("th", ["Step", "Sentence", "Needs", "Left"])),
      element("tbody", {}, row("td", ["", "The limit", "", String(data.budget.limit)]), rows)));
}

function ledgerRow(data, step) {
  const made = data.sentences.flatMap((sentence, index) => (sentence.step === step.step ? [index] : []));
  const later = data.steps.find((other) => other.unit === step.unit && other.step > step.step && other.operation !== "pass");
  const line = (index) => element("span", { class: "excerpt" }, badge(index), " ", quoted(data.sentences[index].text));
  const lines = made.slice(0, 4).map(line);
  if (made.length > lines.length) lines.push(`and ${made.length - lines.length} more`);
  if (!made.length) lines.push(quoted(data.units[step.unit].text), later ? ` (replaced at step ${later.step + 1})` : "");
  const how = madeBy(data, made.length ? data.sentences[made[0]] : step);
  return row("td", [String(step.step + 1), element("div", {}, small(MADE[how].label), lines),
    String(step.needs).replace("-", "−"), String(step.room_after)]);
}

function passed(view) {
  const { data } = view;
  const { unit } = data.budget;
  const entry = (text, ...about) => element("li", {}, small(about), quoted(text));
  const items = data.steps.filter((step) => step.operation === "pass").map((step) => {
    const turn = data.units[step.unit];
    const subject = step.stage === "magnify" && turn.origin === "prototype" ? "its expansion, " : ""; // itself, it stays in
    const room = ` (needs ${step.needs}, room for ${amount(step.room_before, unit)})`;
    return entry(turn.text, `Step ${step.step + 1}: ${subject}`, quoted(step.reason), room);
  });
  const others = data.steps.some((step) => step.operation === "document") ? [] : neverReached(data).map((rest) =>
    entry(rest.text, `attention ${view.numbers(rest.attention)}, ${amount(rest.length, unit)}`));
  const folded = (title, list) => (list.length ? element("details", {}, element("summary", {}, title), element("ul", {}, list)) : null);
  return element("section", { class: "passed", "aria-label": "Passed over" },
    heading("Passed over", "what had its turn and did not go in"),
    items.length ? element("ul", {}, items.slice(0, 6)) : para("Nothing that had its turn was passed over."),
    folded(`${items.length - 6} more passed over`, items.slice(6)),
    folded(`${others.length} never reached: the room was used up before their turn`, others));
}

function prototype(data) {
  return element("section", { class: "prototype", "aria-label": "The prototype" },
    heading("The prototype", "the draft that the summary was grown from"),
    para("Made by ", element("strong", {}, quoted(data.prototype.generator)), ". Its sentences have their turns first."),
    element("blockquote", {}, drafted(data)));
}

/** The draft; where a network wrote it, each word tells whether it was copied, and from where. */
function drafted({ prototype }) {
  const sentences = prototype.sentences ?? [];
  if (!sentences.some((sentence) => sentence.tokens.length)) return quoted(prototype.text);
  const written = sentences.flatMap((sentence) => [...sentence.tokens.map((token, at) => {
    const [before, ends] = at ? [sentence.tokens[at - 1], sentence.tokens[at - 1].start + [...sentence.tokens[at - 1].text].length] : [null, 0];
    const blank = before && token.start > ends ? " " : "";
    const origin = token.source ? `copied from characters ${token.source.start} to ${token.source.end}` : "generated";
    const title = `${origin}; p_gen ${token.p_gen.toFixed(2)}`;
    return [blank, element("span", { class: token.source ? "taken" : "generated", title }, quoted(token.text))];
  }), " "]);
  return [written.flat(2), para(small("Underlined words were generated by the network, all others copied from the source; point at one to see from where."))].flat();
}

/** Where the reasons were checked: what the summary becomes without each of them. */
function checked({ check }) {
  if (!check) return null;
  const named = (indices) => `${indices.length > 1 ? "sentences" : "sentence"} ${indices.map((index) => index + 1).join(", ")}`;
  const change = ({ lost, gained }, otherwise) =>
    [lost.length ? `${named(lost)} out` : "", gained.length ? `${named(gained)} in` : ""].filter(Boolean).join(", ") || otherwise;
  const rows = [
    ...check.heads.map((entry) => [`without the head ${entry.head}`, change(entry, "the same summary")]),
    ...check.sentences.map((entry) => [`without source sentence ${entry.sentence + 1}`, change(entry, "only it is missing")]),
  ];
  return element("section", { class: "check", "aria-label": "The check" },
    heading("The check", "each reason taken away in turn: source sentences that leave and come in"),
    element("dl", {}, rows.map(([what, then]) => element("div", {}, element("dt", {}, what), element("dd", {}, then)))));
}

// ---- what the reader does ----------------------------------------------------------------------

/** The places where a summary sentence shows in the summary or in the source. */
const ends = (view, side, index) => [...view.page.querySelectorAll(`.${side} .said[data-sentence~="${index}"]`)];

/** Make one sentence the chosen one, or none: its two ends stay marked and its reasons are shown. */
function choose(view, index) {
  view.chosen = index;
  paint(view, "chosen", index);
  for (const node of view.page.querySelectorAll(".said[data-sentence]")) node.setAttribute("aria-pressed", node.classList.contains("chosen"));
  for (const side of ["summary", "source"]) stop(view, side, ends(view, side, index ?? 0)[0]);
  view.status.textContent = index === null ? "No sentence is chosen" : `Sentence ${index + 1} is chosen`;
  view.reasons.className = hue(index ?? 0);
  view.reasons.replaceChildren(...reasons(view, index));
}

function paint(view, name, index) {
  for (const node of view.page.querySelectorAll(`.${name}`)) node.classList.remove(name);
  if (index === null) return;
  for (const node of view.page.querySelectorAll(`[data-sentence~="${index}"]`)) node.classList.add(name);
}

/** Tab stops at one sentence of each side; arrow keys lead to the others. */
function stop(view, side, node) {
  for (const other of view.page.querySelectorAll(`.${side} .said[tabindex="0"]`)) other.tabIndex = -1;
  if (node) node.tabIndex = 0;
}

/** Scroll a sentence into sight: inside its pane where that scrolls; the page too, if it must and `far` allows. */
function reveal(node, far = true) {
  if (!node) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const pane = node.closest(".pane");
  const [frame, place] = [pane.getBoundingClientRect(), node.getBoundingClientRect()];
  const [from, to] = [Math.max(frame.top, 0), Math.min(frame.bottom, innerHeight)];
  const scrolls = pane.scrollHeight > pane.clientHeight;
  if (scrolls && to - from > 100) pane.scrollBy({ top: place.top - from - (to - from) / 3, behavior });
  else if (!far) pane.scrollBy({ top: place.top - frame.top, behavior });
  else if (scrolls || place.top < 0 || place.bottom > innerHeight) node.scrollIntoView({ block: "center", behavior });
}

const sideOf = (node) => (node.closest(".summary") ? "summary" : "source");

/** Choose the sentence of a node and go to its other end; where two share a stretch, take turns. */
function follow(view, node) {
  const owners = node.dataset.sentence.split(" ").map(Number);
  const index = owners[(owners.indexOf(view.chosen) + 1) % owners.length];
  choose(view, index);
  const other = sideOf(node) === "summary" || node.matches(".tick") ? "source" : "summary";
  const end = ends(view, other, index)[0];
  reveal(end);
  return end;
}

function listen(view) {
  const at = (target) => target?.closest?.("[data-sentence]") ?? null;
  const light = (target) => { // what has the focus stays lit while the pointer rests elsewhere
    const node = at(target) ?? at(document.activeElement);
    paint(view, "lit", node && Number(node.dataset.sentence.split(" ")[0]));
  };
  const { page } = view;
  page.addEventListener("pointerover", (event) => light(event.target));
  page.addEventListener("pointerleave", () => light(null));
  page.addEventListener("focusout", () => light(null));
  page.addEventListener("focusin", (event) => {
    light(event.target);
    if (at(event.target)) stop(view, sideOf(event.target), event.target);
  });
  page.addEventListener("click", (event) => {
    const copying = !getSelection().isCollapsed; // the text is being marked, not chosen
    if (at(event.target) && !copying) follow(view, at(event.target));
  });
  page.addEventListener("keydown", (event) => press(view, event));
}

const STRIDES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

function press(view, event) {
  const node = event.target.closest("[data-sentence]");
  if (event.key === "Escape") {
    choose(view, null);
    paint(view, "lit", null);
  } else if (node && (event.key === "Enter" || event.key === " ")) {
    follow(view, node)?.focus({ preventScroll: true });
  } else if (node && event.key in STRIDES) {
    const all = [...view.page.querySelectorAll(`.${sideOf(node)} .said[data-sentence]`)];
    all[Math.min(all.length - 1, Math.max(0, all.indexOf(node) + STRIDES[event.key]))].focus();
  } else {
    return;
  }
  event.preventDefault();
}

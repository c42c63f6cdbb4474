// What the reader does: choosing and pointing at a sentence shows it at both ends, and its card.

import { cardOf } from "./card.js";
import { element, hueClass } from "./dom.js";
import { sourceUnits } from "./facts.js";

/** The frame of the reason card: choosing a sentence fills and opens it. */
export function cardSection(view) {
  view.reasons = element("div", { class: "content" });
  view.status = element("p", { class: "unseen", role: "status" });
  const button = (label, act, name = label) => {
    const made = element("button", { type: "button", "aria-label": name }, label);
    made.addEventListener("click", act);
    return made;
  };
  const walk = (stride) => () => walkTo(view, stride);
  view.walk = element("div", { class: "walk" }, button("←", walk(-1), "Previous sentence of the summary"), button("→", walk(1), "Next sentence of the summary"),
    button("×", () => close(view), "Close"));
  view.title = element("h2", { tabindex: -1 }, "Why?");
  view.card = element("aside", { class: "why", "aria-label": "Why this sentence?", hidden: "" }, view.walk, view.title, view.reasons);
  return element("div", { class: "cards" }, view.status, view.card);
}

function walkTo(view, stride) {
  const count = view.data.sentences.length;
  choose(view, view.chosen === null ? (stride < 0 ? count - 1 : 0) : (view.chosen + stride + count) % count);
  const node = ends(view, "summary", view.chosen)[0];
  reveal(ends(view, "source", view.chosen)[0], false);
  reveal(node);
  place(view, node);
}

/** The positions where a summary sentence shows in the summary or in the source. */
export const ends = (view, side, index) => [...view.page.querySelectorAll(`.${side} .said[data-sentence~="${index}"]`)];

/** Make a sentence the chosen one: the summary’s `index`, or the unit `left` of the source; or none. Its card is filled. */
export function choose(view, index, left = null) {
  Object.assign(view, { chosen: index, left });
  const { data } = view;
  view.walk.classList.toggle("alone", data.sentences.length < 2);
  paint(view, "chosen", index, left);
  for (const node of view.page.querySelectorAll("[aria-pressed][data-sentence], .left")) node.setAttribute("aria-pressed", node.classList.contains("chosen"));
  for (const side of ["summary", "source"]) stop(view, side, (left !== null && side === "source" ? leftAt(view, left) : ends(view, side, index ?? 0)[0]) ?? first(view, side));
  view.card.hidden = index === null && left === null;
  view.status.textContent = index !== null ? `Sentence ${index + 1} is chosen` : left !== null ? "A sentence that was left out is chosen" : "No sentence is chosen";
  if (view.card.hidden) return view.reasons.replaceChildren();
  const unit = data.units[left ?? data.sentences[index].unit];
  view.card.className = `why ${index === null ? "" : hueClass(view.hues.get(unit.unit))}`;
  view.title.textContent = index === null ? "Why not this one?" : "Why this sentence?";
  view.reasons.replaceChildren(...cardOf(view, { index, unit }).filter(Boolean));
  view.actions?.opened?.(unit, index !== null);
}

const leftAt = (view, unit) => view.page.querySelector(`.source .left[data-unit="${unit}"]`);
const REACHED = ".said[data-sentence], .left[data-unit]"; // what keys can reach
const first = (view, side) => view.page.querySelector(`.${side} :is(${REACHED})`);

export function close(view) {
  const { opener, chosen } = view;
  choose(view, null);
  paint(view, "lit", null);
  // Where an answer came in between, what opened the card is there no more: the sentence that was chosen is.
  const again = opener?.isConnected ? opener : opener && chosen !== null ? ends(view, "summary", chosen)[0] : null;
  again?.focus({ preventScroll: true });
}

function paint(view, name, index, left = null) {
  for (const node of view.page.querySelectorAll(`.${name}`)) node.classList.remove(name);
  if (index !== null) for (const node of view.page.querySelectorAll(`[data-sentence~="${index}"]`)) node.classList.add(name);
  if (left !== null) leftAt(view, left)?.classList.add(name);
}

/** Tab stops at one sentence of each side; arrow keys lead to the others. */
function stop(view, side, node) {
  for (const other of view.page.querySelectorAll(`.${side} [tabindex="0"]:is(.said, .left)`)) other.tabIndex = -1;
  if (node) node.tabIndex = 0;
}

/** Scroll a sentence into sight: inside its pane where that scrolls; the page too, if it must and `far` allows. */
export function reveal(node, far = true) {
  if (!node) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  const pane = node.closest(".pane");
  const [frame, spot] = [pane.getBoundingClientRect(), node.getBoundingClientRect()];
  const [from, to] = [Math.max(frame.top, 0), Math.min(frame.bottom, innerHeight)];
  const scrolls = pane.scrollHeight > pane.clientHeight;
  if (scrolls && to - from > 100) pane.scrollBy({ top: spot.top - from - (to - from) / 3, behavior });
  else if (!far) pane.scrollBy({ top: spot.top - frame.top, behavior });
  else if (scrolls || spot.top < 0 || spot.bottom > innerHeight) node.scrollIntoView({ block: "center", behavior });
}

const sideOf = (node) => (node.closest(".source") ? "source" : "summary");
const WIDE = "(min-width: 60rem)"; // as in the style sheet; below it, the card is a sheet at the foot of the screen

/** Put the card beside a sentence: over the other column, at the sentence’s height, and always in sight. */
function place(view, node) {
  const { card } = view;
  view.beside = node;
  for (const edge of ["top", "left"]) card.style.removeProperty(edge);
  if (!node?.isConnected) return;
  if (!matchMedia(WIDE).matches) { // above the sheet, where it can be seen
    if (node.getBoundingClientRect().bottom > card.getBoundingClientRect().top) node.scrollIntoView({ block: "start" });
    return;
  }
  const [spot, frame] = [node.getBoundingClientRect(), view.page.getBoundingClientRect()];
  const pane = node.closest("section").getBoundingClientRect();
  const left = sideOf(node) === "source" ? pane.left - card.offsetWidth - 24 : pane.right + 24;
  const top = Math.min(Math.max(spot.top, 16), Math.max(16, innerHeight - card.offsetHeight - 16));
  card.style.setProperty("left", `${Math.max(0, Math.min(left, innerWidth - card.offsetWidth - 16) - frame.left)}px`);
  card.style.setProperty("top", `${top - frame.top}px`);
}

/** Open the card of what stands at a node; where two share a stretch, they take turns. */
function open(view, node) {
  const owners = (node.dataset.sentence ?? "").split(" ").filter(Boolean).map(Number);
  const unit = Number(node.dataset.unit);
  const taken = owners.length ? owners : holders(view, unit);
  view.opener = node.matches("[tabindex]") ? node : first(view, sideOf(node));
  if (taken.length) choose(view, taken[(taken.indexOf(view.chosen) + 1) % taken.length]);
  else choose(view, null, unit);
  if (view.chosen !== null) reveal(ends(view, sideOf(node) === "summary" || node.matches(".tick") ? "source" : "summary", view.chosen)[0], false);
  place(view, node.matches(".tick") ? ends(view, "source", view.chosen)[0] : node);
}

/** The sentences of the summary that come from a unit of the source, of which this part was left out. */
function holders({ data }, unit) {
  const { source } = data.units[unit];
  return data.sentences.flatMap((sentence, index) => (sentence.source.some((span) => span.sentence === source) ? [index] : []));
}

/** Open the card of a source sentence by its number. */
export function openSource(view, index) {
  const unit = sourceUnits(view.data)[index];
  const node = unit && view.page.querySelector(`.source [data-unit="${unit.unit}"]`);
  if (!node) return;
  reveal(node);
  open(view, node);
}

export function listen(view) {
  const at = (target) => target?.closest?.("[data-sentence], [data-unit]") ?? null;
  const light = (target) => { // what has the focus stays lit while the pointer rests elsewhere
    const node = at(target) ?? at(document.activeElement);
    const sentence = node?.dataset.sentence?.split(" ")[0];
    paint(view, "lit", sentence === undefined ? null : Number(sentence), node?.matches(".left") ? Number(node.dataset.unit) : null);
  };
  const { page } = view;
  page.addEventListener("pointerover", (event) => light(event.target));
  page.addEventListener("pointerleave", () => light(null));
  page.addEventListener("focusout", () => light(null));
  page.addEventListener("focusin", (event) => {
    light(event.target);
    if (event.target.matches(REACHED)) stop(view, sideOf(event.target), event.target);
  });
  page.addEventListener("click", (event) => {
    const copying = !getSelection().isCollapsed; // the text is being marked, not chosen
    if (at(event.target) && !copying) open(view, at(event.target));
  });
  page.addEventListener("keydown", (event) => press(view, event));
  const again = () => { if (!view.card.hidden && matchMedia(WIDE).matches) place(view, view.beside); };
  addEventListener("resize", again);
  new ResizeObserver(again).observe(view.card); // as it fills
}

const STRIDES = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

function press(view, event) {
  const node = event.target.matches(`${REACHED}, [role="button"][data-unit], [role="button"][data-sentence]`) ? event.target : null;
  if (event.key === "Escape" && !view.card.hidden) {
    close(view);
  } else if (node && (event.key === "Enter" || event.key === " ")) {
    open(view, node);
    view.title.focus({ preventScroll: true });
  } else if (node?.matches(REACHED) && event.key in STRIDES && !(event.altKey || event.ctrlKey || event.metaKey)) {
    const all = [...view.page.querySelectorAll(`.${sideOf(node)} :is(${REACHED})`)];
    all[Math.min(all.length - 1, Math.max(0, all.indexOf(node) + STRIDES[event.key]))].focus();
  } else {
    return;
  }
  event.preventDefault();
}

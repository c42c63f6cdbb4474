// What the reader does: choosing and pointing at a sentence shows it at both ends, and its reasons.

import { element, hueClass } from "./dom.js";
import { reasons } from "./why.js";

/** The frame of the panel of reasons, with ways to the neighbours: choosing a sentence fills it. */
export function whySection(view) {
  view.reasons = element("div");
  view.status = element("p", { class: "unseen", role: "status" });
  const walk = (stride, label) => {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      const count = view.data.sentences.length;
      choose(view, view.chosen === null ? 0 : (view.chosen + stride + count) % count);
      reveal(ends(view, "source", view.chosen)[0], false);
    });
    return button;
  };
  view.walk = element("div", { class: "walk" }, walk(-1, "← previous"), walk(1, "next →"));
  return element("section", { class: "why", "aria-label": "Why this sentence?" }, view.walk, view.status, view.reasons);
}

/** The places where a summary sentence shows in the summary or in the source. */
export const ends = (view, side, index) => [...view.page.querySelectorAll(`.${side} .said[data-sentence~="${index}"]`)];

/** Make one sentence the chosen one, or none: its two ends stay marked and its reasons are shown. */
export function choose(view, index) {
  view.chosen = index;
  view.walk.hidden = view.data.sentences.length < 2;
  paint(view, "chosen", index);
  for (const node of view.page.querySelectorAll(".said[data-sentence]")) node.setAttribute("aria-pressed", node.classList.contains("chosen"));
  for (const side of ["summary", "source"]) stop(view, side, ends(view, side, index ?? 0)[0]);
  view.status.textContent = index === null ? "No sentence is chosen" : `Sentence ${index + 1} is chosen`;
  view.reasons.className = index === null ? "" : hueClass(view.hues.get(view.data.sentences[index].unit));
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
export function reveal(node, far = true) {
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

export function listen(view) {
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
  } else if (node && event.key in STRIDES && !(event.altKey || event.ctrlKey || event.metaKey)) {
    const all = [...view.page.querySelectorAll(`.${sideOf(node)} .said[data-sentence]`)];
    all[Math.min(all.length - 1, Math.max(0, all.indexOf(node) + STRIDES[event.key]))].focus();
  } else {
    return;
  }
  event.preventDefault();
}

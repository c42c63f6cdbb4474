// The beginning: paste a text, drop a file, or pick an example.

import { element, para, quoted, small } from "../explain/dom.js";
import { keepDraft } from "./kept.js";

const ADDRESS = /^\s*(?:https?:\/\/|www\.)\S+\s*$/i;

/** The start view. `begin` is told a text, `open` a file, `pick` the name of an example. */
export class Start {
  constructor(facts, { begin, open, pick }) {
    this.facts = facts;
    this.field = element("textarea", { id: "text", rows: 9, dir: "auto", spellcheck: "false", "aria-describedby": "count",
      placeholder: "Paste a text here, or drop a file anywhere on this page." });
    this.count = element("p", { id: "count", class: "count" });
    this.button = element("button", { type: "submit", class: "primary" }, "Summarize");
    this.alert = element("p", { class: "alert", role: "alert" });
    const form = element("form", { class: "composer" },
      element("label", { for: "text" }, "Your text"), this.field,
      element("div", { class: "submit" }, this.button, chooser(facts, open), this.count));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      begin(this.field.value);
    });
    this.field.addEventListener("input", () => {
      this.measure();
      keepDraft(this.field.value.length <= facts.limits.characters ? this.field.value : "");
    });
    this.field.addEventListener("paste", (event) => {
      const { length } = event.clipboardData.getData("text/plain");
      if (length <= 2 * facts.limits.characters) return;
      event.preventDefault(); // a browser needs minutes to set what the server would not take anyway
      this.complain(this.tooLong(length));
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    this.section = element("section", { class: "start", "aria-label": "A text to summarize" },
      element("h1", {}, "Any text, at exactly the length you can afford"),
      element("p", { class: "lead" }, "Drag the length from a watch face to half the document. Click any sentence to see why it is in, or why it is not."),
      form, this.alert, examples(facts, pick),
      element("p", { class: "promise" }, small("Your text is summarized on this server alone and never stored there; this browser keeps it until you empty the field. Nothing is loaded from, or sent to, anywhere else.")));
    this.measure();
  }

  measure() {
    const { value } = this.field;
    const most = this.facts.limits.characters;
    const length = Array.from(value).length; // code points, as the server counts
    const over = length > most;
    this.count.textContent = length ? `${length.toLocaleString("en")} of ${most.toLocaleString("en")} characters` : "";
    this.count.classList.toggle("over", over);
    const address = ADDRESS.test(value);
    this.button.disabled = over || address || !value.trim();
    this.complain(over ? this.tooLong(length) : address ? "This is an address, and nothing is fetched from anywhere: open it, then copy its text or save the page and open the file here." : "");
  }

  tooLong(length) {
    const most = this.facts.limits.characters.toLocaleString("en");
    return `The text has ${length.toLocaleString("en")} characters; this server takes up to ${most}. Shorten it, or split it.`;
  }

  complain(message) {
    this.alert.replaceChildren(...(message ? [quoted(message)] : []));
  }

  fill(text) {
    keepDraft(text);
    this.field.value = text;
    this.measure();
  }
}

function chooser(facts, open) {
  const input = element("input", { type: "file", id: "file", accept: facts.files.join(), class: "unseen" });
  input.addEventListener("change", () => {
    if (input.files[0]) open(input.files[0]);
    input.value = "";
  });
  return element("span", { class: "chooser" }, input, element("label", { for: "file", class: "secondary" }, "Open a file"), " ",
    small(facts.files.filter((kind) => !/markdown|htm$/.test(kind)).join(" ")));
}

function examples(facts, pick) {
  const card = ({ name, kind, title }) => {
    const button = element("button", { type: "button", class: "card", "data-example": name }, small(kind), element("span", {}, title));
    button.addEventListener("click", () => pick(name));
    return element("li", {}, button);
  };
  return element("div", { class: "examples" }, para(small("Or try one of these")), element("ul", {}, facts.examples.map(card)));
}

/** Let a file be dropped anywhere. */
export function takeDrops(target, open) {
  let depth = 0;
  const over = (change) => target.classList.toggle("dropping", (depth = Math.max(0, depth + change)) > 0);
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  target.addEventListener("dragenter", (event) => holdsFiles(event) && over(1));
  target.addEventListener("dragleave", (event) => holdsFiles(event) && over(-1));
  target.addEventListener("dragover", (event) => holdsFiles(event) && event.preventDefault());
  target.addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    over(-Infinity);
    if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
  });
}

// Taking a summary along: copy, download, and a link that restores the view of an example.

import { docx } from "./docx.js";
import { post } from "./service.js";

/** Copy a text; what could not be copied is said. */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => byHand(text));
  return byHand(text); // without a secure context there is no clipboard object
}

function byHand(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

export const FORMS = {
  txt: { label: "Text", type: "text/plain", make: async ({ data }) => data.text },
  md: { label: "Markdown", type: "text/markdown", make: async ({ data, title }) => markdown(data, title) },
  docx: { label: "Word document", type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", make: async ({ data, title }) => docx(title, data.text.split("\n")) },
  json: { label: "JSON, with all reasons", type: "application/json", make: ({ asked }) => post("summarize", asked, "text") },
  html: { label: "Explanation, one HTML file", type: "text/html", make: ({ asked }) => post("explain", asked, "text") },
};

/** The summary in Markdown, each sentence with the numbers of its source sentences. */
export function markdown(data, title = "") {
  const escaped = (text) => text.replace(/([\\`*_{}[\]<>#|~])/g, "\\$1").replace(/^(\s*)(\d+)([.)])/gm, "$1$2\\$3").replace(/^(\s*)([-+>])/gm, "$1\\$2");
  const lines = data.sentences.map((sentence) => {
    const positions = [...new Set(sentence.source.map((span) => span.sentence + 1))].join(", ");
    return `- ${escaped(sentence.text.replace(/\s+/g, " "))} (source sentence ${positions})`;
  });
  const used = `${data.length} of ${data.budget.limit} ${data.budget.unit}`;
  return `# ${title ? escaped(title) : "Summary"}\n\n${escaped(data.text).replace(/\n/g, "\n\n")}\n\n## Where it comes from\n\n${lines.join("\n")}\n\n${used}, made by MLS.\n`;
}

export async function download(form, made) {
  const { type, make } = FORMS[form];
  const content = await make(made);
  const url = URL.createObjectURL(content instanceof Blob ? new Blob([content], { type }) : new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${nameOf(made.title)}${form === "html" ? "-why" : "-summary"}.${form}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A file's name from a title: letters and figures, the rest is left out. */
export const nameOf = (title) => title.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 40).replace(/-$/, "") || "text";

const listed = (indices) => indices.map((index) => index + 1).join();
const indices = (text) => (text ?? "").split(",").map((part) => Number.parseInt(part, 10) - 1).filter((index) => index >= 0);

/** What stands behind the # of the address: enough to see the same again. */
export function written({ example, budget, weights, recipe, prototype, kind, wording, about, pin, ban, rival, chosen }) {
  const parts = new URLSearchParams({ example, budget });
  if (weights) parts.set("weights", Object.entries(weights).map(([name, weight]) => `${name}:${Number(weight.toFixed(4))}`).join());
  if (recipe) parts.set("recipe", recipe);
  if (prototype) parts.set("prototype", prototype);
  if (kind) parts.set("kind", kind);
  if (wording) parts.set("wording", wording);
  if (about) parts.set("about", about);
  if (pin?.length) parts.set("pin", listed(pin));
  if (ban?.length) parts.set("ban", listed(ban));
  if (rival) parts.set("with", rival);
  if (chosen !== null) parts.set("sentence", chosen + 1);
  return `#${parts}`;
}

export function restored(hash, facts) {
  const parts = new URLSearchParams(hash.slice(1));
  const example = facts.examples.find(({ name }) => name === parts.get("example"))?.name;
  if (!example) return null;
  const known = (name, among) => (among.includes(parts.get(name)) ? parts.get(name) : null);
  return {
    example,
    budget: parts.get("budget")?.slice(0, 40) || "1/8",
    weights: weightsOf(parts.get("weights")),
    recipe: known("recipe", Object.keys(facts.recipes)),
    prototype: known("prototype", facts.choices.prototype),
    kind: known("kind", facts.choices.kind),
    wording: known("wording", facts.choices.wording),
    about: parts.get("about")?.slice(0, 2000) ?? "",
    pin: indices(parts.get("pin")),
    ban: indices(parts.get("ban")),
    rival: parts.get("with"),
    chosen: Number.parseInt(parts.get("sentence"), 10) - 1,
  };
}

/** Weights were written with four decimals; the last one takes what rounding left over. */
function weightsOf(text) {
  if (!text) return null;
  const weights = Object.fromEntries(text.split(",").map((part) => [part.split(":")[0], Number(part.split(":")[1])]));
  const last = Object.keys(weights).at(-1);
  const off = 1 - Object.values(weights).reduce((all, one) => all + one, 0);
  if (Math.abs(off) < 0.01) weights[last] += off;
  return weights;
}

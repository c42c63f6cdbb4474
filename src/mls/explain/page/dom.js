// Making elements.
//
// Everything a document says reaches the page as a text node inside a <bdi>: it can be neither markup
// nor able to turn the writing direction of what stands around it. Attributes are made from our own
// words and from numbers only.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

export const small = (...children) => element("small", {}, ...children);
export const para = (...children) => element("p", {}, ...children);
/** Text that somebody else wrote: its language is unknown and its direction its own. */
export const quoted = (text) => element("bdi", { lang: "" }, text);
export const unseen = (text) => element("span", { class: "unseen" }, text); // for screen readers only
/** Our own words, with the paper's P_c, P_e and p_o set as they are in print. */
export const words = (text) => text.split(/([Pp]_[ceo])/).map((part, at) =>
  (at % 2 ? element("i", {}, part[0], element("sub", {}, part[2])) : part));
/** A paragraph of somebody’s text, which runs its own way: `auto` would not look into the <bdi> inside. */
export const paragraphOf = (direction) => element("p", { dir: direction });
export const heading = (text, aside = "") => element("h2", {}, text, " ", small(aside));
export const hueClass = (hue) => `hue-${hue}`;
export const badge = (index, hue) => element("span", { class: `badge ${hueClass(hue)}` }, String(index + 1));
export const row = (tag, cells) => element("tr", {}, cells.map((cell) => element(tag, tag === "th" ? { scope: "col" } : {}, cell)));
export const formula = (...parts) => element("span", { class: "formula" }, parts.flatMap((part) => [part, " "]));
export const term = (value, name) => element("span", { class: "term" }, element("b", {}, value), " ", small(name));

/** Sizes go through the CSSOM: a style attribute would need 'unsafe-inline' in the page's policy. */
export function sized(node, properties) {
  for (const [name, value] of Object.entries(properties)) node.style.setProperty(name, value);
  return node;
}

/** Make these the children of `parent`, touching only what changes: what stays keeps its focus and does not flicker.
 *  What is leaving stays where it is until it has left. */
export function reconcile(parent, wanted) {
  const stays = new Set(wanted);
  for (const node of [...parent.childNodes]) if (!stays.has(node) && !isLeaving(node)) node.remove();
  let cursor = parent.firstChild;
  for (const node of wanted) {
    while (cursor && isLeaving(cursor)) cursor = cursor.nextSibling;
    if (cursor === node) cursor = cursor.nextSibling;
    else parent.insertBefore(node, cursor);
  }
}

export const isLeaving = (node) => Boolean(node.classList?.contains("leaving"));

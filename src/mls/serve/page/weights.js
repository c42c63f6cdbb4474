// Head weights as linked sliders: each lies between -1 and 1, and together they are 1.

import { element, small } from "../explain/dom.js";

/** All weights after one was set: the others share the rest in the proportions they have. */
export function linked(weights, name, value) {
  const others = Object.keys(weights).filter((other) => other !== name);
  if (!others.length) return { [name]: 1 };
  let rest = 1 - value;
  let free = others;
  const result = { [name]: value };
  while (free.length) {
    const sum = free.reduce((all, other) => all + weights[other], 0);
    const share = (other) => (Math.abs(sum) > 1e-9 && free.every((one) => weights[one] * sum >= 0)
      ? (weights[other] / sum) * rest : weights[other] + (rest - sum) / free.length);
    const over = free.filter((other) => Math.abs(share(other)) > 1 + 1e-12);
    if (!over.length) {
      for (const other of free) result[other] = share(other);
      break;
    }
    for (const other of over) {
      result[other] = Math.sign(share(other));
      rest -= result[other];
    }
    free = free.filter((other) => !over.includes(other));
  }
  const last = others.at(-1); // what rounding left over; where the others can't take it all, the one that moved gives way
  const total = () => Object.values(result).reduce((all, one) => all + one, 0);
  if (Math.abs(total() - 1) < 1e-6) result[last] += 1 - total();
  else result[name] += 1 - total();
  const bounded = (value) => Math.min(1, Math.max(-1, value)); // what a correction of the last digit may overstep
  return Object.fromEntries(Object.keys(weights).map((key) => [key, bounded(result[key])]));
}

/** The sliders of all heads; `changed` is told the new weights. */
export class WeightSliders {
  constructor(changed) {
    this.changed = changed;
    this.list = element("ul", { class: "weights" });
    this.rows = new Map();
  }

  show(heads) {
    const names = heads.map((head) => head.name).join();
    if (this.names !== names) this.build(heads);
    this.names = names;
    this.weights = Object.fromEntries(heads.map((head) => [head.name, head.weight]));
    for (const { name, weight } of heads) {
      const { slider, value } = this.rows.get(name);
      if (document.activeElement !== slider || !this.moving) slider.value = weight;
      slider.setAttribute("aria-valuetext", weight.toFixed(2));
      slider.style.setProperty("--from", (Math.min(0, weight) + 1) / 2);
      slider.style.setProperty("--to", (Math.max(0, weight) + 1) / 2);
      value.textContent = weight ? weight.toFixed(2).replace("-", "−") : "off";
      slider.closest("li").classList.toggle("off", !weight);
    }
  }

  build(heads) {
    this.rows.clear();
    const bounds = { min: heads.length > 2 ? -1 : 0, max: 1, step: 0.01 };
    this.list.replaceChildren(...heads.map(({ name, question }, index) => {
      const slider = element("input", { type: "range", id: `weight-${index}`, disabled: "", ...bounds });
      slider.toggleAttribute("disabled", heads.length < 2);
      const value = element("output", { for: `weight-${index}` });
      slider.addEventListener("input", () => {
        this.moving = true;
        this.weights = linked(this.weights, name, Number(slider.value));
        this.changed(this.weights);
      });
      slider.addEventListener("change", () => { this.moving = false; });
      this.rows.set(name, { slider, value });
      return element("li", {}, element("label", { for: `weight-${index}` }, question, " ", small(name)), slider, value);
    }));
  }
}

export const WEIGHTS_HINT = "move one and the others make room: together they are always 1; below 0 a head speaks against a sentence";

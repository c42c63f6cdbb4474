// Budgets: what the slider, the unit switch, the presets and the field mean, and how they are written.

const OCTAVES = 5; // from 1/32 to the whole
export const STEPS = 32 * OCTAVES;
export const UNITS = { words: "Words", share: "Share", tokens: "Tokens", chars: "Characters" };
export const PRESETS = [
  { name: "Watch", budget: "60 chars" },
  { name: "Notification", budget: "140 chars" },
  { name: "Phone card", budget: "280 chars" },
  { name: "Paragraph", budget: "80 words" },
  { name: "Half", budget: "1/2" },
];

/** The share at a step of the slider: each octave doubles it. */
export const shareAt = (step) => 2 ** (step / (STEPS / OCTAVES) - OCTAVES);

/** The step nearest to a share; the slider ends at 1/32, budgets do not. */
export const stepAt = (share) => Math.round(Math.min(STEPS, Math.max(0, (Math.log2(share) + OCTAVES) * (STEPS / OCTAVES))));

/** How a share is written: 1/8 where it is one, else in per cent. */
export function writtenShare(share) {
  const octave = Math.log2(share);
  if (Number.isInteger(octave)) return octave === 0 ? "100%" : `1/${2 ** -octave}`;
  const percent = share * 100;
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)}%`;
}

/** The budget at a step of the slider, in a unit, for a document of these lengths. */
export function budgetAt(step, unit, lengths) {
  const share = shareAt(step);
  if (unit === "share") return writtenShare(share);
  return `${Math.max(1, Math.round(share * lengths[unit]))} ${unit}`;
}

/** The same length in another unit, as near as whole numbers come. */
export function inUnit(unit, { limit, unit: counted }, lengths) {
  const share = Math.min(1, limit / lengths[counted]);
  if (unit === "share") return writtenShare(share >= 1 ? 1 : nearestOctave(share));
  return `${Math.max(1, Math.round(share * lengths[unit]))} ${unit}`;
}

/** A share that is all but 1/2, 1/4 ... was one before it was rounded to whole words. */
function nearestOctave(share) {
  const octave = 2 ** Math.round(Math.log2(share));
  return Math.abs(share / octave - 1) < 0.01 ? octave : share;
}

/** Which unit a budget is written in; none where it is not understood. */
export const unitOf = (budget) => /\d\s*char/i.test(budget) ? "chars" : /\d\s*word/i.test(budget) ? "words"
  : /\d\s*(%|percent)|^\s*[\d.]+\s*\/|^\s*\d*\.\d+\s*$/i.test(budget) ? "share" : /^\s*\d[\d,_]*\s*(tokens?)?\s*$/i.test(budget) ? "tokens" : null;

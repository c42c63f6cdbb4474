// What this browser keeps, and nobody else: the text one is working with, and the reader's profile.

const [DRAFT, PROFILE] = ["mls-draft", "mls-profile"];
const MOST_NOTES = 500; // as in a profile's file

/** Storage may be full or forbidden; then nothing is kept, and everything else works. */
function attempt(action, otherwise = null) {
  try {
    return action() ?? otherwise;
  } catch {
    return otherwise;
  }
}

export const draft = () => attempt(() => localStorage.getItem(DRAFT), "");
export const keepDraft = (text) => attempt(() => (text ? localStorage.setItem(DRAFT, text) : localStorage.removeItem(DRAFT)));

/** The profile as its file has it, or nothing; one that is damaged is left where it is and not used. */
export function profile() {
  const found = attempt(() => JSON.parse(localStorage.getItem(PROFILE)));
  const fine = found?.version === 1 && Array.isArray(found.notes)
    && found.notes.every((note) => ["more", "known"].includes(note?.said) && typeof note.text === "string");
  return fine && found.notes.length ? found : null;
}

/** Whether something is kept in the place of the profile that is none. */
export function damaged() {
  const kept = attempt(() => localStorage.getItem(PROFILE), "");
  return kept !== "" && !profile() && attempt(() => JSON.parse(kept))?.notes?.length !== 0;
}

/** Note what was said of a sentence; of one that was noted before, the new note counts. False where it can't be kept, and where that would destroy what is there. */
export function note(said, text) {
  if (damaged()) return false;
  const notes = (profile()?.notes ?? []).filter((one) => one.text !== text);
  const all = { version: 1, notes: [...notes, { said, text: text.slice(0, 2000) }].slice(-MOST_NOTES) };
  return attempt(() => { localStorage.setItem(PROFILE, JSON.stringify(all)); return true; }, false);
}

export const forget = () => attempt(() => localStorage.removeItem(PROFILE));

// Talking to the service. Errors carry the sentence that the service gave.

/** An error, in the service's own words. */
export class ServiceError extends Error {
  constructor(message, status, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export const CANCELLED = -1; // the status of what was given up by whoever asked

export const info = () => answered(fetch("api/info"), "json");

export const example = (name) => answered(fetch(`examples/${encodeURIComponent(name)}.txt`), "text");

/** POST an object as JSON and read the answer: an object, or its "text". */
export function post(path, body, kind = "json", signal = undefined) {
  return answered(fetch(`api/${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
  }), kind);
}

/** The main text of a file, and what the file tells of its parts. */
export async function read(file) {
  const sent = fetch(`api/read?name=${encodeURIComponent(file.name)}`, {
    method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file,
  });
  return answered(sent, "json");
}

/** The body of an answer, which may also break off while it comes. */
async function answered(request, kind) {
  let answer;
  try {
    answer = await request;
    if (answer.ok) return await answer[kind]();
  } catch (error) {
    if (error.name === "AbortError") throw new ServiceError("Cancelled.", CANCELLED);
    throw new ServiceError("The server does not answer. Is it still running?", 0);
  }
  const problem = await answer.json().catch(() => ({ detail: `the server answered ${answer.status}` }));
  const detail = String(problem.detail ?? answer.status);
  const opening = /^\w+\.\w/.test(detail) ? detail[0] : detail[0].toUpperCase(); // a file's name stays as it is
  throw new ServiceError(`${opening}${detail.slice(1)}.`.replace(/\.\.$/, "."), answer.status, Number(answer.headers.get("Retry-After")) || 0);
}

// What is the same for all lengths of one text; it comes once.
const SAME = ["recipe", "recipe_digest", "weights", "prototype", "heads", "attention", "units", "expansions", "sizes", "prototype_first", "growth", "document"];

/** Asks one thing at a time and forgets what was asked in between: the newest question is always the next. */
export class Asker {
  constructor({ before, show, fail, after }) {
    Object.assign(this, { before, show, fail, after, next: null, busy: false, had: null });
  }

  /** Give up what is being asked. */
  cancel() {
    this.next = null;
    this.control?.abort();
  }

  /** A summary, put together from what came now and what came before. */
  async answer(asked) {
    this.control = new AbortController();
    const data = await post("move", { ...asked, have: this.had?.read ?? "" }, "json", this.control.signal);
    if (data.units) this.had = { read: data.read, parts: Object.fromEntries(SAME.map((name) => [name, data[name]])) };
    return { ...this.had?.parts, ...data };
  }

  async ask(body) {
    this.next = body;
    if (this.busy) return;
    this.busy = true;
    this.before();
    try {
      while (this.next) await this.askNext();
    } finally {
      this.busy = false;
      this.after();
    }
  }

  async askNext() {
    const asked = this.next;
    this.next = null;
    try {
      this.show(await this.answer(asked), asked);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.status === 429) await new Promise((wake) => setTimeout(wake, 1000 * Math.max(1, error.retryAfter)));
      if (error.status === 429) this.next ??= asked;
      else this.fail(error, asked);
    }
  }
}

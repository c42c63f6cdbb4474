// Talking to the service. Errors carry the sentence that the service gave.

/** A refusal, in the service's own words. */
export class Refusal extends Error {
  constructor(message, status, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export async function info() {
  return (await answered(fetch("api/info"))).json();
}

export async function example(name) {
  return (await answered(fetch(`examples/${encodeURIComponent(name)}.txt`))).text();
}

/** POST an object as JSON; the answer is for the caller to read. */
export function post(path, body) {
  return answered(fetch(`api/${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  }));
}

/** The main text of a file. */
export async function read(file) {
  const sent = fetch(`api/read?name=${encodeURIComponent(file.name)}`, {
    method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file,
  });
  return (await (await answered(sent)).json()).text;
}

async function answered(request) {
  let answer;
  try {
    answer = await request;
  } catch {
    throw new Refusal("The server does not answer. Is it still running?", 0);
  }
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({ detail: `the server answered ${answer.status}` }));
  const detail = String(problem.detail ?? answer.status);
  const opening = /^\w+\.\w/.test(detail) ? detail[0] : detail[0].toUpperCase(); // a file's name stays as it is
  throw new Refusal(`${opening}${detail.slice(1)}.`.replace(/\.\.$/, "."), answer.status, Number(answer.headers.get("Retry-After")) || 0);
}

/** Asks one thing at a time and forgets what was asked in between: the newest question is always the next. */
export class Asker {
  constructor({ before, show, fail, after }) {
    Object.assign(this, { before, show, fail, after, next: null, busy: false });
  }

  async ask(body) {
    this.next = body;
    if (this.busy) return;
    this.busy = true;
    this.before();
    while (this.next) {
      const asked = this.next;
      this.next = null;
      try {
        this.show(await (await post("summarize", asked)).json(), asked);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.status === 429) await new Promise((wake) => setTimeout(wake, 1000 * Math.max(1, error.retryAfter)));
        if (error.status === 429) this.next ??= asked;
        else this.fail(error, asked);
      }
    }
    this.busy = false;
    this.after();
  }
}

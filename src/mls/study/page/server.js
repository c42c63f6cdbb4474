// Talks to the study's server. What can't be reached is asked again, so that no answer is lost.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;

export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// `waiting` is called with true when the server can't be reached, and with false when it can again.
export async function ask(path, content, waiting) {
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    const response = await fetch(`/api/${path}`, request(content)).catch(() => null);
    if (response && response.status < 500) {
      waiting(false);
      return read(response);
    }
    waiting(true);
    await new Promise((done) => setTimeout(done, wait));
  }
}

function request(content) {
  if (content === undefined) return {};
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) };
}

async function read(response) {
  const body = await response.json();
  if (response.ok) return body;
  throw new Refusal(response.status, body.detail);
}

// Talks to the study's server. What can't be reached is asked again, so that no answer is lost.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;
const LONGEST_REPLY = 20000;

export class ServerError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// `waiting` is called with true when the server can't be reached, and with false when it can again.
export async function ask(path, content, waiting) {
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    const reply = await reached(path, content).catch(() => null); // no answer, or one that is not the server's own
    if (reply && reply.status < 500) {
      waiting(false);
      if (reply.ok) return reply.body;
      throw new ServerError(reply.status, reply.body.detail);
    }
    waiting(true);
    await new Promise((done) => setTimeout(done, wait));
  }
}

async function reached(path, content) {
  const response = await fetch(`/api/${path}`, { ...request(content), signal: AbortSignal.timeout(LONGEST_REPLY) });
  return { status: response.status, ok: response.ok, body: await response.json() };
}

function request(content) {
  if (content === undefined) return {};
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) };
}

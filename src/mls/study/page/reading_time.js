// How long a text has been looked at: only while it is visible, and on through a reload.

const PREFIX = "reading ";

export class ReadingTime {
  constructor(name) {
    this.name = PREFIX + name;
    this.before = stored(this.name);
    this.since = null;
    this.follow = () => this.#follow();
    document.addEventListener("visibilitychange", this.follow);
    addEventListener("pagehide", this.follow);
    this.ticking = setInterval(() => keep(this.name, this.seconds), 1000);
    this.#follow();
  }

  get seconds() {
    // The performance clock never jumps, whatever happens to the time of day.
    return this.before + (this.since === null ? 0 : (performance.now() - this.since) / 1000);
  }

  end() {
    document.removeEventListener("visibilitychange", this.follow);
    removeEventListener("pagehide", this.follow);
    clearInterval(this.ticking);
  }

  forget() {
    this.end();
    keep(this.name, null);
  }

  #follow() {
    this.before = this.seconds;
    this.since = document.visibilityState === "visible" ? performance.now() : null;
    keep(this.name, this.before);
  }
}

function stored(name) {
  try {
    const seconds = Number(localStorage.getItem(name));
    return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
  } catch {
    return 0; // storage may be forbidden; then a reload begins anew
  }
}

function keep(name, seconds) {
  try {
    if (seconds === null) localStorage.removeItem(name);
    else localStorage.setItem(name, String(seconds));
  } catch {
    // see above
  }
}

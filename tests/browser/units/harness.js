// The few words that the unit tests are written in.

export function same(actual, expected) {
  const [found, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (found !== wanted) throw new Error(`found ${found}, wanted ${wanted}`);
}

// A clock that goes when it is told to.
export class TestClock {
  #now = 0;
  #waiting = [];

  now() {
    return this.#now;
  }

  after(milliseconds, call) {
    const entry = { at: this.#now + milliseconds, call };
    this.#waiting.push(entry);
    return () => (this.#waiting = this.#waiting.filter((other) => other !== entry));
  }

  go(milliseconds) {
    const end = this.#now + milliseconds;
    for (;;) {
      const next = this.#waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#now = next.at;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.call();
    }
    this.#now = end;
  }
}

export class TestStorage {
  #items = new Map();

  getItem(key) {
    return this.#items.get(key) ?? null;
  }

  setItem(key, value) {
    this.#items.set(key, value);
  }

  removeItem(key) {
    this.#items.delete(key);
  }
}

// A transport whose other end is the test.
export class TestTransport {
  sent = [];
  isClosed = false;

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }

  say(frame) {
    this.onmessage(JSON.stringify(frame));
  }

  hello() {
    this.say({ type: "hello", protocol: 1 });
  }
}

// Lets promises that are already settled reach those who wait for them.
export const settled = () => new Promise((resolve) => setTimeout(resolve));

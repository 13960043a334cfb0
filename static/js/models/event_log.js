// One cursor into one session's log: every event once, in order, whatever arrives twice, early or late.

import { Signal } from "./signal.js";

const MOST_EARLY = 100;
const ACKNOWLEDGE_BYTES = 64 * 1024;
const ACKNOWLEDGE_AFTER = 500;

export class EventLog extends Signal {
  #session;
  #seq;
  #early = new Map();
  #bytes = 0;
  #clock;
  #cancelAcknowledgement = null;

  constructor({ session, seq, clock }) {
    super();
    this.#session = session;
    this.#seq = seq;
    this.#clock = clock;
  }

  get session() {
    return this.#session;
  }

  get seq() {
    return this.#seq;
  }

  // The page shows another snapshot now: what follows is read from there.
  restart(session, seq) {
    this.#session = session;
    this.#seq = seq;
    this.#early.clear();
    this.#forgetAcknowledgement();
  }

  // Emits `event` for each new one; `gap` when something between is missing and must be asked for again.
  receive(frame, size) {
    if (frame.session !== this.#session) return;
    if (frame.first > this.#seq + 1) {
      this.#keepEarly(frame);
      return;
    }
    this.#take(frame);
    this.#takeEarly();
    this.#countBytes(size);
  }

  #take(frame) {
    for (const event of frame.events) {
      if (frame.session !== this.#session) return; // an event led on to another session
      if (event.seq !== this.#seq + 1) continue;
      this.#seq = event.seq;
      this.emit("event", event);
    }
  }

  #keepEarly(frame) {
    const isFirst = this.#early.size === 0;
    if (this.#early.size < MOST_EARLY) this.#early.set(frame.first, frame);
    if (isFirst) this.emit("gap", { after: this.#seq });
  }

  #takeEarly() {
    for (const [first, frame] of [...this.#early].sort(([a], [b]) => a - b)) {
      if (first > this.#seq + 1) return;
      this.#early.delete(first);
      this.#take(frame);
    }
  }

  #countBytes(size) {
    this.#bytes += size;
    if (this.#bytes >= ACKNOWLEDGE_BYTES) this.#acknowledge();
    else this.#cancelAcknowledgement ??= this.#clock.after(ACKNOWLEDGE_AFTER, () => this.#acknowledge());
  }

  #acknowledge() {
    this.#forgetAcknowledgement();
    this.emit("acknowledge", { session: this.#session, seq: this.#seq });
  }

  #forgetAcknowledgement() {
    this.#bytes = 0;
    this.#cancelAcknowledgement?.();
    this.#cancelAcknowledgement = null;
  }
}

// The one line to the server: opens it, notices when it is cut, comes back, and asks again what was not answered.
// Every request of the protocol may be repeated: twice is once.

import { retryDelay } from "../lib/retry.js";
import { Signal } from "./signal.js";

export const PROTOCOL = 1;
const FAILURES_BEFORE_POLLING = 3;
const SILENCE = 45_000;
const ENDS = { 4401: "signed-out", 4403: "refused", 4426: "outdated" };

export class Connection extends Signal {
  #transports;
  #clock;
  #random;
  #transport = null;
  #pending = new Map();
  #state = "connecting";
  #attempt = 0;
  #failures = 0;
  #hasOpened = false;
  #downSince;
  #cancelRetry = null;
  #cancelWatch = null;
  #number = 0;

  // `transports` opens a socket or, where the network lets none through, something that behaves like one.
  constructor({ transports, clock, random = Math.random }) {
    super();
    this.#transports = transports;
    this.#clock = clock;
    this.#random = random;
    this.#downSince = clock.now();
  }

  get state() {
    return this.#state;
  }

  start() {
    this.#open();
  }

  // Somebody has reason to believe that it works again: the network came back, the lid was opened.
  retryNow() {
    if (this.#cancelRetry) this.#open();
  }

  close() {
    this.#end("closed");
    this.#transport?.close();
  }

  send(frame) {
    if (this.#state === "open") this.#transport.send(JSON.stringify(frame));
  }

  // Resolves with the answer, however many cuts later; rejects when the server refuses.
  request(frame) {
    const id = `r${(this.#number += 1)}`;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { frame: { ...frame, id }, resolve, reject });
      this.send({ ...frame, id });
    });
  }

  #open() {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    const transport = this.#nextTransport();
    this.#transport = transport;
    transport.onmessage = (text) => transport === this.#transport && this.#receive(text);
    transport.onclose = (code) => transport === this.#transport && this.#cut(code);
    this.#watch();
  }

  #nextTransport() {
    const usePolling = !this.#hasOpened && this.#failures >= FAILURES_BEFORE_POLLING && this.#failures % 2 === 1;
    return usePolling ? this.#transports.polling() : this.#transports.socket();
  }

  #receive(text) {
    this.#watch();
    const frame = JSON.parse(text);
    if (frame.type === "hello") this.#greeted(frame);
    else if (frame.type === "heartbeat") this.send({ type: "ping", id: "heard" });
    else if (this.#pending.has(frame.re)) this.#answered(frame);
    this.emit("frame", { frame, size: text.length });
  }

  #greeted(frame) {
    if (frame.protocol !== PROTOCOL) {
      this.#end("outdated");
      this.#transport.close();
      return;
    }
    this.#attempt = 0;
    this.#failures = 0;
    this.#hasOpened = true;
    this.#become("open");
    for (const { frame: asked } of this.#pending.values()) this.send(asked);
  }

  #answered(frame) {
    const { resolve, reject } = this.#pending.get(frame.re);
    this.#pending.delete(frame.re);
    if (frame.type === "error") reject(Object.assign(new Error(frame.sentence), { code: frame.code, facts: frame.facts }));
    else resolve(frame);
  }

  // A half-open line says nothing at all: it is given up.
  #watch() {
    this.#cancelWatch?.();
    const watched = this.#transport;
    this.#cancelWatch = this.#clock.after(SILENCE, () => {
      watched.close();
      if (watched === this.#transport) this.#cut(1006);
    });
  }

  #cut(code) {
    this.#transport = null;
    this.#cancelWatch?.();
    if (ENDS[code]) {
      this.#end(ENDS[code]);
      return;
    }
    if (this.#state === "open") this.#downSince = this.#clock.now();
    this.#failures += 1;
    this.#become("down");
    const downFor = this.#clock.now() - this.#downSince;
    const delay = retryDelay({ attempt: this.#attempt, downFor, code, random: this.#random });
    this.#attempt += 1;
    this.#cancelRetry = this.#clock.after(delay, () => this.#open());
  }

  #end(state) {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#cancelWatch?.();
    this.#become(state);
  }

  #become(state) {
    if (this.#state === state) return;
    this.#state = state;
    this.emit("state", { state, since: this.#downSince });
  }
}

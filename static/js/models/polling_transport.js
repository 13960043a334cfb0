// Behaves like the socket where a network lets none through: reads the same log every moment, sends by HTTP.

import { PROTOCOL } from "./connection.js";

const PAUSE = 1_500;
const CUT = 1006;
const ENDS = { not_signed_in: 4401, not_found: 4403 };

export class PollingTransport {
  #http;
  #addresses;
  #clock;
  #cursor = null;
  #isClosed = false;
  onmessage = () => {};
  onclose = () => {};

  constructor({ http, addresses, clock, probe }) {
    this.#http = http;
    this.#addresses = addresses;
    this.#clock = clock;
    this.#open(probe);
  }

  send(text) {
    const frame = JSON.parse(text);
    if (frame.type === "subscribe") this.#subscribe(frame);
    else if (frame.id) this.#act(frame);
  }

  close() {
    this.#isClosed = true;
  }

  // Nothing is open before the server has answered once.
  async #open(probe) {
    const isThere = await this.#http.getJson(probe).then(() => true, (refusal) => refusal.code !== "offline");
    if (isThere) this.#say({ type: "hello", protocol: PROTOCOL });
    else this.#cut();
  }

  #subscribe({ id, session, after }) {
    const isFirst = this.#cursor === null;
    this.#cursor = { session, after };
    this.#say({ type: "subscribed", re: id, session });
    if (isFirst) this.#poll();
  }

  async #poll() {
    while (!this.#isClosed) {
      const { session, after } = this.#cursor;
      try {
        const frame = await this.#http.getJson(this.#addresses.events(session, after));
        this.#take(frame, session, after);
        if (frame.last < frame.as_of) continue;
      } catch (refusal) {
        this.#cut(ENDS[refusal.code] ?? CUT);
        return;
      }
      await new Promise((resolve) => this.#clock.after(PAUSE, resolve));
    }
  }

  // Somebody may have subscribed to something else while the answer was on its way.
  #take(frame, session, after) {
    const isCurrent = this.#cursor.session === session && this.#cursor.after === after;
    if (!isCurrent || this.#isClosed || frame.events.length === 0) return;
    this.#cursor.after = frame.last;
    this.#say(frame);
  }

  async #act(frame) {
    try {
      const answer = await this.#call(frame);
      this.#say({ ...answer, type: "done", re: frame.id });
    } catch (refusal) {
      if (refusal.code === "offline") this.#cut();
      else this.#say({ type: "error", re: frame.id, code: refusal.code, sentence: refusal.message, facts: refusal.facts });
    }
  }

  #call(frame) {
    const { http, at } = { http: this.#http, at: this.#addresses };
    switch (frame.type) {
      case "post":
        return http.post(at.conversationPart(frame.conversation, "messages"), frame);
      case "stop":
      case "withdraw":
        return http.post(at.turnAction(frame.turn, frame.type));
      case "continue":
        return http.post(at.messageAction(frame.message, "continuations"));
      case "regenerate":
        return http.post(at.messageAction(frame.message, "versions"));
      default:
        return Promise.resolve({});
    }
  }

  #say(frame) {
    if (!this.#isClosed) this.onmessage(JSON.stringify(frame));
  }

  #cut(code = CUT) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose(code);
  }
}

// What was sent and is not in the transcript yet. Kept in the browser until it is committed, so that neither a
// cut nor a reload loses it; its client id makes every repetition the same message.

import { Signal } from "./signal.js";

export class Outbox extends Signal {
  #connection;
  #storage;
  #conversation;
  #entries;
  #isSending = false;

  constructor({ connection, storage, conversation }) {
    super();
    this.#connection = connection;
    this.#storage = storage;
    this.#conversation = conversation;
    this.#entries = this.#stored();
  }

  get entries() {
    return [...this.#entries];
  }

  // What an earlier page could not finish.
  resume() {
    for (const entry of this.#entries) entry.state = "sending";
    this.#sendNext();
  }

  post({ clientId, session, text }) {
    const entry = { clientId, session, text, state: "sending" };
    this.#entries.push(entry);
    this.#changed(entry);
    this.#sendNext();
    return entry;
  }

  retry(clientId, session) {
    const entry = this.#find(clientId);
    if (!entry) return;
    Object.assign(entry, { state: "sending", session });
    this.#changed(entry);
    this.#sendNext();
  }

  forget(clientId) {
    this.#entries = this.#entries.filter((entry) => entry.clientId !== clientId);
    this.#store();
  }

  // One after the other, so that they are committed in the order they were written.
  async #sendNext() {
    const entry = this.#entries.find(({ state }) => state === "sending");
    if (this.#isSending || !entry) return;
    this.#isSending = true;
    const { clientId, session, text } = entry;
    try {
      const asked = { type: "post", conversation: this.#conversation, session, client_id: clientId, text };
      const { seq, message, turn } = await this.#connection.request(asked);
      this.forget(clientId);
      Object.assign(entry, { state: "saved", seq, message, turn });
    } catch (refusal) {
      Object.assign(entry, { state: "failed", code: refusal.code, problem: refusal.message });
    }
    this.#isSending = false;
    this.#changed(entry);
    this.#sendNext();
  }

  #find(clientId) {
    return this.#entries.find((entry) => entry.clientId === clientId);
  }

  #changed(entry) {
    this.#store();
    this.emit("changed", entry);
  }

  get #key() {
    return `holdfast.outbox.${this.#conversation}`;
  }

  #stored() {
    try {
      return JSON.parse(this.#storage.getItem(this.#key) ?? "[]");
    } catch {
      return [];
    }
  }

  // A browser may refuse to store: then what is unsent lives as long as the page.
  #store() {
    try {
      if (this.#entries.length) this.#storage.setItem(this.#key, JSON.stringify(this.#entries));
      else this.#storage.removeItem(this.#key);
    } catch {
      this.emit("unstored");
    }
  }
}

// Follows a session over the connection: subscribes again from its cursor after every cut and every gap.

import { Signal } from "./signal.js";

export class Follower extends Signal {
  #connection;
  #log;

  constructor({ connection, log }) {
    super();
    this.#connection = connection;
    this.#log = log;
    connection.on("frame", ({ frame, size }) => this.#receive(frame, size));
    log.on("event", (event) => this.emit("event", event));
    log.on("gap", () => this.#subscribe());
    log.on("acknowledge", ({ session, seq }) => connection.send({ type: "ack", session, seq }));
  }

  get session() {
    return this.#log.session;
  }

  get seq() {
    return this.#log.seq;
  }

  restart(session, seq) {
    this.#log.restart(session, seq);
    this.#subscribe();
  }

  #receive(frame, size) {
    if (frame.type === "hello") this.#subscribe();
    else if (frame.type === "events") this.#log.receive(frame, size);
    else if (frame.type === "blocks" && frame.session === this.#log.session) this.emit("blocks", frame);
    else if (frame.type === "caught_up" || frame.type === "subscribed") this.emit(frame.type, frame);
  }

  // Sent, not requested: a request would be repeated after a cut from where it began, and this one is made anew.
  #subscribe() {
    const cursor = { session: this.#log.session, after: this.#log.seq };
    this.#connection.send({ type: "subscribe", id: "follow", blocks: true, ...cursor });
  }
}

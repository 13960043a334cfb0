// What the behaviours of a page share: the line to the server, the session it follows, what is being sent.

import * as addresses from "../lib/addresses.js";
import { clock } from "../lib/clock.js";
import * as http from "../lib/http.js";
import { Connection } from "./connection.js";
import { EventLog } from "./event_log.js";
import { Follower } from "./follower.js";
import { Notices } from "./notices.js";
import { Outbox } from "./outbox.js";
import { PollingTransport } from "./polling_transport.js";
import { Signal } from "./signal.js";
import { SocketTransport } from "./socket_transport.js";

export class App extends Signal {
  // `page` says which conversation is shown and how far; null on pages without one.
  constructor({ page, location, storage }) {
    super();
    this.page = page;
    this.http = http;
    this.addresses = addresses;
    this.clock = clock;
    this.storage = storage;
    this.notices = new Notices();
    this.connection = new Connection({ clock, transports: this.#transports(location) });
    if (page) this.#follow(page);
  }

  start() {
    this.connection.start();
    this.outbox?.resume();
  }

  get canWrite() {
    return this.page?.canWrite ?? false;
  }

  #follow(page) {
    const { connection } = this;
    const log = new EventLog({ session: page.session, seq: page.asOf, clock });
    this.follower = new Follower({ connection, log });
    this.outbox = new Outbox({ connection, storage: this.storage, conversation: page.conversation });
  }

  #transports(location) {
    return {
      socket: () => new SocketTransport(addresses.socket(location)),
      polling: () => new PollingTransport({ http, addresses, clock, probe: this.#probe() }),
    };
  }

  #probe() {
    return this.page ? addresses.conversationPart(this.page.conversation, "context") : "/";
  }
}

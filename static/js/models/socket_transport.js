// A WebSocket in the few words that the connection needs.

import { PROTOCOL } from "./connection.js";

export class SocketTransport {
  #socket;
  onmessage = () => {};
  onclose = () => {};

  constructor(address) {
    this.#socket = new WebSocket(address, [`holdfast.${PROTOCOL}`]);
    this.#socket.onmessage = (event) => this.onmessage(event.data);
    this.#socket.onclose = (event) => this.onclose(event.code);
  }

  send(text) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  close() {
    this.#socket.close(1000);
  }
}

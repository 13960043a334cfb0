// The stretch of the history that the page holds: grows at both edges on demand, and never beyond a bound.

import { toFragment } from "../lib/dom.js";

const MOST = 200;

export class MessageWindow {
  #list;
  #place;
  #app;
  #edges;
  #isLoading = false;

  constructor(list, { place, app, hasOlder, hasNewer }) {
    this.#list = list;
    this.#place = place;
    this.#app = app;
    this.#edges = { hasOlder, hasNewer };
  }

  get hasOlder() {
    return this.#edges.hasOlder;
  }

  // With something newer than it holds the window is apart from the live end.
  get hasNewer() {
    return this.#edges.hasNewer;
  }

  async loadOlder() {
    const first = this.#messages().at(0);
    if (!this.hasOlder || !first) return;
    await this.#load(`?before=${first.dataset.message}`, (items, edges) => {
      this.#place.keeping(first, () => this.#list.prepend(items));
      this.#edges.hasOlder = edges.hasOlder;
      this.#trim("end");
    });
  }

  async loadNewer() {
    const last = this.#messages().at(-1);
    if (!this.hasNewer || !last) return;
    await this.#load(`?after=${last.dataset.message}`, (items, edges) => {
      this.#list.append(items);
      this.#edges.hasNewer = edges.hasNewer;
      this.#place.keeping(last, () => this.#trim("start"));
      // At the live end again: the log goes on from what this answer knew.
      if (!edges.hasNewer) this.#app.follower.restart(edges.session, edges.asOf);
    });
  }

  // Shows another stretch altogether: around a message, or the newest of this or another session.
  async show(query, session = this.#app.follower.session) {
    this.#isLoading = false;
    await this.#load(query, (items, edges) => {
      this.#list.replaceChildren(items);
      Object.assign(this.#edges, { hasOlder: edges.hasOlder, hasNewer: edges.hasNewer });
      if (!edges.hasNewer) this.#app.follower.restart(edges.session, edges.asOf);
    }, session);
  }

  // Something new at the live end.
  append(element) {
    this.#list.append(element);
    this.#app.mount(element);
    if (this.#place.isAtEnd) this.#trim("start");
  }

  async #load(query, take, session = this.#app.follower.session) {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      const response = await this.#app.http.getPage(this.#app.addresses.messageWindow(session, query));
      const items = toFragment(await response.text());
      take(items, { session, ...edgesOf(response.headers) });
      this.#app.mount(this.#list);
    } catch (refusal) {
      this.#app.notices.toast(refusal.message);
    } finally {
      this.#isLoading = false;
    }
  }

  #trim(edge) {
    const messages = this.#messages();
    const surplus = messages.length - MOST;
    if (surplus <= 0) return;
    const [from, to] = edge === "start" ? [null, messages[surplus]] : [messages[MOST - 1], null];
    this.#removeBetween(from, to);
    this.#edges[edge === "start" ? "hasOlder" : "hasNewer"] = true;
  }

  #removeBetween(from, to) {
    let element = from ? from.nextElementSibling : this.#list.firstElementChild;
    while (element && element !== to) {
      const next = element.nextElementSibling;
      element.remove();
      element = next;
    }
  }

  #messages() {
    return [...this.#list.querySelectorAll(":scope > [data-message]")];
  }
}

function edgesOf(headers) {
  return {
    asOf: Number(headers.get("Holdfast-As-Of")),
    hasOlder: headers.get("Holdfast-Has-Older") === "1",
    hasNewer: headers.get("Holdfast-Has-Newer") === "1",
  };
}

// The list of conversations: fetched again when something in it changed.

import { toFragment } from "../lib/dom.js";

const PAUSE = 300;

export class Sidebar {
  #element;
  #app;
  #query = location.search.includes("archived=1") ? "archived=1" : "";
  #cancel = null;

  constructor(element, app) {
    this.#element = element;
    this.#app = app;
    app.connection.on("frame", ({ frame }) => frame.type === "feed" && this.#soon());
    app.on("list-changed", () => this.#soon());
    element.addEventListener("click", (event) => this.#clicked(event));
    element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  #clicked(event) {
    const link = event.target.closest("[data-sidebar-query]");
    if (!link) return;
    event.preventDefault();
    this.#query = link.dataset.sidebarQuery;
    this.#load();
  }

  #soon() {
    this.#cancel ??= this.#app.clock.after(PAUSE, () => {
      this.#cancel = null;
      this.#load();
    });
  }

  async #load() {
    const { address, current } = this.#element.dataset;
    const html = await this.#app.http.getHtml(`${address}?${this.#query}&current=${current}`).catch(() => null);
    if (html === null) return;
    const focused = document.activeElement?.dataset?.conversationLink;
    const top = this.#element.scrollTop;
    this.#element.replaceChildren(toFragment(html));
    this.#element.scrollTop = top;
    if (focused) this.#element.querySelector(`[data-conversation-link="${focused}"]`)?.focus();
  }
}

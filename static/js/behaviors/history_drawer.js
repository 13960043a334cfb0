// The history of a conversation, in a drawer that is read anew whenever it is opened or something moved.

import { toFragment } from "../lib/dom.js";

export class HistoryDrawer {
  #dialog;
  #app;

  constructor(element, app) {
    this.#dialog = element;
    this.#app = app;
    app.on("history", () => this.#open());
    app.on("moved", () => element.open && this.#load());
    element.addEventListener("click", (event) => this.#clicked(event));
  }

  async #open() {
    if (this.#dialog.open) return;
    try {
      await this.#load();
      this.#dialog.showModal();
    } catch (refusal) {
      this.#app.notices.toast(refusal.message);
    }
  }

  async #load() {
    this.#body.replaceChildren(await this.#page(""));
  }

  async #clicked(event) {
    const older = event.target.closest("[data-older-history]");
    if (older) this.#addOlder(older);
    else if (event.target === this.#dialog || event.target.closest("[data-closes]")) this.#dialog.close();
  }

  async #addOlder(button) {
    button.disabled = true;
    const page = await this.#page(`?before=${encodeURIComponent(button.dataset.olderHistory)}`);
    button.closest("p").replaceWith(page);
  }

  async #page(query) {
    const { http, addresses, page } = this.#app;
    return toFragment(await http.getHtml(addresses.conversationPart(page.conversation, "history") + query));
  }

  get #body() {
    return this.#dialog.querySelector("[data-body]");
  }
}

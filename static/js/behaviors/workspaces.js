// The workspaces in the menu of the sidebar: fetched again when it is opened, so that one joined or left elsewhere
// is there, or is not.

import { toFragment } from "../lib/dom.js";

export class Workspaces {
  #element;
  #http;

  constructor(element, { http }) {
    this.#element = element;
    this.#http = http;
    const menu = element.closest("details");
    menu.addEventListener("toggle", () => menu.open && this.#load());
  }

  async #load() {
    const html = await this.#http.getHtml(this.#element.dataset.address).catch(() => null);
    if (html !== null) this.#element.replaceChildren(toFragment(html));
  }
}

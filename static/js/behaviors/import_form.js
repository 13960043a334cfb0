// A file is looked at as soon as it is chosen, and sent again to be imported: nothing of it is kept in between.

import { toFragment } from "../lib/dom.js";

export class ImportForm {
  #element;
  #app;

  constructor(element, app) {
    this.#element = element;
    this.#app = app;
    element.elements.file.addEventListener("change", () => this.#look());
    element.addEventListener("submit", (event) => this.#import(event));
  }

  async #look() {
    this.#show("", null);
    if (!this.#file) return;
    const response = await this.#send("?dry_run=1", "Reading the file …");
    if (response) this.#show("", toFragment(await response.text()));
  }

  async #import(event) {
    event.preventDefault();
    const response = await this.#send("", "Importing …");
    if (response) location.assign((await response.json()).next);
  }

  async #send(query, state) {
    const { http } = this.#app;
    this.#wait(state);
    try {
      return await http.postFile(this.#element.dataset.address + query, this.#file);
    } catch (refusal) {
      this.#show(refusal.message, null);
      return null;
    } finally {
      this.#wait("");
    }
  }

  #wait(state) {
    this.#element.querySelector("[data-state]").textContent = state;
    this.#element.querySelector("[type=submit]").disabled = Boolean(state);
  }

  #show(problem, plan) {
    const place = this.#element.querySelector("[data-problem]");
    place.textContent = problem;
    place.hidden = !problem;
    const shown = this.#element.querySelector("[data-plan]");
    shown.replaceChildren(...(plan ? [plan] : []));
    const importable = shown.querySelector("[data-importable]")?.dataset.importable === "1";
    this.#element.querySelector("[type=submit]").hidden = !importable;
  }

  get #file() {
    return this.#element.elements.file.files[0];
  }
}

// The search dialog: results as one types, and arrows to walk through them.

import { toFragment } from "../lib/dom.js";
import { Dialog } from "./dialog.js";

const PAUSE = 150;

export class Search extends Dialog {
  #element;
  #input;
  #results;
  #app;
  #cancel = null;
  #asked = 0;

  constructor(element, app) {
    super(element);
    this.#element = element;
    this.#input = element.querySelector("input");
    this.#results = element.querySelector("[data-results]");
    this.#app = app;
    this.#input.addEventListener("input", () => this.#soon());
    this.#here?.addEventListener("change", () => this.#load());
    element.addEventListener("keydown", (event) => this.#key(event));
    element.addEventListener("click", (event) => this.#clicked(event));
  }

  #soon() {
    this.#cancel?.();
    this.#cancel = this.#app.clock.after(PAUSE, () => this.#load());
  }

  // An answer that was overtaken by a newer question is not shown.
  async #load() {
    const number = (this.#asked += 1);
    const found = await this.#app.http.getHtml(this.#address()).then(toFragment, refused);
    if (number !== this.#asked) return;
    this.#results.replaceChildren(found);
    const problem = this.#results.querySelector("[role=alert]");
    this.#app.notices.announce(problem ? problem.textContent : `${this.#hits().length} results`);
  }

  get #here() {
    return this.#element.querySelector("[data-here]");
  }

  #address(before = "") {
    const query = new URLSearchParams({ q: this.#input.value, before });
    if (this.#here?.checked) query.set("in", this.#here.dataset.here);
    return `${this.#input.form.action}?${query}`;
  }

  async #more(link) {
    const html = await this.#app.http.getHtml(this.#address(link.dataset.searchMore));
    link.parentElement.replaceWith(toFragment(html));
  }

  // A search field would first empty itself.
  #key(event) {
    if (event.key === "Escape") this.#element.close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [this.#input, ...this.#hits()];
    const next = stops.indexOf(document.activeElement) + step;
    stops[(next + stops.length) % stops.length].focus();
  }

  // In the conversation that is open the page goes there without loading anew.
  #clicked(event) {
    const more = event.target.closest("[data-search-more]");
    if (more) {
      event.preventDefault();
      this.#more(more);
    }
    const hit = event.target.closest("[data-hit-message]");
    if (!hit || hit.dataset.hitSession !== this.#app.follower?.session) return;
    event.preventDefault();
    this.#element.close();
    this.#app.transcript.showMessage(hit.dataset.hitMessage);
  }

  #hits() {
    return [...this.#results.querySelectorAll("a")];
  }
}

function refused(refusal) {
  const sentence = Object.assign(document.createElement("p"), { className: "search-none", role: "alert" });
  sentence.textContent = refusal.message;
  return sentence;
}

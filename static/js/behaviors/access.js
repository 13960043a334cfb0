// Who can see this conversation: the mark in its head, and the dialog that tells and changes it.

import { toFragment } from "../lib/dom.js";

const WORDS = { open: "Open", restricted: "Restricted", private: "Private" };

export class AccessMark {
  constructor(element, { follower }) {
    follower.on("event", ({ kind, payload }) => {
      const openness = kind === "settings_changed" && payload.changed.access?.openness?.to;
      if (!openness) return;
      element.dataset.openness = openness;
      element.querySelector("[data-word]").textContent = WORDS[openness];
    });
  }
}

export class AccessDialog {
  #dialog;
  #app;

  constructor(element, app) {
    this.#dialog = element;
    this.#app = app;
    app.on("access", () => this.#open());
    app.follower.on("event", ({ kind, payload }) => this.#told(kind, payload));
    element.addEventListener("click", (event) => this.#clicked(event));
    element.addEventListener("change", (event) => this.#changed(event));
    element.addEventListener("submit", (event) => this.#submitted(event));
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

  #told(kind, payload) {
    if (kind === "settings_changed" && payload.changed.access && this.#dialog.open) this.#load().catch(() => this.#dialog.close());
  }

  #clicked(event) {
    const person = event.target.closest("[data-removes]")?.closest("[data-person]");
    if (person) this.#send("grants", { person: person.dataset.person, level: "" });
    else if (event.target === this.#dialog || event.target.closest("[data-closes]")) this.#dialog.close();
  }

  #changed(event) {
    if (!event.target.matches("[data-level]")) return;
    const { person } = event.target.closest("[data-person]").dataset;
    this.#send("grants", { person, level: event.target.value });
  }

  #submitted(event) {
    event.preventDefault();
    const part = event.target.matches("[data-names]") ? "grants" : "openness";
    this.#send(part, Object.fromEntries(new FormData(event.target)));
  }

  // What is shown afterwards is what the server says, also where it refused.
  async #send(part, fields) {
    const { http, addresses, page } = this.#app;
    const problem = await http.post(addresses.conversationPart(page.conversation, part), fields).then(() => "", (refusal) => refusal.message);
    await this.#load().catch(() => this.#dialog.close());
    this.#say(problem);
  }

  async #load() {
    const { http, addresses, page } = this.#app;
    const html = await http.getHtml(addresses.conversationPart(page.conversation, "access"));
    this.#dialog.querySelector("[data-body]").replaceChildren(toFragment(html));
  }

  #say(problem) {
    const place = this.#dialog.querySelector("[data-problem]");
    if (!place) return;
    place.textContent = problem;
    place.hidden = !problem;
  }
}

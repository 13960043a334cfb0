// “New session”: shows what would be archived and where it will be found, and does exactly that when confirmed.

import { toFragment } from "../lib/dom.js";

export class ResetDialog {
  #dialog;
  #app;
  #through = "page";

  constructor(element, app) {
    this.#dialog = element;
    this.#app = app;
    app.on("new-session", (through) => this.#open(through));
    element.addEventListener("submit", (event) => this.#submit(event));
    element.addEventListener("close", () => this.#body.replaceChildren());
    element.addEventListener("click", (event) => {
      if (event.target === element || event.target.closest("[data-closes]")) element.close();
    });
  }

  get #body() {
    return this.#dialog.querySelector("[data-body]");
  }

  // Nothing is kept from an earlier time: every opening asks anew and gets a confirmation of its own.
  async #open(through = "page") {
    if (this.#dialog.open) return;
    this.#through = through;
    try {
      this.#body.replaceChildren(toFragment(await this.#app.http.getHtml(this.#address("reset"))));
      this.#dialog.showModal();
      this.#dialog.querySelector("[name=reason]").focus();
    } catch (refusal) {
      this.#app.notices.toast(refusal.message);
    }
  }

  async #submit(event) {
    event.preventDefault();
    const button = this.#dialog.querySelector("[type=submit]");
    button.disabled = true;
    const { confirmation, reason } = event.target.elements;
    const fields = { confirmation: confirmation.value, reason: reason.value, through: this.#through };
    try {
      this.#app.tellMove(await this.#app.http.post(this.#address("resets"), fields));
      this.#dialog.close();
    } catch (refusal) {
      this.#say(refusal.message);
      button.disabled = false;
    }
  }

  #say(problem) {
    const place = this.#dialog.querySelector("[data-problem]");
    place.textContent = problem;
    place.hidden = false;
  }

  #address(part) {
    return this.#app.addresses.conversationPart(this.#app.page.conversation, part);
  }
}

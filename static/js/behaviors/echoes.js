// What this person has sent and the log does not show yet: at once, with its state.

import { fromPattern, setText } from "../lib/dom.js";

export class Echoes {
  #list;
  #app;

  constructor(list, app) {
    this.#list = list;
    this.#app = app;
  }

  show(entry) {
    if (this.#list.querySelector(`[data-message][data-client-id="${CSS.escape(entry.clientId)}"]`)) return;
    const element = this.#find(entry.clientId) ?? this.#add(entry);
    element.classList.toggle("is-sending", entry.state === "sending");
    element.classList.toggle("is-failed", entry.state === "failed");
    const state = element.querySelector("[data-echo-state]");
    state.textContent = { sending: "sending …", saved: "✓", failed: "not sent" }[entry.state];
    state.className = entry.state === "saved" ? "tick" : "badge";
    state.title = entry.state === "saved" ? `Saved as number ${entry.seq} of the log` : "";
    this.#showProblem(element, entry);
  }

  remove(clientId) {
    this.#find(clientId)?.remove();
  }

  // What is still under way stands after everything that is saved.
  keepLast() {
    this.#list.append(...this.#list.querySelectorAll("[data-echo]"));
  }

  #add({ clientId, text }) {
    const element = fromPattern("pattern-person");
    element.removeAttribute("id");
    delete element.dataset.message;
    element.dataset.echo = clientId;
    element.classList.add("is-own");
    setText(element, "[data-name]", this.#app.page.userName);
    const avatar = element.querySelector("[data-avatar]");
    avatar.className = document.querySelector(".sidebar-foot .avatar").className;
    avatar.textContent = this.#app.page.userName.slice(0, 1).toUpperCase();
    const words = Object.assign(document.createElement("div"), { className: "prose tail", dir: "auto", textContent: text });
    element.querySelector("[data-parts-of]").append(words);
    element.querySelector(".message-actions").replaceChildren();
    const state = document.createElement("span");
    state.dataset.echoState = "";
    element.querySelector(".message-head").append(state);
    this.#list.append(element);
    document.querySelector("[data-empty]")?.remove();
    return element;
  }

  #showProblem(element, { state, problem, clientId, text }) {
    const actions = element.querySelector(".message-actions");
    actions.replaceChildren();
    element.querySelector(".outcome")?.remove();
    if (state !== "failed") return;
    const words = Object.assign(document.createElement("p"), { className: "outcome outcome-problem", textContent: problem });
    actions.before(words);
    actions.append(this.#button("Send again", "retry", () => this.#app.outbox.retry(clientId, this.#app.follower.session)));
    actions.append(this.#button("Back to the composer", "take-back", () => {
      this.#app.outbox.forget(clientId);
      element.remove();
      this.#app.emit("write", text);
    }));
    this.#app.notices.announce(problem);
  }

  #button(words, action, act) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: words });
    button.className = "button button-quiet button-small";
    button.dataset.action = action;
    button.addEventListener("click", act);
    return button;
  }

  #find(clientId) {
    return this.#list.querySelector(`[data-echo="${CSS.escape(clientId)}"]`);
  }
}

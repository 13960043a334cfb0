// What the buttons of a conversation do. Each is found by its data-action, wherever it is and whenever it came.

import { newId } from "../lib/identity.js";
import { showOtherVersion } from "./versions.js";

export class Actions {
  #app;

  constructor(element, app) {
    this.#app = app;
    element.addEventListener("click", (event) => this.#clicked(event));
  }

  #clicked(event) {
    const button = event.target.closest("[data-action]");
    const act = button && this.#acts[button.dataset.action];
    const message = event.target.closest("[data-message]");
    if (!act) {
      showActions(message);
      return;
    }
    Promise.resolve(act(button, message)).catch((refusal) => this.#app.notices.toast(refusal.message));
  }

  #acts = {
    copy: async (_, message) => this.#copy(await this.#text(message), "Copied"),
    "copy-code": (button) => this.#copy(button.parentElement.querySelector("pre").innerText, button.dataset.copied ?? "Code copied"),
    link: (_, message) => this.#copy(message.querySelector("[data-permalink]").href, "Link copied"),
    edit: (_, message) => this.#app.emit("edit", message.dataset.message),
    fork: (_, message) => this.#openFork(message),
    continue: (button, message) => this.#ask(button, { type: "continue", message: message.dataset.message }),
    regenerate: (button, message) => this.#ask(button, { type: "regenerate", message: message.dataset.message }),
    withdraw: (button) => this.#ask(button, { type: "withdraw", turn: button.dataset.turn }),
    "older-version": (_, message) => showOtherVersion(message, -1),
    "newer-version": (_, message) => showOtherVersion(message, 1),
    newest: () => this.#app.transcript.showNewest(),
    pin: (button) => this.#pin(button),
    archive: () => this.#archive(true),
    "new-session": (button) => this.#app.emit("new-session", button.dataset.through),
    access: () => this.#app.emit("access"),
    history: () => this.#app.emit("history"),
    unarchive: () => this.#archive(false),
  };

  async #text(message) {
    const { http, addresses, follower } = this.#app;
    return (await http.getPage(addresses.messageText(follower.session, message.dataset.message))).text();
  }

  async #copy(text, words) {
    await writeToClipboard(text);
    this.#app.notices.toast(words);
  }

  async #ask(button, frame) {
    button.disabled = true;
    await this.#app.connection.request(frame).finally(() => (button.disabled = false));
  }

  #openFork(message) {
    const dialog = document.getElementById("fork");
    dialog.dataset.message = message.dataset.message;
    dialog.dataset.key = newId();
    dialog.showModal();
  }

  async #pin() {
    const button = document.querySelector('.menu [data-action="pin"]');
    const pinned = button.getAttribute("aria-pressed") !== "true";
    await this.#post("pin", { pinned });
    button.setAttribute("aria-pressed", String(pinned));
    button.querySelector("[data-pin-words]").textContent = pinned ? "Unpin" : "Pin";
    this.#app.notices.toast(pinned ? "Pinned for you" : "No longer pinned");
    this.#app.emit("list-changed");
  }

  async #archive(archived) {
    await this.#post("archive", { archived });
    location.reload();
  }

  #post(part, fields) {
    const { http, addresses, page } = this.#app;
    return http.post(addresses.conversationPart(page.conversation, part), fields);
  }
}

// On a screen without a pointer the actions of one message are shown at a time.
function showActions(message) {
  document.querySelector(".message.is-touched")?.classList.remove("is-touched");
  message?.classList.add("is-touched");
}

// The clipboard's own interface exists only where the page came by HTTPS or from this machine.
async function writeToClipboard(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// Behaviours of a few lines each.

import { newId } from "../lib/identity.js";
import { shortTime } from "../lib/time.js";

const TOAST_LASTS = 4_000;
const OFFER_LASTS = 20_000;
const METER_PAUSE = 400;

// Times in the reader's own zone; the whole date is in the tooltip.
export class Time {
  constructor(element) {
    const date = new Date(element.dateTime);
    element.textContent = shortTime(date, new Date());
    element.title = date.toLocaleString();
  }
}

// The one polite live region of the page.
export class Announcer {
  constructor(element, { notices }) {
    notices.on("announce", (text) => (element.textContent = text));
  }
}

export class Toasts {
  constructor(element, { notices, clock }) {
    notices.on("toast", (text) => {
      const toast = Object.assign(document.createElement("p"), { className: "toast", textContent: text });
      element.append(toast);
      clock.after(TOAST_LASTS, () => toast.remove());
    });
    notices.on("offer", ({ text, label, act }) => {
      const toast = Object.assign(document.createElement("p"), { className: "toast toast-offer", textContent: text });
      const button = Object.assign(document.createElement("button"), { className: "toast-button", type: "button", textContent: label });
      button.addEventListener("click", () => (toast.remove(), act()));
      toast.append(" ", button);
      element.replaceChildren(toast);
      clock.after(OFFER_LASTS, () => toast.remove());
    });
  }
}

export class SessionNumber {
  constructor(element, app) {
    app.on("moved", ({ number }) => (element.textContent = `session ${number}`));
  }
}

export class Menu {
  constructor(element) {
    document.addEventListener("click", (event) => element.contains(event.target) || (element.open = false));
    element.addEventListener("click", (event) => event.target.closest(".menu-entry") && (element.open = false));
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !element.open) return;
      event.preventDefault();
      element.open = false;
      element.querySelector("summary").focus();
    });
  }
}

export class Title {
  constructor(element, { follower }) {
    follower.on("event", ({ kind, payload }) => {
      if (kind !== "settings_changed" || !payload.changed.title) return;
      element.firstElementChild.textContent = payload.changed.title;
      document.title = `${payload.changed.title} · Holdfast`;
    });
  }
}

export class AgentName {
  constructor(element, { follower }) {
    follower.on("event", ({ kind, payload }) => {
      if (kind === "settings_changed" && payload.changed.agent) element.textContent = payload.changed.agent.name;
    });
  }
}

// Asked for after the page is there: to know it, the server puts together what the agent would be sent.
export class ContextMeter {
  #element;
  #app;
  #cancel = null;

  constructor(element, app) {
    this.#element = element;
    this.#app = app;
    const kinds = new Set(["sealed", "message_posted", "compacted", "settings_changed"]);
    app.follower.on("event", ({ kind }) => kinds.has(kind) && this.#soon());
    app.on("moved", () => this.#soon());
    this.#soon();
  }

  #soon() {
    this.#cancel ??= this.#app.clock.after(METER_PAUSE, () => this.#load());
  }

  async #load() {
    this.#cancel = null;
    const { http, addresses, page } = this.#app;
    const size = await http.getJson(addresses.conversationPart(page.conversation, "context")).catch(() => null);
    if (!size?.limit) return;
    this.#element.hidden = false;
    this.#element.querySelector("meter").value = size.percent;
    const soon = size.is_near_compaction ? ", will be summarised soon" : " of context";
    this.#element.querySelector("[data-meter-words]").textContent = `${size.percent} %${soon}`;
    this.#element.classList.toggle("is-near", size.is_near_compaction);
  }
}

// The first message of a new conversation: a plain form, sent on Enter, once however often it is pressed.
export class Start {
  constructor(element) {
    const text = element.querySelector("textarea");
    element.elements.client_id.value = newId();
    text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (text.value.trim()) element.requestSubmit();
    });
    element.addEventListener("submit", () => setTimeout(() => (element.querySelector("[type=submit]").disabled = true)));
    document.addEventListener("click", (event) => {
      const chip = event.target.closest("[data-fills]");
      if (!chip) return;
      text.value = chip.textContent;
      text.focus();
    });
  }
}

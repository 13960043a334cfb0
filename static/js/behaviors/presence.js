// Who has this conversation open, and who is writing.

import { tintOf } from "../lib/identity.js";

const MOST_SHOWN = 4;
const TYPING_LASTS = 5_000;

export class Presence {
  #element;

  constructor(element, app) {
    this.#element = element;
    app.connection.on("frame", ({ frame }) => {
      if (frame.type === "presence" && frame.conversation === app.page.conversation) this.#show(frame.people);
    });
  }

  // Alone one needs no picture of oneself.
  #show(people) {
    const names = people.map(({ name }) => name).join(", ");
    this.#element.hidden = people.length < 2;
    this.#element.title = `Here: ${names}`;
    const label = Object.assign(document.createElement("span"), { className: "visually-hidden", textContent: `Here: ${names}` });
    this.#element.replaceChildren(label, ...people.slice(0, MOST_SHOWN).map(avatar));
    if (people.length > MOST_SHOWN) this.#element.append(` +${people.length - MOST_SHOWN}`);
  }
}

export class Typing {
  #element;
  #app;
  #people = new Map();

  constructor(element, app) {
    this.#element = element;
    this.#app = app;
    app.connection.on("frame", ({ frame }) => {
      if (frame.type === "typing" && frame.conversation === app.page.conversation) this.#wrote(frame.person);
    });
    app.follower.on("event", ({ kind, payload }) => kind === "message_posted" && this.#stopped(payload.author));
  }

  #wrote({ id, name }) {
    if (id === this.#app.page.user) return;
    this.#people.get(id)?.cancel();
    this.#people.set(id, { name, cancel: this.#app.clock.after(TYPING_LASTS, () => this.#stopped(id)) });
    this.#show();
  }

  #stopped(id) {
    this.#people.get(id)?.cancel();
    this.#people.delete(id);
    this.#show();
  }

  #show() {
    const names = [...this.#people.values()].map(({ name }) => name);
    this.#element.hidden = names.length === 0;
    this.#element.textContent = names.length > 2 ? "Several people are writing …" : `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} writing …`;
  }
}

function avatar({ id, name }) {
  const element = Object.assign(document.createElement("span"), { className: `avatar tint-${tintOf(id)}`, textContent: name.slice(0, 1).toUpperCase() });
  element.setAttribute("aria-hidden", "true");
  return element;
}

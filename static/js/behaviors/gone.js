// The whole pane, calmly: why nothing more is shown here, where to go on, and what was written and not sent.

const HOME = ["Your conversations", () => "/"];
const LOGIN = ["Sign in", () => `/login/?next=${encodeURIComponent(location.pathname)}`];
const REASONS = {
  signed_out: { title: "You are signed out", words: "Sign in again to go on where you were.", way: LOGIN },
  password_changed: { title: "Your password was changed", words: "Sign in with the new one to go on where you were.", way: LOGIN },
  deactivated: { title: "Your account was deactivated", words: "Ask whoever runs this site, if that is not what you expected." },
  not_a_member: { title: "You are no longer a member of this workspace", words: "An owner or an admin of it can invite you again.", way: HOME },
  not_visible: { title: "This conversation is no longer shown to you", words: "It was closed, or you are no longer named in it. Who shares it can name you again.", way: HOME },
};
const KEEPS_LISTS = new Set(["not_visible"]);

export class Gone {
  #element;
  #app;
  #why = null;

  constructor(element, app) {
    this.#element = element;
    this.#app = app;
    app.connection.on("frame", ({ frame }) => this.#received(frame));
    app.connection.on("state", ({ state }) => this.#changed(state));
  }

  #received(frame) {
    if (frame.type === "access_lost") this.#why = frame.why;
    if (frame.type === "error" && frame.re === "follow" && frame.code === "not_found") this.#show("not_visible");
  }

  #changed(state) {
    if (state === "signed-out") this.#show(this.#why ?? "signed_out");
    if (state === "refused") this.#show(this.#why ?? "not_visible");
  }

  #show(why) {
    if (!this.#element.hidden) return;
    const { title, words, way } = REASONS[why] ?? REASONS.not_visible;
    const main = this.#element.parentElement;
    this.#app.emit("gone", why);
    this.#app.connection.close();
    document.title = "Holdfast";
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    this.#tell("[data-gone-title]", title);
    this.#tell("[data-gone-words]", words);
    this.#showDraft(main.querySelector("#composer-text")?.value ?? "");
    this.#showWay(way);
    main.replaceChildren(this.#element);
    if (!KEEPS_LISTS.has(why)) document.querySelector(".sidebar-list")?.replaceChildren();
    this.#element.hidden = false;
    this.#element.querySelector("h1").focus();
  }

  #showDraft(text) {
    this.#element.querySelector("[data-gone-draft]").hidden = !text.trim();
    this.#tell("[data-gone-draft] pre", text);
  }

  #showWay(way) {
    const link = this.#element.querySelector("[data-gone-way]");
    link.hidden = !way;
    if (!way) return;
    link.textContent = way[0];
    link.href = way[1]();
  }

  #tell(selector, text) {
    this.#element.querySelector(selector).textContent = text;
  }
}

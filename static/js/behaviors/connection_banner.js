// Says when the line to the server is down, but only once it has been for a while; and that nothing is lost.

const PATIENCE = 2_000;
const WORDS = {
  down: "Connecting again … Nothing is lost: everything you saw is saved, and what you write is sent when the server is back.",
  outdated: "Holdfast was updated. Reload this page to go on; your draft is kept.",
  delayed: "Saving takes long at the moment, so nothing new is shown. It goes on by itself.",
};

// What ends for good has the whole pane.
const QUIET = new Set(["open", "closed", "signed-out", "refused"]);

export class ConnectionBanner {
  #element;
  #app;
  #cancel = null;

  constructor(element, app) {
    this.#element = element;
    this.#app = app;
    app.connection.on("state", ({ state }) => this.#changed(state));
    app.connection.on("frame", ({ frame }) => this.#received(frame));
    addEventListener("online", () => app.connection.retryNow());
    document.addEventListener("visibilitychange", () => document.hidden || app.connection.retryNow());
    this.#changed(app.connection.state);
  }

  #changed(state) {
    this.#cancel?.();
    this.#cancel = null;
    if (QUIET.has(state)) this.#show("");
    else if (state === "down" || state === "connecting") this.#wait();
    else this.#show(WORDS[state], state === "outdated");
  }

  #wait() {
    this.#cancel = this.#app.clock.after(PATIENCE, () => this.#show(WORDS.down));
  }

  #received(frame) {
    if (frame.type === "delayed") this.#show(frame.delayed ? WORDS.delayed : "");
    if (frame.type === "error" && frame.re === "follow") this.#show(frame.sentence);
  }

  #show(words, canReload = false) {
    if (this.#element.textContent === words) return;
    this.#element.textContent = words;
    this.#element.hidden = !words;
    if (canReload) this.#element.append(this.#reloadButton());
    if (words) this.#app.notices.announce(words);
  }

  #reloadButton() {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Reload" });
    button.className = "button button-small";
    button.addEventListener("click", () => location.reload());
    return button;
  }
}

// What somebody may do here now, where it changed while the page is open: less at once, more after a reload.

const RANKS = ["view", "write", "control"];
const LESS = "You may only read here now. What you have written stays where it is.";

export class Standing {
  #main;
  #app;
  #most;

  constructor(element, app) {
    this.#main = element.closest("[data-level]");
    this.#app = app;
    this.#most = this.#main.dataset.level;
    app.connection.on("frame", ({ frame }) => {
      const isHere = frame.type === "standing" || frame.type === "subscribed";
      if (isHere && frame.level && frame.conversation === app.page.conversation) this.#become(frame.level);
    });
  }

  #become(level) {
    const before = this.#main.dataset.level;
    if (level === before) return;
    this.#main.dataset.level = level;
    this.#app.emit("standing", level);
    if (level === "view") this.#app.notices.toast(LESS);
    else if (RANKS.indexOf(level) > RANKS.indexOf(this.#most)) this.#app.notices.offer("You may do more here now.", "Reload", () => location.reload());
  }
}

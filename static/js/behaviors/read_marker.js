// Tells the server how far this person has read: when the end is on the screen and the page is looked at.

const PAUSE = 700;

export class ReadMarker {
  #app;
  #cancel = null;
  #told = -1;

  constructor(_, app) {
    this.#app = app;
    app.on("place", () => this.#soon());
    app.follower.on("event", () => this.#soon());
    document.addEventListener("visibilitychange", () => this.#soon());
    this.#soon();
  }

  #soon() {
    this.#cancel ??= this.#app.clock.after(PAUSE, () => {
      this.#cancel = null;
      this.#tell();
    });
  }

  async #tell() {
    const { transcript, follower, http, addresses } = this.#app;
    const { session, seq } = follower;
    if (document.hidden || !transcript?.isAtEnd || seq === this.#told) return;
    this.#told = seq;
    await http.post(addresses.readMarker(session), { seq }).catch(() => (this.#told = -1));
    document.querySelector(".conversation-link[aria-current]")?.classList.remove("is-unread");
    document.querySelector(".conversation-link[aria-current] .unread-dot")?.remove();
  }
}

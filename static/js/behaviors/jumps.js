// The way back: to the newest message, and to where this person left off.

export class Jumps {
  #newest;
  #unread;
  #app;
  #isAtEnd = true;
  #missed = 0;

  constructor(element, app) {
    this.#newest = element.querySelector("[data-jump-newest]");
    this.#unread = element.querySelector("[data-jump-unread]");
    this.#app = app;
    this.#unread.addEventListener("click", () => this.#goToUnread());
    app.on("place", ({ isAtEnd }) => this.#placed(isAtEnd));
    app.follower.on("event", ({ kind }) => this.#happened(kind));
    this.#offerUnread();
  }

  #happened(kind) {
    if (this.#isAtEnd || (kind !== "message_posted" && kind !== "turn_started")) return;
    this.#missed += 1;
    this.#show();
  }

  #placed(isAtEnd) {
    this.#isAtEnd = isAtEnd;
    if (isAtEnd) this.#missed = 0;
    this.#show();
  }

  #show() {
    this.#newest.hidden = this.#isAtEnd;
    const words = this.#missed === 1 ? "1 new message" : `${this.#missed} new messages`;
    this.#newest.querySelector("[data-jump-words]").textContent = this.#missed ? words : "Newest";
  }

  // Only where the mark lies before everything that is shown: else the page has opened there.
  #offerUnread() {
    const { readSeq, hasOlder } = this.#app.page;
    const first = document.querySelector("[data-items] > [data-own-log]");
    this.#unread.hidden = !(readSeq && hasOlder && first && Number(first.dataset.seq) > readSeq);
  }

  async #goToUnread() {
    this.#unread.hidden = true;
    const { http, addresses, follower, page, transcript } = this.#app;
    const { message } = await http.getJson(addresses.lastRead(follower.session, page.readSeq));
    if (message) await transcript.showMessage(message);
  }
}

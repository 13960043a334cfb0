// Moves between sessions: one press restores, and what was done is said with an Undo beside it.

import { newId } from "../lib/identity.js";

const KEPT = "holdfast.said";

export class Restores {
  #app;

  constructor(_, app) {
    this.#app = app;
    app.tellMove = (move) => this.#tell(move);
    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-restores]");
      if (button) this.#press(button);
    });
    this.#tellKept();
  }

  async #press(button) {
    button.disabled = true;
    try {
      await this.#restore(button.dataset.restores);
    } catch (refusal) {
      this.#app.notices.toast(refusal.message);
    }
    button.disabled = false;
  }

  // Compare and swap: who looks at the present session restores only while it is the present one.
  async #restore(address) {
    const { http, page, follower } = this.#app;
    const expected = page.isActive ? { expected_session: follower.session } : {};
    this.#done(await http.post(address, { ...expected, idempotency_key: newId() }));
  }

  async #undo(entry) {
    const { http, addresses, page } = this.#app;
    this.#done(await http.post(addresses.conversationPart(page.conversation, "undos"), { entry }));
  }

  // The active session's page follows by itself; that of an archived one leads to it.
  #done(move) {
    document.getElementById("history")?.close();
    if (this.#app.page.isActive) return this.#tell(move);
    sessionStorage.setItem(KEPT, JSON.stringify(move));
    location.assign(this.#app.addresses.conversationPage(this.#app.page.conversation));
  }

  #tell({ says, undo }) {
    const { notices } = this.#app;
    notices.offer(says, "Undo", () => this.#undo(undo).catch((refusal) => notices.toast(refusal.message)));
  }

  #tellKept() {
    const kept = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    if (kept) queueMicrotask(() => this.#tell(JSON.parse(kept)));
  }
}

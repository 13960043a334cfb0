// Says in one line what a crash left of an answer, until somebody has read it.

const PUT_AWAY = "holdfast.recovery-read";

export class RecoveryNotice {
  #element;
  #app;

  constructor(element, app) {
    this.#element = element;
    this.#app = app;
    app.follower.on("event", (event) => isRecovery(event) && this.#load());
    element.querySelector("[data-dismisses]").addEventListener("click", () => this.#putAway());
    this.#show();
  }

  async #load() {
    const { http, addresses, page } = this.#app;
    const { sentence, key } = await http.getJson(addresses.conversationPart(page.conversation, "recovery")).catch(() => ({}));
    if (!sentence) return;
    this.#element.querySelector("[data-words]").textContent = sentence;
    this.#element.dataset.key = key;
    this.#show();
    if (!this.#element.hidden) this.#app.notices.announce(sentence);
  }

  #show() {
    const { key } = this.#element.dataset;
    this.#element.hidden = !key || this.#app.storage.getItem(PUT_AWAY) === key;
  }

  #putAway() {
    this.#app.storage.setItem(PUT_AWAY, this.#element.dataset.key);
    this.#show();
  }
}

function isRecovery({ kind, payload }) {
  return kind === "turn_resumed" || (kind === "turn_ended" && payload.state === "interrupted");
}

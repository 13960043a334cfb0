// Stop, always in reach while somebody answers.

export class StopButton {
  #button;
  #app;

  constructor(element, app) {
    this.#button = element;
    this.#app = app;
    element.addEventListener("click", () => this.stop());
    app.stopButton = this;
    app.follower.on("event", (event) => this.#take(event));
    app.on("moved", () => this.#show(""));
  }

  get isAnswering() {
    return !this.#button.hidden;
  }

  stop() {
    const { turn } = this.#button.dataset;
    if (!turn) return;
    this.#button.disabled = true;
    this.#app.connection.request({ type: "stop", turn }).catch((refusal) => {
      this.#button.disabled = false;
      this.#app.notices.toast(refusal.message);
    });
  }

  #take({ kind, payload }) {
    if (kind === "turn_started") this.#begin(payload);
    if (kind === "turn_ended" && payload.turn === this.#button.dataset.turn) this.#show("");
  }

  #begin({ turn, agent_name: name }) {
    this.#show(turn);
    this.#app.notices.announce(`${name} is answering.`);
  }

  #show(turn) {
    this.#button.dataset.turn = turn;
    this.#button.hidden = !turn;
    this.#button.disabled = false;
  }
}

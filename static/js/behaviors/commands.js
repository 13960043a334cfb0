// The menu that “/” opens in an empty composer: buttons for real actions, never text that is sent.

export class Commands {
  #element;
  #text;
  #typed = "";

  constructor(element, app) {
    this.#element = element;
    this.#text = document.getElementById("composer-text");
    app.on("commands", (event) => {
      event.preventDefault();
      this.#open();
    });
    document.querySelector("[data-opens-commands]").addEventListener("click", () => (element.hidden ? this.#open() : this.#close()));
    element.addEventListener("keydown", (event) => this.#key(event));
    element.addEventListener("click", () => this.#close());
    element.addEventListener("focusout", (event) => element.contains(event.relatedTarget) || this.#close(false));
  }

  #open() {
    this.#typed = "";
    this.#filter();
    this.#element.hidden = false;
    this.#shown()[0].focus();
  }

  #close(returns = true) {
    if (this.#element.hidden) return;
    this.#element.hidden = true;
    if (returns) this.#text.focus();
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.#walk(step);
    else if (event.key === "Escape") this.#close();
    else if (event.key === "Backspace") this.#type(this.#typed.slice(0, -1));
    else if (/^\p{L}$/u.test(event.key) && !event.ctrlKey && !event.metaKey) this.#type(this.#typed + event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #walk(step) {
    const entries = this.#shown();
    const next = entries.indexOf(document.activeElement) + step;
    entries[(next + entries.length) % entries.length].focus();
  }

  // Letters narrow the menu; those that fit nothing are not taken. The focus moves before its entry is hidden.
  #type(typed) {
    const fitting = this.#fitting(typed.toLowerCase());
    if (fitting.length === 0) return;
    this.#typed = typed.toLowerCase();
    for (const entry of fitting) entry.hidden = false;
    if (!fitting.includes(document.activeElement)) fitting[0].focus();
    this.#filter();
  }

  #filter() {
    const fitting = this.#fitting(this.#typed);
    for (const entry of this.#entries()) entry.hidden = !fitting.includes(entry);
  }

  #fitting(typed) {
    return this.#entries().filter(({ dataset }) => dataset.command.split(" ").some((word) => word.startsWith(typed)));
  }

  #entries() {
    return [...this.#element.querySelectorAll("[data-command]")];
  }

  #shown() {
    return this.#entries().filter((entry) => !entry.hidden);
  }
}

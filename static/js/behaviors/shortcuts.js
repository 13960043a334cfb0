// The keyboard map of the whole page; the help dialog lists it.

import { isTyping } from "../lib/dom.js";
import { openDialog } from "./dialog.js";

export class Shortcuts {
  #app;

  constructor(_, app) {
    this.#app = app;
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.defaultPrevented || event.isComposing) return;
    const act = this.#actFor(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #actFor(event) {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key.toLowerCase() === "k" && (ctrlKey || metaKey)) return () => openDialog("search");
    if (altKey && key.toLowerCase() === "n") return () => document.querySelector(".sidebar-new")?.click();
    if (altKey && (key === "ArrowUp" || key === "ArrowDown")) return () => this.#goToNeighbour(key === "ArrowUp" ? -1 : 1);
    if (document.querySelector("dialog[open]") || ctrlKey || metaKey || altKey) return null;
    if (key === "Escape" && this.#app.stopButton?.isAnswering) return () => this.#app.stopButton.stop();
    if (isTyping(event.target)) return null;
    if (key === "?") return () => openDialog("help");
    if (key === "End") return () => this.#app.transcript?.showNewest();
    if (key === "/") return () => document.getElementById("composer-text")?.focus();
    return null;
  }

  #goToNeighbour(step) {
    const links = [...document.querySelectorAll(".conversation-link")];
    const current = links.findIndex((link) => link.hasAttribute("aria-current"));
    links[current + step]?.click();
  }
}

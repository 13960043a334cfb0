// Short words for people: seen for a moment, or heard by those who listen to the page.

import { Signal } from "./signal.js";

export class Notices extends Signal {
  toast(text) {
    this.emit("toast", text);
    this.announce(text);
  }

  // Words with a button; `act` is called when it is pressed.
  offer(text, label, act) {
    this.emit("offer", { text, label, act });
    this.announce(text);
  }

  announce(text) {
    this.emit("announce", text);
  }
}

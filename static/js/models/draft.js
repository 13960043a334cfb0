// An unsent text: in this browser at once, on the server a moment later. Nothing but a person ever sends it.

const PAUSE = 800;

export class Draft {
  #key;
  #storage;
  #save;
  #clock;
  #cancel = null;
  #text;

  // `save` puts it on the server; `onServer` is what it had when the page was made.
  constructor({ conversation, storage, save, clock, onServer }) {
    this.#key = `holdfast.draft.${conversation}`;
    this.#storage = storage;
    this.#save = save;
    this.#clock = clock;
    this.#text = this.#local() ?? onServer;
  }

  get text() {
    return this.#text;
  }

  change(text) {
    if (text === this.#text) return;
    this.#text = text;
    this.#keepLocally(text);
    this.#cancel?.();
    this.#cancel = this.#clock.after(PAUSE, () => this.flush());
  }

  // The server takes nothing more: it is kept here until somebody may write again.
  keepHere() {
    this.#cancel?.();
    if (this.#text) this.#keepLocally(this.#text);
  }

  // What this browser keeps is needed only until the server has it too.
  async flush() {
    this.#cancel?.();
    this.#cancel = null;
    const text = this.#text;
    const isSaved = await this.#save(text).then(() => true, () => false);
    if (isSaved && text === this.#text) this.#keepLocally(null);
  }

  #local() {
    try {
      return this.#storage.getItem(this.#key);
    } catch {
      return null;
    }
  }

  #keepLocally(text) {
    try {
      if (text === null) this.#storage.removeItem(this.#key);
      else this.#storage.setItem(this.#key, text);
    } catch {
      // Without storage the server's copy is the only one.
    }
  }
}

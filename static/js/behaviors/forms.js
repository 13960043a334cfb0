// Forms in dialogs: what was changed goes to the server, a refusal is shown in the form and nothing is lost.

class DialogForm {
  constructor(element, app) {
    this.element = element;
    this.app = app;
    element.addEventListener("submit", (event) => this.#submit(event));
  }

  async #submit(event) {
    event.preventDefault();
    const button = this.element.querySelector("[type=submit]");
    button.disabled = true;
    try {
      await this.send(new FormData(this.element));
      this.#say("");
      this.element.closest("dialog")?.close();
    } catch (refusal) {
      this.#say(refusal.message);
    }
    button.disabled = false;
  }

  post(part, fields) {
    const { http, addresses, page } = this.app;
    return http.post(addresses.conversationPart(page.conversation, part), fields);
  }

  #say(problem) {
    const place = this.element.querySelector("[data-problem]");
    place.textContent = problem;
    place.hidden = !problem;
  }
}

export class SettingsForm extends DialogForm {
  #before = new FormData(this.element);

  // Only what was changed is sent: the transcript tells everybody about each.
  async send(fields) {
    const changed = Object.fromEntries([...fields].filter(([name, value]) => value !== this.#before.get(name)));
    const { title, ...settings } = changed;
    if (title !== undefined) await this.post("title", { title });
    if (Object.keys(settings).length) await this.post("settings", settings);
    this.#before = fields;
    this.app.notices.toast("Saved");
  }
}

export class CheckpointForm extends DialogForm {
  async send(fields) {
    const { name } = await this.post("checkpoints", { name: fields.get("name") });
    this.element.reset();
    this.app.notices.toast(`Checkpoint “${name}” taken`);
  }
}

export class ForkForm extends DialogForm {
  async send() {
    const { message, key } = this.element.closest("dialog").dataset;
    const { http, addresses, follower } = this.app;
    await http.post(addresses.messageAction(message, "forks"), { session: follower.session, idempotency_key: key });
  }
}

// Sends its fields to the address it names, and goes where the server says next.
export class PostForm extends DialogForm {
  async send(fields) {
    const { next } = await this.app.http.post(this.element.dataset.address, Object.fromEntries(fields));
    location.assign(next);
  }
}

// A plain form, which the browser answers with a file: the dialog has done its work.
export class DownloadForm {
  constructor(element) {
    element.addEventListener("submit", () => setTimeout(() => element.closest("dialog").close()));
  }
}

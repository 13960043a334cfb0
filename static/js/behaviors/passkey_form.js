// A form that is sent with what a passkey answers: to sign in, to prove who one is, or to be added.

import { createPasskey, isSupported, usePasskey } from "../lib/passkeys.js";

const REFUSED = "No passkey answered. Try again, or come in another way.";
const UNSUPPORTED = "This browser has no passkeys. Use another one, or an authenticator.";

export class PasskeyForm {
  #form;
  #problem;

  constructor(form) {
    this.#form = form;
    this.#problem = form.querySelector("[role=alert][hidden]");
    if (isSupported()) form.hidden = false;
    form.addEventListener("submit", (event) => this.#submit(event));
  }

  async #submit(event) {
    event.preventDefault();
    if (!isSupported()) return this.#tell(UNSUPPORTED);
    this.#problem.hidden = true;
    try {
      this.#form.elements.credential.value = JSON.stringify(await this.#answer());
    } catch {
      return this.#tell(REFUSED);
    }
    this.#form.submit();
  }

  async #answer() {
    const { request_options: request, creation_options: creation } = await this.#options();
    return creation ? createPasskey(creation, this.#isAlone()) : usePasskey(request);
  }

  async #options() {
    const kept = this.#form.querySelector("script[type='application/json']");
    if (kept) return JSON.parse(kept.textContent);
    return (await fetch(this.#form.action, { headers: { Accept: "application/json" } })).json();
  }

  #isAlone() {
    return this.#form.elements.passwordless.checked;
  }

  #tell(sentence) {
    this.#problem.textContent = sentence;
    this.#problem.hidden = false;
  }
}

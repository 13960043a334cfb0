// Where people write: grows, keeps its draft, sends on Enter, and says before a message is too long.

import { newId } from "../lib/identity.js";
import { bytesOf } from "../lib/text.js";
import { Draft } from "../models/draft.js";

const WARN_FROM = 0.9;
const TYPING_PAUSE = 3_000;

export class Composer {
  #form;
  #text;
  #app;
  #draft;
  #editing = null;
  #typedAt = -Infinity;

  constructor(element, app) {
    this.#form = element;
    this.#text = element.querySelector("textarea");
    this.#app = app;
    this.#draft = this.#newDraft();
    this.#text.value = this.#draft.text;
    element.addEventListener("submit", (event) => this.#submit(event));
    this.#text.addEventListener("input", () => this.#typed());
    this.#text.addEventListener("keydown", (event) => this.#key(event));
    element.querySelector('[data-action="cancel-edit"]').addEventListener("click", () => this.#stopEditing());
    app.on("write", (text) => this.#write(text));
    app.on("edit", (message) => this.#edit(message));
    app.on("standing", (level) => this.#allow(level !== "view"));
    app.on("gone", () => this.#draft.keepHere());
    addEventListener("pagehide", () => this.#editing || this.#draft.flush());
    if (matchMedia("(hover: hover)").matches) this.#text.focus();
    this.#measure();
  }

  #newDraft() {
    const { page, storage, clock, http, addresses } = this.#app;
    const save = (text) => http.post(addresses.conversationPart(page.conversation, "draft"), { text });
    return new Draft({ conversation: page.conversation, storage, save, clock, onServer: this.#text.dataset.serverDraft });
  }

  #allow(canWrite) {
    this.#app.page.canWrite = canWrite;
    this.#text.readOnly = !canWrite;
    this.#form.classList.toggle("is-read-only", !canWrite);
    if (!canWrite) this.#draft.keepHere();
    this.#say(canWrite ? "" : "You may only read here now. What you have written stays in this box.");
    this.#measure();
  }

  #key(event) {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) this.#submit(event);
    if (event.key === "ArrowUp" && this.#text.value === "") this.#editLast(event);
    if (event.key === "/" && this.#text.value === "") this.#app.emit("commands", event);
    if (event.key === "Escape" && this.#editing) {
      event.stopPropagation();
      this.#stopEditing();
    }
  }

  #typed() {
    this.#measure();
    this.#say("");
    if (this.#editing) return;
    this.#draft.change(this.#text.value);
    this.#tellTyping();
  }

  // Others see at most every three seconds that somebody writes.
  #tellTyping() {
    const now = this.#app.clock.now();
    if (now - this.#typedAt < TYPING_PAUSE || !this.#text.value) return;
    this.#typedAt = now;
    this.#app.connection.send({ type: "typing", conversation: this.#app.page.conversation });
  }

  #submit(event) {
    event.preventDefault();
    const text = this.#text.value;
    if (!this.#app.page.canWrite || !text.trim() || this.#isTooLong(text)) return;
    if (/^\s*[/／](new|reset)(\s|$)/i.test(text)) this.#askForNewSession(text);
    else if (this.#editing) this.#resend(text);
    else this.#send(text);
  }

  // Nothing is sent and nothing is cut off: what was written beside the command stays here.
  #askForNewSession(text) {
    if (/^\s*[/／](new|reset)\s*$/i.test(text) && !this.#editing) this.#clear();
    this.#app.emit("new-session", "page");
  }

  #send(text) {
    this.#app.outbox.post({ clientId: newId(), session: this.#app.follower.session, text });
    this.#clear();
  }

  #clear() {
    this.#text.value = "";
    this.#draft.change("");
    this.#draft.flush();
    this.#measure();
  }

  async #resend(text) {
    const { id, clientId } = this.#editing;
    const { http, addresses, follower } = this.#app;
    try {
      await http.post(addresses.messageAction(id, "edits"), { text, client_id: clientId, session: follower.session });
      this.#stopEditing();
    } catch (refusal) {
      this.#say(refusal.message);
    }
  }

  #editLast(event) {
    const own = this.#app.transcript.lastOwn();
    if (!own) return;
    event.preventDefault();
    this.#edit(own.dataset.message);
  }

  async #edit(id) {
    const { http, addresses, follower } = this.#app;
    try {
      const response = await http.getPage(addresses.messageText(follower.session, id));
      this.#editing = { id, clientId: newId() };
      this.#text.value = await response.text();
    } catch (refusal) {
      this.#app.notices.toast(refusal.message);
    }
    this.#form.querySelector("[data-editing]").hidden = !this.#editing;
    this.#text.focus();
    this.#measure();
  }

  #stopEditing() {
    this.#editing = null;
    this.#form.querySelector("[data-editing]").hidden = true;
    this.#text.value = this.#draft.text;
    this.#say("");
    this.#measure();
    this.#text.focus();
  }

  #write(text) {
    this.#text.value = this.#text.value ? `${this.#text.value}\n${text}` : text;
    this.#draft.change(this.#text.value);
    this.#text.focus();
    this.#measure();
  }

  #isTooLong(text) {
    return bytesOf(text) > this.#app.page.messageBytes;
  }

  #measure() {
    const most = this.#app.page.messageBytes;
    const left = most - bytesOf(this.#text.value);
    const limit = this.#form.querySelector("[data-limit]");
    limit.hidden = left > most * (1 - WARN_FROM);
    limit.classList.toggle("is-over", left < 0);
    const amount = `${(Math.abs(left) / 1024).toFixed(1)} KiB`;
    limit.textContent = left < 0 ? `${amount} too long` : `${amount} left`;
    this.#form.querySelector("[type=submit]").disabled = left < 0 || !this.#app.page.canWrite;
    if (!CSS.supports("field-sizing", "content")) this.#grow();
  }

  #grow() {
    this.#text.style.blockSize = "auto";
    this.#text.style.blockSize = `${this.#text.scrollHeight}px`;
  }

  #say(problem) {
    const place = this.#form.querySelector("[data-problem]");
    place.textContent = problem;
    place.hidden = !problem;
    if (problem) this.#app.notices.announce(problem);
  }
}

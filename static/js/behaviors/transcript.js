// The transcript: shows the log as it grows, older pages as they are wanted, and what this person is sending.

import { fromPattern, setText, toFragment } from "../lib/dom.js";
import { tintOf } from "../lib/identity.js";
import { Echoes } from "./echoes.js";
import { MessageWindow } from "./message_window.js";
import { ReadingPlace } from "./reading_place.js";
import { arrangeVersions } from "./versions.js";

const NOTICES = new Set(["settings_changed", "compacted", "made_active"]);
const LONGEST_ANNOUNCED = 2_000;

export class Transcript {
  #scroller;
  #list;
  #app;
  #place;
  #window;
  #echoes;

  constructor(element, app) {
    this.#scroller = element;
    this.#list = element.querySelector("[data-items]");
    this.#app = app;
    this.#place = new ReadingPlace(element, this.#list, { onChange: () => this.#scrolled() });
    const { hasOlder, hasNewer } = app.page;
    this.#window = new MessageWindow(this.#list, { place: this.#place, app, hasOlder, hasNewer });
    this.#echoes = new Echoes(this.#list, app);
    app.transcript = this;
    app.follower.on("event", (event) => this.#take(event));
    app.outbox.on("changed", (entry) => this.#sent(entry));
    this.#showFirst();
  }

  async showNewest() {
    if (this.#window.hasNewer) await this.#window.show("");
    this.#refresh();
    this.#place.goToEnd();
  }

  async showMessage(id) {
    if (!this.#find(id)) await this.#window.show(`?around=${id}`);
    this.#refresh();
    const element = this.#find(id);
    if (element) this.#place.goTo(element);
  }

  lastOwn() {
    return [...this.#list.querySelectorAll(".message-person.is-own[data-message]")].at(-1);
  }

  get isAtEnd() {
    return this.#place.isAtEnd && !this.#window.hasNewer;
  }

  #showFirst() {
    this.#refresh();
    for (const entry of this.#app.outbox.entries) this.#echoes.show(entry);
    const named = this.#find(new URLSearchParams(location.search).get("around"));
    const unread = document.getElementById("unread");
    if (named) this.#place.goTo(named);
    else if (unread) this.#place.goTo(unread);
    else if (!this.#window.hasNewer) this.#place.goToEnd();
    this.#scrolled();
  }

  #sent(entry) {
    if (this.#window.hasNewer) this.showNewest();
    this.#echoes.show(entry);
    if (entry.state === "sending") this.#place.goToEnd();
  }

  #take(event) {
    const { kind, payload } = event;
    if (kind === "message_posted") this.#posted(event);
    else if (kind === "turn_started") this.#started(event);
    else if (kind === "sealed") this.#refetch(event.message, true);
    else if (kind === "turn_ended" && payload.question) this.#refetch(payload.question);
    else if (kind === "archived") this.#moveTo(payload.successor);
    else if (NOTICES.has(kind)) this.#addNotice(event);
    this.#scrolled();
  }

  // The page's own echo, if there is one, becomes the message.
  #posted({ message, payload, seq }) {
    this.#echoes.remove(payload.client_id);
    if (this.#window.hasNewer || this.#find(message)) return;
    const element = this.#fromPattern("person", message, payload.author_name);
    element.dataset.seq = seq;
    element.dataset.clientId = payload.client_id;
    element.classList.toggle("is-own", payload.author === this.#app.page.user);
    element.querySelector("[data-avatar]").className = `avatar tint-${tintOf(payload.author)}`;
    element.querySelector("[data-avatar]").textContent = payload.author_name.slice(0, 1).toUpperCase();
    const words = Object.assign(document.createElement("div"), { className: "prose tail", dir: "auto", textContent: payload.text });
    element.querySelector("[data-parts-of]").append(words);
    this.#append(element);
    this.#refetch(message);
  }

  #started({ message, payload, seq }) {
    this.#refetch(payload.question);
    if (this.#window.hasNewer || this.#find(message)) return;
    const element = this.#fromPattern("agent", message, payload.agent_name);
    Object.assign(element.dataset, { seq, turn: payload.turn });
    if (payload.supersedes) element.dataset.supersedes = payload.supersedes;
    element.classList.toggle("is-joined", Boolean(payload.continues));
    setText(element, "[data-asked]", `asked by ${payload.asked_by_name}`);
    element.querySelector("[data-asked]")?.toggleAttribute("hidden", !payload.asked_by_name);
    this.#append(element);
  }

  #fromPattern(role, id, name) {
    const element = fromPattern(`pattern-${role}`);
    element.id = `message-${id}`;
    element.dataset.message = id;
    setText(element, "[data-name]", name);
    const time = element.querySelector("time");
    time.dateTime = new Date().toISOString();
    const link = element.querySelector("[data-permalink]");
    link.href = `${this.#app.addresses.conversationPage(this.#app.page.conversation)}?around=${id}#message-${id}`;
    return element;
  }

  #append(element) {
    this.#scroller.querySelector("[data-empty]")?.remove();
    this.#window.append(element);
    this.#echoes.keepLast();
    this.#refresh();
  }

  // The server's own rendering takes the place of what the page put together.
  async #refetch(id, isFinal = false) {
    const element = this.#find(id);
    if (!element || (element.dataset.behavior === "reply" && !isFinal)) return;
    const { http, addresses, follower, notices, clock } = this.#app;
    const html = await http.getHtmlPatiently(addresses.messagePart(follower.session, id), clock);
    const current = this.#find(id);
    if (html === null || !current) return;
    const fresh = toFragment(html).firstElementChild;
    keepOpen(current, fresh);
    current.replaceWith(fresh);
    this.#app.mount(fresh);
    this.#refresh();
    if (isFinal) notices.announce(fresh.querySelector("[data-parts-of]").innerText.slice(0, LONGEST_ANNOUNCED));
  }

  async #addNotice({ seq }) {
    if (this.#window.hasNewer) return;
    const { http, addresses, follower, clock } = this.#app;
    const place = document.createElement("li");
    this.#append(place);
    const html = await http.getHtmlPatiently(addresses.notice(follower.session, seq), clock);
    place.replaceWith(toFragment(html ?? ""));
  }

  // The conversation goes on in another session.
  async #moveTo(session) {
    this.#app.emit("moved", session);
    await this.#window.show("", session.id);
    this.#refresh();
    this.#place.goToEnd();
  }

  #scrolled() {
    if (this.#place.isNear("start")) this.#window.loadOlder().then(() => this.#refresh());
    if (this.#place.isNear("end")) this.#window.loadNewer().then(() => this.#refresh());
    this.#refresh();
  }

  #refresh() {
    arrangeVersions(this.#list);
    this.#scroller.querySelector("[data-older]").hidden = true;
    this.#scroller.querySelector("[data-newer]").hidden = true;
    this.#app.emit("place", { isAtEnd: this.isAtEnd });
  }

  #find(id) {
    return id ? document.getElementById(`message-${id}`) : null;
  }
}

// What the reader has unfolded stays unfolded.
function keepOpen(current, fresh) {
  const open = current.querySelectorAll("details");
  const closed = fresh.querySelectorAll("details");
  for (const [index, details] of open.entries()) if (closed[index]) closed[index].open = details.open;
}

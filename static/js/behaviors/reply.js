// A reply that is being written: puts each event where it belongs, at most once a frame of the screen.

import { fromPattern, toFragment } from "../lib/dom.js";
import { Tail } from "./tail.js";

const STATUS_WORDS = { ok: "done", error: "failed", unknown: "outcome not known" };
const HIDDEN_PAUSE = 250;

export class Reply {
  #element;
  #parts;
  #count;
  #kind;
  #tails = new Map();
  #waiting = [];
  #isScheduled = false;
  #stops;

  constructor(element, { follower }) {
    this.#element = element;
    this.#parts = element.querySelector("[data-parts-of]");
    this.#count = Number(element.dataset.parts);
    this.#kind = element.dataset.lastKind;
    for (const tail of element.querySelectorAll("[data-tail]")) this.#addTail(tail);
    const isMine = ({ message }) => message === element.dataset.message;
    this.#stops = [
      follower.on("event", (event) => isMine(event) && this.#later(() => this.#add(event.kind, event.payload))),
      follower.on("blocks", (frame) => isMine(frame) && this.#later(() => this.#addBlock(frame))),
    ];
  }

  disconnect() {
    for (const stop of this.#stops) stop();
  }

  // A hidden page draws nothing, so its frames never come.
  #later(act) {
    this.#waiting.push(act);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (document.hidden) setTimeout(() => this.#flush(), HIDDEN_PAUSE);
    else requestAnimationFrame(() => this.#flush());
  }

  #flush() {
    this.#isScheduled = false;
    for (const act of this.#waiting.splice(0)) act();
  }

  #add(kind, payload) {
    switch (kind) {
      case "text":
        this.#begin(kind);
        this.#tails.get(this.#count - 1).append(payload.text);
        break;
      case "reasoning":
        this.#begin(kind);
        this.#parts.lastElementChild.querySelector("[data-reasoning]").append(payload.text);
        break;
      case "tool_call":
        this.#begin(kind, true);
        this.#addCall(payload);
        break;
      case "tool_result":
        this.#begin(kind, true);
        this.#addResult(payload);
        break;
      case "turn_resumed":
        this.#addMark("went on after a restart");
        break;
    }
  }

  // Numbers parts as the server does: text and reasoning grow, all else is a part of its own.
  #begin(kind, isWhole = false) {
    if (kind === this.#kind && !isWhole) return;
    this.#kind = kind;
    this.#count += 1;
    if (kind === "text") this.#beginText();
    if (kind === "reasoning") this.#beginReasoning();
  }

  #beginText() {
    const prose = Object.assign(document.createElement("div"), { className: "prose", dir: "auto" });
    prose.dataset.part = this.#count - 1;
    const tail = Object.assign(document.createElement("div"), { className: "tail" });
    tail.dataset.tail = "";
    prose.append(tail);
    this.#parts.append(prose);
    this.#addTail(tail);
  }

  #addTail(element) {
    this.#tails.set(Number(element.parentElement.dataset.part), new Tail(element));
  }

  #beginReasoning() {
    const details = Object.assign(document.createElement("details"), { className: "reasoning" });
    const summary = Object.assign(document.createElement("summary"), { textContent: "Reasoning" });
    const words = Object.assign(document.createElement("div"), { className: "verbatim", dir: "auto" });
    words.dataset.reasoning = "";
    details.append(summary, words);
    this.#parts.append(details);
  }

  #addCall({ id, name, arguments: sent }) {
    const card = fromPattern("pattern-tool");
    card.dataset.call = id;
    card.querySelector(".tool-name").textContent = name;
    card.querySelector("[data-tool-arguments]").textContent = sent;
    this.#parts.append(card);
  }

  #addResult({ id, status, output, duration_ms: duration }) {
    const card = this.#parts.querySelector(`[data-call="${CSS.escape(id)}"]`);
    if (!card) return;
    card.dataset.status = status;
    card.querySelector("[data-tool-status]").textContent = STATUS_WORDS[status] ?? status;
    card.querySelector("[data-tool-duration]").textContent = duration == null ? "" : `${duration} ms`;
    card.querySelector("[data-tool-output]").textContent = output;
  }

  // A finished block takes the place of its text. The items of a list go on the list before them.
  #addBlock({ part, html, end, joins }) {
    if (!this.#tails.get(part)?.giveUp(end)) return;
    const tail = this.#parts.querySelector(`[data-part="${part}"] > [data-tail]`);
    const block = toFragment(html);
    const list = tail.previousElementSibling;
    if (joins && list) list.append(...block.firstElementChild.childNodes);
    else tail.before(block);
  }

  #addMark(words) {
    const mark = Object.assign(document.createElement("span"), { className: "badge badge-recovered", textContent: words });
    this.#element.querySelector(".badge-recovered")?.remove();
    this.#element.querySelector(".message-head").append(mark);
  }
}

// The open end of a reply's text: plain words, or code once a fence has opened. It grows by appending only.

import { codeOf, withoutFirst } from "../lib/text.js";

// A fence opens within the first characters, or this is no code.
const FENCE_ROOM = 200;

export class Tail {
  #element;
  #text;
  #node;
  #isCode = false;
  #end;

  constructor(element) {
    this.#element = element;
    this.#text = element.textContent;
    this.#end = Number(element.dataset.end ?? 0);
    this.#render();
  }

  append(text) {
    const mayTurnToCode = !this.#isCode && this.#text.length < FENCE_ROOM;
    this.#text += text;
    if (mayTurnToCode) this.#render();
    else this.#node.appendData(text);
  }

  // A block now stands for the text up to `end`; false when it is one that was shown before.
  giveUp(end) {
    if (end <= this.#end) return false;
    this.#text = withoutFirst(this.#text, end - this.#end);
    this.#end = end;
    this.#render();
    return true;
  }

  #render() {
    const code = codeOf(this.#text);
    this.#isCode = code !== null;
    this.#node = document.createTextNode(code ?? this.#text);
    if (this.#isCode) {
      const pre = document.createElement("pre");
      pre.append(this.#node);
      this.#element.replaceChildren(pre);
    } else if (this.#text) {
      this.#element.replaceChildren(this.#node);
    } else {
      this.#element.replaceChildren();
    }
  }
}

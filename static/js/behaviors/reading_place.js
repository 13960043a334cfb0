// Keeps the reader's place: at the end while they read there, and exactly where they are otherwise.

const NEAR = 64;

export class ReadingPlace {
  #scroller;
  #isAtEnd = true;
  #top = 0;
  #onChange;

  constructor(scroller, content, { onChange }) {
    this.#scroller = scroller;
    this.#onChange = onChange;
    scroller.addEventListener("scroll", () => this.#look(), { passive: true });
    // Who opens something wants to read it, not to be carried to the end of it.
    scroller.addEventListener("toggle", () => (this.#isAtEnd = false), { capture: true });
    const observer = new ResizeObserver(() => this.#isAtEnd && this.goToEnd());
    observer.observe(content);
    observer.observe(scroller);
  }

  get isAtEnd() {
    return this.#isAtEnd;
  }

  goToEnd() {
    this.#isAtEnd = true;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#top = this.#scroller.scrollTop;
  }

  goTo(element) {
    this.#isAtEnd = false;
    element.scrollIntoView({ block: "center" });
  }

  // Changes the content without moving what the reader sees.
  keeping(anchor, change) {
    const before = anchor?.getBoundingClientRect().top;
    change();
    if (anchor?.isConnected) this.#scroller.scrollTop += anchor.getBoundingClientRect().top - before;
    this.#top = this.#scroller.scrollTop;
  }

  isNear(edge) {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const room = edge === "start" ? scrollTop : scrollHeight - scrollTop - clientHeight;
    return room < clientHeight;
  }

  // Only a reader who goes back leaves the end: what is added below them does not take them from it.
  #look() {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    if (scrollHeight - scrollTop - clientHeight < NEAR) this.#isAtEnd = true;
    else if (scrollTop < this.#top - 1) this.#isAtEnd = false;
    this.#top = scrollTop;
    this.#onChange();
  }
}

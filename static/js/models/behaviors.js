// Gives elements their behaviour when they enter the page, and takes it away when they leave.

export class Behaviors {
  #classes;
  #app;
  #mounted = new Map();

  constructor(classes, app) {
    this.#classes = classes;
    this.#app = app;
    app.mount = (root) => this.mount(root);
  }

  watch(root) {
    this.mount(root);
    new MutationObserver((changes) => {
      for (const change of changes) {
        for (const node of change.removedNodes) if (node.nodeType === 1) this.#unmount(node);
        for (const node of change.addedNodes) if (node.nodeType === 1 && node.isConnected) this.mount(node);
      }
    }).observe(root, { childList: true, subtree: true });
  }

  mount(root) {
    for (const element of withBehavior(root)) {
      const Behavior = this.#classes[element.dataset.behavior];
      if (Behavior && !this.#mounted.has(element)) this.#mounted.set(element, new Behavior(element, this.#app));
    }
  }

  #unmount(root) {
    for (const element of withBehavior(root)) {
      if (element.isConnected) continue; // it was only moved
      this.#mounted.get(element)?.disconnect?.();
      this.#mounted.delete(element);
    }
  }
}

function withBehavior(root) {
  const inside = [...root.querySelectorAll("[data-behavior]")];
  return root.matches?.("[data-behavior]") ? [root, ...inside] : inside;
}

// Small things that every behaviour does with the page.

// The one place where text becomes elements. What comes in was rendered and cleaned by the server.
export function toFragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

export function fromPattern(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

export function setText(root, selector, text) {
  for (const element of root.querySelectorAll(selector)) element.textContent = text;
}

export function isTyping(target) {
  return target.matches?.("input, textarea, select, [contenteditable]") ?? false;
}

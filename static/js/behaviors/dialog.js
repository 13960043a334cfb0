// Native dialogs: opened by any button that names them, closed by their own.

export class Dialog {
  constructor(element) {
    element.addEventListener("click", (event) => {
      if (event.target === element || event.target.closest("[data-closes]")) element.close();
    });
  }
}

export function openDialog(id) {
  const dialog = document.getElementById(id);
  if (!dialog || dialog.open) return;
  dialog.showModal();
  dialog.querySelector("input, textarea, select")?.focus();
}

export function openOnClick(root) {
  root.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (!opener) return;
    opener.closest("details.menu")?.removeAttribute("open");
    openDialog(opener.dataset.opens);
  });
}

// Versions of a reply: one is shown, the others are one click away.

export function arrangeVersions(list) {
  const messages = [...list.querySelectorAll(":scope > [data-message]")];
  const byId = new Map(messages.map((element) => [element.dataset.message, element]));
  const replaced = new Set(messages.map(({ dataset }) => dataset.supersedes));
  for (const newest of messages) {
    if (!newest.dataset.supersedes || replaced.has(newest.dataset.message)) continue;
    arrange(chain(newest, byId));
  }
}

export function showOtherVersion(element, step) {
  const versions = (element.dataset.versionIds ?? "").split(" ").map((id) => document.getElementById(`message-${id}`));
  const other = versions[versions.indexOf(element) + step];
  if (!other) return;
  for (const version of versions) {
    version.hidden = version !== other;
    version.dataset.chosen = other.dataset.message;
  }
  const button = other.querySelector(`[data-action="${step < 0 ? "older" : "newer"}-version"]`);
  (button.disabled ? other.querySelector("[data-versions] button:enabled") : button)?.focus();
}

function chain(newest, byId) {
  const versions = [];
  for (let element = newest; element; element = byId.get(element.dataset.supersedes)) versions.unshift(element);
  return versions;
}

function arrange(versions) {
  const ids = versions.map(({ dataset }) => dataset.message);
  const newest = versions.at(-1);
  // A version that somebody looks at stays, unless a newer one has begun.
  const isKnown = versions[0].dataset.versionIds === ids.join(" ");
  const chosen = isKnown ? (versions[0].dataset.chosen ?? ids.at(-1)) : newest.dataset.message;
  for (const [index, element] of versions.entries()) {
    element.dataset.versionIds = ids.join(" ");
    element.hidden = element.dataset.message !== chosen;
    element.querySelector("[data-versions]").hidden = versions.length < 2;
    element.querySelector("[data-version-count]").textContent = `${index + 1} of ${versions.length}`;
    element.querySelector('[data-action="older-version"]').disabled = index === 0;
    element.querySelector('[data-action="newer-version"]').disabled = index === versions.length - 1;
  }
}

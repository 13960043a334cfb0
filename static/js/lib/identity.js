// Ids that nobody else chooses. crypto.randomUUID exists only where the page came by HTTPS.

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The same colour as the server gives: an id is a number, and there are eight tints.
export function tintOf(id) {
  return Number.parseInt(id.at(-1), 16) % 8;
}

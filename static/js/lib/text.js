// Text in the units that the server counts.

// The server counts characters as code points; strings here are made of UTF-16 units.
export function withoutFirst(text, codePoints) {
  let at = 0;
  for (let left = codePoints; left > 0 && at < text.length; left -= 1) {
    at += text.codePointAt(at) > 0xffff ? 2 : 1;
  }
  return text.slice(at);
}

export function bytesOf(text) {
  return new TextEncoder().encode(text).length;
}

const FENCE = /^\s*(`{3,}|~{3,})([^\n]*)(\n|$)/;

// An open end that begins with a code fence is code already: without the line that opens it.
export function codeOf(text) {
  const found = FENCE.exec(text);
  return found ? text.slice(found[0].length) : null;
}

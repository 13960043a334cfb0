// Asks the server and tells it things; a refusal becomes an error with a code and a sentence for people.

export class Refusal extends Error {
  constructor(code, sentence, facts = {}) {
    super(sentence);
    this.code = code;
    this.facts = facts;
  }
}

const PATIENCE = 1_500;
const FINAL = new Set(["not_found", "not_allowed", "not_signed_in"]);
const OFFLINE = "The server cannot be reached. Nothing is lost; try again in a moment.";
const FAILED = "Something went wrong on the server. What was saved is safe; try again.";

export async function getPage(address) {
  return answered(address, { headers: { "Holdfast-Part": "1" } });
}

export async function getHtml(address) {
  return (await getPage(address)).text();
}

// For what the page has to show: asks again until the server answers. Null for what is not there.
export async function getHtmlPatiently(address, clock) {
  for (;;) {
    try {
      return await getHtml(address);
    } catch (refusal) {
      if (FINAL.has(refusal.code)) return null;
      await new Promise((resolve) => clock.after(PATIENCE, resolve));
    }
  }
}

export async function getJson(address) {
  return (await answered(address, {})).json();
}

export async function post(address, fields = {}) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token() };
  const response = await answered(address, { method: "POST", headers, body: JSON.stringify(fields) });
  return response.status === 204 ? null : response.json();
}

export async function postFile(address, file) {
  const headers = { "Content-Type": "application/octet-stream", "X-CSRFToken": token() };
  return answered(address, { method: "POST", headers, body: file });
}

async function answered(address, options) {
  const response = await fetch(address, { credentials: "same-origin", ...options }).catch(() => {
    throw new Refusal("offline", OFFLINE);
  });
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  const code = problem.code ?? (response.status === 404 ? "not_found" : "server_error");
  throw new Refusal(code, problem.sentence ?? FAILED, problem.facts);
}

function token() {
  return document.querySelector("meta[name=csrf-token]").content;
}

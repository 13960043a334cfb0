import { Outbox } from "/static/js/models/outbox.js";
import { Draft } from "/static/js/models/draft.js";
import { TestClock, TestStorage, same, settled } from "./harness.js";

// A connection that answers when the test says so.
class Line {
  asked = [];

  request(frame) {
    return new Promise((resolve, reject) => this.asked.push({ frame, resolve, reject }));
  }
}

function box(storage = new TestStorage()) {
  const line = new Line();
  const outbox = new Outbox({ connection: line, storage, conversation: "c" });
  const states = [];
  outbox.on("changed", ({ clientId, state }) => states.push(`${clientId} ${state}`));
  return { line, outbox, states, storage };
}

export const tests = {
  async "a message is sending, then saved with its number"() {
    const { line, outbox, states } = box();
    const entry = outbox.post({ clientId: "1", session: "s", text: "hello" });
    same(line.asked[0].frame, { type: "post", conversation: "c", session: "s", client_id: "1", text: "hello" });
    line.asked[0].resolve({ seq: 12, message: "m" });
    await settled();
    same(states, ["1 sending", "1 saved"]);
    same([entry.seq, outbox.entries], [12, []]);
  },
  async "they are sent one after the other, in the order they were written"() {
    const { line, outbox } = box();
    outbox.post({ clientId: "1", session: "s", text: "a" });
    outbox.post({ clientId: "2", session: "s", text: "b" });
    same(line.asked.length, 1);
    line.asked[0].resolve({ seq: 1 });
    await settled();
    same(line.asked.map(({ frame }) => frame.client_id), ["1", "2"]);
  },
  async "a refused one says why, stays, and can be sent again"() {
    const { line, outbox, states } = box();
    outbox.post({ clientId: "1", session: "s", text: "a" });
    line.asked[0].reject(Object.assign(new Error("Moved."), { code: "session_changed" }));
    await settled();
    same(outbox.entries[0].problem, "Moved.");
    outbox.retry("1", "t");
    same([line.asked[1].frame.client_id, line.asked[1].frame.session], ["1", "t"]);
    same(states, ["1 sending", "1 failed", "1 sending"]);
  },
  async "what a page could not finish the next one sends, under the same id"() {
    const { outbox, storage } = box();
    outbox.post({ clientId: "1", session: "s", text: "a" });
    const next = box(storage);
    next.outbox.resume();
    same(next.line.asked[0].frame.client_id, "1");
    next.line.asked[0].resolve({ seq: 1 });
    await settled();
    same(box(storage).outbox.entries, []);
  },
  "without storage it works as long as the page"() {
    const refuse = () => {
      throw new Error("no storage");
    };
    const { line, outbox } = box({ getItem: refuse, setItem: refuse, removeItem: refuse });
    outbox.post({ clientId: "1", session: "s", text: "a" });
    same(line.asked.length, 1);
  },
  async "a draft is kept here at once and on the server a moment later"() {
    const storage = new TestStorage();
    const clock = new TestClock();
    const saved = [];
    const save = async (text) => saved.push(text);
    const draft = new Draft({ conversation: "c", storage, save, clock, onServer: "" });
    draft.change("a");
    draft.change("ab");
    same(new Draft({ conversation: "c", storage, save, clock, onServer: "" }).text, "ab");
    clock.go(1_000);
    await settled();
    same(saved, ["ab"]);
    same(new Draft({ conversation: "c", storage, save, clock, onServer: "from elsewhere" }).text, "from elsewhere");
  },
  async "a draft that the server did not get stays here"() {
    const storage = new TestStorage();
    const clock = new TestClock();
    const save = async () => Promise.reject(new Error("offline"));
    new Draft({ conversation: "c", storage, save, clock, onServer: "" }).change("kept");
    clock.go(1_000);
    await settled();
    same(new Draft({ conversation: "c", storage, save, clock, onServer: "" }).text, "kept");
  },
};

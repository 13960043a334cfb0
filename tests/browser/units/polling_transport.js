import * as addresses from "/static/js/lib/addresses.js";
import { PollingTransport } from "/static/js/models/polling_transport.js";
import { TestClock, same, settled } from "./harness.js";

function polling(answers) {
  const clock = new TestClock();
  const posts = [];
  const http = {
    getJson: async (address) => answers(address),
    post: async (address, fields) => {
      posts.push([address, fields?.text]);
      return { seq: 3 };
    },
  };
  const transport = new PollingTransport({ http, addresses, clock, probe: "/probe" });
  const heard = [];
  const closed = [];
  transport.onmessage = (text) => heard.push(JSON.parse(text));
  transport.onclose = (code) => closed.push(code);
  return { clock, transport, heard, closed, posts };
}

const events = (after, last) => ({ type: "events", session: "s", first: after + 1, last, as_of: last, events: last > after ? [{ seq: last }] : [] });

export const tests = {
  async "it greets when the server answers, and reads the log again and again"() {
    let last = 5;
    const { clock, transport, heard } = polling((address) => (address === "/probe" ? {} : events(Number(address.split("=")[1]), last)));
    await settled();
    transport.send(JSON.stringify({ type: "subscribe", id: "f", session: "s", after: 4 }));
    await settled();
    last = 6;
    clock.go(1_500);
    await settled();
    same(heard.map(({ type, last }) => [type, last ?? null]), [["hello", null], ["subscribed", null], ["events", 5], ["events", 6]]);
    transport.close();
  },
  async "a server that cannot be reached is a cut"() {
    const { closed } = polling(() => Promise.reject(Object.assign(new Error(), { code: "offline" })));
    await settled();
    same(closed, [1006]);
  },
  async "who is no longer signed in is told so"() {
    const { transport, closed } = polling((address) => (address === "/probe" ? {} : Promise.reject(Object.assign(new Error(), { code: "not_signed_in" }))));
    await settled();
    transport.send(JSON.stringify({ type: "subscribe", id: "f", session: "s", after: 4 }));
    await settled();
    same(closed, [4401]);
  },
  async "a message goes by HTTP and is answered as on the socket"() {
    const { transport, heard, posts } = polling(() => ({}));
    await settled();
    transport.send(JSON.stringify({ type: "post", id: "r1", conversation: "c", text: "hello" }));
    await settled();
    same(posts, [["/conversations/c/messages/", "hello"]]);
    same([heard.at(-1).re, heard.at(-1).seq], ["r1", 3]);
  },
};

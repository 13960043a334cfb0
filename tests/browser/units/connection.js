import { retryDelay } from "/static/js/lib/retry.js";
import { Connection } from "/static/js/models/connection.js";
import { TestClock, TestTransport, same, settled } from "./harness.js";

function connected() {
  const clock = new TestClock();
  const opened = [];
  const open = (kind) => () => {
    const transport = Object.assign(new TestTransport(), { kind });
    opened.push(transport);
    return transport;
  };
  const transports = { socket: open("socket"), polling: open("polling") };
  const connection = new Connection({ transports, clock, random: () => 1 });
  const states = [];
  connection.on("state", ({ state }) => states.push(state));
  connection.start();
  return { clock, connection, opened, states, last: () => opened.at(-1) };
}

export const tests = {
  "it is open once the server has said hello"() {
    const { connection, last, states } = connected();
    same(connection.state, "connecting");
    last().hello();
    same(states, ["open"]);
  },
  "after a cut it comes back, and says so in between"() {
    const { clock, opened, last, states } = connected();
    last().hello();
    last().onclose(1006);
    same(states, ["open", "down"]);
    clock.go(500);
    same(opened.length, 2);
    last().hello();
    same(states, ["open", "down", "open"]);
  },
  "it waits longer and longer, up to four seconds, and after five minutes up to fifteen"() {
    const wait = (attempt, downFor) => retryDelay({ attempt, downFor, code: 1006, random: () => 1 });
    same([0, 1, 2, 3, 4, 20].map((attempt) => wait(attempt, 0)), [500, 1_000, 2_000, 4_000, 4_000, 4_000]);
    same(wait(20, 300_000), 15_000);
  },
  "jitter spreads the attempts"() {
    const waits = [0, 0.5, 1].map((random) => retryDelay({ attempt: 3, downFor: 0, code: 1006, random: () => random }));
    same(waits, [2_000, 3_000, 4_000]);
  },
  "a server that restarts is sought at once, a crowded one after five seconds"() {
    same(retryDelay({ attempt: 0, downFor: 0, code: 1012, random: () => 0 }), 0);
    same(retryDelay({ attempt: 0, downFor: 0, code: 4429, random: () => 0 }), 5_000);
  },
  async "a request is answered by its own answer"() {
    const { connection, last } = connected();
    last().hello();
    const asked = connection.request({ type: "stop", turn: "t" });
    const [{ id }] = last().sent;
    last().say({ type: "done", re: "another" });
    last().say({ type: "done", re: id });
    same((await asked).re, id);
  },
  async "what was not answered is asked again after a cut"() {
    const { clock, connection, last } = connected();
    last().hello();
    const asked = connection.request({ type: "post", client_id: "c" });
    const [first] = last().sent;
    last().onclose(1006);
    clock.go(500);
    last().hello();
    same(last().sent, [first]);
    last().say({ type: "posted", re: first.id, seq: 7 });
    same((await asked).seq, 7);
  },
  async "what is asked while it is down is sent when it is open"() {
    const { connection, last } = connected();
    const asked = connection.request({ type: "stop", turn: "t" });
    last().hello();
    last().say({ type: "done", re: last().sent[0].id });
    await asked;
  },
  async "a refusal has its code and its sentence"() {
    const { connection, last } = connected();
    last().hello();
    const asked = connection.request({ type: "post" });
    last().say({ type: "error", re: last().sent[0].id, code: "message_empty", sentence: "No text.", facts: {} });
    const refusal = await asked.catch((error) => error);
    same([refusal.code, refusal.message], ["message_empty", "No text."]);
  },
  "a line that says nothing for 45 seconds is given up"() {
    const { clock, opened, last, states } = connected();
    last().hello();
    clock.go(44_000);
    last().say({ type: "heartbeat" });
    same(last().sent.at(-1).type, "ping");
    clock.go(44_000);
    same(states, ["open"]);
    clock.go(1_500);
    same(states, ["open", "down"]);
    same(opened[0].isClosed, true);
    same(opened.length, 2);
  },
  "who was signed out, refused or is outdated does not come back"() {
    for (const [code, state] of [[4401, "signed-out"], [4403, "refused"], [4426, "outdated"]]) {
      const { clock, opened, last, connection } = connected();
      last().hello();
      last().onclose(code);
      clock.go(60_000);
      same([connection.state, opened.length], [state, 1]);
    }
  },
  "another protocol asks for a reload"() {
    const { last, connection } = connected();
    last().say({ type: "hello", protocol: 2 });
    same([connection.state, last().isClosed], ["outdated", true]);
  },
  "a network that lets no socket through is polled"() {
    const { clock, opened, last } = connected();
    for (let failed = 0; failed < 3; failed += 1) {
      last().onclose(1006);
      clock.go(5_000);
    }
    same(opened.map(({ kind }) => kind), ["socket", "socket", "socket", "polling"]);
  },
  "once a socket has worked it is never polled"() {
    const { clock, opened, last } = connected();
    last().hello();
    for (let failed = 0; failed < 8; failed += 1) {
      last().onclose(1006);
      clock.go(5_000);
    }
    same(opened.every(({ kind }) => kind === "socket"), true);
  },
  async "what an old line still says is not heard"() {
    const { clock, opened, last, connection } = connected();
    last().hello();
    last().onclose(1006);
    clock.go(500);
    const frames = [];
    connection.on("frame", ({ frame }) => frames.push(frame.type));
    opened[0].say({ type: "events" });
    last().hello();
    await settled();
    same(frames, ["hello"]);
  },
};

import { EventLog } from "/static/js/models/event_log.js";
import { TestClock, same } from "./harness.js";

function logFrom(seq) {
  const clock = new TestClock();
  const log = new EventLog({ session: "s", seq, clock });
  const seen = { events: [], gaps: [], acknowledged: [] };
  log.on("event", ({ seq }) => seen.events.push(seq));
  log.on("gap", ({ after }) => seen.gaps.push(after));
  log.on("acknowledge", ({ seq }) => seen.acknowledged.push(seq));
  return { clock, log, seen };
}

function frame(first, last, session = "s") {
  const events = [];
  for (let seq = first; seq <= last; seq += 1) events.push({ seq, kind: "text" });
  return { type: "events", session, first, last, events };
}

export const tests = {
  "every event is given once and in order"() {
    const { log, seen } = logFrom(4);
    log.receive(frame(5, 6), 10);
    log.receive(frame(7, 7), 10);
    same(seen.events, [5, 6, 7]);
    same(log.seq, 7);
  },
  "what was received before is passed over"() {
    const { log, seen } = logFrom(4);
    log.receive(frame(3, 6), 10);
    log.receive(frame(5, 6), 10);
    log.receive(frame(6, 8), 10);
    same(seen.events, [5, 6, 7, 8]);
  },
  "a gap is asked for once, and what came early waits for it"() {
    const { log, seen } = logFrom(0);
    log.receive(frame(4, 5), 10);
    log.receive(frame(6, 6), 10);
    same(seen.events, []);
    same(seen.gaps, [0]);
    log.receive(frame(1, 3), 10);
    same(seen.events, [1, 2, 3, 4, 5, 6]);
  },
  "frames that overtake each other are put in order"() {
    const { log, seen } = logFrom(0);
    log.receive(frame(3, 3), 10);
    log.receive(frame(5, 5), 10);
    log.receive(frame(2, 2), 10);
    log.receive(frame(1, 1), 10);
    same(seen.events, [1, 2, 3]);
    log.receive(frame(4, 4), 10);
    same(seen.events, [1, 2, 3, 4, 5]);
  },
  "another session's events are not its own"() {
    const { log, seen } = logFrom(0);
    log.receive(frame(1, 2, "other"), 10);
    same(seen.events, []);
  },
  "after a restart it goes on from there, and nothing early is left over"() {
    const { log, seen } = logFrom(0);
    log.receive(frame(5, 5), 10);
    log.restart("t", 9);
    log.receive(frame(10, 10, "t"), 10);
    log.receive(frame(1, 5), 10);
    same(seen.events, [10]);
    same([log.session, log.seq], ["t", 10]);
  },
  "an event that leads on to another session ends the frame"() {
    const { log, seen } = logFrom(0);
    log.on("event", ({ seq }) => seq === 2 && log.restart("t", 0));
    log.receive(frame(1, 4), 10);
    same(seen.events, [1, 2]);
  },
  "it acknowledges half a second later"() {
    const { clock, log, seen } = logFrom(0);
    log.receive(frame(1, 1), 10);
    log.receive(frame(2, 2), 10);
    clock.go(499);
    same(seen.acknowledged, []);
    clock.go(1);
    same(seen.acknowledged, [2]);
    clock.go(5_000);
    same(seen.acknowledged, [2]);
  },
  "it acknowledges at once when much has come"() {
    const { clock, log, seen } = logFrom(0);
    log.receive(frame(1, 1), 40_000);
    log.receive(frame(2, 2), 40_000);
    same(seen.acknowledged, [2]);
    clock.go(1_000);
    same(seen.acknowledged, [2]);
  },
};

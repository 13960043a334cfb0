import { Tail } from "/static/js/behaviors/tail.js";
import { bytesOf, codeOf, withoutFirst } from "/static/js/lib/text.js";
import { shortTime } from "/static/js/lib/time.js";
import { same } from "./harness.js";

export const tests = {
  "characters are counted as the server counts them"() {
    same(withoutFirst("a🌊b", 2), "b");
    same(withoutFirst("ab", 5), "");
    same(bytesOf("a🌊ä"), 7);
  },
  "an open fence is code without the line that opens it"() {
    same(codeOf("```python\nx = 1"), "x = 1");
    same(codeOf("```py"), "");
    same(codeOf("\n~~~\na"), "a");
    same(codeOf("a ``` b"), null);
  },
  "a tail grows, turns into code, and gives way to its block"() {
    const element = document.createElement("div");
    const tail = new Tail(element);
    tail.append("one 🌊\n\n");
    tail.append("``");
    tail.append("`js\nlet");
    same(element.querySelector("pre"), null);
    same(tail.giveUp(7), true);
    same(element.querySelector("pre").textContent, "let");
    tail.append(" x");
    same(element.textContent, "let x");
    same(tail.giveUp(7), false);
  },
  "a time of today is short, an older one has its day"() {
    const now = new Date(2026, 5, 15, 12, 0);
    same(shortTime(new Date(2026, 5, 15, 9, 30), now).includes("30"), true);
    same(shortTime(new Date(2026, 5, 14, 9, 30), now).startsWith("yesterday"), true);
    same(shortTime(new Date(2025, 5, 14, 9, 30), now).includes("2025"), true);
  },
};

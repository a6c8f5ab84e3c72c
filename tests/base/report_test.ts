import assert from "node:assert/strict";
import { Condition } from "../../src/base/report.ts";
import { FakeClock } from "../fake_clock.ts";
import { LogLines } from "../log_lines.ts";

function makeCondition() {
  const clock = new FakeClock();
  const log = new LogLines();
  const condition = new Condition({ clock, report: log.report });
  const messages = () => log.lines.map(({ message }) => message);
  return { clock, log, condition, messages };
}

Deno.test("Condition: one line when it begins and one when it ends, with the same details", async () => {
  const { clock, log, condition } = makeCondition();
  condition.ended("Works");
  for (let second = 0; second < 90; second++) {
    condition.holds(`Fails at ${second}`, { code: "witness_unreachable", witness: "w" });
    await clock.advance(1_000);
  }
  condition.ended("Works");
  condition.ended("Works");
  assert.deepEqual(log.lines, [
    { message: "Fails at 0", code: "witness_unreachable", witness: "w" },
    { message: "Works, after 90 s", code: "witness_unreachable", witness: "w", level: "info" },
  ]);
});

Deno.test("Condition: repeated beginnings are logged at most once a minute", async () => {
  const { clock, condition, messages } = makeCondition();
  for (let second = 0; second < 121; second++) {
    if (second % 2 === 0) condition.holds("Fails");
    else condition.ended("Works");
    await clock.advance(1_000);
  }
  assert.deepEqual(messages(), [
    "Fails",
    "Works, after 1 s",
    "Fails (30 times since the last report)",
    "Works, after 1 s",
    "Fails (30 times since the last report)",
  ]);
});

Deno.test("Condition: a beginning that waited for its line gets it while the condition holds", async () => {
  const { clock, condition, messages } = makeCondition();
  condition.holds("Fails");
  condition.ended("Works");
  for (let second = 0; second < 61; second++) {
    condition.holds("Fails again");
    await clock.advance(1_000);
  }
  condition.ended("Works");
  assert.deepEqual(messages(), ["Fails", "Works, after 0 s", "Fails again", "Works, after 61 s"]);
});

Deno.test("Condition: another cause is another line", async () => {
  const { clock, condition, messages } = makeCondition();
  condition.holds("Away", { code: "witness_unreachable" });
  await clock.advance(60_000);
  condition.holds("Refuses", { code: "token_refused" });
  condition.ended("Works");
  assert.deepEqual(messages(), ["Away", "Refuses", "Works, after 60 s"]);
});

Deno.test("Condition: a clock that is set changes neither durations nor the time between lines", async () => {
  for (const jumpMs of [-86_400_000, 90_000_000]) {
    const { clock, condition, messages } = makeCondition();
    condition.holds("Fails");
    clock.jump(jumpMs);
    await clock.advance(6_000);
    condition.ended("Works");
    condition.holds("Fails");
    condition.ended("Works");
    await clock.advance(54_000);
    condition.holds("Fails");
    clock.jump(-jumpMs);
    condition.ended("Works");
    assert.deepEqual(messages(), [
      "Fails",
      "Works, after 6 s",
      "Fails (2 times since the last report)",
      "Works, after 0 s",
    ]);
  }
});

import assert from "node:assert/strict";
import { CountersignError } from "../../../src/base/errors.ts";
import type { CopyStep } from "../../../src/logs/publishing/log_copy.ts";
import { keepPublishing } from "../../../src/logs/publishing/publisher.ts";
import { FakeClock } from "../../fake_clock.ts";
import { LogLines } from "../../log_lines.ts";

Deno.test("a failure is reported once, tried again, and its end is reported", async () => {
  const stop = new AbortController();
  const log = new LogLines();
  const clock = new FakeClock();
  const steps: (CopyStep | Error)[] = [
    new CountersignError("file_failed", "Cannot write: disk full"),
    new CountersignError("file_failed", "Cannot write: disk full"),
    { kind: "outrun", size: 5 },
    { kind: "grown", size: 6 },
  ];
  let waits = 0;
  await keepPublishing({
    copy: {
      step() {
        const step = steps.shift();
        if (step === undefined) throw new Error("too many steps");
        return step instanceof Error ? Promise.reject(step) : Promise.resolve(step);
      },
    },
    clock: {
      nowMs: () => clock.nowMs(),
      elapsedMs: () => clock.elapsedMs(),
      sleep: () => Promise.resolve(),
    },
    report: log.report,
    random: () => 0,
    changed() {
      waits++;
      stop.abort();
      return Promise.resolve();
    },
  }, stop.signal);
  assert.equal(steps.length, 0);
  // A publisher that was outrun compares again at once.
  assert.equal(waits, 1);
  log.assertSaid("file_failed", 1);
});

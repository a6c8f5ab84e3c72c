import assert from "node:assert/strict";
import { CountersignError } from "../../../src/base/errors.ts";
import type { ReportDetails } from "../../../src/base/report.ts";
import { DamageLog } from "../../../src/http/metrics/damage_log.ts";
import { FakeClock } from "../../fake_clock.ts";

function makeLog() {
  const lines: { readonly message: string; readonly details: ReportDetails | undefined }[] = [];
  const clock = new FakeClock();
  const log = new DamageLog((message, details) => lines.push({ message, details }), clock);
  const meet = (record: number) =>
    log.take(new CountersignError("store_corrupt", `Cannot read round ${record}`));
  return { lines, clock, log, meet };
}

Deno.test("a damaged record is logged once with instructions, and each read of it is counted", () => {
  const { lines, log } = makeLog();
  const error = new CountersignError("store_corrupt", "Cannot read round 7");
  for (let i = 0; i < 3; i++) assert.equal(log.take(error, { request_id: `${i}` }), true);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!.message, /^Cannot read round 7; .*fsck/);
  assert.equal(lines[0]!.details?.code, "store_corrupt");
  assert.equal(lines[0]!.details?.level, "error");
  assert.equal(lines[0]!.details?.request_id, "0");
  assert.deepEqual([log.records, log.reads], [1, 3]);
});

Deno.test("the damage log ignores other errors", () => {
  const { lines, log } = makeLog();
  for (const error of [new CountersignError("storage_failed", "no"), new Error("no"), "no"]) {
    assert.equal(log.take(error), false);
  }
  assert.deepEqual([lines.length, log.records, log.reads], [0, 0, 0]);
});

Deno.test("lines per minute and memory are bounded for any number of damaged records", async () => {
  const { lines, clock, log, meet } = makeLog();
  for (let record = 0; record < 100; record++) meet(record);
  assert.deepEqual([lines.length, log.records, log.reads], [10, 10, 100]);
  await clock.advance(60_000);
  meet(99);
  assert.match(lines.at(-1)!.message, /round 99/, "what was over the rate is logged later");
  for (let record = 0; record < 5_000; record++) {
    meet(record);
    if (record % 5 === 0) await clock.advance(60_000);
  }
  assert.equal(log.records, 1_024);
  assert.equal(lines.length, 1_024);
});

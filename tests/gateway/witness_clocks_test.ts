import assert from "node:assert/strict";
import { WitnessClocks } from "../../src/gateway/signing/witness_clocks.ts";
import type { ReportDetails } from "../../src/base/report.ts";
import { FakeClock } from "../fake_clock.ts";

/** Clocks of the witnesses `ids` of a network of which one may fail. */
function compared(ids = ["w1", "w2", "w3"]) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const details: ReportDetails[] = [];
  const clocks = new WitnessClocks({
    ids,
    spares: 1,
    clock,
    report: (message, detail = {}) => {
      lines.push(message);
      details.push(detail);
    },
  });
  /** Each witness answers within 20 ms, its clock so many seconds ahead. */
  const read = (ahead: Readonly<Record<string, number>>) => {
    for (const [id, seconds] of Object.entries(ahead)) {
      clocks.read(id, { leastMs: seconds * 1000 - 10, mostMs: seconds * 1000 + 10 });
    }
  };
  return { clock, clocks, lines, details, read };
}

Deno.test("a gateway that is behind most witnesses reports its own clock once, and the recovery once", () => {
  const { clocks, lines, details, read } = compared();
  read({ w1: 0, w2: 0.3, w3: -0.2 });
  assert.deepEqual([lines, clocks.finding], [[], undefined]);
  for (let times = 0; times < 5; times++) read({ w1: 1.5, w2: 1.6, w3: 1.4 });
  assert.equal(lines.length, 1, "the first witness alone was blamed for nothing");
  assert.match(
    lines[0]!,
    /^The clock of this machine is 1\.5 s behind those of w1, w2, w3: set this clock$/,
  );
  assert.deepEqual(details, [{}]);
  assert.equal(clocks.finding?.stopsSigning, false);
  assert.deepEqual(clocks.differences.map(({ aheadMs }) => aheadMs), [1500, 1600, 1400]);
  // The message has the current difference.
  read({ w1: 9, w2: 9, w3: 9 });
  assert.match(clocks.finding!.message, /9\.0 s behind/);
  for (let times = 0; times < 5; times++) read({ w1: 0, w2: 0, w3: 0 });
  assert.equal(lines.length, 2);
  assert.match(lines[1]!, /agree again/);
  assert.equal(clocks.finding, undefined);
});

Deno.test("a single witness with a different clock is reported", () => {
  const { clocks, lines, read } = compared();
  for (let times = 0; times < 3; times++) read({ w1: 0, w2: -40, w3: 0 });
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /of w2 disagree \(w2 is 40\.0 s behind\): have that clock set$/);
  assert.equal(clocks.finding?.stopsSigning, false);
});

Deno.test("if two clocks differ, either may be wrong", () => {
  for (const ahead of [{ w1: 3 }, { w1: 3, w2: 0 }]) {
    const { lines, read } = compared(Object.keys(ahead));
    for (let times = 0; times < 3; times++) read(ahead);
    assert.equal(lines.length, 1);
    assert.match(lines[0]!, /w1 is 3\.0 s ahead\): have that clock set, or that of this machine$/);
  }
});

Deno.test("times refused by the threshold are an error that names this machine's clock", async () => {
  const { clock, clocks, lines, details, read } = compared();
  read({ w1: -30, w2: -30, w3: -30 });
  for (const id of ["w1", "w2", "w3"]) clocks.timeAnswered(id, true);
  await clock.advance(60_000);
  read({ w1: -30, w2: -30, w3: -30 });
  assert.match(lines.at(-1)!, /this machine is 30\.0 s ahead of those of w1, w2, w3: set this/);
  assert.match(lines.at(-1)!, /w1, w2, w3 refuse the times .*\(time_refused\): nothing is signed/);
  assert.deepEqual(details.at(-1), { level: "error", code: "time_refused" });
  assert.equal(clocks.finding?.stopsSigning, true);
  read({ w1: 0, w2: 0, w3: 0 });
  for (const id of ["w1", "w2", "w3"]) clocks.timeAnswered(id, false);
  read({ w1: 0, w2: 0, w3: 0 });
  assert.equal(clocks.finding, undefined);
  assert.match(lines.at(-1)!, /agree again/);
});

Deno.test("refusals name this machine's clock even if no answer has a time", async () => {
  const { clock, clocks, lines } = compared();
  for (const id of ["w1", "w2", "w3"]) clocks.timeAnswered(id, true);
  await clock.advance(12_000);
  clocks.timeAnswered("w3", false);
  await clock.advance(12_000);
  clocks.timeAnswered("w3", true);
  await clock.advance(12_000);
  clocks.read("w3", { leastMs: -5_010, mostMs: 20 });
  assert.equal(lines.length, 1);
  assert.match(
    clocks.finding?.message ?? "",
    /this machine differs from those of w1, w2, w3: set this clock/,
  );
  assert.equal(clocks.finding?.stopsSigning, true);
});

Deno.test("a witness that stopped answering neither delays the finding nor counts forever", async () => {
  const { clock, clocks, lines, read } = compared();
  read({ w1: 0, w2: 0, w3: 0 });
  read({ w1: 2, w2: 2 });
  assert.deepEqual(lines, [], "w3 may tell something else");
  await clock.advance(12_000);
  read({ w1: 2 });
  assert.match(lines[0] ?? "", /2\.0 s behind those of w1, w2/);
  await clock.advance(61_000);
  read({ w1: 0, w2: 0 });
  await clock.advance(12_000);
  read({ w1: 0, w2: 0 });
  assert.equal(clocks.differences.length, 2);
  assert.match(lines.at(-1)!, /agree again/);
  assert.equal(lines.length, 2);
});

Deno.test("bounds that allow the limit change nothing", () => {
  const { clocks, lines } = compared(["w1"]);
  const wide = { leastMs: -200, mostMs: 4_000 };
  clocks.read("w1", wide);
  assert.deepEqual(lines, []);
  clocks.read("w1", { leastMs: 1_100, mostMs: 1_200 });
  clocks.read("w1", wide);
  clocks.read("w1", { leastMs: 900, mostMs: 950 });
  assert.equal(lines.length, 1, "it ends only once the clocks surely agree");
  clocks.read("w1", { leastMs: -5, mostMs: 700 });
  assert.equal(lines.length, 2);
});

Deno.test("a witness that refuses and accepts within each second gets one line, and one at its end", async () => {
  const { clock, clocks, lines, read } = compared();
  let findings = 0;
  for (let times = 0; times < 240; times++) {
    read({ w1: 0, w2: -5.5, w3: -5.5 });
    for (const id of ["w2", "w3"]) clocks.timeAnswered(id, times % 2 === 0);
    if (clocks.finding?.stopsSigning) findings++;
    await clock.advance(500);
  }
  assert.ok(findings >= 238, `${findings} of 240 answers of /ready say that nothing is signed`);
  assert.equal(lines.length, 1);
  for (let times = 0; times < 3; times++) read({ w1: 0, w2: 0, w3: 0 });
  assert.equal(lines.length, 2);
  assert.match(lines[1]!, /agree again, after 1[12][0-9] s$/);
});

Deno.test("repeated disagreements are logged at most once a minute", async () => {
  const { clock, lines, read } = compared();
  for (let times = 0; times < 120; times++) {
    const w2 = times % 2 === 0 ? 2 : 0;
    for (let answers = 0; answers < 3; answers++) read({ w1: 0, w2, w3: 0 });
    await clock.advance(1_000);
  }
  assert.ok(lines.length <= 4, `${lines.length} lines in two minutes`);
});

Deno.test("a witness that refused a time agrees again once its clock reads right", async () => {
  const { clock, clocks, lines, read } = compared();
  read({ w1: 0, w2: -30, w3: 0 });
  clocks.timeAnswered("w2", true);
  for (let times = 0; times < 2; times++) read({ w1: 0, w2: -30, w3: 0 });
  assert.equal(lines.length, 1);
  await clock.advance(61_000);
  for (let times = 0; times < 2; times++) read({ w1: 0, w2: 0, w3: 0 });
  // This round got its time before the clock was set.
  clocks.timeAnswered("w2", true);
  for (let times = 0; times < 2; times++) read({ w1: 0, w2: 0, w3: 0 });
  assert.equal(clocks.finding, undefined);
  assert.match(lines.at(-1)!, /agree again/);
  assert.equal(lines.length, 2);
});

Deno.test("the finding ends when its witnesses stop answering", async () => {
  const { clock, clocks, read } = compared();
  for (let times = 0; times < 2; times++) read({ w1: 2, w2: 2, w3: 2 });
  await clock.advance(50_000);
  assert.notEqual(clocks.finding, undefined);
  await clock.advance(11_000);
  assert.equal(clocks.finding, undefined);
});

Deno.test("a witness without a clock header that goes on refusing stays in the finding", async () => {
  const { clock, clocks } = compared(["w1"]);
  for (let times = 0; times < 10; times++) {
    clocks.timeAnswered("w1", true);
    await clock.advance(10_000);
  }
  assert.match(clocks.finding?.message ?? "", /w1 differs/);
});

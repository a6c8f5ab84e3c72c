/**
 * The suite's findings about logs of several sizes, and about consistency. `controls_test.ts` has a control
 * for each clause.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Report } from "../../../src/logs/conformance/report.ts";
import { testLog } from "../../../src/logs/conformance/suite.ts";
import { StandingClock } from "../../witness/fixture.ts";
import { FakeLog } from "./fake_log.ts";
import { suiteCrypto } from "./fixture.ts";

async function judged(log: FakeLog, keys = true): Promise<Report> {
  return await testLog(
    { url: log.url, keys: keys ? [log.key] : [] },
    { crypto: suiteCrypto, clock: new StandingClock(), fetch: log.fetch as typeof fetch },
  );
}

const withVerdict = ({ clauses }: Report, wanted: string) =>
  clauses.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);

/** The sentences define paths, and forbid no others. */
const UNBOUND = ["level", "index", "index-x", "width"].map((id) => `tlog-tiles/${id}`);

Deno.test("conformance log: a log without defects fails no clause, at any size", async () => {
  for (
    const [size, growth] of [[600, 500], [1, 1], [255, 1], [256, 256], [65_536, 300], [600, 0]]
  ) {
    const report = await judged(new FakeLog("", size, growth));
    assert.deepEqual(withVerdict(report, "fail"), [], String(size));
    if (size !== 600) continue;
    assert.deepEqual(
      withVerdict(report, "unclear"),
      [...(growth! > 0 ? [] : ["tlog-checkpoint/consistent"]), ...UNBOUND],
    );
  }
  assert.deepEqual(withVerdict(await judged(new FakeLog("", 0, 0)), "fail"), []);
});

Deno.test("conformance log: checkpoints are inconsistent only by proof", async () => {
  const verdictOn = async (log: FakeLog, keys = true) =>
    (await judged(log, keys)).clauses.find(({ id }) => id === "tlog-checkpoint/consistent")!
      .verdict;
  for (
    const [defect, verdict] of [
      ["", "pass"],
      ["a log that shrinks", "pass"],
      ["tiles ahead of the checkpoint", "pass"],
      ["a rewritten history", "fail"],
      ["a fork behind its tiles", "fail"],
      ["no partial tiles", "unclear"],
      ["another hash in level 1", "unclear"],
    ] as const
  ) assert.equal(await verdictOn(new FakeLog(defect)), verdict, defect);
  assert.equal(await verdictOn(new FakeLog("", 600, 0)), "unclear");
  assert.equal(await verdictOn(new FakeLog("a rewritten history"), false), "unclear");
});

Deno.test("conformance log: a log with entries in another format breaks one SHOULD", async () => {
  const report = await judged(new FakeLog("no entry bundles"));
  const levels = report.clauses.filter(({ verdict }) => verdict === "fail").map(({ level }) =>
    level
  );
  assert.ok(levels.every((level) => level === "SHOULD"), levels.join());
  assert.ok(withVerdict(report, "unclear").includes("tlog-tiles/entries"));
});

/**
 * The suite's findings about logs with one defect each.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Report } from "../../src/conformance/report.ts";
import { testLog } from "../../src/conformance/suite.ts";
import { StandingClock } from "../witness/fixture.ts";
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

/** No fake has a signature of type 0x06. */
const WITHOUT_ML_DSA = "tlog-checkpoint/ml-dsa";

/** A defect, and the clauses that it breaks, those of level SHOULD included. */
const DEFECTS: readonly [string, ...string[]][] = [
  ["no checkpoint", "tlog-tiles/checkpoint"],
  ["a checkpoint without its type", "tlog-tiles/checkpoint"],
  ["a cached checkpoint", "tlog-tiles/checkpoint-caching"],
  ["another origin", "tlog-tiles/origin-url", "tlog-checkpoint/key-name"],
  ["another key name", "tlog-checkpoint/key-name", "signed-note/vkey-matches"],
  ["another key", "tlog-tiles/ed25519"],
  ["extension lines", "tlog-checkpoint/no-extensions"],
  ["empty extension lines", "tlog-checkpoint/extension-lines", "tlog-checkpoint/no-extensions"],
  ["a size with a leading zero", "tlog-checkpoint/size"],
  ["a root without padding", "tlog-checkpoint/root"],
  ["a tab", "signed-note/characters"],
  ["no empty line", "signed-note/text-form"],
  ["a space in a key name", "signed-note/key-names"],
  ["a log that shrinks"],
  ["tiles ahead of the checkpoint"],
  ["a fork behind its tiles", "tlog-checkpoint/consistent", "tlog-tiles/tile-hashes"],
  ["no entry bundles", "tlog-tiles/also-bundles"],
  ["a rewritten history", "tlog-checkpoint/consistent"],
  ["no partial tiles", "tlog-tiles/partial-tiles"],
  ["partial tiles that are deleted", "tlog-tiles/partial-tiles"],
  ["partial tiles hashed upwards", "tlog-tiles/not-hashed-up"],
  ["empty tiles", "tlog-tiles/no-empty-tiles"],
  ["another hash in level 1", "tlog-tiles/tile-hashes"],
  ["a full tile too short", "tlog-tiles/full-tiles"],
  ["a partial tile too long", "tlog-tiles/partial-width"],
  ["another entry", "tlog-tiles/entry-hashes"],
  ["an entry too few", "tlog-tiles/entries"],
  ["lengths in little-endian", "tlog-tiles/entries"],
  ["levels with zeros", "tlog-tiles/level"],
  ["short indexes", "tlog-tiles/index"],
  ["indexes without an x", "tlog-tiles/index-x"],
  ["widths of 256", "tlog-tiles/width"],
  ["tile as text", "tlog-tiles/tile-type"],
  ["tile cached briefly", "tlog-tiles/tile-caching"],
  ["entries as text", "tlog-tiles/entries-type"],
  ["entries cached briefly", "tlog-tiles/entries-caching"],
  ["entries as they are", "tlog-tiles/entries-compressed"],
];

for (const [defect, ...clauses] of DEFECTS) {
  Deno.test(`conformance log: ${defect}`, async () => {
    const failed = withVerdict(await judged(new FakeLog(defect)), "fail");
    assert.deepEqual(
      failed.filter((id) => id !== WITHOUT_ML_DSA).toSorted(),
      clauses.toSorted(),
    );
  });
}

Deno.test("conformance log: a log without defects fails no clause, at any size", async () => {
  for (
    const [size, growth] of [[600, 500], [1, 1], [255, 1], [256, 256], [65_536, 300], [600, 0]]
  ) {
    const report = await judged(new FakeLog("", size, growth));
    assert.deepEqual(withVerdict(report, "fail"), [WITHOUT_ML_DSA], String(size));
    if (size !== 600) continue;
    assert.deepEqual(
      withVerdict(report, "unclear"),
      growth! > 0 ? [] : ["tlog-checkpoint/consistent"],
    );
  }
  assert.deepEqual(withVerdict(await judged(new FakeLog("", 0, 0)), "fail"), [WITHOUT_ML_DSA]);
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

Deno.test("conformance log: pruning and signatures may be unclear", async () => {
  const pruned = await judged(new FakeLog("a pruned log"));
  assert.deepEqual(withVerdict(pruned, "unclear"), [
    "tlog-tiles/not-pruned",
    "tlog-tiles/minimum-zero",
  ]);
  const unsigned = await judged(new FakeLog("another key"), false);
  assert.ok(withVerdict(unsigned, "unclear").includes("tlog-tiles/ed25519"));
});

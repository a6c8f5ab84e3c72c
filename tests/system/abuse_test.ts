/**
 * What one client can make a gateway hold: short attacks of `deno task abuse`, with bounds on memory
 * and descriptors. How fast anything is, depends on the machine and is not asserted. All of Deno's
 * permissions are required to read what another process holds from `/proc`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { parseAbuseOptions } from "../../bench/abuse/abuse_options.ts";
import { resourceFaults, timeFaults } from "../../bench/abuse/abuse_report.ts";
import { IS_LONG } from "../long_runs.ts";
import { type AbuseResult, runAbuse } from "../../bench/abuse/abuse_run.ts";
import { ABUSE_ROWS, type AbuseRow } from "../../bench/abuse/abuse_rows.ts";

const TIMES = { warmUp: 0.2, quiet: 0.2, attack: 2, settle: 0.5, settleMost: 60 };

/** The row of this name, within a test's time. */
function shortRow(name: string, changes: Partial<AbuseRow> = {}): AbuseRow {
  const row = ABUSE_ROWS.find((row) => row.name === name);
  assert(row !== undefined, `${name} is a row`);
  return { ...row, leastSeconds: 0, ...changes };
}

for (
  const row of [
    shortRow("1 verify, values"),
    shortRow("2 repeats, cold", { prefill: 20_000 }),
    shortRow("3 replay, 30 streams"),
    // Short runs have these in `event_sockets_test.ts`.
    ...(IS_LONG
      ? ["5 endless messages, 30", "6 resets, 10,000 allowed"].map((name) => shortRow(name))
      : []),
    shortRow("7 slow bodies, 8,000", { connections: 2_000 }),
  ]
) {
  Deno.test(`one client cannot take memory or descriptors for good: ${row.name}`, () =>
    withstands(row, 0));
}

Deno.test("nor with fronts", () => withstands(shortRow("5 endless messages, 30"), 2));

async function withstands(row: AbuseRow, fronts: number): Promise<void> {
  const result = await runAbuse(row, TIMES, { fronts, limits: true });
  assert.ok(result.attacker.sent > 0, "the attack ran");
  assert.deepEqual(resourceFaults(result), []);
}

Deno.test("resourceFaults() and timeFaults() name what is out of its bounds", () => {
  const latency = { count: 10, failed: 0, p50Ms: 1, p99Ms: 2 };
  const held = { residentBytes: 100e6, descriptors: 50 };
  const result: AbuseResult = {
    name: "9 test",
    attacked: "gateway",
    honest: { before: latency, during: latency, after: latency },
    held: { before: held, during: held, after: held },
    attacker: { sent: 1, accepted: 1, refused: 0 },
    cosignFailures: 0,
    mostGrownBytes: 100e6,
  };
  assert.deepEqual([...resourceFaults(result), ...timeFaults(result)], []);
  const grown = { ...held, residentBytes: 201e6 };
  const leaked = { ...held, descriptors: 100 };
  assert.equal(resourceFaults({ ...result, held: { ...result.held, during: grown } }).length, 1);
  assert.equal(resourceFaults({ ...result, held: { ...result.held, after: leaked } }).length, 1);
  const slow = { ...result.honest, during: { ...latency, p50Ms: 3.1 } };
  assert.equal(timeFaults({ ...result, honest: slow }).length, 1);
  const unanswered = { ...result.honest, during: { ...latency, p50Ms: NaN } };
  assert.equal(timeFaults({ ...result, honest: unanswered }).length, 1);
});

Deno.test("--only chooses attacks by number or by a word", () => {
  const chosen = (only: string) =>
    parseAbuseOptions(["--only", only]).rows.map(({ attack }) => attack);
  assert.deepEqual(chosen("1"), ["verifyValues", "verifySignatures", "verifySignatures"]);
  assert.deepEqual(chosen("10,slow"), ["slowBodies", "checkpointRefreshes"]);
  assert.throws(() => chosen("none"));
  assert.throws(() => parseAbuseOptions(["--seconds", "0"]));
});

Deno.test("--fronts and --no-limits choose the gateway", () => {
  const { fronts, limits } = parseAbuseOptions([]);
  assert.deepEqual({ fronts, limits }, { fronts: 0, limits: true });
  const other = parseAbuseOptions(["--fronts", "2", "--no-limits"]);
  assert.deepEqual([other.fronts, other.limits], [2, false]);
  assert.throws(() => parseAbuseOptions(["--fronts", "-1"]));
});

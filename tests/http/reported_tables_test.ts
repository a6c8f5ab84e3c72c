import assert from "node:assert/strict";
import { ReportedTables } from "../../src/http/reported_tables.ts";
import type { Charge } from "../../src/transport/socket_frames.ts";
import type { TokenBuckets } from "../../src/limits/token_buckets.ts";
import { FakeClock } from "../fake_clock.ts";

const RATE = { perSecond: 10, burst: 100 };
const ABUSER = { high: 1, low: 2 };
const REPORT_MS = 50;

/** `count` processes over one log, whose reports reach all others at once. */
function processes(count: number, clock: FakeClock) {
  const tables: ReportedTables[] = [];
  const buckets: TokenBuckets[] = [];
  for (let i = 0; i < count; i++) {
    const send = (charges: readonly Charge[]) => {
      for (const [other, table] of tables.entries()) if (other !== i) table.charged(charges);
    };
    const table = new ReportedTables(clock, send);
    table.time(clock).nowMs();
    tables.push(table);
    buckets.push(table.buckets("reads", RATE));
  }
  return buckets;
}

Deno.test("a client of many fronts gets one budget, and once a burst for each front that heard too late", async () => {
  const FRONTS = 4;
  const clock = new FakeClock();
  const buckets = processes(FRONTS, clock);
  let taken = 0;
  const take = (ms: number) => {
    for (const bucket of buckets) while (bucket.take(ABUSER, 1, ms)) taken++;
  };
  take(0);
  // Each front had heard nothing from the others.
  assert.equal(taken, FRONTS * RATE.burst);
  const seconds = 120;
  for (let ms = REPORT_MS; ms <= 1_000 * seconds; ms += REPORT_MS) {
    await clock.advance(REPORT_MS);
    take(ms);
  }
  const oneBudget = RATE.burst + RATE.perSecond * seconds;
  assert.ok(taken >= oneBudget, `${taken} of ${oneBudget}`);
  assert.ok(taken <= oneBudget + (FRONTS - 1) * RATE.burst, `${taken}, and one has ${oneBudget}`);
});

Deno.test("what one front took or gave back is owed at the others, and a stranger has all of it", async () => {
  const clock = new FakeClock();
  const [one, other] = processes(2, clock);
  assert.ok(one!.take(ABUSER, 60, 0));
  await clock.advance(REPORT_MS);
  assert.equal(other!.tokens(ABUSER, REPORT_MS), 40);
  assert.equal(other!.tokens({ high: 5, low: 6 }, REPORT_MS), 100);
  one!.giveBack(ABUSER, 50);
  await clock.advance(REPORT_MS);
  // Half a token came back with the time.
  assert.equal(other!.tokens(ABUSER, 2 * REPORT_MS), 90.5);
  other!.owe(ABUSER, 200, 2 * REPORT_MS);
  await clock.advance(REPORT_MS);
  assert.equal(one!.tokens(ABUSER, 3 * REPORT_MS), -108.5);
});

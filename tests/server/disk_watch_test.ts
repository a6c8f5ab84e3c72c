import assert from "node:assert/strict";
import { DiskWatch } from "../../src/server/gateway/disk_watch.ts";
import { readinessWarnings } from "../../src/server/gateway/readiness_checks.ts";
import { CountersignError } from "../../src/base/errors.ts";
import type { HealthStatus } from "../../src/proof/format/gateway_status.ts";
import { DiskProbe, type DiskSpace } from "../../src/storage/disk_probe.ts";
import { FakeClock } from "../fake_clock.ts";
import { LogLines } from "../log_lines.ts";
import { inFolder } from "./captured_io.ts";

const GIB = 2 ** 30;
const AGREEING = { finding: undefined, differences: [] };

async function watched(
  test: (site: {
    readonly disk: { space: DiskSpace | undefined; isFull: boolean };
    readonly gateway: { status: { health: HealthStatus } };
    readonly watch: DiskWatch;
    readonly log: LogLines;
    readonly clock: FakeClock;
  }) => Promise<void>,
): Promise<void> {
  const clock = new FakeClock();
  const log = new LogLines();
  const disk: { space: DiskSpace | undefined; isFull: boolean } = {
    space: { free: 50 * GIB, total: 100 * GIB },
    isFull: false,
  };
  const gateway: { status: { health: HealthStatus } } = { status: { health: "ok" } };
  const probe = {
    subject: "disk",
    advice: "look at the disk",
    space: () => Promise.resolve(disk.space),
    replicas: () => Promise.resolve(undefined),
    check: () =>
      disk.isFull
        ? Promise.reject(new CountersignError("storage_failed", "Cannot write"))
        : Promise.resolve(),
  };
  const watch = new DiskWatch({ probe, onDemand: probe, gateway, clock, report: log.report });
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  try {
    await clock.advance(60_000);
    assert.deepEqual(log.lines, []);
    await test({ disk, gateway, watch, log, clock });
  } finally {
    stop.abort();
    await running;
  }
}

Deno.test("DiskWatch reports a nearly full disk within 10 s, and its end", async () => {
  await watched(async ({ disk, watch, log, clock }) => {
    disk.space = { free: GIB - 1, total: 100 * GIB };
    await clock.advance(10_000);
    assert.equal(log.lines.length, 1);
    await clock.advance(600_000);
    assert.equal(log.lines.length, 1);
    const [warning] = readinessWarnings({ clocks: AGREEING, disk: watch });
    assert.equal(warning?.code, "disk_nearly_full");
    assert.equal(watch.freeBytes, GIB - 1);
    disk.space = { free: GIB, total: 100 * GIB };
    await clock.advance(10_000);
    assert.equal(log.lines[1]?.level, "info");
    assert.deepEqual(readinessWarnings({ clocks: AGREEING, disk: watch }), []);
    // On a small disk a tenth is enough.
    disk.space = { free: 11, total: 100 };
    await clock.advance(10_000);
    assert.equal(log.lines.length, 2);
    disk.space = undefined;
    await clock.advance(10_000);
    assert.equal(log.lines.length, 2);
  });
});

Deno.test("DiskWatch reports a disk that accepts no file", async () => {
  await watched(async ({ disk, gateway, log, clock }) => {
    disk.isFull = true;
    await clock.advance(10_000);
    log.assertSaid("storage_failed", 1, 0);
    disk.isFull = false;
    await clock.advance(60_000);
    log.assertSaid("storage_failed", 1);
    // The gateway's own writes fail, which it reports itself.
    gateway.status.health = "storage_failed";
    disk.isFull = true;
    await clock.advance(60_000);
    log.assertSaid("storage_failed", 1);
  });
});

Deno.test("DiskProbe.space() returns the space of the file system", async () => {
  await inFolder(async (folder) => {
    const { free = 0, total = 0 } = await new DiskProbe(folder, new FakeClock()).space() ?? {};
    assert.ok(free > 0 && free <= total, `${free} of ${total}`);
  });
});

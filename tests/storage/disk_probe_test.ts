import assert from "node:assert/strict";
import { join } from "node:path";
import { DiskProbe } from "../../src/storage/disk_probe.ts";
import { inFolder } from "../server/captured_io.ts";
import { FakeClock } from "../fake_clock.ts";

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

Deno.test("DiskProbe.check() resolves and leaves no file", () =>
  inFolder(async (folder) => {
    const clock = new FakeClock();
    const probe = new DiskProbe(folder, clock);
    await Promise.all([probe.check(), probe.check()]);
    assert.deepEqual(names(folder), []);
    // A file that a killed process left is not a fault.
    await Deno.writeTextFile(join(folder, "probe"), "left");
    await clock.advance(5_000);
    await probe.check();
    assert.deepEqual(names(folder), []);
  }));

Deno.test("DiskProbe.check() detects a fault, and its end, within seconds", () =>
  inFolder(async (folder) => {
    const clock = new FakeClock();
    const data = join(folder, "data");
    const probe = new DiskProbe(data, clock);
    const failed = {
      code: "storage_failed",
      message: /^Cannot write 65536 bytes to /,
    };
    await assert.rejects(probe.check(), failed);
    await Deno.mkdir(data);
    await assert.rejects(probe.check(), failed, "the answer holds");
    await clock.advance(4_999);
    await assert.rejects(probe.check(), failed);
    await clock.advance(1);
    await probe.check();
    await Deno.remove(data);
    await probe.check();
    // A result does not last longer when the clock is set back.
    clock.jump(-3_600_000);
    await clock.advance(5_000);
    await assert.rejects(probe.check(), failed);
  }));

/**
 * A disk without room, made of a device that has none: all of Deno's permissions are required to name
 * one.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DiskProbe } from "../../src/storage/disk_probe.ts";
import { inFolder } from "../cli/captured_io.ts";
import { FakeClock } from "../fake_clock.ts";

Deno.test("a disk without room is not writable", () =>
  inFolder(async (folder) => {
    // Every write to it fails with ENOSPC: full(4).
    await Deno.symlink("/dev/full", join(folder, "probe"));
    await assert.rejects(new DiskProbe(folder, new FakeClock()).check(), {
      code: "storage_failed",
      message: /No space left on device/,
    });
  }));

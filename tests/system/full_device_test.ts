/**
 * A disk without room, made of a device that has none: all of Deno's permissions are required to name
 * one.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DiskProbe } from "../../src/storage/disk_probe.ts";
import { journalFiles } from "../../src/storage/witness/round_journal.ts";
import { createWitnessState, openWitnessState } from "../../src/storage/witness/witness_state.ts";
import { inFolder } from "../server/captured_io.ts";
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

Deno.test("a new state on a full disk is storage_failed until there is room", () =>
  inFolder(async (folder) => {
    const path = join(folder, "state.kv");
    const [name] = journalFiles(path);
    await Deno.symlink("/dev/full", name);
    const isFull = { code: "storage_failed", message: /disk full/ };
    await assert.rejects(createWitnessState(path, new Map()), isFull);
    await Deno.remove(name);
    await createWitnessState(path, new Map());
    const state = await openWitnessState(path);
    assert.deepEqual(await state.loadSigned(), []);
    state.close();
  }));

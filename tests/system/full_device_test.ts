/**
 * A disk without room, made of a device that has none: all of Deno's permissions are required to name
 * one.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DiskProbe } from "../../src/storage/disk_probe.ts";
import { journalFiles } from "../../src/storage/witness/round_journal.ts";
import { createWitnessState, openWitnessState } from "../../src/storage/witness/witness_state.ts";
import { inFolder } from "../server/captured_io.ts";
import { FakeClock } from "../fake_clock.ts";
import { runTool } from "./tools.ts";

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

Deno.test("a result that a full device does not take is one line, and exit 1", () =>
  inFolder(async (folder) => {
    const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
    for (const args of ["--help", "openapi", "status --output json --gateway http://127.0.0.1:1"]) {
      const line = `"$0" run --no-prompt -A "$1" ${args} > /dev/full`;
      const { code, stderr } = await runTool("bash", ["-c", line, Deno.execPath(), main], {
        cwd: folder,
      });
      assert.deepEqual(
        [code, stderr],
        [1, "countersign: Cannot write to standard output: disk full\n"],
        args,
      );
    }
  }));

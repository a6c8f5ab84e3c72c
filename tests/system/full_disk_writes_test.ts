/**
 * Every write of the program on a full disk: a small one of its own, in a mount namespace that only
 * the process sees. Systems that let nobody make one skip the test.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inFolder } from "../server/captured_io.ts";

/** Runs what is appended with the folder that is appended to it as a disk of 3 MiB. */
const ON_SMALL_DISK = [
  "-Urm",
  "sh",
  "-c",
  'mount -t tmpfs -o size=3m tmpfs "$0" && TMPDIR="$0" exec "$@"',
];

const CONFIG = new URL("../deno.json", import.meta.url).pathname;
const SCRIPT = new URL("full_disk_writes.ts", import.meta.url).pathname;

async function onSmallDisk(folder: string, ...command: readonly string[]) {
  const args = [...ON_SMALL_DISK, folder, ...command];
  const { success, stdout, stderr } = await new Deno.Command("unshare", { args }).output();
  const decoder = new TextDecoder();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

async function canMount(): Promise<boolean> {
  const folder = await Deno.makeTempDir();
  try {
    return (await onSmallDisk(folder, "true")).success;
  } catch {
    return false;
  } finally {
    await Deno.remove(folder);
  }
}

Deno.test({
  name: "every write to a full disk says that the disk is full",
  ignore: !await canMount(),
  fn: () =>
    inFolder(async (folder) => {
      const command = [Deno.execPath(), "run", "-A", "--config", CONFIG, SCRIPT, folder];
      const { success, stdout, stderr } = await onSmallDisk(folder, ...command);
      assert.ok(success, stderr);
      const said = stdout.trim().split("\n").map((line) => JSON.parse(line) as [string, string]);
      assert.equal(said.length, 18);
      for (const [name, words] of said) {
        assert.match(words, /^(storage|file)_failed: Cannot .*disk full/, name);
      }
    }),
});

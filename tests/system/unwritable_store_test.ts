/**
 * Data that may be read and not written. Permission bits bind everybody but root; a root that gave up
 * its capabilities (capabilities(7)) by setpriv is bound like the owner that it is.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { contentsOf } from "../folder_contents.ts";
import { inFolder } from "../server/captured_io.ts";
import { checkAccepted } from "../scenarios/crash_checks.ts";
import { run } from "../scenarios/program.ts";
import { serveArgs, startTrial, submitBulk } from "../scenarios/trial_gateway.ts";

const WRAPPER = Deno.uid() === 0
  ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]
  : [];

const WITNESS = join("network", "witnesses", "w1");

/** What cannot be written, the mode that says so, and what is said. */
const CASES: readonly (readonly [string, number, RegExp])[] = [
  [".", 0o500, /(Cannot open store|Cannot lock) .*countersign fsck --data/],
  ["store.kv", 0o400, /Cannot open store ".*Permission denied/],
  ["store.kv", 0o000, /Cannot open store ".*Permission denied/],
  ["lock", 0o400, /Cannot lock ".*countersign fsck --data/],
  [WITNESS, 0o500, /Cannot open witness state ".*": \S/],
  [join(WITNESS, "state.kv"), 0o400, /Cannot open witness state ".*": \S/],
];

Deno.test("serve over data that it cannot write says so and changes nothing, and goes on when it can", (t) =>
  inFolder(async (folder) => {
    const first = await startTrial("data", { cwd: folder });
    const { hashes } = await submitBulk(first.address, "before");
    assert.deepEqual((await checkAccepted(first.address, hashes)).violations, []);
    assert.equal(await first.server.stop(), 0);
    const before = await contentsOf(join(folder, "data"));

    for (const [name, mode, message] of CASES) {
      await t.step(`${name}, mode ${mode.toString(8).padStart(3, "0")}`, async () => {
        const path = join(folder, "data", name);
        const { mode: modeBefore } = await Deno.stat(path);
        await Deno.chmod(path, mode);
        const refused = await run(serveArgs("data"), { cwd: folder, wrapper: WRAPPER });
        await Deno.chmod(path, modeBefore! & 0o777);
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, message);
        assert.doesNotMatch(refused.stderr, /Uncaught|panicked|^ +at /m);
        assert.deepEqual(await contentsOf(join(folder, "data")), before);
      });
    }

    await t.step("anchors.kv without permission is not called damaged", async () => {
      const path = join(folder, "data", "anchors.kv");
      await Deno.writeFile(path, new Uint8Array(), { mode: 0o000 });
      const refused = await run(serveArgs("data"), { cwd: folder, wrapper: WRAPPER });
      await Deno.remove(path);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /Cannot open store ".*anchors\.kv".*no permission to write/);
      assert.doesNotMatch(refused.stderr, /damaged/);
    });

    await t.step("a data folder that cannot be made", async () => {
      const closed = join(folder, "closed");
      await Deno.mkdir(closed, { mode: 0o500 });
      const refused = await run(serveArgs("closed/data"), { cwd: folder, wrapper: WRAPPER });
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /Cannot create folder /);
      assert.deepEqual([...Deno.readDirSync(closed)], []);
    });

    const { server, address } = await startTrial("data", { cwd: folder, wrapper: WRAPPER });
    await using gateway = server;
    assert.deepEqual((await checkAccepted(address, hashes)).violations, []);
    assert.equal(await gateway.stop(), 0);
  }));

Deno.test("fsck checks a snapshot that it cannot write to, with its write-ahead file, and changes nothing", () =>
  inFolder(async (folder) => {
    const { server, address } = await startTrial("data", { cwd: folder });
    const { hashes } = await submitBulk(address, "before");
    assert.deepEqual((await checkAccepted(address, hashes)).violations, []);
    // Killed: what was written last stands in the write-ahead file alone.
    await server.kill();
    const data = join(folder, "data");
    assert.ok((await Deno.stat(join(data, "store.kv-wal"))).size > 0);
    for (const name of ["store.kv-shm", "lock"]) await Deno.remove(join(data, name));
    const before = await contentsOf(data);
    const files = [...before.keys()].map((name) => join(data, name));
    const folders = [...new Set(files.map((path) => dirname(path)))];
    for (const path of files) await Deno.chmod(path, 0o400);
    for (const path of folders) await Deno.chmod(path, 0o500);
    const checked = await run(["fsck", "--data", "data"], { cwd: folder, wrapper: WRAPPER });
    for (const path of folders) await Deno.chmod(path, 0o700);
    for (const path of files) await Deno.chmod(path, 0o600);
    assert.equal(checked.code, 0, checked.stdout + checked.stderr);
    assert.match(checked.stdout, /accepted: 100 digests/);
    assert.match(checked.stderr, /is read-only: checking a copy/);
    assert.deepEqual(await contentsOf(data), before);
  }));

/**
 * A gateway with fronts whose process is suspended for longer than a thread may take to respond.
 *
 * @module
 */

import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { inFolder } from "../server/captured_io.ts";
import { startTrial, submitBulk } from "../scenarios/trial_gateway.ts";

/** Longer than a thread may take. */
const SUSPENDED_MS = 13_000;
/** Several checks of the threads. */
const AFTER_MS = 3_000;

Deno.test("a gateway that was suspended goes on with the same threads", () =>
  inFolder(async (folder) => {
    const { server, address } = await startTrial("data", { cwd: folder }, "--fronts", "2");
    await using gateway = server;
    const submit = async (name: string) => {
      const { status, code } = await submitBulk(address, name);
      assert.ok(status === 200 || status === 202, `${status} ${code}`);
    };
    await submit("before");
    gateway.signal("SIGSTOP");
    await setTimeout(SUSPENDED_MS);
    gateway.signal("SIGCONT");
    await setTimeout(AFTER_MS);
    await submit("after");
    // Calls that were in flight, also of the store, time out at once, since the clock went on. That is
    // reported, and right.
    const others = gateway.stderr.split("\n").filter((line) =>
      line !== "" && !/^countersign: (Witness|Only|Enough|Cannot store|The store) /.test(line)
    );
    assert.deepEqual(others, []);
    assert.equal(await gateway.stop(), 0);
  }));

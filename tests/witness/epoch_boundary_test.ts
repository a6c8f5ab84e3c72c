import assert from "node:assert/strict";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { FollowedLog } from "../../src/witness/followed_log.ts";
import { log, tree } from "./asking.ts";
import { NETWORK, signerOf, StandingClock, TestLog } from "./fixture.ts";
import { MemoryWitnessState } from "./memory_state.ts";

const DIGEST = "ab".repeat(32);

/** A followed log whose witness has cosigned size 5. */
async function followed(state = new MemoryWitnessState()): Promise<FollowedLog> {
  const own = new FollowedLog(log.witnessed, {
    state,
    kernels,
    clock: new StandingClock(),
    signer: signerOf(`${NETWORK}/w1`),
    report: () => {},
  });
  await own.cosign(log.request(tree, 0, 5), "gateway");
  return own;
}

Deno.test("FollowedLog.cosign() refuses a stranger's head by the key of an epoch that ended while it waited", async () => {
  const state = new MemoryWitnessState();
  const own = await followed(state);
  const logKey = signerOf(`${NETWORK}/next log`).publicKey;
  const begun = own.storeBoundary({
    ...log.request(tree, 5, 6),
    next: () => ({ number: 1, logKey, begunBy: DIGEST }),
  });
  // The keys are compared when it arrives, and the epoch has begun when it is decided.
  const code = { code: "log_signature_refused" };
  await assert.rejects(own.cosign(log.request(tree, 6, 9), "stranger"), code);
  assert.equal(await begun, undefined);
  assert.equal((await own.cosignedHead())?.size, 6);

  // Configured with the first key, and not loaded when the request arrives.
  const restarted = new FollowedLog(new TestLog().witnessed, {
    state,
    kernels,
    clock: new StandingClock(),
    signer: signerOf(`${NETWORK}/w1`),
    report: () => {},
  });
  await assert.rejects(restarted.cosign(log.request(tree, 6, 9), "stranger"), code);
});

Deno.test("FollowedLog.position() is not present if an epoch has ended since it was read", async () => {
  const own = await followed();
  let isDecided = false;
  let isDone = false;
  const ended = own.storeBoundary({
    ...log.request(tree, 5, 6),
    next: (current) => {
      isDecided = true;
      return { ...current, endedBy: DIGEST };
    },
  }).finally(() => isDone = true);
  // One position is read at each step of the write. A round that it admits would be of the ended epoch.
  const asked: Promise<void>[] = [];
  for (let after = 0; after < 10; isDone && after++) {
    asked.push(
      own.position().then((position) => {
        const admits = own.isPresent(position) && position.epoch.endedBy === undefined;
        assert.ok(!(isDecided && admits), `read at step ${asked.length}`);
      }),
    );
    await Promise.resolve();
    if (asked.length % 100 === 0) await new Promise((done) => setTimeout(done));
  }
  await Promise.all(asked);
  assert.equal(await ended, undefined);
  const position = await own.position();
  assert.equal(position.epoch.endedBy, DIGEST);
  assert.ok(own.isPresent(position));
});

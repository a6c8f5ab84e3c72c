import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { CountersignError } from "../../src/base/errors.ts";
import type { IndexedSignatureSet } from "../../src/proof/format/records.ts";
import { NO_OBSERVER } from "../../src/gateway/observer.ts";
import { Signer, type SignerContext } from "../../src/gateway/signing/signing.ts";
import { NO_TRACER } from "../../src/gateway/tracer.ts";
import { buildRoundTree, type Round } from "../../src/proof/merkle/round_tree.ts";
import { FakeClock } from "../fake_clock.ts";
import { randomDigests } from "./fixture.ts";

/** A signer whose attempts end when the test says so. */
function scriptedSigner() {
  const clock = new FakeClock();
  const attempts: PromiseWithResolvers<IndexedSignatureSet>[] = [];
  const collect = () => {
    attempts.push(Promise.withResolvers());
    return attempts.at(-1)!.promise;
  };
  const ignore = () => {};
  const signer = new Signer({
    networkId: "signing.example",
    clock,
    observer: NO_OBSERVER,
    tracer: NO_TRACER,
    signers: { pool: { collect, witnessOrder: () => ({}) }, epoch: 0 },
    evidence: { roundEnded: ignore },
    index: { digests: (start: number, end: number) => Promise.resolve(randomDigests(end - start)) },
    buildTree: (round: Round) => buildRoundTree(kernels, round),
    beacons: undefined,
    headNeeded: ignore,
    signed: ignore,
    failingChanged: ignore,
    failed: (error: unknown) => assert.fail(String(error)),
  } as unknown as SignerContext, { gaps: [], formed: 0 });
  signer.mode = "all";
  let end = 0;
  return {
    clock,
    signer,
    /** Starts an attempt at a new round. */
    async attempt(): Promise<PromiseWithResolvers<IndexedSignatureSet>> {
      signer.advance(++end);
      await setImmediate();
      return attempts.at(-1)!;
    },
  };
}

/** Whether `wait` has ended. */
async function isOver(wait: Promise<void> | undefined): Promise<boolean> {
  assert.ok(wait !== undefined, "there is no wait");
  let over = false;
  void wait.then(() => over = true);
  await setImmediate();
  return over;
}

Deno.test("attemptEnd() waits for prompt witnesses only, and never for long", async () => {
  const { clock, signer, attempt } = scriptedSigner();
  assert.equal(signer.attemptEnd(), undefined);
  const first = await attempt();
  // No witness has answered yet.
  assert.equal(signer.attemptEnd(), undefined);
  await clock.advance(2);
  first.resolve([]);
  await setImmediate();
  assert.equal(signer.attemptEnd(), undefined);

  const signed = await attempt();
  const wait = signer.attemptEnd();
  assert.equal(await isOver(wait), false);
  signed.resolve([]);
  assert.equal(await isOver(wait), true);

  const refused = await attempt();
  const refusal = signer.attemptEnd();
  refused.reject(new CountersignError("threshold_not_met", "refused"));
  assert.equal(await isOver(refusal), true);
  assert.equal(signer.attemptEnd(), undefined);

  // Its witnesses hang.
  await attempt();
  const hanging = signer.attemptEnd();
  await clock.advance(4);
  assert.equal(await isOver(hanging), false);
  await clock.advance(1);
  assert.equal(await isOver(hanging), true);
  assert.equal(signer.attemptEnd(), undefined);
  clock.jump(-3600_000);
  assert.equal(signer.attemptEnd(), undefined);
  signer.stop();
});

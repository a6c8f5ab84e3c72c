/** A witness pool's calls of its observer. */

import assert from "node:assert/strict";
import { type Bytes, utf8 } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { NO_OBSERVER, type PipelineObserver } from "../../src/gateway/observer.ts";
import { type PooledWitness, WitnessPool } from "../../src/gateway/signing/witness_pool.ts";
import { FakeClock } from "../fake_clock.ts";
import { configuredWitness, eachScheme, nativeCrypto, schemeSigner } from "../schemes.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { NO_EPOCHS } from "./wrapped_witness.ts";

const MESSAGE = "a message\n";

/** A pool of a, b and c with a threshold of two, and its calls so far. */
function observedPool(scheme: SignatureScheme) {
  const ids = ["a", "b", "c"];
  const signers = new Map(ids.map((id) => [id, schemeSigner(scheme, id)]));
  const clock = new FakeClock();
  const reported: string[] = [];
  const observer: PipelineObserver = {
    ...NO_OBSERVER,
    witnessAnswered: (...words) => reported.push(`answered ${words.join(" ")}`),
    witnessFailed: (...words) => reported.push(`failed ${words.join(" ")}`),
    witnessUnneeded: (...words) => reported.push(`unneeded ${words.join(" ")}`),
  };
  const never = () => Promise.reject(new Error("asked directly"));
  const pool = new WitnessPool(
    {
      id: "pool.example",
      threshold: 2,
      signature_scheme: scheme,
      witnesses: ids.map((id) => configuredWitness(id, signers.get(id)!)),
      merge_delay_seconds: 1,
      federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
    },
    ids.map((id) => ({
      id,
      sign: never,
      cosign: never,
      checkHealth: never,
      reach: never,
      roundsFrom: never,
      epochs: NO_EPOCHS,
    })),
    {
      verify: nativeCrypto.ed25519,
      bls: nativeCrypto.bls,
      clock,
      timeoutMs: 1_000,
      observer,
    },
  );
  const honest = ({ id }: PooledWitness): Bytes => signers.get(id)!.sign(utf8(MESSAGE));
  return { pool, clock, reported, honest, signal: new AbortController().signal };
}

/** Asserts that the reported lists have the expected elements in any order. */
function assertReported(reported: readonly string[], expected: readonly string[]): void {
  assert.deepEqual(reported.toSorted(), expected.toSorted());
}

eachScheme.test("the observer is called once for each witness: with its time, or as not needed", async (scheme) => {
  const { pool, clock, reported, honest, signal } = observedPool(scheme);
  const after = { a: 3, b: 40 } as Readonly<Record<string, number>>;
  const collected = pool.collect(
    MESSAGE,
    async (witness) => {
      const ms = after[witness.id];
      if (ms === undefined) return await new Promise<Bytes>(() => {});
      await clock.sleep(ms);
      return honest(witness);
    },
    signal,
    { ...pool.witnessOrder(0), purpose: "sign" },
  );
  await clock.advance(50);
  await collected;
  await clock.advance(1);
  assertReported(reported, ["answered a sign 3", "answered b sign 40", "unneeded c sign"]);
});

eachScheme.test("a refusal, a wrong answer and a time-out are failures with their codes", async (scheme) => {
  const { pool, clock, reported, honest, signal } = observedPool(scheme);
  const refused = pool.collect(MESSAGE, (witness) => {
    if (witness.id === "a") return Promise.resolve(honest({ ...witness, id: "c" }));
    if (witness.id === "b") return Promise.resolve(honest(witness));
    return new Promise(() => {});
  }, signal);
  const rejected = assert.rejects(refused, { code: "threshold_not_met" });
  await clock.advance(2_000);
  await rejected;
  assertReported(reported, [
    "answered a cosign 0",
    "failed a cosign witness_refused",
    "answered b cosign 0",
    "failed c cosign witness_unreachable",
  ]);
});

eachScheme.test("a request cancelled by the gateway is not a failure", async (scheme) => {
  const { pool, clock, reported } = observedPool(scheme);
  const stop = new AbortController();
  const reason = new CountersignError("shutting_down", "Cannot sign");
  const stopped = pool.collect(MESSAGE, () => new Promise(() => {}), stop.signal);
  const rejected = assert.rejects(stopped, reason);
  stop.abort(reason);
  await rejected;
  await clock.advance(5_000);
  assertReported(reported, []);
});

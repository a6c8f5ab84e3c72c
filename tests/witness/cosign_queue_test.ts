import assert from "node:assert/strict";
import type { WitnessSigner } from "../../src/witness/ports.ts";
import { conflicts, cosigned, fork, log, refused, tree } from "./asking.ts";
import { NETWORK, NOW, signerOf, StandingClock, TestLog, testWitness } from "./fixture.ts";
import { MemoryWitnessState } from "./memory_state.ts";

const STRANGERS = 1_000;

/** A witness that has cosigned size 5, and its signatures. */
async function standing() {
  const state = new MemoryWitnessState();
  const clock = new StandingClock();
  const own = signerOf(`${NETWORK}/w1`);
  let signed = 0;
  const signer: WitnessSigner = {
    scheme: own.scheme,
    publicKey: own.publicKey,
    sign: (message) => (signed++, own.sign(message)),
  };
  const other = new TestLog("log.example/other");
  const witness = testWitness({ state, clock, signer, logs: [log.witnessed, other.witnessed] });
  await cosigned(witness, log.request(tree, 0, 5));
  const calls = { ...state.calls };
  return {
    witness,
    state,
    clock,
    other,
    signatures: () => signed - 1,
    writes: () => state.calls.replace - calls.replace,
  };
}

Deno.test("Witness.cosign() answers 1,000 concurrent refreshes without a write, and signs once per second", async () => {
  const { witness, state, clock, signatures, writes } = await standing();
  for (const seconds of [1, 2]) {
    clock.seconds = NOW + seconds;
    const refresh = log.request(tree, 5, 5, clock.seconds);
    const answers = await Promise.all(
      Array.from({ length: STRANGERS }, () => witness.cosign(refresh, "stranger")),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    await cosigned(witness, refresh);
    assert.equal(signatures(), seconds);
  }
  assert.equal(writes(), 0);
  assert.equal(await testWitness({ state }).cosignedSize(), 5);
});

Deno.test("Witness.cosign() serves a gateway before 1,000 waiting strangers", async () => {
  const { witness, state, signatures, writes } = await standing();
  const answered: string[] = [];
  const strangers = Array.from({ length: STRANGERS }, async (_, i) => {
    // Different times, so that no signature is shared.
    const answer = await witness.cosign(log.request(tree, 5, 5, NOW - i % 50), "stranger");
    answered.push(answer.kind);
  });
  await cosigned(witness, log.request(tree, 5, 9));
  // One stranger was already being served; all others wait for the gateway, whose answer takes a few
  // microtasks to come here.
  assert.equal(answered[0], "cosigned");
  assert.ok(answered.length < 10, `${answered.length} answers before the gateway's`);
  await Promise.all(strangers);
  assert.equal(answered.filter((kind) => kind === "size_conflict").length, STRANGERS - 1);
  assert.equal(writes(), 1);
  assert.ok(signatures() <= 2);
  state.assertSound();
});

Deno.test("Witness.cosign() writes each head once for concurrent strangers", async () => {
  const { witness, state, writes } = await standing();
  const sizes = Array.from({ length: 200 }, (_, i) => 6 + i % 20);
  const answers = await Promise.all(
    sizes.map((size) => witness.cosign(log.request(tree, 5, size), "stranger")),
  );
  assert.equal(answers.filter(({ kind }) => kind === "cosigned").length, 1);
  assert.equal(writes(), 1);
  state.assertSound();
});

Deno.test("Witness.cosign() does not delay other logs when one log's store is slow", async () => {
  const { witness, state, other } = await standing();
  const held = Promise.withResolvers<void>();
  const replace = state.replace.bind(state);
  state.replace = async (origin, ...rest) => {
    if (origin === NETWORK) await held.promise;
    return await replace(origin, ...rest);
  };
  const slow = witness.cosign(log.request(tree, 5, 9));
  const answer = await witness.cosign(other.request(fork, 0, 7));
  assert.equal(answer.kind, "cosigned");
  held.resolve();
  assert.equal((await slow).kind, "cosigned");
});

Deno.test("Witness.cosign() rejects a refresh after another process stored a larger head", async () => {
  const { witness, state } = await standing();
  await cosigned(testWitness({ state }), log.request(tree, 5, 9));
  await conflicts(witness, log.request(tree, 5, 5, NOW + 1), 9);
});

Deno.test("Witness.cosign() rejects a refresh while the state cannot be read", async () => {
  const { witness, state, signatures } = await standing();
  state.failNextLoad = true;
  await refused(witness, log.request(tree, 5, 5, NOW + 1), "storage_failed");
  assert.equal(signatures(), 0);
  await cosigned(witness, log.request(tree, 5, 5, NOW + 1));
});

Deno.test("Witness.cosign() returns no cached signature when the state was set back", async () => {
  const { witness, state, writes } = await standing();
  const backup = state.backup();
  await cosigned(witness, log.request(tree, 5, 9));
  state.restore(backup);
  // A refresh shows the old copy. The witness stores the larger head before it signs it.
  await conflicts(witness, log.request(tree, 9, 9, NOW + 1), 5);
  await cosigned(witness, log.request(tree, 5, 9));
  assert.equal(writes(), 2);
  assert.equal(state.sizeOf(NETWORK), 9);
});

Deno.test("Witness.cosign() verifies the log signature of every new body", async () => {
  const { witness } = await standing();
  const good = log.request(tree, 5, 5, NOW + 1);
  await cosigned(witness, good);
  const logSignature = good.logSignature.with(3, good.logSignature[3]! ^ 1);
  await refused(witness, { ...good, logSignature }, "log_signature_refused");
  const other = log.request(tree, 5, 9, NOW + 1);
  await refused(witness, { ...other, logSignature: good.logSignature }, "log_signature_refused");
  await cosigned(witness, good);
});

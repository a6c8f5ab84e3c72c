import assert from "node:assert/strict";
import type { WitnessSigner } from "../../src/witness/ports.ts";
import { conflicts, cosigned, fork, log, refused, tree } from "./asking.ts";
import { NETWORK, NOW, signerOf, StandingClock, TestLog, testWitness } from "./fixture.ts";
import { MemoryWitnessState } from "./memory_state.ts";

const STRANGERS = 1_000;

/** A witness that stands at size 5, and what it has signed. */
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
    ...{ witness, state, clock, other },
    signatures: () => signed - 1,
    writes: () => state.calls.replace - calls.replace,
  };
}

Deno.test("1,000 refreshes by strangers at once cost no write, and one signature in a second", async () => {
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

Deno.test("a gateway's cosigning goes before 1,000 strangers, and loses no race", async () => {
  const { witness, state, signatures, writes } = await standing();
  const answered: string[] = [];
  const strangers = Array.from({ length: STRANGERS }, async (_, i) => {
    // Each at a time of its own, so that nothing is shared.
    const answer = await witness.cosign(log.request(tree, 5, 5, NOW - i % 50), "stranger");
    answered.push(answer.kind);
  });
  await cosigned(witness, log.request(tree, 5, 9));
  // One was being decided; all others wait until the gateway has its answer.
  assert.deepEqual(answered, ["cosigned"]);
  await Promise.all(strangers);
  assert.equal(answered.filter((kind) => kind === "size_conflict").length, STRANGERS - 1);
  assert.equal(writes(), 1);
  assert.ok(signatures() <= 2);
  state.assertSound();
});

Deno.test("growth that strangers ask for at once is written once for each head", async () => {
  const { witness, state, writes } = await standing();
  const sizes = Array.from({ length: 200 }, (_, i) => 6 + i % 20);
  const answers = await Promise.all(
    sizes.map((size) => witness.cosign(log.request(tree, 5, size), "stranger")),
  );
  assert.equal(answers.filter(({ kind }) => kind === "cosigned").length, 1);
  assert.equal(writes(), 1);
  state.assertSound();
});

Deno.test("a log whose store is slow holds up no other log", async () => {
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

Deno.test("a refresh is refused where another process stored a larger head meanwhile", async () => {
  const { witness, state } = await standing();
  await cosigned(testWitness({ state }), log.request(tree, 5, 9));
  await conflicts(witness, log.request(tree, 5, 5, NOW + 1), 9);
});

Deno.test("a refresh signs nothing while the state cannot be read", async () => {
  const { witness, state, signatures } = await standing();
  state.failNextLoad = true;
  await refused(witness, log.request(tree, 5, 5, NOW + 1), "storage_failed");
  assert.equal(signatures(), 0);
  await cosigned(witness, log.request(tree, 5, 5, NOW + 1));
});

Deno.test("a signature that is kept is not given for a state that was set back", async () => {
  const { witness, state, writes } = await standing();
  const backup = state.backup();
  await cosigned(witness, log.request(tree, 5, 9));
  state.restore(backup);
  // The witness learns of the old copy by a refresh, and stores the larger head before it signs it.
  await conflicts(witness, log.request(tree, 9, 9, NOW + 1), 5);
  await cosigned(witness, log.request(tree, 5, 9));
  assert.equal(writes(), 2);
  assert.equal(state.sizeOf(NETWORK), 9);
});

Deno.test("a log signature is verified for each body, whatever was verified before", async () => {
  const { witness } = await standing();
  const good = log.request(tree, 5, 5, NOW + 1);
  await cosigned(witness, good);
  const logSignature = good.logSignature.with(3, good.logSignature[3]! ^ 1);
  await refused(witness, { ...good, logSignature }, "log_signature_refused");
  const other = log.request(tree, 5, 9, NOW + 1);
  await refused(witness, { ...other, logSignature: good.logSignature }, "log_signature_refused");
  await cosigned(witness, good);
});

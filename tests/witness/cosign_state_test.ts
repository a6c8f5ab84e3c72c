import assert from "node:assert/strict";
import { conflicts, cosigned, fork, log, refused, standingAt, tree } from "./asking.ts";
import { signerOf, testWitness } from "./fixture.ts";
import { MemoryWitnessState } from "./memory_state.ts";

Deno.test("Witness.cosign() continues from the stored head after a restart", async () => {
  const state = new MemoryWitnessState();
  await standingAt(5, state);
  const restarted = testWitness({ state });
  await conflicts(restarted, log.request(fork, 0, 9), 5);
  await refused(restarted, log.request(fork, 5, 9), "consistency_refused");
  await cosigned(restarted, log.request(tree, 5, 9));
  state.assertSound();
});

Deno.test("Witness.cosign() signs nothing when a swap fails and is not stored", async () => {
  const state = new MemoryWitnessState();
  const witness = await standingAt(5, state);
  state.nextFault = "fail_not_stored";
  await refused(witness, log.request(tree, 5, 9), "storage_failed");
  assert.equal(await witness.cosignedSize(), 5);
  await cosigned(witness, log.request(tree, 5, 9));
  state.assertSound();
});

Deno.test("Witness.cosign() signs nothing when a swap fails but is stored, and continues from the stored head", async () => {
  for (const restart of [false, true]) {
    const state = new MemoryWitnessState();
    let witness = await standingAt(5, state);
    state.nextFault = "fail_but_stored";
    await refused(witness, log.request(tree, 5, 9), "storage_failed");
    if (restart) witness = testWitness({ state });
    // If it took the write as not stored, it would now sign another tree from 5 on.
    await conflicts(witness, log.request(tree, 5, 7), 9);
    await refused(witness, log.request(fork, 9, 12), "consistency_refused");
    await cosigned(witness, log.request(tree, 9, 9));
    state.assertSound();
  }
});

Deno.test("Witness.cosign() rejects while its state cannot be read", async () => {
  const state = new MemoryWitnessState();
  await standingAt(5, state);
  const witness = testWitness({ state });
  state.failNextLoad = true;
  await refused(witness, log.request(tree, 5, 9), "storage_failed");
  await cosigned(witness, log.request(tree, 5, 9));
});

Deno.test("Witness.cosign() signs one of two concurrent heads of one size", async () => {
  const state = new MemoryWitnessState();
  const witness = await standingAt(4, state);
  const answers = await Promise.all([
    witness.cosign(log.request(tree, 4, 9)),
    witness.cosign(log.request(fork, 4, 9)),
  ]);
  assert.deepEqual(answers.map(({ kind }) => kind), ["cosigned", "size_conflict"]);
  state.assertSound();
});

Deno.test("Witness.cosign() does not roll back under concurrent growth", async () => {
  // The race in c2sp.org/tlog-witness: both are checked against 5, and the smaller is stored last.
  const state = new MemoryWitnessState();
  const witness = await standingAt(5, state);
  const answers = await Promise.all([
    witness.cosign(log.request(tree, 5, 12)),
    witness.cosign(log.request(tree, 5, 10)),
  ]);
  assert.equal(answers[0].kind, "cosigned");
  assert.deepEqual(answers[1], { kind: "size_conflict", size: 12 });
  assert.equal(await testWitness({ state }).cosignedSize(), 12);
  state.assertSound();
});

Deno.test("Witness.cosign() continues from another process's head after it lost a swap", async () => {
  const state = new MemoryWitnessState();
  const witness = await standingAt(5, state);
  const rival = testWitness({ state });
  await cosigned(rival, log.request(tree, 5, 9));
  // The cache of the first one is out of date.
  await conflicts(witness, log.request(tree, 5, 7), 9);
  await refused(witness, log.request(fork, 9, 12), "consistency_refused");
  await cosigned(witness, log.request(tree, 9, 12));
  // Two refreshes of one head are both valid in either order.
  await Promise.all([
    cosigned(witness, log.request(tree, 12, 12)),
    cosigned(testWitness({ state }), log.request(tree, 12, 12)),
  ]);
  state.assertSound();
});

Deno.test("Witness.cosign() rejects with storage_failed when other processes keep changing the state", async () => {
  const state = new MemoryWitnessState();
  state.replace = () => Promise.resolve(undefined);
  await refused(testWitness({ state }), log.request(tree, 0, 5), "storage_failed");
});

Deno.test("Witness.cosign() stores before it signs", async () => {
  const state = new MemoryWitnessState();
  const order: string[] = [];
  const replace = state.replace.bind(state);
  state.replace = async (...swap) => {
    const version = await replace(...swap);
    order.push("stored");
    return version;
  };
  const signer = signerOf("w");
  const witness = testWitness({
    state,
    signer: {
      scheme: signer.scheme,
      publicKey: signer.publicKey,
      sign: (message) => {
        order.push("signed");
        return signer.sign(message);
      },
    },
  });
  await witness.cosign(log.request(tree, 0, 5));
  assert.deepEqual(order, ["stored", "signed"]);
});

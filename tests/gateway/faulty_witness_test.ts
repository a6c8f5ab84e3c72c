import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { isEd25519Set, type SignatureSet } from "../../src/proof/format/signature_set.ts";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import { hasty, impersonating, mangling, SizeLiar } from "./faulty_witnesses.ts";
import { randomDigests, type SwitchedWitness, type TestNetwork } from "./fixture.ts";
import { jobOf, Scenario } from "./scenario.ts";
import { eachScheme } from "../schemes.ts";

type Faulty = (witness: SwitchedWitness, network: TestNetwork) => WitnessClient;

function switchedTo(state: "down" | "silent"): Faulty {
  return (witness) => {
    witness.state = state;
    return witness;
  };
}

/** Its share arrives first, so it is added to an honest one. */
function signingSomethingElse(witness: SwitchedWitness, network: TestNetwork): WitnessClient {
  const witnessIndex = network.witnesses.indexOf(witness);
  return hasty(witness, network.signers[witnessIndex]!.sign(utf8("another message\n")));
}

const FAULTY: readonly (readonly [string, Faulty])[] = [
  ["is down", switchedTo("down")],
  ["never answers", switchedTo("silent")],
  [
    "flips a bit of its signatures",
    (witness) => mangling(witness, (signature) => signature.with(0, signature[0]! ^ 1)),
  ],
  ["answers with nothing", (witness) => mangling(witness, () => new Uint8Array())],
  [
    "answers with a byte too few",
    (witness) => mangling(witness, (signature) => signature.slice(1)),
  ],
  ["signs something else, and at once", signingSomethingElse],
  ["signs for another", (witness, network) => impersonating(witness, network.witnesses[1]!)],
  ["says that it knows a huge tree", (witness) => new SizeLiar(witness, 2 ** 53 - 1)],
  ["says that it knows a tree one larger", (witness) => new SizeLiar(witness, 21)],
  ["says that it knows no tree", (witness) => new SizeLiar(witness, 0)],
  ["says that it knows a smaller tree", (witness) => new SizeLiar(witness, 3)],
];

/** Ids of the witnesses in a set of either shape. */
function signersOf(set: SignatureSet): readonly string[] {
  return isEd25519Set(set) ? set.signatures.map(({ witness_id }) => witness_id) : set.signers;
}

/** The scenario's witnesses, with the one at `place` replaced. */
function withFaulty({ network }: Scenario, witnessIndex: number, faulty: Faulty): WitnessClient[] {
  return network.witnesses.map((witness, i) =>
    i === witnessIndex ? faulty(witness, network) : witness
  );
}

for (const [what, faulty] of FAULTY) {
  eachScheme.test(`a witness that ${what} delays nothing while the threshold is met`, async (scheme) => {
    for (const witnessIndex of [0, 2]) {
      const scenario = new Scenario(scheme);
      const witnesses = withFaulty(scenario, witnessIndex, faulty);
      const { gateway, faults } = await scenario.start(scenario.open(), { witnesses });
      for (let i = 0; i < 4; i++) {
        await scenario.submit(gateway, randomDigests(5));
        // The time of one batch, without any timeout.
        await scenario.settle(gateway, 100);
      }
      await scenario.checkFinished(gateway);
      const job = await jobOf(gateway, 7);
      assert.equal(job.attempts, 1);
      const sth = gateway.log.latest()?.sth;
      for (const set of [job.signed_attestation, sth]) {
        const ids = signersOf(set!);
        assert.deepEqual(ids, ids.toSorted());
        if (!what.includes("tree")) assert.ok(!ids.includes(witnesses[witnessIndex]!.id));
      }
      assert.equal(gateway.status.resource().status, "ok");
      assert.deepEqual(faults, []);
      await gateway.stop();
    }
  });
}

eachScheme.test("a witness that signs another text is reported, and the others sign the round", async (scheme) => {
  const scenario = new Scenario(scheme);
  const witnesses = withFaulty(scenario, 0, signingSomethingElse);
  const { gateway } = await scenario.start(scenario.open(), { witnesses });
  await scenario.submit(gateway, randomDigests(3));
  await scenario.settle(gateway, 100);
  const { attempts, signed_attestation } = await jobOf(gateway, 0);
  assert.equal(attempts, 1);
  assert.deepEqual(signersOf(signed_attestation!), witnesses.slice(1).map(({ id }) => id));
  const [liar, ...honest] = gateway.status.resource().witnesses;
  assert.deepEqual([liar?.healthy, liar?.last_error], [false, "witness_refused"]);
  assert.ok(honest.every(({ healthy }) => healthy));
  await scenario.checkFinished(gateway);
  await gateway.stop();
});

eachScheme.test("two witnesses with signatures of one key count once, below the threshold", async (scheme) => {
  const scenario = new Scenario(scheme, undefined, { size: 3, threshold: 3 });
  const [first, second, third] = scenario.network.witnesses;
  const witnesses = [first!, second!, impersonating(third!, second!)];
  const options = { witnesses, acceptsBeforeWitnesses: true };
  const { gateway } = await scenario.start(scenario.open(), options);
  await scenario.submit(gateway, randomDigests(2));
  await scenario.clock.advance(30_000);
  assert.equal((await jobOf(gateway, 0)).status, "retryable");
  assert.equal(scenario.log.rounds.size, 0);
  await gateway.stop();
});

eachScheme.test("two of five witnesses may lie in different ways", async (scheme) => {
  const scenario = new Scenario(scheme, undefined, { size: 5, threshold: 3 });
  const [a, b, c, d, e] = scenario.network.witnesses;
  const witnesses = [new SizeLiar(a!, 2 ** 40), b!, impersonating(c!, b!), d!, e!];
  const { gateway } = await scenario.start(scenario.open(), { witnesses });
  await scenario.submit(gateway, randomDigests(30));
  await scenario.settle(gateway, 100);
  await scenario.checkFinished(gateway);
  await gateway.stop();
});

eachScheme.test("a reported size below the tree size is no evidence", async (scheme) => {
  const scenario = new Scenario(scheme);
  const [a, b, c] = scenario.network.witnesses;
  const [once, later] = [new SizeLiar(a!, 30), new SizeLiar(b!, 2 ** 40)];
  later.isLying = false;
  const { gateway } = await scenario.start(scenario.open(), { witnesses: [once, later, c!] });
  await scenario.submit(gateway, randomDigests(5));
  await scenario.settle(gateway, 100);
  once.isSilent = true;
  await scenario.submit(gateway, randomDigests(40));
  await scenario.settle(gateway, 100);
  later.isLying = true;
  await scenario.submit(gateway, randomDigests(5));
  await scenario.clock.advance(30_000);
  // One liar, and one that is down.
  assert.equal(gateway.status.resource().status, "degraded");
  once.isSilent = once.isLying = false;
  await scenario.settle(gateway, 12_000);
  await scenario.checkFinished(gateway);
  await gateway.stop();
});

eachScheme.test("the log recovers from one liar of three while another witness is down for a while", async (scheme) => {
  const scenario = new Scenario(scheme);
  const witnesses = withFaulty(scenario, 0, (witness) => new SizeLiar(witness, 2 ** 50));
  const { gateway } = await scenario.start(scenario.open(), { witnesses });
  await scenario.submit(gateway, randomDigests(5));
  await scenario.settle(gateway, 100);
  scenario.network.witnesses[1]!.down = true;
  await scenario.submit(gateway, randomDigests(5));
  await scenario.clock.advance(60_000);
  // Rounds continue, because the liar signs them; heads wait.
  assert.equal((await jobOf(gateway, 9)).progress, "confirmed");
  assert.equal(gateway.status.resource().status, "publishing_stalled");
  await scenario.submit(gateway, randomDigests(5));
  scenario.network.witnesses[1]!.down = false;
  await scenario.settle(gateway, 12_000);
  await scenario.checkFinished(gateway);
  await gateway.stop();
});

/** Rounds whose time is old, with signatures of other witnesses that vouch for it. */

import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { encodeRoundMessage } from "../../src/proof/format/round.ts";
import type { SignatureScheme, WitnessSignature } from "../../src/proof/format/signature_set.ts";
import type { TrustCore } from "../../src/proof/format/trust_core.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import type { RoundRequest } from "../../src/proof/format/witness_request.ts";
import type { Witness } from "../../src/witness/witness.ts";
import { eachScheme, nativeCrypto, schemeSigner } from "../schemes.ts";
import { digestsOf, NETWORK, NOW, StandingClock, testWitness, withCode } from "./fixture.ts";

const id = (n: number) => `${NETWORK}/w${n}`;

function networkOf(scheme: SignatureScheme, size: number, threshold: number): TrustCore {
  const witnesses = Array.from({ length: size }, (_, i) => ({
    id: id(i + 1),
    pubkey: schemeSigner(scheme, id(i + 1)).publicKey.toHex(),
  }));
  return { id: NETWORK, epoch: 0, signature_scheme: scheme, threshold, witnesses };
}

/** Witness 1 of `network`, whose clock stands `seconds` after the time of the round. */
function witnessOf(
  network: TrustCore | undefined,
  scheme: SignatureScheme,
  seconds: number,
): Witness {
  const clock = new StandingClock();
  clock.seconds = NOW + seconds;
  return testWitness({
    clock,
    signer: schemeSigner(scheme, id(1)),
    vouching: {
      network: (epoch) => Promise.resolve(epoch === network?.epoch ? network : undefined),
      crypto: nativeCrypto,
    },
  });
}

const ROUND: RoundRequest = {
  networkId: NETWORK,
  timestamp: NOW,
  firstSequence: 7,
  digests: digestsOf("a", "b"),
  beacon: null,
};

/** What witness `n` signed of `round`. */
function voucher(
  scheme: SignatureScheme,
  n: number,
  { timestamp, firstSequence: first, digests, beacon }: RoundRequest = ROUND,
): Promise<WitnessSignature> {
  const round = { networkId: NETWORK, timestamp, first, digests };
  const message = encodeRoundMessage({
    network_id: NETWORK,
    timestamp,
    size: digests.length / 32,
    root: buildRoundTree(portableKernels, round).root.toHex(),
    beacon,
  });
  const signature = schemeSigner(scheme, id(n)).sign(utf8(message));
  return Promise.resolve(signature).then((bytes) => ({
    witness_id: id(n),
    signature: bytes.toHex(),
  }));
}

eachScheme.test("Witness.sign() takes a time up to an hour old if 2t - n others vouch for it", async (scheme) => {
  for (const [size, threshold] of [[3, 2], [4, 3], [5, 3], [5, 4], [3, 3]] as const) {
    const needed = 2 * threshold - size;
    const network = networkOf(scheme, size, threshold);
    const all = await Promise.all(network.witnesses.slice(1).map((_, i) => voucher(scheme, i + 2)));
    for (let count = 0; count <= Math.min(needed + 1, all.length); count++) {
      const vouchers = all.slice(0, count);
      for (const [seconds, isLate] of [[61, false], [3_600, false], [3_601, true]] as const) {
        const signing = witnessOf(network, scheme, seconds).sign({ ...ROUND, vouchers });
        const name = `${count} of ${threshold}/${size}, ${seconds} s`;
        if (count >= needed && !isLate) await signing;
        else await assert.rejects(signing, withCode("time_refused"), name);
      }
    }
  }
});

eachScheme.test("Witness.sign() counts no voucher that does not verify, twice, or of strangers", async (scheme) => {
  const network = networkOf(scheme, 4, 3);
  const [two, three] = [await voucher(scheme, 2), await voucher(scheme, 3)];
  const zeros = "00".repeat(two.signature.length / 2);
  const wrong: (readonly WitnessSignature[])[] = [
    [two],
    [two, two],
    [two, { ...two, witness_id: id(3) }],
    [two, { ...three, signature: zeros }],
    [two, { ...three, signature: "" }],
    [two, { ...three, signature: three.signature.toUpperCase() }],
    // Its own.
    [two, await voucher(scheme, 1)],
    [two, await voucher(scheme, 9)],
    [await voucher(scheme, 9)],
    // Each is of another text.
    [two, await voucher(scheme, 3, { ...ROUND, timestamp: NOW + 1 })],
    [two, await voucher(scheme, 3, { ...ROUND, firstSequence: 8 })],
    [two, await voucher(scheme, 3, { ...ROUND, digests: digestsOf("a", "c") })],
  ];
  for (const [at, vouchers] of wrong.entries()) {
    const signing = witnessOf(network, scheme, 100).sign({ ...ROUND, vouchers });
    await assert.rejects(signing, withCode("time_refused"), `${at}`);
  }
  await witnessOf(network, scheme, 100).sign({ ...ROUND, vouchers: [two, three] });
  // Where two quorums may have no witness in common, a wrong signature vouches for nothing either.
  const loose = witnessOf(networkOf(scheme, 4, 2), scheme, 100);
  const garbage = { ...two, signature: zeros };
  const signing = loose.sign({ ...ROUND, vouchers: [garbage] });
  await assert.rejects(signing, withCode("time_refused"));
});

eachScheme.test("Witness.sign() takes vouchers of its own network and epoch only, and no time ahead", async (scheme) => {
  const network = networkOf(scheme, 3, 2);
  const vouchers = [await voucher(scheme, 2)];
  const refused = (witness: Witness, change: Partial<RoundRequest>, code: string) =>
    assert.rejects(witness.sign({ ...ROUND, vouchers, ...change }), withCode(code));
  await refused(witnessOf(undefined, scheme, 100), {}, "time_refused");
  await refused(witnessOf({ ...network, epoch: 1 }, scheme, 100), {}, "time_refused");
  await refused(witnessOf(network, scheme, 100), { epoch: 1 }, "epoch_mismatch");
  await refused(witnessOf(network, scheme, 100), { networkId: "other" }, "network_refused");
  await refused(witnessOf(network, scheme, -6), {}, "time_refused");
  const duplicates = { digests: digestsOf("a", "a") };
  await refused(witnessOf(network, scheme, 100), duplicates, "malformed_request");
  // Vouchers change nothing else: another text is still refused.
  const witness = witnessOf(network, scheme, 0);
  await witness.sign({ ...ROUND, timestamp: NOW + 1 });
  await refused(witness, {}, "round_conflict");
});

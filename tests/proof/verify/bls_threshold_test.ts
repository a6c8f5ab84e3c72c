import assert from "node:assert/strict";
import fc from "fast-check";
import { hexOf, utf8 } from "../../../src/base/bytes.ts";
import type { NetworkConfiguration } from "../../../src/proof/format/network.ts";
import type { BlsSignatureSet } from "../../../src/proof/format/signature_set.ts";
import { verifyThreshold } from "../../../src/proof/verify/threshold.ts";
import { portableCrypto } from "../../../src/proof/verify/verifier_crypto.ts";
import { bls } from "../../schemes.ts";
import { nativeCrypto, TestNetwork } from "./fixture.ts";

const MESSAGE = "countersign/round/v1\nwhatever is signed\n";
const OTHER = "something else\n";
const scheme = "bls";
const network = new TestNetwork("net.example/together", { scheme, witnesses: 5, threshold: 3 });
const stranger = new TestNetwork("net.example/zz-stranger", {
  scheme,
  witnesses: 2,
  threshold: 1,
});
const IDENTITY = "c0".padEnd(96, "0");

function ids(...places: number[]): string[] {
  return places.map((place) => network.configuration.witnesses[place]!.id);
}

function count(set: BlsSignatureSet, configuration?: NetworkConfiguration) {
  const pinned = configuration ?? network.configuration;
  return verifyThreshold(nativeCrypto, pinned, utf8(MESSAGE), set);
}

/** A set with the sum of `shares` as signature and the list `signers`. */
function aggregated(shares: readonly Uint8Array[], signers: readonly string[]): BlsSignatureSet {
  return { signature: hexOf(bls.aggregate(shares)!), signers };
}

function sharesOf(...places: readonly number[]): Uint8Array[] {
  return places.map((place) => network.share(MESSAGE, place));
}

async function assertInvalid(set: BlsSignatureSet, reason: string, witness?: string) {
  const result = await count(set);
  const { met, verified, signers } = result;
  assert.deepEqual([met, verified, signers], [false, 0, []]);
  assert.deepEqual([result.reason, result.witness], [reason, witness]);
}

Deno.test("an aggregate counts its distinct configured signers", async () => {
  for (const places of [[0, 1, 2], [0, 2, 4], [1, 2, 3, 4], [0, 1, 2, 3, 4]]) {
    assert.deepEqual(await count(network.signTogether(MESSAGE, places)), {
      met: true,
      verified: places.length,
      required: 3,
      signers: ids(...places),
      unknown: [],
    });
  }
});

Deno.test("an aggregate of too few signers is not enough", async () => {
  for (const places of [[0], [1, 4]]) {
    assert.deepEqual(await count(network.signTogether(MESSAGE, places)), {
      met: false,
      verified: places.length,
      required: 3,
      signers: ids(...places),
      unknown: [],
      reason: "threshold_not_met",
    });
  }
});

Deno.test("an empty list of signers is invalid with any signature", async () => {
  for (const signature of [IDENTITY, hexOf(network.share(MESSAGE, 0))]) {
    await assertInvalid({ signature, signers: [] }, "threshold_not_met");
  }
});

Deno.test("a repeated signer makes an aggregate with the right sum invalid", async () => {
  for (const places of [[0, 0, 1], [0, 1, 1], [2, 2, 2], [0, 1, 2, 2], [0, 1, 0]]) {
    const set = aggregated(sharesOf(...places), ids(...places));
    const repeated = places.find((place, i) => places.indexOf(place) < i)!;
    await assertInvalid(set, "signer_duplicate", ids(repeated)[0]);
  }
});

Deno.test("signers out of order make an aggregate with the right sum invalid", async () => {
  await assertInvalid(
    aggregated(sharesOf(1, 0, 2), ids(1, 0, 2)),
    "signers_unordered",
    ids(0)[0],
  );
});

Deno.test("an unknown signer makes an aggregate invalid, even if it signed", async () => {
  const shares = [...sharesOf(0, 1, 2), stranger.share(MESSAGE, 0)];
  const id = stranger.configuration.witnesses[0]!.id;
  await assertInvalid(aggregated(shares, [...ids(0, 1, 2), id]), "signer_unknown", id);
  // It is not ignored even if enough others signed.
  const without = network.signTogether(MESSAGE, [0, 1, 2]);
  await assertInvalid({ ...without, signers: [...without.signers, id] }, "signer_unknown", id);
});

Deno.test("a list with an extra or a missing signer is invalid", async () => {
  await assertInvalid(aggregated(sharesOf(0, 1, 2), ids(0, 1, 2, 3)), "signature_invalid");
  await assertInvalid(aggregated(sharesOf(0, 1, 2, 3), ids(0, 1, 2)), "signature_invalid");
  await assertInvalid(aggregated(sharesOf(0, 1, 2), ids(0, 1, 3)), "signature_invalid");
});

Deno.test("a share for another message makes an aggregate invalid", async () => {
  const shares = [...sharesOf(0, 1), network.share(OTHER, 2)];
  await assertInvalid(aggregated(shares, ids(0, 1, 2)), "signature_invalid");
  await assertInvalid(network.signTogether(OTHER, [0, 1, 2]), "signature_invalid");
});

Deno.test("the identity and bytes that are not a point of the group are invalid", async () => {
  const right = network.signTogether(MESSAGE, [0, 1, 2]).signature;
  const spellings = [
    IDENTITY,
    "00".repeat(48),
    "ff".repeat(48),
    // The other point with this x: the sign bit is flipped.
    `${(parseInt(right.slice(0, 2), 16) ^ 0x20).toString(16)}${right.slice(2)}`,
    right.slice(2),
    right.toUpperCase(),
    `${right}00`,
    "",
  ];
  for (const signature of spellings) {
    await assertInvalid({ signature, signers: ids(0, 1, 2) }, "signature_invalid");
  }
});

Deno.test("keys that add up to the identity verify nothing", async () => {
  const [first] = network.configuration.witnesses;
  const pubkey = first!.pubkey;
  const negative = `${(parseInt(pubkey.slice(0, 2), 16) ^ 0x20).toString(16)}${pubkey.slice(2)}`;
  const pinned = {
    ...network.configuration,
    threshold: 2,
    witnesses: [first!, { ...first!, id: "opposite", pubkey: negative }],
  };
  const signers = [first!.id, "opposite"].toSorted();
  const result = await count({ signature: IDENTITY, signers }, pinned);
  assert.deepEqual([result.met, result.reason], [false, "signature_invalid"]);
});

// An independent definition: the listed signers are exactly those who signed, each once, in order.
Deno.test("random aggregates agree with the rule", async () => {
  const places = fc.array(fc.nat(4), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(places, places, fc.boolean(), async (signing, named, isRight) => {
      const shares = signing.map((place) => network.share(isRight ? MESSAGE : OTHER, place));
      const result = await count(aggregated(shares, ids(...named)));
      const ascending = named.every((place, i) => i === 0 || named[i - 1]! < place);
      const sound = isRight && ascending && named.join() === signing.toSorted().join();
      assert.equal(result.verified, sound ? named.length : 0);
      assert.equal(result.met, sound && named.length >= 3);
      assert.equal(result.reason === undefined, result.met);
    }),
    {
      numRuns: 60,
      examples: [[[0, 1, 2], [0, 1, 2], true], [[4, 2, 0, 1], [0, 1, 2, 4], true]],
    },
  );
});

Deno.test("the portable crypto gives the same results", async () => {
  const crypto = await portableCrypto();
  const right = network.signTogether(MESSAGE, [0, 1, 2]);
  const pinned = network.configuration;
  assert.equal((await verifyThreshold(crypto, pinned, utf8(MESSAGE), right)).met, true);
  const wrong = await verifyThreshold(crypto, pinned, utf8(OTHER), right);
  assert.equal(wrong.reason, "signature_invalid");
});

Deno.test("control: a verifier that accepts everything is detected", async () => {
  const credulous = { ...nativeCrypto, bls: { ...bls, fastAggregateVerify: () => true } };
  const set = network.signTogether(OTHER, [0, 1, 2]);
  const result = await verifyThreshold(credulous, network.configuration, utf8(MESSAGE), set);
  assert.equal(result.met, true, "so the assertions above depend on the signatures");
});

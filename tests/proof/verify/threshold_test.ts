import assert from "node:assert/strict";
import fc from "fast-check";
import { utf8 } from "../../../src/base/bytes.ts";
import type { NetworkConfiguration } from "../../../src/proof/format/network.ts";
import type {
  BlsSignatureSet,
  Ed25519SignatureSet,
} from "../../../src/proof/format/signature_set.ts";
import { verifyThreshold } from "../../../src/proof/verify/threshold.ts";
import { portableCrypto } from "../../../src/proof/verify/verifier_crypto.ts";
import { nativeCrypto, TestNetwork } from "./fixture.ts";

const MESSAGE = "countersign/round/v1\nwhatever is signed\n";
const network = new TestNetwork("net.example/threshold", { witnesses: 5, threshold: 3 });
const stranger = new TestNetwork("net.example/zz-stranger", { witnesses: 2, threshold: 1 });

function ids(...places: number[]): string[] {
  return places.map((place) => network.configuration.witnesses[place]!.id);
}

function count(set: Ed25519SignatureSet | BlsSignatureSet, configuration?: NetworkConfiguration) {
  const pinned = configuration ?? network.configuration;
  return verifyThreshold(nativeCrypto, pinned, utf8(MESSAGE), set);
}

/** The set of `places` with the signature at `at` replaced by one over another message. */
function spoilt(places: readonly number[], at: number): Ed25519SignatureSet {
  const other = network.signEach("something else\n", places).signatures;
  return {
    signatures: network.signEach(MESSAGE, places).signatures.map((entry, i) =>
      i === at ? other[i]! : entry
    ),
  };
}

Deno.test("a set counts its distinct configured witnesses", async () => {
  for (const places of [[0, 1, 2], [0, 2, 4], [1, 2, 3, 4], [0, 1, 2, 3, 4]]) {
    assert.deepEqual(await count(network.sign(MESSAGE, places)), {
      met: true,
      verified: places.length,
      required: 3,
      signers: ids(...places),
      unknown: [],
    });
  }
});

Deno.test("sets below the threshold and empty sets do not meet it", async () => {
  for (const places of [[], [0], [1, 4]]) {
    assert.deepEqual(await count(network.sign(MESSAGE, places)), {
      met: false,
      verified: places.length,
      required: 3,
      signers: ids(...places),
      unknown: [],
      reason: "threshold_not_met",
    });
  }
});

Deno.test("thresholds of all and of one witness work", async () => {
  const all = { ...network.configuration, threshold: 5 };
  assert.equal((await count(network.sign(MESSAGE, [0, 1, 2, 3, 4]), all)).met, true);
  assert.equal((await count(network.sign(MESSAGE, [0, 1, 2, 4]), all)).met, false);
  const one = { ...network.configuration, threshold: 1 };
  assert.equal((await count(network.sign(MESSAGE, [3]), one)).met, true);
  assert.equal((await count(network.sign(MESSAGE, []), one)).met, false);
});

Deno.test("a repeated witness makes the set invalid", async () => {
  // Adjacent, apart, with enough others, and with valid signatures only.
  for (const places of [[0, 0, 1], [0, 1, 0], [0, 0, 0], [0, 1, 2, 2], [0, 1, 2, 3, 4, 4]]) {
    const result = await count(network.sign(MESSAGE, places));
    assert.equal(result.reason, "signer_duplicate");
    assert.equal(result.verified, 0);
    assert.deepEqual(result.signers, []);
    assert.equal(result.met, false);
  }
});

Deno.test("a repeated unknown witness makes the set invalid too", async () => {
  const twice = stranger.signEach(MESSAGE, [0, 0]).signatures;
  const result = await count({
    signatures: [...network.signEach(MESSAGE, [0, 1, 2]).signatures, ...twice],
  });
  assert.equal(result.reason, "signer_duplicate");
  assert.equal(result.witness, "net.example/zz-stranger/w1");
});

Deno.test("a set out of order is invalid", async () => {
  for (const places of [[1, 0, 2], [0, 2, 1], [2, 1, 0], [4, 3, 2, 1, 0]]) {
    const result = await count(network.sign(MESSAGE, places));
    assert.equal(result.reason, "signers_unordered");
    assert.equal(result.verified, 0);
  }
});

Deno.test("a wrong signature makes a set with any number of right ones invalid", async () => {
  const places = [0, 1, 2, 3, 4];
  for (const at of places) {
    const result = await count(spoilt(places, at));
    assert.deepEqual(result, {
      met: false,
      verified: 0,
      required: 3,
      signers: [],
      unknown: [],
      reason: "signature_invalid",
      witness: ids(at)[0],
    });
  }
});

Deno.test("a witness's signature under another id is invalid", async () => {
  const [first, second, third] = network.signEach(MESSAGE, [0, 1, 2]).signatures;
  const result = await count({
    signatures: [first!, { ...second!, signature: first!.signature }, third!],
  });
  assert.equal(result.reason, "signature_invalid");
});

Deno.test("unknown witnesses are ignored and reported", async () => {
  const strangers = stranger.signEach(MESSAGE, [0, 1]).signatures;
  const enough = await count({
    signatures: [...network.signEach(MESSAGE, [0, 1, 2]).signatures, ...strangers],
  });
  assert.equal(enough.met, true);
  assert.equal(enough.verified, 3);
  assert.deepEqual(enough.unknown, ["net.example/zz-stranger/w1", "net.example/zz-stranger/w2"]);
  const short = await count({
    signatures: [...network.signEach(MESSAGE, [0, 1]).signatures, ...strangers],
  });
  assert.equal(short.reason, "threshold_not_met");
  assert.equal(short.verified, 2);
});

Deno.test("an unknown witness's signature is ignored, right or wrong", async () => {
  const strangers = stranger.signEach("something else\n", [0]).signatures;
  const result = await count({
    signatures: [...network.signEach(MESSAGE, [0, 1, 2]).signatures, ...strangers],
  });
  assert.equal(result.met, true);
});

Deno.test("a set in the form of the other scheme is refused", async () => {
  const onEd25519 = await count({ signature: "c0".padEnd(96, "0"), signers: ids(0, 1, 2) });
  assert.deepEqual([onEd25519.met, onEd25519.reason], [false, "scheme_mismatch"]);
  const pinnedBls: NetworkConfiguration = { ...network.configuration, signature_scheme: "bls" };
  const onBls = await count(network.sign(MESSAGE, [0, 1, 2]), pinnedBls);
  assert.deepEqual([onBls.met, onBls.reason], [false, "scheme_mismatch"]);
});

Deno.test("a signature that is not lowercase hex, or of another length, is invalid", async () => {
  const [first, second, third] = network.signEach(MESSAGE, [0, 1, 2]).signatures;
  const spellings = ["", "00", first!.signature.toUpperCase(), `${first!.signature}00`];
  for (const signature of spellings) {
    const result = await count({ signatures: [{ ...first!, signature }, second!, third!] });
    assert.equal(result.reason, "signature_invalid");
  }
});

// An independent definition over a list of (witness index, is valid) pairs.
Deno.test("random lists of witnesses agree with the rule", async () => {
  const entry = fc.record({ place: fc.nat(4), right: fc.boolean() }, { noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 7 }), async (entries) => {
      const result = await count({
        signatures: entries.flatMap(({ place, right }) =>
          network.signEach(right ? MESSAGE : "something else\n", [place]).signatures
        ),
      });
      const ascending = entries.every(({ place }, i) => i === 0 || entries[i - 1]!.place < place);
      const sound = ascending && entries.every(({ right }) => right);
      assert.equal(result.verified, sound ? entries.length : 0);
      assert.equal(result.met, sound && entries.length >= 3);
      assert.equal(result.reason === undefined, result.met);
    }),
    { numRuns: 300 },
  );
});

Deno.test("the portable crypto gives the same results", async () => {
  const crypto = await portableCrypto();
  const pinned = network.configuration;
  const right = network.sign(MESSAGE, [0, 1, 2]);
  assert.equal((await verifyThreshold(crypto, pinned, utf8(MESSAGE), right)).met, true);
  const wrong = await verifyThreshold(crypto, pinned, utf8(MESSAGE), spoilt([0, 1, 2], 1));
  assert.equal(wrong.reason, "signature_invalid");
});

Deno.test("a long list is verified in linear time", async () => {
  const signature = "00".repeat(64);
  const signatures = Array.from({ length: 200_000 }, (_, i) => ({
    witness_id: `x${String(i).padStart(7, "0")}`,
    signature,
  }));
  const result = await count({ signatures });
  assert.equal(result.reason, "threshold_not_met");
  assert.equal(result.unknown.length, 200_000);
});

Deno.test("control: a verifier that accepts everything is detected", async () => {
  const credulous = { ...nativeCrypto, ed25519: () => true };
  const result = await verifyThreshold(
    credulous,
    network.configuration,
    utf8(MESSAGE),
    spoilt([0, 1, 2], 0),
  );
  assert.equal(result.met, true, "so the assertions above depend on the signatures");
});

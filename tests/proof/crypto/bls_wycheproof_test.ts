/**
 * Wycheproof's BLS files have minimal public keys: their keys are points of G1 and their signatures
 * points of G2. So each of their keys is an encoding of one of our signatures, and each of their
 * signatures an encoding of one of our keys. Their verdict is about a verification; the flag tells
 * whether the encoding is valid.
 *
 * @module
 */

import assert from "node:assert/strict";
import { jsonVectors, vectorTest } from "../../vectors.ts";
import { implementations } from "./bls_implementations.ts";

interface Verification {
  readonly numberOfTests: number;
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string };
    readonly tests: readonly VerificationCase[];
  }[];
}

interface VerificationCase {
  readonly tcId: number;
  readonly comment: string;
  readonly sig: string;
  readonly result: "valid" | "invalid";
  readonly flags: readonly string[];
}

interface Aggregates {
  readonly numberOfTests: number;
  readonly testGroups: readonly {
    readonly tests: readonly (VerificationCase & { readonly pubkeys: readonly string[] })[];
  }[];
}

interface Hashes {
  readonly numberOfTests: number;
  readonly testGroups: readonly { readonly tests: readonly { readonly expected: string }[] }[];
}

/**
 * By flag: whether the signature's encoding decodes to a member of the group other than the
 * identity. A flipped bit (InvalidSignature) gives a point off the curve or outside the subgroup. A
 * negated signature (SignatureMalleability), and one by a wrong key, of a wrong message or with a
 * wrong tag, is well formed.
 */
const FLAGS: Readonly<Record<string, boolean>> = {
  Valid: true,
  ValidAggregate: true,
  EmptyMessage: true,
  LargeMessage: true,
  MinimalInput: true,
  WrongMessage: true,
  WrongKey: true,
  WrongDST: true,
  MismatchedCount: true,
  SignatureMalleability: true,
  EmptyAggregate: false,
  IdentityPoint: false,
  InvalidEncoding: false,
  InvalidFlags: false,
  InvalidSignature: false,
  NotOnCurve: false,
  NotInSubgroup: false,
  FieldBoundary: false,
  TruncatedSignature: false,
};

function isWellFormed(flags: readonly string[]): boolean {
  return flags.every((flag) => {
    const verdict = FLAGS[flag];
    assert.ok(verdict !== undefined, `no verdict for the flag ${flag}`);
    return verdict;
  });
}

/** Asserts both verdicts of every implementation, and the numbers of valid and of all encodings. */
function assertEncodings(
  role: "signatureValidate" | "keyValidate",
  expected: readonly (readonly [string, boolean, string])[],
  counts: readonly [number, number],
): void {
  const valid = expected.filter(([, verdict]) => verdict).length;
  assert.deepEqual([valid, expected.length], counts);
  for (const { name, bls } of implementations()) {
    for (const [hex, verdict, comment] of expected) {
      assert.equal(bls[role](Uint8Array.fromHex(hex)), verdict, `${name}: ${comment}`);
    }
  }
}

for (
  const [file, total, keyCounts, signatureCounts] of [
    ["bls_sig_g2_basic_verify_test.json", 88, [1, 18], [56, 88]],
    ["bls_sig_g2_pop_verify_test.json", 26, [1, 1], [17, 26]],
  ] as const
) {
  vectorTest(`encodings of ${file} by role`, `wycheproof/${file}`, (bytes) => {
    const { numberOfTests, testGroups } = jsonVectors<Verification>(bytes);
    assert.equal(numberOfTests, total);
    // A group with an invalid key has one test, about the key; its signature is valid.
    const groups = testGroups.map(({ publicKey: { pk }, tests }) => {
      const isGoodKey = tests.some(({ result }) => result === "valid");
      if (!isGoodKey) assert.equal(tests.length, 1);
      return { pk, tests, isGoodKey };
    });
    const keys = groups.map(({ pk, tests, isGoodKey }) =>
      [pk, isGoodKey, tests[0]!.comment] as const
    );
    const signatures = groups.flatMap(({ tests, isGoodKey }) =>
      tests.map(({ sig, flags, comment }) =>
        [sig, !isGoodKey || isWellFormed(flags), comment] as const
      )
    );
    assertEncodings("signatureValidate", keys, keyCounts);
    assertEncodings("keyValidate", signatures, signatureCounts);
  });
}

const AGGREGATES = "wycheproof/bls_sig_g2_aggregate_verify_test.json";

vectorTest("encodings of Wycheproof's aggregates by role", AGGREGATES, (bytes) => {
  const { numberOfTests, testGroups } = jsonVectors<Aggregates>(bytes);
  const tests = testGroups.flatMap((group) => group.tests);
  assert.equal(tests.length, 19);
  assert.equal(numberOfTests, 19);
  // The comment tells whether a flag is about a key or about the aggregate.
  const ofKey = ({ comment }: VerificationCase) => comment.includes("public key");
  const signatures = tests.map((test) =>
    [test.sig, ofKey(test) || isWellFormed(test.flags), test.comment] as const
  );
  assertEncodings("keyValidate", signatures, [14, 19]);

  const lists = tests.filter(({ pubkeys }) => pubkeys.length > 0);
  assert.equal(lists.filter((test) => ofKey(test) && !isWellFormed(test.flags)).length, 3);
  for (const { name, bls } of implementations()) {
    for (const test of lists) {
      const list = test.pubkeys.map((hex) => Uint8Array.fromHex(hex));
      const refused = ofKey(test) && !isWellFormed(test.flags);
      const found = list.filter((encoding) => !bls.signatureValidate(encoding)).length;
      assert.equal(found, refused ? 1 : 0, `${name}: ${test.comment}`);
      assert.equal(bls.aggregate(list) === undefined, refused, `${name}: ${test.comment}`);
    }
  }
});

vectorTest("hashes to G2 are keys", "wycheproof/bls_hash_to_g2_test.json", (bytes) => {
  const { numberOfTests, testGroups } = jsonVectors<Hashes>(bytes);
  assert.equal(numberOfTests, 34);
  const tests = testGroups.flatMap((group) => group.tests);
  const expected = tests.map(({ expected }) => [expected, true, "hash to G2"] as const);
  assertEncodings("keyValidate", expected, [34, 34]);
  for (const { bls } of implementations()) {
    assert.ok(bls.aggregateKeys(tests.map((test) => Uint8Array.fromHex(test.expected))));
  }
});

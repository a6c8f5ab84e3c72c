import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { jsonVectors, vectorTest } from "../../vectors.ts";
import { acceptedBy, PATHS, RELATIVES, type Signed } from "./ed25519_paths.ts";

const IDENTITY = "01".padEnd(64, "0");

interface Wycheproof {
  readonly numberOfTests: number;
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string };
    readonly tests: readonly {
      readonly tcId: number;
      readonly msg: string;
      readonly sig: string;
      readonly result: "valid" | "invalid";
    }[];
  }[];
}

interface Cctv {
  readonly number: number;
  readonly key: string;
  readonly sig: string;
  readonly msg: string;
  readonly flags: readonly string[] | null;
}

interface Speccheck {
  readonly message: string;
  readonly pub_key: string;
  readonly signature: string;
}

function signed(key: string, message: Uint8Array, signature: string): Signed {
  return [Uint8Array.fromHex(key), message, Uint8Array.fromHex(signature)];
}

function wycheproofCases(bytes: Uint8Array): { cases: Signed[]; valid: number[] } {
  const file = jsonVectors<Wycheproof>(bytes);
  const tests = file.testGroups.flatMap((group) =>
    group.tests.map((test) => ({ ...test, key: group.publicKey.pk }))
  );
  assert.equal(tests.length, file.numberOfTests);
  return {
    cases: tests.map((test) => signed(test.key, Uint8Array.fromHex(test.msg), test.sig)),
    valid: tests.flatMap((test, index) => test.result === "valid" ? [index] : []),
  };
}

const WYCHEPROOF = "wycheproof/ed25519_test.json";
const CCTV = "cctv/ed25519vectors.json";
const SPECCHECK = "speccheck/cases.json";

vectorTest("every path accepts exactly what Wycheproof calls valid", WYCHEPROOF, async (bytes) => {
  const { cases, valid } = wycheproofCases(bytes);
  assert.equal(cases.length, 151);
  // No valid case has the identity as R, so that rule has no effect here.
  assert.equal(valid.length, 88);
  for (const [name, verify] of Object.entries(PATHS)) {
    assert.deepEqual(await acceptedBy(verify, cases), valid, name);
  }
});

vectorTest("Wycheproof tells a verifier without the bound on S", WYCHEPROOF, async (bytes) => {
  const { cases, valid } = wycheproofCases(bytes);
  assert.notDeepEqual(await acceptedBy(RELATIVES.unboundedScalar, cases), valid);
});

/**
 * The rule's verdict on a CCTV vector from its flags: canonical encodings, torsion of R and [k]A
 * that cancels without the cofactor, and R not the identity. (`reencoded_k` occurs only with a
 * non-canonical encoding.)
 */
function cctvVerdict(vector: Cctv): boolean {
  const flags = vector.flags ?? [];
  return !flags.includes("non_canonical_A") && !flags.includes("non_canonical_R") &&
    !flags.includes("low_order_residue") && !vector.sig.startsWith(IDENTITY);
}

vectorTest("every path accepts the same 156 of CCTV's 914", CCTV, async (bytes) => {
  const vectors = jsonVectors<Cctv[]>(bytes);
  assert.equal(vectors.length, 914);
  const cases = vectors.map((vector) => signed(vector.key, utf8(vector.msg), vector.sig));
  const expected = vectors.flatMap((vector, index) => cctvVerdict(vector) ? [index] : []);
  assert.equal(expected.length, 156);
  for (const [name, verify] of Object.entries(PATHS)) {
    assert.deepEqual(await acceptedBy(verify, cases), expected, name);
  }

  // The engine alone accepts 172: 16 more, all with the identity as R.
  const engine = await acceptedBy(RELATIVES.identityAdmitted, cases);
  assert.equal(engine.length, 172);
  const difference = engine.filter((index) => !expected.includes(index));
  assert.equal(difference.length, 16);
  assert.ok(difference.every((index) => vectors[index]!.sig.startsWith(IDENTITY)));

  assert.equal((await acceptedBy(RELATIVES.zip215, cases)).length, 826);
  assert.equal((await acceptedBy(RELATIVES.cofactored, cases)).length, 212);
});

vectorTest("every path accepts 0 to 3 of speccheck's 12", SPECCHECK, async (bytes) => {
  const cases = jsonVectors<Speccheck[]>(bytes).map((vector) =>
    signed(vector.pub_key, Uint8Array.fromHex(vector.message), vector.signature)
  );
  assert.equal(cases.length, 12);
  // None has the identity as R, so the set is the same without that rule.
  for (const [name, verify] of Object.entries(PATHS)) {
    assert.deepEqual(await acceptedBy(verify, cases), [0, 1, 2, 3], name);
  }
  assert.deepEqual(await acceptedBy(RELATIVES.identityAdmitted, cases), [0, 1, 2, 3]);

  // 4 and 5 need the cofactor, 6 and 7 an unbounded S, 9 to 11 lenient encodings.
  assert.deepEqual(await acceptedBy(RELATIVES.unboundedScalar, cases), [0, 1, 2, 3, 6, 7]);
  assert.deepEqual(await acceptedBy(RELATIVES.zip215, cases), [0, 1, 2, 3, 4, 5, 9, 10, 11]);
  assert.deepEqual(await acceptedBy(RELATIVES.cofactored, cases), [2, 3, 4, 5]);
});

import assert from "node:assert/strict";
import {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedAttestation,
  parseSignedTreeHead,
} from "../../../src/proof/format/bundle.ts";
import { type Json, mutations } from "../verify/mutations.ts";
import { assertRefused } from "./mutated_text.ts";

const HASH = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const SIGNATURES = { signatures: [{ witness_id: "log/w1", signature: "ab".repeat(64) }] };
const BLS = { signature: "ab".repeat(48), signers: ["log/w1", "log/w2"] };
const HEAD = { network_id: "log", tree_size: 9, timestamp: 5, root_hash: HASH };
const STH = { tree_head: HEAD, ...SIGNATURES };
const ATTESTATION = {
  attestation: { hash: HASH, timestamp: 5, network_id: "log", sequence: 7 },
  round: {
    index: 0,
    size: 2,
    inclusion_path: [HASH],
    beacon: { chain_hash: HASH, round: 7, signature: "cd".repeat(48) },
  },
  ...SIGNATURES,
};
const LEAF_PATH = {
  hash: HASH,
  leaf_hash: HASH,
  leaf_index: 7,
  tree_size: 9,
  inclusion_path: [HASH, HASH],
};
const MERKLE_PROOF = { ...LEAF_PATH, root_hash: HASH, batch_id: 9 };
const CONSISTENCY = {
  first: 4,
  second: 9,
  first_sth: STH,
  second_sth: STH,
  consistency_path: [HASH],
};
const BUNDLE = {
  signed_attestation: ATTESTATION,
  batch_inclusion: {
    batch: {
      id: 9,
      network_id: "log",
      root_hash: HASH,
      tree_size: 9,
      first_index: 4,
      attestation_count: 5,
      period_start: 1,
      period_end: 5,
    },
    merkle_proof: MERKLE_PROOF,
    sth: STH,
  },
  cross_anchors: [
    { witnessing_network: "peer", tree_head: HEAD, consistency_path: [], ...SIGNATURES },
    { witnessing_network: "other", tree_head: HEAD, consistency_path: [HASH], ...BLS },
  ],
  external_anchors: [{
    provider: "rfc3161",
    status: "anchored",
    timestamp: 6,
    tree_head: HEAD,
    consistency_path: [],
    digest: HASH,
    proof: { token: "00", nested: [1, null, true] },
  }],
};

const RESOURCES: readonly (readonly [string, (text: string) => unknown, Json])[] = [
  ["SignedAttestation", (text) => parseSignedAttestation(text), ATTESTATION],
  ["STH", parseSignedTreeHead, STH],
  ["Merkle proof", parseMerkleProof, MERKLE_PROOF],
  ["inclusion proof", parseInclusionProof, { ...LEAF_PATH, sth: STH }],
  ["consistency proof", parseConsistencyProof, CONSISTENCY],
  ["bundle", parseBundle, BUNDLE],
];

/** JSON of `value` with the members of every object in ascending order. */
function canonical(value: unknown): string {
  return JSON.stringify(
    value,
    (_, member) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => a < b ? -1 : 1))
        : member,
  );
}

for (const [name, parse, resource] of RESOURCES) {
  Deno.test(`${name}: what is read is what was written, in any order and spacing`, () => {
    assert.deepEqual(canonical(parse(JSON.stringify(resource))), canonical(resource));
    assert.deepEqual(canonical(parse(JSON.stringify(resource, undefined, 2))), canonical(resource));
    const reversed = JSON.stringify(
      resource,
      (_, member) =>
        typeof member === "object" && member !== null && !Array.isArray(member)
          ? Object.fromEntries(Object.entries(member).reverse())
          : member,
    );
    assert.deepEqual(canonical(parse(reversed)), canonical(resource));
  });

  Deno.test(`${name}: every small change is refused, or read as what it says`, () => {
    let refused = 0;
    for (const mutation of mutations(resource)) {
      const text = JSON.stringify(mutation.value);
      let value;
      try {
        value = parse(text);
      } catch {
        assertRefused([text], parse, "malformed_bundle");
        refused++;
        continue;
      }
      assert.equal(canonical(value), canonical(mutation.value), mutation.path);
    }
    assert(refused > 20);
  });

  Deno.test(`${name}: every member is required, and no other is known`, () => {
    for (const mutation of mutations(resource)) {
      const isElement = mutation.path.endsWith("]");
      // A provider's own proof has a shape of its own.
      if (mutation.path.includes(".proof.") || mutation.path.endsWith(".proof")) continue;
      if (mutation.change !== "member added" && (mutation.change !== "dropped" || isElement)) {
        continue;
      }
      assertRefused([JSON.stringify(mutation.value)], parse, "malformed_bundle");
    }
  });
}

Deno.test("a duplicate member is refused at any depth", () => {
  const text = JSON.stringify(BUNDLE);
  const duplicates = [
    text.replace('"sequence":7', '"sequence":7,"sequence":7'),
    text.replace('"sequence":7', '"sequence":8,"\\u0073equence":7'),
    text.replace('{"signed_attestation"', '{"batch_inclusion":null,"signed_attestation"'),
  ];
  assertRefused(duplicates, parseBundle, "malformed_bundle");
});

Deno.test("integers are plain decimals", () => {
  const text = JSON.stringify(ATTESTATION);
  const spellings = ["7.0", "7e0", "-7", "-0", '"7"', "null", "true", "[]", "9007199254740992"];
  const others = spellings.map((spelling) =>
    text.replace('"sequence":7', `"sequence":${spelling}`)
  );
  assertRefused(others, (each) => parseSignedAttestation(each), "malformed_bundle");
});

Deno.test("hashes are 64 digits of lowercase hex, in paths as elsewhere", () => {
  const spellings = ["", HASH.slice(2), `${HASH}00`, HASH.toUpperCase(), `0x${HASH}`, ` ${HASH}`];
  for (const hash of spellings) {
    const proofs = [
      { ...MERKLE_PROOF, leaf_hash: hash },
      { ...MERKLE_PROOF, root_hash: hash },
      { ...MERKLE_PROOF, inclusion_path: [hash] },
      { ...MERKLE_PROOF, inclusion_path: [HASH, hash] },
    ];
    const texts = proofs.map((proof) => JSON.stringify(proof));
    assertRefused(texts, parseMerkleProof, "malformed_bundle");
  }
});

Deno.test("a resource has one signature shape, and a whole one", () => {
  const { signatures: _, ...unsigned } = ATTESTATION;
  const shapes: Json[] = [
    {},
    { ...SIGNATURES, ...BLS },
    { ...SIGNATURES, signers: ["log/w1"] },
    { ...SIGNATURES, signature: BLS.signature },
    { signature: BLS.signature },
    { signers: BLS.signers },
    { signatures: null },
    { signatures: {} },
    { signatures: [null] },
    { signatures: [{ witness_id: "log/w1" }] },
    { signatures: [{ witness_id: "log w1", signature: "ab".repeat(64) }] },
    { signatures: [{ witness_id: "", signature: "ab".repeat(64) }] },
    { signatures: [{ witness_id: "log/w1", signature: "ab".repeat(48) }] },
    { signatures: [{ witness_id: "log/w1", signature: "AB".repeat(64) }] },
    { signature: "ab".repeat(64), signers: BLS.signers },
    { signature: BLS.signature, signers: [7] },
    { signature: BLS.signature, signers: ["a+b"] },
  ];
  const texts = shapes.map((shape) => JSON.stringify({ ...unsigned, ...shape as object }));
  assertRefused(texts, (text) => parseSignedAttestation(text), "malformed_bundle");
  // Empty sets and repeated witnesses are whole shapes: they are counted, and do not suffice.
  const whole: object[] = [
    { signatures: [] },
    { signature: BLS.signature, signers: [] },
    { signatures: [...SIGNATURES.signatures, ...SIGNATURES.signatures] },
  ];
  for (const shape of whole) parseSignedAttestation(JSON.stringify({ ...unsigned, ...shape }));
});

Deno.test("null stands where the contract has it, and nowhere else", () => {
  const bare = { ...BUNDLE, batch_inclusion: null, cross_anchors: [], external_anchors: [] };
  assert.equal(parseBundle(JSON.stringify(bare)).batch_inclusion, null);
  const { round } = ATTESTATION;
  const unlit = { ...ATTESTATION, round: { ...round, beacon: null } };
  assert.equal(parseSignedAttestation(JSON.stringify(unlit)).round.beacon, null);
  for (const name of ["signed_attestation", "cross_anchors", "external_anchors"]) {
    const text = JSON.stringify({ ...bare, [name]: null });
    assertRefused([text], parseBundle, "malformed_bundle");
  }
});

Deno.test("a member called __proto__ is an unknown one", () => {
  const text = JSON.stringify(ATTESTATION).replace("{", '{"__proto__":{"round":1},');
  assertRefused([text], (each) => parseSignedAttestation(each), "malformed_bundle");
});

Deno.test("a value of another kind is no bundle", () => {
  const texts = ["null", "1", "[]", '"{}"', "true", "{}", "", "[{}]"];
  assertRefused(texts, parseBundle, "malformed_bundle");
});

Deno.test("the code of the caller's choice is the one that is reported", () => {
  const parse = (text: string) => parseSignedAttestation(text, "malformed_request");
  assertRefused(["", "{}", JSON.stringify({ ...ATTESTATION, x: 1 })], parse, "malformed_request");
});

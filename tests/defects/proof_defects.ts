/**
 * Defects of `src/base` and `src/proof`: what a verifier would accept.
 *
 * @module
 */

import type { Defect } from "./defect.ts";

export const PROOF_DEFECTS: readonly Defect[] = [
  {
    name: "threshold-less-one",
    file: "src/proof/verify/threshold.ts",
    text: "const met = signers.length >= network.threshold; // S7",
    replacement: "const met = signers.length >= network.threshold - 1; // S7",
    harm: "A proof that one witness too few signed is valid.",
    tests: ["tests/proof/verify/threshold_test.ts"],
  },
  {
    name: "witness-twice",
    file: "src/proof/verify/threshold.ts",
    text: `if (seen.has(id)) return ["signer_duplicate", id];`,
    replacement: "",
    harm: "One dishonest witness meets every threshold with several lines.",
    tests: ["tests/proof/verify/threshold_test.ts"],
  },
  {
    name: "retired-keys-back",
    file: "src/proof/verify/followed_network.ts",
    text: `  const distrusted = isReached(network, signing.epoch ?? 0)
    ? distrustedAt(network, size)
    : signing.witnesses.map(({ id }) => id);`,
    replacement: "  const distrusted = distrustedAt(network, size);",
    harm: "An epoch counts that only distrusted witnesses vouched for.",
    tests: ["tests/proof/verify/vectors_test.ts"],
  },
  {
    name: "other-epoch-signs",
    file: "src/proof/verify/followed_network.ts",
    text: "return signersOfHead(network, sequence + 1);",
    replacement: "return signersOfHead(network, sequence);",
    harm: "Retired witnesses sign the first attestation after the end of their epoch.",
    tests: ["tests/proof/verify/succession_test.ts"],
  },
  {
    name: "kept-chain-replaced",
    file: "src/proof/verify/followed_network.ts",
    text:
      '(isRival ? { reason: "succession_conflict" as const } : await verifyLink(crypto, link));',
    replacement: "await verifyLink(crypto, link);",
    harm: "A second succession of an epoch is not refused as a conflict with the kept one.",
    tests: ["tests/proof/verify/succession_test.ts"],
  },
  {
    name: "leaf-without-prefix",
    file: "src/proof/crypto/hashing.ts",
    text: "return hashing.sha256(concat(LEAF_PREFIX, text));",
    replacement: "return hashing.sha256(concat(LEAF_PREFIX.subarray(1), text));",
    harm: "An interior node of the log passes as a leaf, so anything is in the log.",
    tests: ["tests/proof/verify/attestation_test.ts"],
  },
  {
    name: "longer-inclusion-path",
    file: "src/proof/merkle/proof.ts",
    text: `  const ranges = inclusionRanges(index, size);
  if (path.length !== ranges.length) return undefined;`,
    replacement: `  const ranges = inclusionRanges(index, size);
  if (path.length < ranges.length) return undefined;`,
    harm: "An inclusion proof for another size of the tree is accepted.",
    tests: ["tests/proof/merkle/proof_refusal_test.ts"],
  },
  {
    name: "two-roots-of-one-size",
    file: "src/proof/merkle/proof.ts",
    text: "if (first === second) return path.length === 0 && equalBytes(firstRoot, secondRoot);",
    replacement: "if (first === second) return path.length === 0;",
    harm: "A fork at one size passes as the same log, and a witness signs both heads.",
    tests: ["tests/proof/merkle/proof_test.ts"],
  },
  {
    name: "first-root-unchecked",
    file: "src/proof/merkle/proof.ts",
    text: "return roots !== undefined && equalBytes(roots.first, firstRoot) &&",
    replacement: "return roots !== undefined &&",
    harm: "A log that was rewritten passes as one that grew.",
    tests: ["tests/proof/merkle/proof_refusal_test.ts"],
  },
  {
    name: "base64-with-spare-bits",
    file: "src/base/bytes.ts",
    text: "return bytes !== undefined && base64Of(bytes) === text ? bytes : undefined;",
    replacement: "return bytes;",
    harm: "One signature has several spellings: implementations differ about one proof.",
    tests: ["tests/proof/format/note_test.ts"],
  },
  {
    name: "duplicate-json-member",
    file: "src/proof/format/strict_json.ts",
    text: "if (Object.hasOwn(members, name)) {",
    replacement: "if (members === undefined) {",
    harm: "Two readers see two different hashes in one proof.",
    tests: ["tests/proof/format/strict_json_test.ts"],
  },
  {
    name: "unknown-json-member",
    file: "src/proof/format/schema.ts",
    text:
      "if (isStrict && other !== undefined) throw new Mismatch(path, `unknown member ${quoted(other)}`);",
    replacement: "",
    harm: "A misspelled member of a configuration is ignored, and with it the limit that it sets.",
    tests: ["tests/proof/format/schema_test.ts"],
  },
  {
    name: "cosignature-without-domain",
    file: "src/proof/format/tree_head.ts",
    text: "return `${COSIGNATURE_DOMAIN}\\ntime ${timestamp}\\n${text}`;",
    replacement: "return `time ${timestamp}\\n${text}`;",
    harm: "A witness's signature over a head is valid for another kind of message.",
    tests: ["tests/proof/format/tree_head_test.ts"],
  },
  {
    name: "rogue-key",
    file: "src/proof/format/network_check.ts",
    text: "if (proof === undefined || !popVerify(bls, publicKey, proof)) {",
    replacement: "if (proof === undefined) {",
    harm: "A witness with a key that is made of the others' signs for all of them.",
    tests: ["tests/proof/format/bls_network_test.ts"],
  },
  {
    name: "keys-that-cancel-out",
    file: "src/proof/crypto/portable_bls_verifier.ts",
    text: "return sum.is0() ? undefined : sum;",
    replacement: "return sum;",
    harm: "Two witnesses whose BLS keys add up to nothing have signed every message.",
    tests: ["tests/proof/crypto/bls_adversary_test.ts"],
  },
  {
    name: "ml-dsa-line-unverified",
    file: "src/proof/verify/note.ts",
    text: "const isValid = message && await verifyMlDsa(key.publicKey, message, signature);",
    replacement: "const isValid = message && signature.length > 0;",
    harm: "A forged ML-DSA-44 cosignature is reported as one of a witness.",
    tests: ["tests/proof/verify/ml_dsa_note_test.ts"],
  },
  {
    name: "anchor-of-another-log",
    file: "src/proof/verify/cross_anchors.ts",
    text: "if (anchored.network_id !== network.id) { // X5",
    replacement: `if (anchored.network_id === "") { // X5`,
    harm: "A peer's signature of a third log counts as one of this log.",
    tests: ["tests/proof/verify/cross_anchors_test.ts"],
  },
  {
    name: "token-of-another-time",
    file: "src/proof/timestamp/attested_token.ts",
    text: `if (genTime !== timestamp || fraction !== 0) return "gen_time";`,
    replacement: `if (fraction !== 0) return "gen_time";`,
    harm: "Whoever steals the key of a time-stamp authority dates its tokens back.",
    tests: ["tests/proof/timestamp/attested_token_test.ts"],
  },
  {
    name: "token-with-the-proof-of-another-file",
    file: "src/proof/timestamp/verify_timestamp.ts",
    text: "const verdict = await verifyBundle(crypto, trust, bundle, { hash });",
    replacement: "const verdict = await verifyBundle(crypto, trust, bundle, hash ? {} : { hash });",
    harm: "A token of one file is proved by the attestation of another.",
    tests: ["tests/proof/timestamp/attested_token_test.ts"],
  },
];

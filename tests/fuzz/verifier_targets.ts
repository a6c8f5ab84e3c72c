/**
 * The offline verifier (`src/proof/verify`) on answers of an untrusted gateway. A valid result has the meaning
 * that the network signed. Every other result has a reason or is malformed.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedAttestation,
  parseSignedTreeHead,
} from "../../src/proof/format/bundle.ts";
import { parseNote } from "../../src/proof/format/note.ts";
import { verifySignedAttestation } from "../../src/proof/verify/attestation.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { checkGrowth } from "../../src/proof/verify/head_memory.ts";
import {
  verifyConsistencyProof,
  verifyInclusionProof,
  verifyMerkleProof,
} from "../../src/proof/verify/log_proofs.ts";
import { decodePath } from "../../src/proof/verify/merkle_checks.ts";
import { verifyNote } from "../../src/proof/verify/note.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { VERIFY_REASONS } from "../../src/proof/verify/reasons.ts";
import { verifySignedTreeHead } from "../../src/proof/verify/tree_head.ts";
import { nativeCrypto } from "../schemes.ts";
import { ofText, type Target } from "./engine.ts";
import { sides } from "./valid_inputs.ts";

type Side = (typeof sides)[number];

/** What every answer of the verifier has. */
interface Judged {
  readonly valid: boolean;
  readonly reason?: string;
}

/** Requires a reason of the closed list exactly when `judged` is not valid; answers whether it is. */
function isValid(judged: Judged): boolean {
  if (judged.valid) assert.equal(judged.reason, undefined);
  else {assert.ok(
      judged.reason !== undefined && judged.reason in VERIFY_REASONS,
      `${judged.reason}`,
    );}
  return judged.valid;
}

/** A bls signature takes a hundred times as long to verify. */
const SHARE = { ed25519: 0.5, bls: 0.1 };

function targetsOf(side: Side): Target[] {
  const { network: { configuration: network, id }, peer, log, bundle, sth, earlier } = side;
  const scheme = network.signature_scheme;
  const crypto = nativeCrypto;
  const federating = {
    ...network,
    federation: { enabled: true, peer_networks: [{ id: peer.id }], cross_anchor_threshold: 1 },
  };
  const trust = { network: federating, peers: [peer.configuration] };
  const { attestation } = bundle.signed_attestation;
  /** A seed has to be valid; damage to what is not signed may leave it so. */
  const target = (
    name: string,
    covers: readonly string[],
    seeds: readonly unknown[],
    read: (text: string) => Promise<void | boolean>,
  ): Target => ({
    name: `${name} ${scheme}`,
    covers: covers.map((covered) => `proof/verify/${covered}`),
    codes: ["malformed_bundle", "malformed_text"],
    seeds: seeds.map((seed) => typeof seed === "string" ? seed : JSON.stringify(seed)),
    share: SHARE[scheme],
    read: ofText(read),
  });
  return [
    target(
      "verifyBundle",
      [
        "bundle.ts#verifyBundle",
        "batch.ts#verifyBatchInclusion",
        "cross_anchors.ts#verifyCrossAnchors",
      ],
      [bundle, side.unbatched, side.federated],
      async (text) => {
        const read = parseBundle(text);
        const verdict = await verifyBundle(crypto, trust, read);
        assert.ok(JSON.stringify(verdict).length > 0);
        if (verdict.level === "invalid") return false;
        assert.deepEqual(read.signed_attestation.attestation, attestation);
        if (verdict.level === "basic") return;
        assert.deepEqual(read.batch_inclusion?.sth.tree_head, sth.tree_head);
        return true;
      },
    ),
    target(
      "verifySignedAttestation",
      ["attestation.ts#verifySignedAttestation", "threshold.ts#verifyThreshold"],
      [bundle.signed_attestation],
      async (text) => {
        const read = parseSignedAttestation(text);
        if (!isValid(await verifySignedAttestation(crypto, network, read))) return false;
        assert.deepEqual(read.attestation, attestation);
        return true;
      },
    ),
    target("verifySignedTreeHead", ["tree_head.ts#verifySignedTreeHead"], [sth], async (text) => {
      const read = parseSignedTreeHead(text);
      if (!isValid(await verifySignedTreeHead(crypto, network, read))) return false;
      assert.deepEqual(read.tree_head, sth.tree_head);
      return true;
    }),
    target(
      "verifyInclusionProof",
      ["log_proofs.ts#verifyInclusionProof"],
      [log.inclusionProof(attestation.sequence, sth)],
      async (text) => {
        const read = parseInclusionProof(text);
        const expected = {
          hash: attestation.hash,
          treeSize: 12,
          signedAttestation: bundle.signed_attestation,
        };
        if (!isValid(await verifyInclusionProof(crypto, network, read, expected))) return false;
        assert.deepEqual(read.sth.tree_head, sth.tree_head);
        assert.equal(read.leaf_index, attestation.sequence);
        return true;
      },
    ),
    target(
      "verifyMerkleProof",
      ["log_proofs.ts#verifyMerkleProof", "merkle_checks.ts#decodePath"],
      [bundle.batch_inclusion!.merkle_proof],
      async (text) => {
        const read = parseMerkleProof(text);
        assert.equal(decodePath(read.inclusion_path)?.length, read.inclusion_path.length);
        const { hash } = attestation;
        const judged = await verifyMerkleProof(crypto, network, { proof: read, sth }, { hash });
        if (!isValid(judged)) return false;
        assert.equal(read.leaf_index, attestation.sequence);
        return true;
      },
    ),
    target(
      "verifyConsistencyProof",
      ["log_proofs.ts#verifyConsistencyProof", "head_memory.ts#checkGrowth"],
      [log.consistencyProof(earlier, sth)],
      async (text) => {
        const read = parseConsistencyProof(text);
        const asked = { first: 5, second: 12 };
        if (!isValid(await verifyConsistencyProof(crypto, network, read, asked))) return false;
        assert.deepEqual(read.second_sth.tree_head, sth.tree_head);
        const heads = { known: earlier.tree_head, seen: read.second_sth };
        assert.ok(isValid(await checkGrowth(crypto, network, heads, read.consistency_path)));
        return true;
      },
    ),
    target(
      "verifyCheckpoint",
      ["checkpoint.ts#verifyCheckpoint", "note.ts#verifyNote"],
      [side.checkpoint],
      async (text) => {
        const note = parseNote(text);
        const noted = await verifyNote(crypto, [side.network.logKey], note);
        isValid(noted);
        if (!isValid(await verifyCheckpoint(crypto, network, text))) return false;
        assert.ok(noted.valid);
        assert.equal(note.text, parseNote(side.checkpoint).text);
        assert.ok(note.text.startsWith(`${id}\n`));
        return true;
      },
    ),
  ];
}

export const VERIFIER_TARGETS: readonly Target[] = sides.flatMap(targetsOf);

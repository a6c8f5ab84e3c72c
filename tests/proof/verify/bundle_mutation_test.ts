import assert from "node:assert/strict";
import { hasCode } from "../../../src/base/errors.ts";
import { parseBundle, type ProofBundle } from "../../../src/proof/format/bundle.ts";
import { verifyBundle } from "../../../src/proof/verify/bundle.ts";
import type { Trust } from "../../../src/proof/verify/cross_anchors.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import { type VerifyReason } from "../../../src/proof/verify/reasons.ts";
import type { Verdict } from "../../../src/proof/verify/verdict.ts";
import { eachScheme } from "../../schemes.ts";
import { batchedBundle, makeLog, nativeCrypto, TestNetwork } from "./fixture.ts";
import { type Json, type Mutation, mutations } from "./mutations.ts";

/** A network, a peer of the other scheme, and bundles of one of its attestations. */
function makeFixture(scheme: SignatureScheme) {
  const network = new TestNetwork("net.example/home", { scheme });
  const peer = new TestNetwork("net.example/peer", {
    scheme: scheme === "bls" ? "ed25519" : "bls",
  });
  const beacon = { chain_hash: "ab".repeat(32), round: 77, signature: "cd".repeat(48) };
  const log = makeLog(network, beacon);
  const batched = batchedBundle(log);
  const trust: Trust = { network: network.configuration, peers: [peer.configuration] };
  const federating: Trust = {
    network: {
      ...network.configuration,
      federation: { enabled: true, peer_networks: [{ id: peer.id }], cross_anchor_threshold: 1 },
    },
    peers: [peer.configuration],
  };
  const federated: ProofBundle = {
    ...batched,
    cross_anchors: [log.crossAnchor(peer, { from: 12, size: 16, timestamp: 1_766_275_400 })],
    external_anchors: [log.externalAnchor({ from: 12, size: 16, timestamp: 1_766_275_400 })],
  };
  return { peer, batched, trust, federating, federated };
}

const fixtures: Readonly<Record<SignatureScheme, ReturnType<typeof makeFixture>>> = {
  ed25519: makeFixture("ed25519"),
  bls: makeFixture("bls"),
};

/** The verdict on a mutated bundle, or `undefined` if it does not parse. */
async function judge(pinned: Trust, value: Json): Promise<Verdict | undefined> {
  let bundle;
  try {
    bundle = parseBundle(JSON.stringify(value));
  } catch (error) {
    if (hasCode(error, "malformed_bundle")) return undefined;
    throw error;
  }
  return await verifyBundle(nativeCrypto, pinned, bundle);
}

function jsonOf(bundle: ProofBundle): Json {
  return JSON.parse(JSON.stringify(bundle)) as Json;
}

/** The expected reason after a change of a set of signatures of either form. */
const SET_REASONS: readonly (readonly [RegExp, readonly VerifyReason[]])[] = [
  [
    /\.signatures/,
    ["signature_invalid", "threshold_not_met", "signer_duplicate", "signers_unordered"],
  ],
  [/\.signature$/, ["signature_invalid"]],
  [
    /\.signers/,
    [
      "signature_invalid",
      "threshold_not_met",
      "signer_duplicate",
      "signers_unordered",
      "signer_unknown",
    ],
  ],
];

/**
 * The expected reason after a change of a field of the attestation; the first matching pattern
 * counts.
 */
const ATTESTATION_REASONS: readonly (readonly [RegExp, readonly VerifyReason[]])[] = [
  [/\.network_id$/, ["network_mismatch"]],
  [/\.(hash|timestamp)$/, ["signature_invalid"]],
  [/\.sequence$/, ["signature_invalid", "round_index_invalid"]],
  [/\.round\.index$/, ["signature_invalid", "round_index_invalid", "round_path_invalid"]],
  [/\.round\.size$/, ["signature_invalid", "round_size_invalid", "round_path_invalid"]],
  [/\.beacon/, ["signature_invalid"]],
  [/\.inclusion_path/, ["signature_invalid", "round_path_invalid", "round_index_invalid"]],
  ...SET_REASONS,
];

/** The expected reason after a change of a field of the batch. */
const BATCH_REASONS: readonly (readonly [RegExp, readonly VerifyReason[]])[] = [
  [/^batch_inclusion\.(batch\.(first_index|attestation_count))$/, [
    "batch_count_wrong",
    "batch_range_wrong",
  ]],
  [/^batch_inclusion\.(batch|merkle_proof)\.[a-z_]+$/, ["field_mismatch", "inclusion_invalid"]],
  [/inclusion_path/, ["inclusion_invalid"]],
  [/\.sth\.tree_head\.network_id$/, ["network_mismatch"]],
  [/\.sth\.tree_head\.tree_size$/, ["signature_invalid", "empty_root_wrong"]],
  [/\.sth\.tree_head\.(timestamp|root_hash)$/, ["signature_invalid"]],
  ...SET_REASONS,
];

function assertReason(
  mutation: Mutation,
  reason: VerifyReason | undefined,
  table: readonly (readonly [RegExp, readonly VerifyReason[]])[],
): void {
  const what = `${mutation.path}, ${mutation.change}: ${reason}`;
  const [, expected] = table.find(([pattern]) => pattern.test(mutation.path)) ?? [];
  assert(expected !== undefined, `no reason is expected of ${what}`);
  assert(reason !== undefined && expected.includes(reason), what);
}

eachScheme.test("every change of a batched bundle is detected with its reason", async (scheme) => {
  const { batched, trust } = fixtures[scheme];
  assert.equal((await judge(trust, jsonOf(batched)))?.level, "batched");
  const unnoticed = new Set<string>();
  let refused = 0;
  for (const mutation of mutations(jsonOf(batched))) {
    const verdict = await judge(trust, mutation.value);
    if (verdict === undefined) {
      refused++;
    } else if (mutation.path.startsWith("signed_attestation")) {
      assert.equal(verdict.level, "invalid", `${mutation.path}, ${mutation.change}`);
      assert.equal(verdict.valid, false);
      assertReason(mutation, verdict.layers.attestation.reason, ATTESTATION_REASONS);
      assert.equal(verdict.layers.batch.status, "not_checked");
    } else if (verdict.level === "batched") {
      unnoticed.add(mutation.path);
      assert(verdict.unauthenticated.includes(mutation.path), mutation.path);
    } else if (mutation.path === "batch_inclusion") {
      // A bundle without its batch is a valid bundle of a lower level.
      assert.deepEqual([verdict.level, verdict.layers.batch.status], ["basic", "absent"]);
    } else {
      assert.equal(verdict.level, "basic", `${mutation.path}, ${mutation.change}`);
      assert.equal(verdict.valid, true);
      assertReason(mutation, verdict.layers.batch.reason, BATCH_REASONS);
    }
  }
  assert.deepEqual([...unnoticed], ["batch_inclusion.batch.period_start"]);
  assert(refused > 100, "malformed changes are refused as such");
});

eachScheme.test("a changed redundant field is the reported one", async (scheme) => {
  const { batched, trust } = fixtures[scheme];
  const repeated = [
    "merkle_proof.hash",
    "merkle_proof.leaf_hash",
    "merkle_proof.leaf_index",
    "merkle_proof.tree_size",
    "merkle_proof.root_hash",
    "merkle_proof.batch_id",
    "batch.id",
    "batch.network_id",
    "batch.root_hash",
    "batch.tree_size",
    "batch.period_end",
  ];
  const named = new Set<string>();
  for (const mutation of mutations(jsonOf(batched))) {
    const field = repeated.find((name) => mutation.path === `batch_inclusion.${name}`);
    const verdict = field && await judge(trust, mutation.value);
    if (!verdict) continue;
    assert.equal(verdict.layers.batch.reason, "field_mismatch");
    assert.equal(verdict.layers.batch.field, mutation.path);
    named.add(field);
  }
  assert.deepEqual([...named].sort(), repeated.sort());
});

eachScheme.test("exactly the fields reported as unauthenticated can be changed", async (scheme) => {
  const { batched, trust } = fixtures[scheme];
  const verdict = await judge(trust, jsonOf(batched));
  assert.deepEqual(verdict?.unauthenticated, [
    "batch_inclusion.batch.first_index",
    "batch_inclusion.batch.attestation_count",
    "batch_inclusion.batch.period_start",
  ]);
  // If all three change consistently, the change is undetected.
  const { batch } = batched.batch_inclusion!;
  for (const first_index of [0, 1, 6, 7]) {
    const attestation_count = batch.tree_size - first_index;
    const other = { ...batch, first_index, attestation_count, period_start: 5 };
    const changed = { ...batched, batch_inclusion: { ...batched.batch_inclusion!, batch: other } };
    assert.equal((await judge(trust, jsonOf(changed)))?.level, "batched");
  }
});

/** The expected reason after a change of a field of the cross-anchor. */
const ANCHOR_REASONS: readonly (readonly [RegExp, readonly VerifyReason[]])[] = [
  [/\.witnessing_network$/, ["peer_not_pinned"]],
  [/\.consistency_path/, ["consistency_invalid"]],
  [/\.tree_head\.network_id$/, ["network_mismatch"]],
  [/\.tree_head\.(tree_size|timestamp|root_hash)$/, ["signature_invalid"]],
  ...SET_REASONS,
];

eachScheme.test("every change of a cross-anchor is detected with its reason", async (scheme) => {
  const { peer, federating, federated } = fixtures[scheme];
  assert.equal((await judge(federating, jsonOf(federated)))?.level, "federated");
  for (const mutation of mutations(jsonOf(federated))) {
    if (!mutation.path.startsWith("cross_anchors")) continue;
    const verdict = await judge(federating, mutation.value);
    if (verdict === undefined) continue;
    const [first, second] = verdict.layers.cross_anchors;
    if (mutation.path === "cross_anchors[0]" && mutation.change === "doubled") {
      assert.equal(verdict.level, "federated");
      assert.deepEqual(verdict.layers.federation.counted, [peer.id]);
      assert.deepEqual([first?.counted, second?.counted], [true, false]);
      assert.equal(second?.reason, "peer_already_counted");
      continue;
    }
    assert.equal(verdict.level, "batched", `${mutation.path}, ${mutation.change}`);
    assert.equal(verdict.layers.federation.reason, "cross_anchors_missing");
    if (first !== undefined) assertReason(mutation, first.reason, ANCHOR_REASONS);
  }
});

eachScheme.test("every change of an external anchor unbinds it or is reported as unauthenticated", async (scheme) => {
  const { federating, federated } = fixtures[scheme];
  const whole = await judge(federating, jsonOf(federated));
  assert.equal(whole?.layers.external_anchors.present, 1);
  const unnoticed = new Set<string>();
  for (const mutation of mutations(jsonOf(federated))) {
    if (!mutation.path.startsWith("external_anchors[0].")) continue;
    const verdict = await judge(federating, mutation.value);
    if (verdict === undefined) continue;
    assert.equal(verdict.level, "federated", "external anchors are no part of the level");
    const { present, unbound } = verdict.layers.external_anchors;
    assert.equal(present + unbound, 1);
    if (present === 1) unnoticed.add(mutation.path.replace(/\.proof\..*$/, ".proof"));
  }
  const reported = whole.unauthenticated.filter((path) => path.startsWith("external"));
  assert.deepEqual([...unnoticed].sort(), reported.toSorted());
});

eachScheme.test("control: a verifier that accepts every signature misses changes", async (scheme) => {
  const { batched, trust } = fixtures[scheme];
  const credulous = {
    ...nativeCrypto,
    ed25519: () => true,
    bls: { ...nativeCrypto.bls, fastAggregateVerify: () => true },
  };
  let unnoticed = 0;
  for (const mutation of mutations(jsonOf(batched))) {
    if (!/\.(timestamp|signature)$/.test(mutation.path)) continue;
    try {
      const bundle = parseBundle(JSON.stringify(mutation.value));
      if ((await verifyBundle(credulous, trust, bundle)).level === "batched") unnoticed++;
    } catch (error) {
      assert(hasCode(error, "malformed_bundle"));
    }
  }
  assert(unnoticed > 0);
});

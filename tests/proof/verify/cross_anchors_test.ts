import assert from "node:assert/strict";
import { hexOf } from "../../../src/base/bytes.ts";
import type { CrossAnchor, ProofBundle } from "../../../src/proof/format/bundle.ts";
import type { FederationPolicy, NetworkConfiguration } from "../../../src/proof/format/network.ts";
import { encodeVkey } from "../../../src/proof/format/note_key.ts";
import { encodeCosignatureMessage } from "../../../src/proof/format/tree_head.ts";
import { verifyBundle } from "../../../src/proof/verify/bundle.ts";
import { batchedBundle, digestOf, makeLog, nativeCrypto, TestLog, TestNetwork } from "./fixture.ts";

const home = new TestNetwork("net.example/home");
const alpha = new TestNetwork("peer.example/alpha");
const beta = new TestNetwork("peer.example/beta", { witnesses: 4, threshold: 2 });
const rogue = new TestNetwork("peer.example/rogue");
const log = makeLog(home);
const TIME = 1_766_275_400;

function anchor(
  peer: TestNetwork,
  place: { from?: number; size?: number; places?: readonly number[] } = {},
): CrossAnchor {
  return log.crossAnchor(peer, { from: 12, size: 16, timestamp: TIME, ...place });
}

interface Setting {
  readonly policy?: Partial<FederationPolicy>;
  readonly peers?: readonly NetworkConfiguration[];
  readonly pinned?: Partial<NetworkConfiguration>;
  readonly bundle?: ProofBundle;
}

/** The verdict on a batched bundle with `anchors`, under a policy of one peer out of two. */
async function judge(anchors: readonly CrossAnchor[], setting: Setting = {}) {
  const { policy, peers = [alpha.configuration, beta.configuration], bundle } = setting;
  const federation = {
    enabled: true,
    peer_networks: [{ id: alpha.id }, { id: beta.id }],
    cross_anchor_threshold: 1,
    ...policy,
  };
  const network = { ...home.configuration, federation, ...setting.pinned };
  const verdict = await verifyBundle(nativeCrypto, { network, peers }, {
    ...(bundle ?? batchedBundle(log)),
    cross_anchors: anchors,
  });
  return {
    level: verdict.level,
    counted: verdict.layers.federation.counted,
    federation: verdict.layers.federation.reason,
    reasons: verdict.layers.cross_anchors.map((layer) => layer.reason),
    flags: verdict.layers.cross_anchors.map((layer) => layer.counted),
    witnesses: verdict.layers.cross_anchors.map((layer) => layer.witness),
    statuses: verdict.layers.cross_anchors.map((layer) => layer.status),
    unauthenticated: verdict.unauthenticated.filter((path) => path.startsWith("cross")),
  };
}

/** The reason why one anchor does not count. */
async function refusal(one: CrossAnchor, setting: Setting = {}) {
  const { level, counted, flags, reasons } = await judge([one], setting);
  assert.equal(level, "batched");
  assert.deepEqual([counted, flags], [[], [false]]);
  return reasons[0];
}

Deno.test("a peer's cosignature of our head, at its size or later, federates", async () => {
  for (const size of [12, 13, 16]) {
    const { level, counted, reasons, unauthenticated } = await judge([anchor(alpha, { size })]);
    assert.equal(level, "federated", `${size}`);
    assert.deepEqual([counted, reasons, unauthenticated], [[alpha.id], [undefined], []]);
  }
});

Deno.test("the policy's number of distinct peers is required", async () => {
  const policy = { cross_anchor_threshold: 2 };
  assert.equal((await judge([anchor(alpha), anchor(beta)], { policy })).level, "federated");
  const again = anchor(alpha, { size: 14 });
  const twice = await judge([anchor(alpha), again, anchor(alpha)], { policy });
  assert.equal(twice.level, "batched");
  assert.equal(twice.federation, "cross_anchors_missing");
  assert.deepEqual(twice.counted, [alpha.id]);
  assert.deepEqual(twice.reasons, [undefined, "peer_already_counted", "peer_already_counted"]);
});

Deno.test("a failed anchor does not prevent another anchor of the same peer from counting", async () => {
  const { level, reasons } = await judge([anchor(alpha, { places: [1] }), anchor(alpha)]);
  assert.deepEqual([level, reasons], ["federated", ["threshold_not_met", undefined]]);
});

Deno.test("at most eight anchors of one peer are verified", async () => {
  const wrong = anchor(alpha, { places: [1] });
  const eighth = await judge([...Array(7).fill(wrong), anchor(alpha), anchor(beta)]);
  assert.deepEqual(eighth.counted, [alpha.id, beta.id]);
  const ninth = await judge([...Array(8).fill(wrong), anchor(alpha), anchor(beta)]);
  assert.deepEqual(ninth.counted, [beta.id]);
  assert.deepEqual(ninth.reasons.slice(7), [
    "threshold_not_met",
    "peer_anchors_surplus",
    undefined,
  ]);
  assert.equal(ninth.statuses[8], "not_checked");
});

Deno.test("a disabled policy or a threshold of zero is never met", async () => {
  for (const policy of [{ enabled: false }, { cross_anchor_threshold: 0 }]) {
    const result = await judge([anchor(alpha)], { policy });
    assert.equal(result.level, "batched");
    assert.equal(result.federation, "federation_disabled");
    assert.deepEqual(result.statuses, ["verified"], "and the anchor is reported all the same");
  }
  assert.equal((await judge([])).federation, "cross_anchors_missing");
});

Deno.test("a network that is not a pinned peer does not count", async () => {
  const peers = [alpha.configuration, rogue.configuration];
  assert.equal(await refusal(anchor(rogue), { peers }), "peer_not_pinned");
  // Nor under a pinned name, because its keys differ from the supplied ones.
  const disguised = { ...anchor(rogue), witnessing_network: alpha.id };
  assert.equal(await refusal(disguised, { peers }), "threshold_not_met");
});

Deno.test("a configuration with another id than the pinned one is ignored", async () => {
  const { counted, reasons, statuses } = await judge([anchor(alpha)], {
    peers: [{ ...alpha.configuration, id: "peer.example/renamed" }],
  });
  assert.deepEqual(counted, []);
  assert.deepEqual([reasons, statuses], [["peer_configuration_missing"], ["not_checked"]]);
});

Deno.test("our own network is not a peer, even if it pins itself", async () => {
  const own = anchor(home);
  assert.equal(await refusal(own), "peer_is_home");
  // checkNetwork would refuse this configuration; the test needs the verifier's rule.
  const policy = { peer_networks: [{ id: home.id }] };
  const peers = [home.configuration];
  assert.equal(await refusal(own, { policy, peers }), "peer_is_home");
});

Deno.test("a peer that shares a witness's key with us does not count", async () => {
  const sharing = new TestNetwork(alpha.id, {
    witnesses: 4,
    seeds: ["a", "b", "c", `${home.id}/w3`],
  });
  const peers = [sharing.configuration];
  assert.equal(await refusal(anchor(sharing), { peers }), "peer_key_shared");
  const twice = await judge([anchor(sharing), anchor(sharing, { size: 14 })], { peers });
  assert.deepEqual(twice.reasons, ["peer_key_shared", "peer_key_shared"]);
});

Deno.test("a peer that uses our log key as a witness's, or as its log key, does not count", async () => {
  const witness = new TestNetwork(alpha.id, { seeds: [`${home.id}/log`] });
  assert.equal(
    await refusal(anchor(witness), { peers: [witness.configuration] }),
    "peer_key_shared",
  );
  const publicKey = home.log.publicKey;
  const log_vkey = encodeVkey({ name: alpha.id, type: 1, publicKey });
  const peers = [{ ...alpha.configuration, log_vkey }];
  assert.equal(await refusal(anchor(alpha), { peers }), "peer_key_shared");
});

Deno.test("of two peers that share a key one counts, in any order of the bundle", async () => {
  const sharing = new TestNetwork(beta.id, { seeds: [`${alpha.id}/w2`] });
  const peers = [alpha.configuration, sharing.configuration];
  const policy = { cross_anchor_threshold: 2 };
  for (const swap of [false, true]) {
    const anchors = [anchor(alpha), anchor(sharing, { places: [1, 2] })];
    const { level, counted, reasons } = await judge(swap ? anchors.toReversed() : anchors, {
      peers,
      policy,
    });
    assert.equal(level, "batched");
    assert.deepEqual(counted, [alpha.id]);
    const expected = [undefined, "peer_key_shared"];
    assert.deepEqual(reasons, swap ? expected.toReversed() : expected);
  }
});

Deno.test("a peer that shares a key with an earlier one never counts, whatever the bundle shows", async () => {
  const first = new TestNetwork("peer.example/a", { seeds: ["one", "two", "three"] });
  const others = ["b", "c"].map((name, i) =>
    new TestNetwork(`peer.example/${name}`, { seeds: [["one", "two"][i]!, `${name}2`, `${name}3`] })
  );
  const all = [first, ...others];
  const peers = all.map(({ configuration }) => configuration);
  const policy = { peer_networks: all.map(({ id }) => ({ id })), cross_anchor_threshold: 2 };
  const shown = others.map((peer) => anchor(peer, { places: [1, 2] }));
  for (const anchors of [shown, [anchor(first, { places: [0] }), ...shown]]) {
    const { level, counted, reasons } = await judge(anchors, { peers, policy });
    assert.deepEqual([level, counted], ["batched", []]);
    assert.deepEqual(reasons.slice(-2), ["peer_key_shared", "peer_key_shared"]);
  }
  const without = await judge(shown, { peers: peers.slice(1), policy });
  assert.equal(without.level, "federated");
});

Deno.test("both the peer's threshold and the pin's minimum apply", async () => {
  assert.equal(await refusal(anchor(beta, { places: [0] })), "threshold_not_met");
  const policy = { peer_networks: [{ id: beta.id, min_witnesses: 3 }] };
  assert.equal(await refusal(anchor(beta), { policy }), "min_witnesses_not_met");
  const enough = await judge([anchor(beta, { places: [0, 1, 3] })], { policy });
  assert.equal(enough.level, "federated");
  // A minimum below the peer's own threshold does not lower it.
  const low = { peer_networks: [{ id: beta.id, min_witnesses: 1 }] };
  assert.equal(await refusal(anchor(beta, { places: [0] }), { policy: low }), "threshold_not_met");
});

Deno.test("the path must lead from the batch's head to the anchored one", async () => {
  const right = anchor(alpha);
  const empty = { ...right, consistency_path: [] };
  assert.equal(await refusal(empty), "consistency_invalid");
  const fromElsewhere = { ...right, consistency_path: log.consistencyPath(4, 16) };
  assert.equal(await refusal(fromElsewhere), "consistency_invalid");
  const needless = { ...anchor(alpha, { size: 12 }), consistency_path: right.consistency_path };
  assert.equal(await refusal(needless), "consistency_invalid");
});

Deno.test("an anchored head older than the batch does not cover it", async () => {
  const older = log.crossAnchor(alpha, { from: 4, size: 9, timestamp: TIME });
  assert.equal(await refusal(older), "anchor_precedes_batch");
});

Deno.test("a forked head cosigned by the peer does not prove growth of our log", async () => {
  const fork = makeLog(home);
  fork.addRound([digestOf("a fork")], { timestamp: 1 });
  const other = new TestLog(home);
  for (let i = 0; i < 16; i++) other.addRound([digestOf(`other ${i}`)], { timestamp: i });
  const forked = other.crossAnchor(alpha, { from: 12, size: 16, timestamp: TIME });
  assert.equal(await refusal(forked), "consistency_invalid");
  // The same history with one more leaf is growth, even though we never published that head.
  const grown = fork.crossAnchor(alpha, { from: 12, size: 17, timestamp: TIME });
  assert.equal((await judge([grown])).level, "federated");
});

Deno.test("an attestation of our head by the peer is not a cross-anchor", async () => {
  // Any client can submit any hash to the peer, which then signs a round with it.
  const peers = new TestLog(alpha);
  const head = log.head(12, TIME);
  peers.addRound([head.root_hash], { timestamp: TIME });
  const attested = peers.attestations[0]!;
  if (!("signatures" in attested)) throw new Error("an ed25519 network signs lists");
  const offered: CrossAnchor = {
    witnessing_network: alpha.id,
    tree_head: head,
    consistency_path: [],
    signatures: attested.signatures,
  };
  assert.equal(await refusal(offered), "signature_invalid");
});

Deno.test("the peer's own head is not an anchor of our log", async () => {
  const peers = makeLog(alpha);
  const offered = { ...anchor(alpha), ...peers.sth(16, TIME) };
  assert.equal(await refusal(offered), "network_mismatch");
});

Deno.test("cross-anchors are not checked without a verified batch", async () => {
  for (
    const bundle of [
      log.bundle(7),
      log.bundle(7, log.batchInclusion(7, log.sth(12, TIME, [0]))),
    ]
  ) {
    const { level, counted, statuses, unauthenticated } = await judge([anchor(alpha)], { bundle });
    assert.equal(level, "basic");
    assert.deepEqual([counted, statuses], [[], ["not_checked"]]);
    assert.deepEqual(unauthenticated, ["cross_anchors[0]"]);
  }
});

Deno.test("signatures in the form of the other scheme are refused", async () => {
  const { witnessing_network, tree_head, consistency_path } = anchor(alpha);
  const set = { signature: "c0".padEnd(96, "0"), signers: [`${alpha.id}/w1`, `${alpha.id}/w2`] };
  const bls = { witnessing_network, tree_head, consistency_path, ...set };
  assert.equal(await refusal(bls), "scheme_mismatch");
});

Deno.test("an anchor names the witness that makes it invalid", async () => {
  const { witnesses, reasons } = await judge([anchor(alpha), anchor(beta, { places: [3, 0] })]);
  assert.deepEqual(reasons, [undefined, "signers_unordered"]);
  assert.deepEqual(witnesses, [undefined, `${beta.id}/w1`]);
});

Deno.test("an anchor that fails for any reason is unauthenticated as a whole", async () => {
  const bad = { ...anchor(alpha), consistency_path: [hexOf(new Uint8Array(32))] };
  const { unauthenticated } = await judge([anchor(beta), bad]);
  assert.deepEqual(unauthenticated, ["cross_anchors[1]"]);
});

Deno.test("a peer of the other scheme federates, under its own rules", async () => {
  const gamma = new TestNetwork("peer.example/gamma", { scheme: "bls", witnesses: 4 });
  const peers = [alpha.configuration, gamma.configuration];
  const peer_networks = [{ id: alpha.id }, { id: gamma.id, min_witnesses: 3 }];
  const policy = { peer_networks, cross_anchor_threshold: 2 };
  const judged = await judge([anchor(alpha), anchor(gamma, { places: [0, 1, 3] })], {
    peers,
    policy,
  });
  assert.deepEqual([judged.level, judged.counted], ["federated", [alpha.id, gamma.id]]);
  assert.deepEqual(judged.unauthenticated, []);
  const few = anchor(gamma, { places: [0, 1] });
  assert.equal(await refusal(few, { peers, policy }), "min_witnesses_not_met");
  assert.equal(await refusal(anchor(gamma, { places: [0] }), { peers }), "peer_not_pinned");
  const { witnessing_network, tree_head, consistency_path } = few;
  const list = { witnessing_network, tree_head, consistency_path, signatures: [] };
  assert.equal(await refusal(list, { peers, policy }), "scheme_mismatch");
  const other = { ...few, ...gamma.signTogether("something else\n", [0, 1, 2]) };
  assert.equal(await refusal(other, { peers, policy }), "signature_invalid");
  const { signature } = gamma.signTogether(encodeCosignatureMessage(tree_head), [0, 1, 2]);
  const renamed = {
    ...few,
    signature,
    signers: [0, 1, 2].map((place) => `${alpha.id}/w${place + 1}`),
  };
  assert.equal(await refusal(renamed, { peers, policy }), "signer_unknown");
});

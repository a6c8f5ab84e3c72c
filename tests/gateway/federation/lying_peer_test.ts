/**
 * Answers of a lying peer: only a valid cross-anchor is accepted.
 */

import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { checkCrossAnchor } from "../../../src/gateway/federation/cross_anchor_check.ts";
import type {
  CrossAnchorAnswer,
  CrossAnchorRequest,
  PeerCosignature,
} from "../../../src/proof/format/federation.ts";
import {
  type BlsSignatureSet,
  type Ed25519SignatureSet,
  isEd25519Set,
  type SignatureSet,
} from "../../../src/proof/format/signature_set.ts";
import { encodeCosignatureMessage, type TreeHead } from "../../../src/proof/format/tree_head.ts";
import { FakeClock } from "../../fake_clock.ts";
import { eachScheme, nativeCrypto, schemeSigner } from "../../schemes.ts";
import type { ThresholdCrypto } from "../../../src/proof/verify/verifier_crypto.ts";
import { type JoinOptions, mesh, Site } from "./site.ts";

/** A home network, and its peer's change of each honest answer. */
type Lie = (honest: PeerCosignature, world: World) => PeerCosignature | CrossAnchorAnswer;

interface World {
  readonly home: Site;
  readonly peer: Site;
  readonly clock: FakeClock;
  /** The peer's answer to an earlier request. */
  readonly earlier: PeerCosignature | undefined;
}

/** `head` signed by the keys of the ids of `signers`, under the ids of `names`. */
function signedBy(
  peer: Site,
  head: TreeHead,
  signers: readonly string[],
  names = signers,
): SignatureSet {
  const { signature_scheme: scheme } = peer.network;
  const message = utf8(encodeCosignatureMessage(head));
  const shares = signers.map((id) => schemeSigner(scheme, id).sign(message));
  if (scheme === "ed25519") {
    const signatures = shares.map((share, i) => ({
      witness_id: names[i]!,
      signature: share.toHex(),
    }));
    return { signatures };
  }
  return { signature: nativeCrypto.bls.aggregate(shares)!.toHex(), signers: [...names] };
}

function resigned(peer: Site, head: TreeHead): PeerCosignature {
  const ids = peer.network.witnesses.map(({ id }) => id);
  return { treeHead: head, signatures: signedBy(peer, head, ids) };
}

/** Sets with one member changed, in either shape. */
function withSet(
  { treeHead, signatures }: PeerCosignature,
  list: (set: Ed25519SignatureSet["signatures"]) => Ed25519SignatureSet["signatures"],
  signers: (set: BlsSignatureSet) => BlsSignatureSet,
): PeerCosignature {
  const changed = isEd25519Set(signatures)
    ? { signatures: list(signatures.signatures) }
    : signers(signatures);
  return { treeHead, signatures: changed };
}

const LIES: Readonly<Record<string, Lie>> = {
  "another root, signed": ({ treeHead }, { peer }) =>
    resigned(peer, { ...treeHead, root_hash: "00".repeat(32) }),
  "another size, signed": ({ treeHead }, { peer }) =>
    resigned(peer, { ...treeHead, tree_size: treeHead.tree_size + 1 }),
  "its own head, signed": ({ treeHead }, { peer }) =>
    resigned(peer, { ...treeHead, network_id: peer.id }),
  "a time to come, signed": ({ treeHead }, { peer }) =>
    resigned(peer, { ...treeHead, timestamp: treeHead.timestamp + 301 }),
  "a time long past, signed": ({ treeHead }, { peer }) =>
    resigned(peer, { ...treeHead, timestamp: treeHead.timestamp - 301 }),
  "an answer to an earlier request": (honest, { earlier }) => earlier ?? honest,
  "earlier signatures under the head that was sent": ({ treeHead }, { earlier }) => ({
    treeHead,
    signatures: earlier!.signatures,
  }),
  "the right signatures under another time": ({ treeHead, signatures }) => ({
    treeHead: { ...treeHead, timestamp: treeHead.timestamp + 1 },
    signatures,
  }),
  "too few": (honest, { peer }) => {
    const { treeHead } = honest;
    return { treeHead, signatures: signedBy(peer, treeHead, [peer.network.witnesses[0]!.id]) };
  },
  "none": (honest) => withSet(honest, () => [], (set) => ({ ...set, signers: [] })),
  "a witness twice": (honest) =>
    withSet(
      honest,
      ([first]) => [first!, first!],
      ({ signature, signers: [first] }) => ({ signature, signers: [first!, first!] }),
    ),
  "a threshold of unknown ids": ({ treeHead }, { peer }) => ({
    treeHead,
    signatures: signedBy(peer, treeHead, ["x/1", "x/2", "x/3"]),
  }),
  "a known id and unknown ones": ({ treeHead }, { peer }) => {
    const ids = ["a/1", "a/2", peer.network.witnesses[0]!.id];
    return { treeHead, signatures: signedBy(peer, treeHead, ids) };
  },
  "the keys of others under its own ids": ({ treeHead }, { peer }) => ({
    treeHead,
    signatures: signedBy(
      peer,
      treeHead,
      ["x/1", "x/2"],
      peer.network.witnesses.slice(0, 2).map(({ id }) => id),
    ),
  }),
  "the other scheme's shape": ({ treeHead, signatures }) => ({
    treeHead,
    signatures: isEd25519Set(signatures)
      ? { signature: "00".repeat(48), signers: ["a", "b"] }
      : { signatures: [] },
  }),
  "no signatures but other sizes, again and again": () => ({ kind: "sizes_required", sizes: [1] }),
};

/** Runs a home network with a lying peer; returns the accepted anchors and the status. */
async function runLie(scheme: "ed25519" | "bls", lie: Lie, options: JoinOptions = {}) {
  const clock = new FakeClock();
  const home = new Site("home.example", clock, { scheme });
  const peer = new Site("peer.example", clock, { scheme });
  mesh([home, peer], options);
  const client = peer.clientFor(home);
  let earlier: PeerCosignature | undefined;
  let isLying = false;
  let asked = 0;
  home.reached.set(peer.id, {
    crossAnchor: async (request: CrossAnchorRequest, signal) => {
      asked++;
      const answer = await client.crossAnchor(request, signal);
      if (answer.kind !== "cosigned") return answer;
      if (!isLying) {
        earlier = answer.cosignature;
        return answer;
      }
      const lied = lie(answer.cosignature, { home, peer, clock, earlier });
      return "kind" in lied ? lied : { kind: "cosigned", cosignature: lied };
    },
  });
  home.start();
  await home.publish(3);
  await clock.advance(1_000);
  // A home network without memory sends a cosigned head again, so the lie may be an old true
  // answer.
  await home.stop();
  await clock.advance(301_000);
  home.store.disk.crossAnchors.clear();
  const before = home.added.length;
  home.open();
  home.start();
  isLying = true;
  await clock.advance(400_000);
  const [status] = home.anchoring.status();
  await home.stop();
  assert.equal(before, 1);
  return { taken: home.added.slice(before), status, asked, home };
}

for (const [name, lie] of Object.entries(LIES)) {
  eachScheme.test(`an answer with ${name} is not accepted`, async (scheme) => {
    const { taken, status, home } = await runLie(scheme, lie);
    assert.deepEqual(taken, []);
    assert.equal(home.store.disk.crossAnchors.size, 0);
    assert.equal(status!.lastError, "peer_refused");
  });
}

eachScheme.test("control: an honest answer is accepted in the same run", async (scheme) => {
  const { taken, status } = await runLie(scheme, (honest) => honest);
  assert.equal(taken.length, 1);
  assert.equal(status!.lastError, undefined);
});

/** Accepts every signature. */
const gullible: ThresholdCrypto = {
  ...nativeCrypto,
  ed25519: () => true,
  bls: { ...nativeCrypto.bls, fastAggregateVerify: () => true },
};

eachScheme.test("control: without the check of signatures, other keys are accepted", async (scheme) => {
  const lie = LIES["the keys of others under its own ids"]!;
  const { taken } = await runLie(scheme, lie, { crypto: gullible });
  assert.equal(taken.length, 1);
});

Deno.test("each rule of the check is needed: without it a wrong answer is accepted", async () => {
  const clock = new FakeClock();
  const home = new Site("home.example", clock);
  const peer = new Site("peer.example", clock, { size: 4 });
  mesh([home, peer]);
  const { sth: { tree_head: head } } = await home.publish(3);
  const now = clock.nowMs() / 1_000;
  const treeHead = { ...head, timestamp: now };
  const [first, second, third] = peer.network.witnesses.map(({ id }) => id) as [
    string,
    string,
    string,
  ];
  const check = (
    change: Partial<Parameters<typeof checkCrossAnchor>[1]>,
    cosignature: PeerCosignature,
  ) => {
    const expected = {
      own: home.network,
      peer: { network: peer.network, minWitnesses: 2 },
      head,
      now,
    };
    return checkCrossAnchor(nativeCrypto, { ...expected, ...change }, cosignature);
  };
  const two = { treeHead, signatures: signedBy(peer, treeHead, [first, second]) };
  const three = { treeHead, signatures: signedBy(peer, treeHead, [first, second, third]) };
  await check({}, two);
  await check({ peer: { network: peer.network, minWitnesses: 3 } }, three);
  await check({ now: now + 300 }, two);
  await check({ now: now - 300 }, two);
  const refused = { code: "peer_refused" };
  await assert.rejects(check({ peer: { network: peer.network, minWitnesses: 3 } }, two), refused);
  await assert.rejects(check({ now: now + 301 }, two), refused);
  await assert.rejects(check({ now: now - 301 }, two), refused);
  const [shared] = peer.network.witnesses;
  const own = { ...home.network, witnesses: [...home.network.witnesses, shared!] };
  await assert.rejects(check({ own }, two), { ...refused, message: /shares/ });
  // Not only by the message: a head with other members is another head.
  for (const change of [{ tree_size: 4 }, { root_hash: "00".repeat(32) }, { network_id: "x" }]) {
    await assert.rejects(check({ head: { ...head, ...change } }, two), refused);
  }
});

Deno.test("a list that meets the threshold is accepted without its unknown ids", async () => {
  const { taken } = await runLie("ed25519", ({ treeHead }, { peer }) => {
    const [first, second] = peer.network.witnesses.map(({ id }) => id) as [string, string];
    return { treeHead, signatures: signedBy(peer, treeHead, ["a/1", first, second]) };
  });
  assert.equal(taken.length, 1);
  const { signatures } = taken[0]!;
  assert.ok("signatures" in signatures);
  assert.equal(signatures.signatures.length, 2);
});

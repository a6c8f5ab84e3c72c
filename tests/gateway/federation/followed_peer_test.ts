import assert from "node:assert/strict";
import { fromHex } from "../../../src/base/bytes.ts";
import { CountersignError, hasCode } from "../../../src/base/errors.ts";
import { CrossAnchoring } from "../../../src/gateway/federation/cross_anchoring.ts";
import { Evidence, MAX_EVIDENCE_PER_ORIGIN } from "../../../src/gateway/federation/evidence.ts";
import {
  CHAIN_CHECK_MS,
  followedPeer,
  followPeers,
  presentEpoch,
} from "../../../src/gateway/federation/followed_peer.ts";
import type { AnyContradiction } from "../../../src/proof/format/federation.ts";
import type { FetchChain, Peer, PeerClient } from "../../../src/gateway/federation/ports.ts";
import { TreeHeadIntake } from "../../../src/gateway/federation/tree_head_intake.ts";
import type { CrossAnchorRecord } from "../../../src/proof/format/records.ts";
import { encodeEpochEnd, type SuccessionLink } from "../../../src/proof/format/succession.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type TreeHead,
} from "../../../src/proof/format/tree_head.ts";
import { showFirstRoot } from "../../../src/proof/merkle/shown_root.ts";
import {
  type FollowedNetwork,
  followSuccession,
  signersOfHead,
} from "../../../src/proof/verify/followed_network.ts";
import { chainFetcher } from "../../../src/http/outgoing/peer_client.ts";
import { verifyAnyContradiction } from "../../../src/proof/verify/succession_conflict.ts";
import { VERIFY_REASONS } from "../../../src/proof/verify/reasons.ts";
import { FakeClock } from "../../fake_clock.ts";
import { nativeCrypto } from "../../schemes.ts";
import type { TestNetwork } from "../../proof/verify/test_network.ts";
import { eachSignature, threeEpochs, twoSuccessions } from "../../proof/verify/test_succession.ts";
import { contradictionOf, historyOf } from "./histories.ts";
import { FederationDisk, MemoryFederationStore } from "./memory_store.ts";
import { Site } from "./site.ts";

const SIGNAL = new AbortController().signal;
const PEER = threeEpochs();
const [FIRST, SECOND] = PEER.links;
const OWN = new Site("home.example", new FakeClock()).network;
/** The clock's minute between two fetches. */
const MINUTE = 60_000;

/** Our side: what the peer's `GET /v1/succession` answers is `answer`. */
class OurSide {
  readonly clock = new FakeClock();
  readonly reports: string[] = [];
  readonly found: AnyContradiction[] = [];
  readonly disk: FederationDisk;
  answer: readonly SuccessionLink[] | CountersignError = [];
  fetches = 0;
  peer!: Peer;
  intake!: TreeHeadIntake;

  constructor(disk = new FederationDisk()) {
    this.disk = disk;
  }

  async start(
    { client, isOnline = true, network = PEER.epochs[0].configuration }: {
      readonly client?: PeerClient;
      readonly isOnline?: boolean;
      readonly network?: FollowedNetwork;
    } = {},
  ) {
    const store = new MemoryFederationStore(this.disk);
    const { clock } = this;
    const evidence = new Evidence(store, (found) => this.found.push(found));
    const fetchChain: FetchChain = () => {
      this.fetches++;
      const { answer } = this;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    const pinned = { network, minWitnesses: 2 };
    this.peer = await followedPeer(
      { ...pinned, ...(client !== undefined && { client }) },
      isOnline ? fetchChain : undefined,
      {
        store,
        evidence,
        crypto: nativeCrypto,
        clock,
        report: (message) => this.reports.push(message),
      },
    );
    this.intake = new TreeHeadIntake({
      network: OWN,
      peers: [this.peer],
      store,
      crypto: nativeCrypto,
      clock,
      // Which witnesses sign for us is not of this test.
      witnesses: {
        cosign: () => Promise.resolve({ kind: "cosigned", signatures: { signatures: [] } }),
      },
      evidence,
    });
    return this;
  }

  get epoch(): number {
    return this.peer.network.epoch ?? 0;
  }

  /** The outcome for the head of `size`, signed by `signers`. */
  async take(size: number, signers: TestNetwork, change: Partial<TreeHead> = {}): Promise<string> {
    const { log } = PEER;
    const head = { ...log.head(size, 1_766_280_000), ...change };
    const seen = this.disk.seen.get(log.network.id)?.sth.tree_head;
    const path = seen === undefined || seen.tree_size >= size ? undefined : showFirstRoot(
      seen.tree_size,
      fromHex(seen.root_hash),
      log.consistencyPath(seen.tree_size, size).map((hash) => fromHex(hash)),
    );
    try {
      const { kind } = await this.intake.take(log.network.id, {
        sth: signers.signHead(head),
        logSignature: fromHex(signers.logSignature(encodeCheckpointBody(head))),
        minWitnesses: 0,
        growth: path === undefined ? [] : [{ oldSize: seen!.tree_size, path }],
      }, SIGNAL);
      return kind;
    } catch (error) {
      assert.ok(hasCode(error, "tree_head_refused"), String(error));
      return error.message;
    }
  }
}

Deno.test("heads of a peer are taken through its successions, and after a restart", async () => {
  const [zero, one, two] = PEER.epochs;
  const our = await new OurSide().start();
  assert.equal(await our.take(5, zero), "cosigned");
  our.answer = [FIRST];
  assert.equal(await our.take(12, one), "cosigned");
  assert.deepEqual([our.epoch, our.fetches], [1, 1]);
  // A head with which an epoch ended verifies by the keys of that epoch.
  our.answer = [FIRST, SECOND];
  assert.equal(await our.take(16, one), "cosigned");
  await our.clock.advance(MINUTE);
  assert.equal(await our.take(20, two), "cosigned");
  assert.deepEqual([our.epoch, our.fetches], [2, 2]);
  assert.match(await our.take(24, one), /not signed by the pinned/);
  const again = await new OurSide(our.disk).start({ isOnline: false });
  assert.equal(again.epoch, 2);
  assert.equal(await again.take(24, two), "cosigned");
  assert.deepEqual(our.disk.links.get(zero.id), [FIRST, SECOND]);
  assert.deepEqual(our.reports.length, 2);
});

Deno.test("a peer whose succession is in a file is followed on, and nothing is reported", async () => {
  const [zero, , two] = PEER.epochs;
  const { network } = await followSuccession(nativeCrypto, zero.configuration, [FIRST]);
  const our = await new OurSide().start({ network: presentEpoch(network) });
  assert.deepEqual([our.epoch, our.reports], [1, []]);
  our.answer = PEER.links;
  assert.equal(await our.take(20, two), "cosigned");
  assert.deepEqual(our.disk.links.get(zero.id), PEER.links);
});

Deno.test("signatures of a head are those of its epoch, not of the last one", async () => {
  const our = await new OurSide().start();
  our.answer = PEER.links;
  assert.ok(await our.peer.follow?.(SIGNAL));
  assert.equal(await our.take(5, PEER.epochs[0]), "cosigned");
  const { sth } = our.disk.seen.get(PEER.log.network.id)!;
  assert.ok("signatures" in sth);
  const signers = signersOfHead(our.peer.network, 5)!.witnesses.slice(0, 2).map(({ id }) => id);
  assert.deepEqual(sth.signatures.map(({ witness_id }) => witness_id), signers);
});

Deno.test("a chain that is forged or of another network changes nothing and is reported", async () => {
  const [, one] = PEER.epochs;
  const forged = { ...FIRST, end: { ...FIRST.end, signatures: FIRST.end.signatures.slice(1) } };
  const stranger = threeEpochs("ed25519", "stranger.example").links;
  const bad = new CountersignError("peer_refused", "Cannot read succession chain");
  for (
    const [answer, reason] of [
      [[forged], /threshold_not_met/],
      [stranger, /succession_unrelated/],
      [[SECOND], /succession_unrelated/],
      [bad, /Cannot read succession chain/],
    ] as const
  ) {
    const our = await new OurSide().start();
    our.answer = answer;
    assert.match(await our.take(12, one), /not signed by the pinned/);
    assert.match(our.reports.join(), reason);
    assert.deepEqual([our.epoch, our.disk.links.size, our.reports.length], [0, 0, 1]);
    // A second head within a minute costs no second fetch.
    assert.match(await our.take(12, one), /not signed by the pinned/);
    assert.equal(our.fetches, 1);
    // And an honest answer heals it.
    our.answer = [FIRST];
    await our.clock.advance(MINUTE);
    assert.equal(await our.take(12, one), "cosigned");
  }
});

/** The links that a peer signed for epoch 0 are `FIRST` and, for others, `FORKED`. */
const FORKED = twoSuccessions().second;

Deno.test("a forged, shorter or equal chain after a followed one is no evidence", async () => {
  const [zero] = PEER.epochs;
  const our = await new OurSide().start();
  our.answer = [FIRST];
  assert.ok(await our.peer.follow!(SIGNAL));
  const { end } = FORKED;
  const unsigned = { ...FORKED, end: { ...end, signatures: [] } };
  const moved = { ...FORKED, end: { ...end, tree_size: end.tree_size - 1 } };
  const [stranger] = threeEpochs("ed25519", "stranger.example").links;
  const others = eachSignature(zero, encodeEpochEnd(FIRST, FIRST.end), [1, 2]);
  const equal = { ...FIRST, end: { ...FIRST.end, signatures: others } };
  for (
    const [answer, reason] of [
      [[], /ends before epoch 1/],
      [[unsigned], /: succession_conflict\. /],
      [[moved], /: succession_conflict\. /],
      [[stranger], /: succession_unrelated\. /],
      [[equal], /can be followed again/],
    ] as const
  ) {
    our.answer = answer;
    await our.clock.advance(MINUTE);
    assert.equal(await our.peer.follow!(SIGNAL), false);
    assert.match(our.reports.at(-1)!, reason);
    assert.deepEqual(our.disk.links.get(zero.id), [FIRST]);
    assert.deepEqual(our.peer.network.links, [FIRST]);
    assert.deepEqual([our.found, our.disk.contradictions], [[], []]);
  }
});

Deno.test("two successions of one epoch of a peer are stored once, and verify offline", async () => {
  const [zero] = PEER.epochs;
  const our = await new OurSide().start();
  our.answer = [FIRST];
  assert.ok(await our.peer.follow!(SIGNAL));
  our.answer = [FORKED];
  for (let i = 0; i < 3; i++) {
    await our.clock.advance(MINUTE);
    assert.equal(await our.peer.follow!(SIGNAL), false);
  }
  assert.match(our.reports.at(-1)!, /has two successions of epoch 0, .* Both are stored/);
  assert.deepEqual(our.peer.network.links, [FIRST]);
  const [evidence] = our.disk.contradictions;
  assert.ok(evidence !== undefined && !("path" in evidence));
  assert.deepEqual([evidence.first, evidence.second], [FIRST, FORKED]);
  assert.deepEqual([our.disk.contradictions, our.found], [[evidence], [evidence]]);
  const judge = async (evidence: AnyContradiction) =>
    await verifyAnyContradiction(nativeCrypto, zero.configuration, evidence);
  assert.ok((await judge(evidence)).valid);
  const end = { ...FORKED.end, root_hash: "00".repeat(32) };
  assert.equal((await judge({ ...evidence, second: { ...FORKED, end } })).valid, false);

  // Another fork of the epoch proves nothing new, also after a restart.
  const again = await new OurSide(our.disk).start();
  const third = twoSuccessions("ed25519", zero.id, "third").second;
  for (const answer of [[FORKED], [third]]) {
    again.answer = answer;
    await again.clock.advance(MINUTE);
    assert.equal(await again.peer.follow!(SIGNAL), false);
  }
  assert.deepEqual([again.found, again.disk.contradictions], [[], [evidence]]);
  assert.deepEqual(await again.intake.contradictions(), [evidence]);
});

Deno.test("a configured chain that differs from the stored one is evidence too", async () => {
  const [zero] = PEER.epochs;
  const our = await new OurSide().start();
  our.answer = [FIRST];
  assert.ok(await our.peer.follow!(SIGNAL));
  const { network } = await followSuccession(nativeCrypto, zero.configuration, [FORKED]);
  const again = await new OurSide(our.disk).start({ network: presentEpoch(network) });
  assert.deepEqual(again.found.map(({ first, second }) => [first, second]), [[FORKED, FIRST]]);
});

Deno.test("evidence of two successions that cannot be stored is reported as such, then stored", async () => {
  const our = await new OurSide().start();
  our.answer = [FIRST];
  assert.ok(await our.peer.follow!(SIGNAL));
  our.answer = [FORKED];
  const add = MemoryFederationStore.prototype.addContradiction;
  try {
    MemoryFederationStore.prototype.addContradiction = () =>
      Promise.reject(new CountersignError("storage_failed", "full"));
    await our.clock.advance(MINUTE);
    assert.equal(await our.peer.follow!(SIGNAL), false);
  } finally {
    MemoryFederationStore.prototype.addContradiction = add;
  }
  assert.match(our.reports.at(-1)!, /was not stored: full\. Save its GET \/v1\/succession/);
  await our.clock.advance(MINUTE);
  assert.equal(await our.peer.follow!(SIGNAL), false);
  assert.match(our.reports.at(-1)!, /Both are stored/);
  assert.equal(our.disk.contradictions.length, 1);
});

Deno.test("Evidence.add() bounds the two successions of a peer, apart from its heads", async () => {
  const disk = new FederationDisk();
  const evidence = new Evidence(new MemoryFederationStore(disk), () => {});
  const conflict = twoSuccessions();
  const { first } = conflict;
  for (let epoch = 0; epoch <= MAX_EVIDENCE_PER_ORIGIN; epoch++) {
    const predecessor = { ...first.predecessor, epoch };
    await evidence.add({ ...conflict, first: { ...first, predecessor } });
  }
  assert.equal(disk.contradictions.length, MAX_EVIDENCE_PER_ORIGIN);
  const histories = ["one", "two"].map((name) => historyOf(PEER.epochs[0], name, 2, 3));
  await evidence.add(contradictionOf([histories[0]!, 3], [histories[1]!, 3]));
  assert.equal(disk.contradictions.length, MAX_EVIDENCE_PER_ORIGIN + 1);
});

Deno.test("a head with which an epoch of the peer ended has the root of its link (L15)", async () => {
  const our = await new OurSide().start();
  our.answer = PEER.links;
  assert.ok(await our.peer.follow?.(SIGNAL));
  const { tree_size: size } = FIRST.end;
  const other = await our.take(size, PEER.epochs[0], { root_hash: "5a".repeat(32) });
  assert.ok(other.includes(VERIFY_REASONS.head_forked), other);
  assert.equal(our.disk.seen.size, 0);
  assert.equal(await our.take(size, PEER.epochs[0]), "cosigned");
});

Deno.test("chainFetcher() bounds what a peer answers, and follows no redirect", async () => {
  const answers: Record<string, () => Response> = {
    chain: () => Response.json(PEER.links),
    none: () => Response.json({ code: "route_not_found" }, { status: 404 }),
    away: () => new Response(null, { status: 302, headers: { location: "/chain/v1/succession" } }),
    large: () => new Response(" ".repeat(1024 * 1024 + 1)),
    malformed: () => Response.json([{ ...FIRST, extra: 1 }]),
  };
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    ({ url }) => answers[new URL(url).pathname.split("/")[1]!]!(),
  );
  const fetchFrom = (path: string) =>
    chainFetcher({ id: "p", url: `http://127.0.0.1:${server.addr.port}/${path}/` })(SIGNAL);
  assert.deepEqual(await fetchFrom("chain"), PEER.links);
  await assert.rejects(fetchFrom("none"), (error) => hasCode(error, "peer_unreachable"));
  for (const path of ["away", "large", "malformed"]) {
    await assert.rejects(fetchFrom(path), (error) => hasCode(error, "peer_refused"), path);
  }
});

Deno.test("a store that takes no link leaves the peer at its epoch", async () => {
  const our = await new OurSide().start();
  our.answer = [FIRST];
  const save = MemoryFederationStore.prototype.savePeerLink;
  try {
    MemoryFederationStore.prototype.savePeerLink = () =>
      Promise.reject(new CountersignError("storage_failed", "full"));
    await assert.rejects(our.peer.follow!(SIGNAL), /full/);
  } finally {
    MemoryFederationStore.prototype.savePeerLink = save;
  }
  assert.equal(our.epoch, 0);
});

Deno.test("followPeers() follows peers whose heads still verify", async () => {
  const our = await new OurSide().start();
  our.answer = PEER.links;
  const stop = new AbortController();
  const { clock } = our;
  const running = followPeers([our.peer], { clock, report: () => {} }, stop.signal);
  await clock.advance(CHAIN_CHECK_MS);
  await clock.advance(1);
  assert.equal(our.epoch, 2);
  stop.abort();
  await running;
});

Deno.test("cosignatures of a peer's next epoch are counted once it is followed", async () => {
  const [, one] = PEER.epochs;
  const client: PeerClient = {
    crossAnchor: ({ sth }) => {
      const treeHead = { ...sth.tree_head, timestamp: our.clock.nowMs() / 1_000 };
      const signatures = one.sign(encodeCosignatureMessage(treeHead));
      return Promise.resolve({ kind: "cosigned", cosignature: { treeHead, signatures } });
    },
  };
  const our = await new OurSide().start({ client });
  our.answer = [FIRST];
  const home = new Site("home.example", our.clock);
  home.join([]);
  await home.publish(5);
  const stop = new AbortController();
  const added = Promise.withResolvers<CrossAnchorRecord>();
  const anchoring = new CrossAnchoring({
    network: home.network,
    peers: [our.peer],
    log: home,
    crypto: nativeCrypto,
    clock: our.clock,
    intervalSeconds: 0,
    random: () => 0.5,
    store: new MemoryFederationStore(our.disk),
    crossAnchorAdded: (record) => added.resolve(record),
    failingChanged: () => {},
    report: (message) => added.reject(new Error(message)),
  });
  const running = anchoring.run(stop.signal);
  const { treeHead } = await added.promise;
  assert.deepEqual([treeHead.tree_size, our.epoch], [5, 1]);
  stop.abort();
  await running;
});

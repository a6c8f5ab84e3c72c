import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { CountersignError } from "../../../src/base/errors.ts";
import type { CrossAnchorRecord } from "../../../src/proof/format/records.ts";
import { encodeCosignatureMessage } from "../../../src/proof/format/tree_head.ts";
import { type SignatureScheme, signerCount } from "../../../src/proof/format/signature_set.ts";
import { verifyThreshold } from "../../../src/proof/verify/threshold.ts";
import { FakeClock } from "../../fake_clock.ts";
import { eachScheme, nativeCrypto } from "../../schemes.ts";
import { type JoinOptions, mesh, Site, type SiteOptions } from "./site.ts";

const DAY_MS = 86_400_000;
const OTHER: Readonly<Record<SignatureScheme, SignatureScheme>> = {
  ed25519: "bls",
  bls: "ed25519",
};

/** Two networks, the second of the other scheme, that both run until `use` ends. */
async function withPair(
  scheme: SignatureScheme,
  use: (sites: { home: Site; peer: Site; clock: FakeClock }) => Promise<void>,
  { join = {}, options = {} }: { join?: JoinOptions; options?: SiteOptions } = {},
): Promise<void> {
  const clock = new FakeClock();
  const home = new Site("home.example", clock, { scheme, ...options });
  const peer = new Site("peer.example", clock, { scheme: OTHER[scheme], ...options });
  mesh([home, peer], join);
  home.start();
  peer.start();
  try {
    await use({ home, peer, clock });
  } finally {
    await home.stop();
    await peer.stop();
  }
}

async function verifies(record: CrossAnchorRecord, peer: Site): Promise<boolean> {
  const message = utf8(encodeCosignatureMessage(record.treeHead));
  return (await verifyThreshold(nativeCrypto, peer.network, message, record.signatures)).met;
}

Deno.test("in a mesh of both schemes every head is cosigned by every peer", async () => {
  const clock = new FakeClock();
  const schemes = ["ed25519", "bls", "ed25519"] as const;
  const sites = schemes.map((scheme, i) => new Site(`net${i}.example`, clock, { scheme }));
  mesh(sites);
  for (const site of sites) site.start();
  for (const count of [1, 3, 1, 4, 7]) {
    for (const site of sites) await site.publish(count);
    await clock.advance(1_000);
  }
  for (const site of sites) {
    const { tree_head: head } = site.latest()!.sth;
    for (const peer of sites.filter((other) => other !== site)) {
      const anchors = site.added.filter((record) => record.peer === peer.id);
      assert.deepEqual(anchors.map(({ treeHead }) => treeHead.tree_size), [1, 4, 5, 9, 16]);
      for (const record of anchors) assert.ok(await verifies(record, peer));
      const last = await site.store.lastCrossAnchor(peer.id);
      assert.equal(last!.treeHead.root_hash, head.root_hash);
      assert.equal(last!.treeHead.network_id, site.id);
      assert.equal((await peer.intake.seenHeads()).length, 2);
    }
    assert.deepEqual(site.reports, []);
    assert.deepEqual(site.found, []);
    await site.stop();
  }
});

Deno.test("a cross-anchor by a key that our next epoch has as well is refused", async () => {
  await withPair("ed25519", async ({ home, peer, clock }) => {
    await home.publish();
    await clock.advance(100);
    const { network } = home;
    const [shared] = peer.network.witnesses;
    home.network = { ...network, epoch: 1, witnesses: [...network.witnesses.slice(1), shared!] };
    await home.publish();
    await clock.advance(100);
    assert.deepEqual(home.added.map(({ treeHead }) => treeHead.tree_size), [1]);
    assert.match(home.reports.at(-1)!, /shares a witness key with ours/);
  });
});

eachScheme.test("heads published during a request to a peer are sent as one", async (scheme) => {
  await withPair(scheme, async ({ home, peer, clock }) => {
    const release = Promise.withResolvers<void>();
    const client = peer.clientFor(home);
    home.reached.set(peer.id, {
      crossAnchor: async (...args) => {
        await release.promise;
        return await client.crossAnchor(...args);
      },
    });
    for (let i = 0; i < 5; i++) {
      await home.publish();
      await clock.advance(100);
    }
    release.resolve();
    await clock.advance(100);
    assert.deepEqual(home.added.map(({ treeHead }) => treeHead.tree_size), [1, 5]);
    assert.equal(home.anchoring.status()[0]!.lastCrossAnchor!.treeSize, 5);
  });
});

eachScheme.test("a peer that was down for a week catches up with one request", async (scheme) => {
  await withPair(scheme, async ({ home, peer, clock }) => {
    await home.publish(3);
    await clock.advance(1_000);
    peer.reachable = false;
    const since = Math.floor(clock.nowMs() / 1_000);
    for (let day = 0; day < 7; day++) {
      await home.publish(5);
      await clock.advance(DAY_MS);
    }
    const [status] = home.anchoring.status();
    assert.equal(status!.lastError, "peer_unreachable");
    assert.equal(status!.failingSince, since);
    assert.equal(status!.lastCrossAnchor!.treeSize, 3);
    assert.equal(home.reports.length, 1, "the operator is told once");
    const before = peer.requests.length;
    peer.reachable = true;
    await clock.advance(300_000);
    assert.equal(peer.requests.length - before, 1);
    assert.deepEqual(peer.requests.at(-1)!.growth.map(({ oldSize }) => oldSize), [3]);
    assert.deepEqual(home.added.map(({ treeHead }) => treeHead.tree_size), [3, 38]);
    const [back] = home.anchoring.status();
    assert.deepEqual(back, {
      id: peer.id,
      lastCrossAnchor: { treeSize: 38, timestamp: home.added[1]!.treeHead.timestamp },
    });
    assert.match(home.reports[1]!, /again/);
  });
});

Deno.test("requests to a silent peer become rarer, at any rate of publication", async () => {
  await withPair("ed25519", async ({ home, peer, clock }) => {
    const asked: number[] = [];
    home.reached.set(peer.id, {
      crossAnchor: () => {
        asked.push(clock.nowMs());
        return Promise.reject(new CountersignError("peer_unreachable", "down"));
      },
    });
    for (let i = 0; i < 2_000; i++) {
      if (i % 4 === 0) await home.publish();
      await clock.advance(1_000);
    }
    const pauses = asked.slice(1).map((at, i) => at - asked[i]!);
    // With random numbers of one half, each pause is three quarters of its maximum.
    const expected = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((pause) => pause * 750);
    assert.deepEqual(pauses.slice(0, expected.length), expected);
    // After a success, the next failure counts as the first.
    const client = peer.clientFor(home);
    const failing = home.reached.get(peer.id)!;
    home.reached.set(peer.id, client);
    await clock.advance(300_000);
    assert.equal(home.anchoring.status()[0]!.lastError, undefined);
    home.reached.set(peer.id, failing);
    asked.length = 0;
    await home.publish();
    await clock.advance(3_000);
    assert.deepEqual(asked.slice(1).map((at, i) => at - asked[i]!), [750, 1_500]);
  });
});

eachScheme.test("a peer ahead of our record of it gets the proofs that it needs", async (scheme) => {
  await withPair(scheme, async ({ home, peer, clock }) => {
    for (const count of [3, 2]) {
      await home.publish(count);
      await clock.advance(1_000);
    }
    // Our record of the peer is lost, and one of its witnesses missed the last head.
    await home.stop();
    home.store.disk.crossAnchors.clear();
    home.open();
    peer.witnesses[0]!.down = true;
    home.start();
    await home.publish(4);
    await clock.advance(5_000);
    peer.witnesses[0]!.down = false;
    peer.witnesses[1]!.down = true;
    await home.publish(4);
    await clock.advance(10_000);
    assert.equal(home.added.at(-1)!.treeHead.tree_size, 13);
    assert.deepEqual(home.reports, []);
    assert.deepEqual(peer.requests.at(-1)!.growth.map(({ oldSize }) => oldSize), [5, 9]);
    assert.equal(peer.witnessedSize(0, home.id), 13);
  });
});

Deno.test("with an interval, the latest head is sent if it is new", async () => {
  const join = { intervalSeconds: 60 };
  await withPair("ed25519", async ({ home, peer, clock }) => {
    for (let i = 0; i < 150; i++) {
      await home.publish();
      await clock.advance(1_000);
    }
    assert.deepEqual(home.added.map(({ treeHead }) => treeHead.tree_size), [1, 60, 120]);
    await clock.advance(600_000);
    assert.deepEqual(home.added.map(({ treeHead }) => treeHead.tree_size), [1, 60, 120, 150]);
    assert.equal(peer.requests.length, 4);
  }, { join });
});

Deno.test("the requested number of the peer's witnesses sign", async () => {
  const options = { size: 4, threshold: 3 };
  for (const minWitnesses of [3, 4]) {
    await withPair("ed25519", async ({ home, peer, clock }) => {
      await home.publish(2);
      await clock.advance(1_000);
      const [record] = home.added;
      assert.ok(record !== undefined && "signers" in record.signatures);
      assert.equal(record.signatures.signers.length, minWitnesses);
      peer.witnesses[2]!.down = true;
      await home.publish(2);
      await clock.advance(1_000);
      assert.equal(home.added.length, minWitnesses === 3 ? 2 : 1);
      const { lastError } = home.anchoring.status()[0]!;
      assert.equal(lastError, minWitnesses === 3 ? undefined : "peer_unreachable");
    }, { join: { minWitnesses }, options });
  }
});

eachScheme.test("a head is sent again if more witnesses are required than have signed", async (scheme) => {
  await withPair(scheme, async ({ home, peer, clock }) => {
    await home.publish(3);
    await clock.advance(1_000);
    await home.stop();
    home.join([peer], { minWitnesses: 3 });
    home.start();
    await clock.advance(1_000);
    assert.deepEqual(home.added.map(({ signatures }) => signerCount(signatures)), [2, 3]);
    assert.deepEqual(home.added.map(({ treeHead }) => treeHead.tree_size), [3, 3]);
    const asked = peer.requests.length;
    await clock.advance(DAY_MS);
    assert.equal(peer.requests.length, asked, "and not again");
  });
});

eachScheme.test("a network at an old copy learns that the peer has a larger tree, and its requests slow down", async (scheme) => {
  await withPair(scheme, async ({ home, peer, clock }) => {
    await home.publish(3);
    await clock.advance(1_000);
    const backup = home.backup();
    await home.publish(6);
    await clock.advance(1_000);
    home.restore(backup);
    await home.publish(1);
    const before = peer.requests.length;
    await clock.advance(140_000);
    assert.equal(peer.requests.length - before, 1);
    await clock.advance(3_460_000);
    const [status] = home.anchoring.status();
    assert.equal(status!.lastError, "tree_size_conflict");
    assert.match(home.reports.at(-1)!, /size 9.*old copy/);
    const asked = peer.requests.length - before;
    assert.ok(asked >= 12 && asked <= 26, `${asked} requests in an hour`);
    assert.deepEqual(peer.found, [], "a smaller head contradicts nothing");
    // The fork is detected once the log is larger than the peer's last head.
    await home.publish(7);
    await clock.advance(600_000);
    assert.equal(peer.found.length, 1);
  });
});

Deno.test("another head of the cosigned size is sent and detected as a fork", async () => {
  await withPair("ed25519", async ({ home, peer, clock }) => {
    await home.publish(3);
    const backup = home.backup();
    await home.publish(2);
    await clock.advance(1_000);
    assert.equal(home.added.at(-1)!.treeHead.tree_size, 5);
    home.restore(backup);
    await home.publish(2);
    await clock.advance(1_000);
    assert.equal(peer.found.length, 1);
    assert.equal(home.anchoring.status()[0]!.lastError, "peer_refused");
    assert.match(home.reports.at(-1)!, /tree_heads_contradict/);
  });
});

Deno.test("a proof of growth from a power of two includes the first root", async () => {
  await withPair("ed25519", async ({ home, peer, clock }) => {
    await home.publish(3);
    const backup = home.backup();
    await home.publish(1);
    await clock.advance(1_000);
    home.restore(backup);
    await home.publish(4);
    await clock.advance(1_000);
    assert.deepEqual(peer.requests.at(-1)!.growth.map(({ oldSize }) => oldSize), [4]);
    assert.equal(peer.found.length, 1);
  });
});

Deno.test("cross-anchoring stops in any state", async () => {
  const clock = new FakeClock();
  const home = new Site("home.example", clock);
  const peer = new Site("peer.example", clock);
  mesh([home, peer]);
  const stops: (() => Promise<void>)[] = [
    async () => {},
    async () => void await home.publish(),
    async () => {
      peer.reachable = false;
      await home.publish();
      await clock.advance(500);
    },
    async () => {
      home.reached.set(peer.id, {
        crossAnchor: (_, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          }),
      });
      await clock.advance(60_000);
    },
  ];
  for (const before of stops) {
    home.start();
    await before();
    await home.stop();
    assert.equal(clock.sleeping, 0);
  }
});

Deno.test("a peer without a URL gets no requests, but may send some", async () => {
  const clock = new FakeClock();
  const home = new Site("home.example", clock);
  const peer = new Site("peer.example", clock);
  mesh([home, peer]);
  peer.start();
  await home.publish(2);
  await peer.publish(2);
  await clock.advance(1_000);
  assert.equal(peer.added.length, 1);
  assert.equal(home.added.length, 0);
  await peer.stop();
});

Deno.test("cross-anchoring continues after a fault of our store, and requests lost anchors again", async () => {
  await withPair("ed25519", async ({ home, clock }) => {
    home.store.fault = (operation, ordinal) =>
      operation === "saveCrossAnchor" && ordinal < 3
        ? (ordinal === 1 ? "fail_not_stored" : "fail_but_stored")
        : undefined;
    await home.publish(2);
    await clock.advance(10_000);
    assert.equal(home.added.length, 1);
    assert.ok(home.store.operations.filter((name) => name === "saveCrossAnchor").length > 1);
    assert.equal(home.anchoring.status()[0]!.lastError, undefined);
  });
});

Deno.test("a damaged store is read again, and reported as failing", async () => {
  const clock = new FakeClock();
  const [home, peer] = ["home.example", "peer.example"].map((id) => new Site(id, clock)) as [
    Site,
    Site,
  ];
  let isDamaged = true;
  mesh([home, peer], {
    store: (real) => ({
      saveCrossAnchor: (record) => real.saveCrossAnchor(record),
      firstCrossAnchor: (id, size) => real.firstCrossAnchor(id, size),
      lastCrossAnchor: (id) =>
        isDamaged
          ? Promise.reject(new CountersignError("store_corrupt", "Cannot read: damaged"))
          : real.lastCrossAnchor(id),
      seenHead: (origin) => real.seenHead(origin),
      saveSeenHead: (head) => real.saveSeenHead(head),
      addContradiction: (contradiction) => real.addContradiction(contradiction),
      contradictions: (start, limit) => real.contradictions(start, limit),
      savePeerLink: (id, link) => real.savePeerLink(id, link),
      peerLinks: (id) => real.peerLinks(id),
    }),
  });
  await home.publish();
  home.start();
  await clock.advance(1_000);
  assert.equal(home.anchoring.status()[0]!.lastError, "store_corrupt");
  isDamaged = false;
  await clock.advance(600_000);
  assert.equal(home.anchoring.status()[0]!.lastError, undefined);
  assert.deepEqual(home.failing, [["peer.example"], []]);
  assert.equal(home.added.length, 1);
  await home.stop();
});

Deno.test("at most sixteen of the sizes that a peer names are proved, the last ones", async () => {
  await withPair("ed25519", async ({ home, peer, clock }) => {
    const proved: number[][] = [];
    const sizes = (from: number) => Array.from({ length: 16 }, (_, i) => from + i);
    const answers = [sizes(1), sizes(17), sizes(9)];
    home.reached.set(peer.id, {
      crossAnchor: (request) => {
        proved.push(request.growth.map(({ oldSize }) => oldSize));
        const asked = answers.shift();
        if (asked !== undefined) return Promise.resolve({ kind: "sizes_required", sizes: asked });
        return Promise.reject(new CountersignError("peer_unreachable", "down"));
      },
    });
    await home.publish(40);
    await clock.advance(100);
    assert.deepEqual(proved, [[], sizes(1), sizes(17), sizes(9)]);
  });
});

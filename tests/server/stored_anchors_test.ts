import assert from "node:assert/strict";
import {
  type ShownService,
  StoredAnchors,
  type StoredAnchorsContext,
} from "../../src/server/anchoring/stored_anchors.ts";
import { Current } from "../../src/base/current.ts";
import { type AnchorsState, NO_ANCHORS_STATE } from "../../src/gateway/fronts/ports.ts";
import { parseBundle, type ProofBundle } from "../../src/proof/format/bundle.ts";
import type { AnchorRecord } from "../../src/proof/format/records.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { TreeHead } from "../../src/proof/format/tree_head.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import {
  type AnchorDatabase,
  openAnchorDatabase,
} from "../../src/storage/anchors/anchor_database.ts";
import { KvAnchorList } from "../../src/storage/anchors/kv_anchor_list.ts";
import { KvAnchorStore } from "../../src/storage/anchors/kv_anchor_store.ts";
import { KvFederationStore } from "../../src/storage/anchors/kv_federation_store.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { hashAt, memoryStore, randomDigests, TestNetwork, until } from "../gateway/fixture.ts";
import { eachScheme, nativeCrypto } from "../schemes.ts";
import { PEER, PeerKeys } from "./peer_keys.ts";
import { signersOf } from "../kept_head.ts";
import { NO_COSIGNATURES } from "../gateway/witnessing/no_cosignatures.ts";

/** Of a provider whose proofs verify unless they say that they do not. */
const provider: ShownService["provider"] = {
  name: "example",
  verify: ({ proof }) =>
    Promise.resolve(
      JSON.stringify(proof).includes("damaged")
        ? { status: "failed", reason: "damaged" }
        : { status: "verified", source: "example" },
    ),
};
const SERVICE: ShownService = { name: "tsa", mode: "best_effort", provider };
/** Of another provider, which has one service. */
const OTHER: ShownService = {
  name: "other-tsa",
  mode: "best_effort",
  provider: { ...provider, name: "other" },
};
const OFF: ShownService = { name: "old", mode: "off", provider };

/** A gateway, its peer and the stores of what both services say. */
class Anchored {
  readonly home: TestNetwork;
  readonly peer: PeerKeys;
  readonly gateway: Gateway;
  readonly current: Current<AnchorsState>;
  readonly federation: KvFederationStore;
  readonly external: KvAnchorStore;
  /** How often the stores were read. */
  readonly looked: { readonly times: number };
  /** What was reported as damaged. */
  readonly damages: readonly string[];
  readonly #database: AnchorDatabase;

  private constructor(
    parts: Omit<Anchored, "added" | "cosign" | "anchor" | "batch" | "bundle" | "close"> & {
      database: AnchorDatabase;
    },
  ) {
    ({
      home: this.home,
      peer: this.peer,
      gateway: this.gateway,
      current: this.current,
      federation: this.federation,
      external: this.external,
      looked: this.looked,
      damages: this.damages,
      database: this.#database,
    } = parts);
  }

  static async start(
    scheme: SignatureScheme,
    services: StoredAnchorsContext["services"] = [SERVICE, OFF],
  ): Promise<Anchored> {
    const home = new TestNetwork(scheme);
    const peer = new PeerKeys(scheme);
    const database = await openAnchorDatabase(":memory:", "test");
    const list = await KvAnchorList.open(database);
    const federation = new KvFederationStore(database, list);
    const external = new KvAnchorStore(database, list);
    const looked = { times: 0 };
    const damages: string[] = [];
    const current = new Current(NO_ANCHORS_STATE);
    const source = new StoredAnchors({
      current,
      witnessed: NO_COSIGNATURES,
      networkId: home.network.id,
      crossAnchors: {
        firstCrossAnchor(id, size) {
          looked.times++;
          return federation.firstCrossAnchor(id, size);
        },
        lastCrossAnchor: (id) => federation.lastCrossAnchor(id),
        peerLinks: (id) => federation.peerLinks(id),
      },
      peers: [
        { network: peer.network, minWitnesses: 2, isAsked: true },
        {
          network: { ...peer.network, id: "silent.example" },
          minWitnesses: 1,
          isAsked: false,
        },
      ],
      externalAnchors: external,
      services,
      crypto: nativeCrypto,
      damaged: (error) => void damages.push(error.message),
      status: () => Promise.resolve({ peers: [], anchors: [], contradictions: 3 }),
    });
    const { gateway } = await home.start(await memoryStore(), { anchors: source });
    return new Anchored({
      home,
      peer,
      gateway,
      current,
      federation,
      external,
      looked,
      damages,
      database,
    });
  }

  /** Publishes `count` more digests; their sequences, and the head that closed their batch. */
  async batch(count: number): Promise<{ sequences: readonly number[]; head: TreeHead }> {
    const sequences = await this.gateway.jobs.accept(randomDigests(count));
    const size = Math.max(...sequences) + 1;
    const latest = () => this.gateway.log.latest()?.sth;
    await until(() => latest()?.tree_head.tree_size === size);
    // A late signature begins another record of the head.
    await until(() => signersOf(latest()!).length === this.home.witnesses.length);
    return { sequences, head: this.gateway.log.latest()!.sth.tree_head };
  }

  /** Call once an anchor is stored. */
  added(): void {
    const { value } = this.current;
    this.current.set({ ...value, version: value.version + 1 });
  }

  async cosign(head: TreeHead, count?: number): Promise<void> {
    const treeHead = { ...head, timestamp: head.timestamp + 1 };
    const signatures = this.peer.cosign(treeHead, count);
    await this.federation.saveCrossAnchor({ peer: PEER, treeHead, signatures });
    this.added();
  }

  async anchor(treeHead: TreeHead, members: Partial<AnchorRecord> = {}): Promise<void> {
    await this.external.save({
      service: SERVICE.name,
      provider: "example",
      status: "confirmed",
      timestamp: treeHead.timestamp + 2,
      treeHead,
      proof: { token: "AAAA" },
      ...members,
    });
    this.added();
  }

  async bundle(sequence: number): Promise<{ bundle: ProofBundle; level: string; bound: number }> {
    const bundle = parseBundle(
      await this.gateway.proofs.bundle(await hashAt(this.gateway, sequence)),
    );
    const network = {
      ...this.home.network,
      federation: { enabled: true, peer_networks: [{ id: PEER }], cross_anchor_threshold: 1 },
    };
    const trust = { network, peers: [this.peer.network] };
    const { level, layers } = await verifyBundle(nativeCrypto, trust, bundle);
    const { present: bound } = layers.external_anchors;
    return { bundle, level: level!, bound };
  }

  async close(): Promise<void> {
    await this.gateway.stop();
    this.#database.close();
  }
}

function anchored(name: string, test: (at: Anchored) => Promise<void>): void {
  eachScheme.test(name, async (scheme) => {
    const at = await Anchored.start(scheme);
    try {
      await test(at);
    } finally {
      await at.close();
    }
  });
}

anchored(
  "bundles carry the anchors of their head or a later one, and verify as Federated",
  async (at) => {
    const first = await at.batch(3);
    const second = await at.batch(4);
    const third = await at.batch(2);
    assert.equal((await at.bundle(0)).level, "batched");
    await at.cosign(second.head);
    await at.anchor(third.head);
    for (const { sequences, head } of [first, second]) {
      for (const sequence of sequences) {
        const { bundle, level, bound } = await at.bundle(sequence);
        assert.equal(level, "federated");
        assert.equal(bound, 1);
        const [cross] = bundle.cross_anchors;
        assert.equal(cross!.tree_head.tree_size, second.head.tree_size);
        assert.equal(cross!.consistency_path.length === 0, head === second.head);
        const anchors = JSON.parse(
          await at.gateway.proofs.externalAnchors(await hashAt(at.gateway, sequence)),
        );
        assert.deepEqual(anchors, JSON.parse(JSON.stringify(bundle.external_anchors)));
      }
    }
    const { bundle, level } = await at.bundle(third.sequences[0]!);
    assert.deepEqual(bundle.cross_anchors, [], "an earlier head covers nothing of a later batch");
    assert.equal(level, "batched");
  },
);

anchored(
  "a confirmed anchor takes the place of a pending one, and what is off is shown",
  async (at) => {
    const { head } = await at.batch(2);
    const shown = async () =>
      (await at.bundle(1)).bundle.external_anchors.map(({ status, timestamp }) =>
        `${status} ${timestamp - head.timestamp}`
      );
    await at.anchor(head, { status: "pending", timestamp: head.timestamp + 1 });
    assert.deepEqual(await shown(), ["pending 1"]);
    const later = await at.batch(2);
    await at.anchor(later.head, { timestamp: head.timestamp + 5 });
    assert.deepEqual(await shown(), ["confirmed 5"]);
    await at.anchor(later.head, { service: "old", timestamp: head.timestamp + 9 });
    assert.deepEqual(await shown(), ["confirmed 5", "confirmed 9"]);
  },
);

anchored(
  "what is kept is answered at once, and looked for again until nothing can be added",
  async (at) => {
    const { head } = await at.batch(2);
    const hashes = await Promise.all([0, 1].map((sequence) => hashAt(at.gateway, sequence)));
    const isKept = (sequence: number) =>
      typeof at.gateway.proofs.bundle(hashes[sequence]!) === "string";
    await at.bundle(0);
    assert.ok(isKept(0) && isKept(1), "both are of one head");
    assert.equal(at.looked.times, 2, "one look at each peer");
    await at.cosign(head);
    assert.ok(!isKept(0), "another anchor was stored");
    assert.ok(!isKept(1), "and what was kept is not answered while it is looked for");
    // All who ask meanwhile share one look.
    await Promise.all([at.bundle(0), at.bundle(1), at.bundle(0)]);
    assert.equal(at.looked.times, 4);
    await at.anchor(head);
    assert.equal((await at.bundle(0)).bound, 1);
    assert.equal(at.looked.times, 6);
    await at.batch(3);
    at.added();
    assert.ok(isKept(0), "every peer and every service has one");
    assert.equal(at.looked.times, 6);
  },
);

anchored(
  "where more of a peer's witnesses are wanted than before, a later anchor is shown",
  async (at) => {
    const first = await at.batch(2);
    await at.cosign(first.head, 1);
    // Of fewer than are wanted, until there is another: nothing of it is final.
    await at.anchor(first.head);
    assert.equal((await at.bundle(0)).bundle.cross_anchors.length, 1);
    assert.equal((await at.bundle(0)).level, "batched");
    for (let more = 0; more < 2; more++) await at.cosign((await at.batch(3)).head, 2 - more);
    const { bundle, level } = await at.bundle(0);
    assert.equal(
      bundle.cross_anchors[0]?.tree_head.tree_size,
      first.head.tree_size,
      "the last is not enough",
    );
    assert.equal(level, "batched");
    await at.cosign((await at.batch(1)).head);
    assert.equal((await at.bundle(0)).level, "federated");
  },
);

anchored("an anchor of another log's head is left out", async (at) => {
  const { head } = await at.batch(2);
  await at.cosign({ ...head, root_hash: "00".repeat(32) });
  await at.anchor({ ...head, tree_size: 2 ** 40 });
  const { bundle } = await at.bundle(0);
  assert.deepEqual(bundle.cross_anchors, []);
  assert.deepEqual(bundle.external_anchors, []);
  await at.cosign(head);
  assert.equal((await at.bundle(0)).level, "federated");
});

anchored(
  "external anchors are none while unconfirmed or not batched, and status tells of anchoring",
  async (at) => {
    const unknown = "00".repeat(32);
    await assert.rejects(async () => await at.gateway.proofs.externalAnchors(unknown), {
      code: "hash_unknown",
    });
    assert.equal((await at.gateway.status.anchoring())?.contradictions, 3);
    const { head } = await at.batch(1);
    assert.equal(await at.gateway.proofs.externalAnchors(await hashAt(at.gateway, 0)), "[]");
    await at.anchor(head);
    assert.equal(
      JSON.parse(await at.gateway.proofs.externalAnchors(await hashAt(at.gateway, 0))).length,
      1,
    );
  },
);

anchored("an anchor that does not verify any longer is left out, and reported", async (at) => {
  const { head } = await at.batch(2);
  await at.cosign(head);
  await at.anchor(head);
  assert.equal((await at.bundle(0)).bundle.cross_anchors.length, 1);
  assert.deepEqual(at.damages, []);
  const later = await at.batch(1);
  const { treeHead, signatures } = (await at.federation.firstCrossAnchor(PEER, 1))!;
  const moved = { ...later.head, timestamp: treeHead.timestamp + 1 };
  await at.federation.saveCrossAnchor({ peer: PEER, treeHead: moved, signatures });
  await at.anchor(later.head, { proof: { token: "damaged" } });
  const { bundle, level } = await at.bundle(2);
  assert.deepEqual([bundle.cross_anchors, bundle.external_anchors, level], [[], [], "batched"]);
  assert.match(at.damages.join(), /cross-anchor 3 .*anchor 3 of tsa/);
  const whole = await at.bundle(0);
  assert.equal(whole.level, "federated", "the anchors of the first batch are whole");
  assert.equal(whole.bound, 1);
});

anchored("a store that fails refuses the bundle, and is asked again", async (at) => {
  const { head } = await at.batch(1);
  const { firstCrossAnchor } = at.federation;
  at.federation.firstCrossAnchor = () => Promise.reject(new Error("disk I/O error"));
  await assert.rejects(
    async () => await at.gateway.proofs.bundle(await hashAt(at.gateway, 0)),
    /disk/,
  );
  at.federation.firstCrossAnchor = firstCrossAnchor;
  await at.cosign(head);
  assert.equal((await at.bundle(0)).level, "federated");
});

Deno.test("an anchor names its service only if its provider has several", async () => {
  const servicesOf = async (services: StoredAnchorsContext["services"]) => {
    const at = await Anchored.start("ed25519", services);
    try {
      const { head } = await at.batch(2);
      for (const { name, provider } of services) {
        await at.anchor(head, { service: name, provider: provider.name });
      }
      const { bundle, bound } = await at.bundle(0);
      assert.equal(bound, services.length);
      const listed = JSON.parse(
        await at.gateway.proofs.externalAnchors(await hashAt(at.gateway, 0)),
      );
      assert.deepEqual(listed, JSON.parse(JSON.stringify(bundle.external_anchors)));
      return bundle.external_anchors.map(({ service }) => service);
    } finally {
      await at.close();
    }
  };
  assert.deepEqual(await servicesOf([SERVICE, OTHER]), [undefined, undefined]);
  assert.deepEqual(await servicesOf([SERVICE, OTHER, OFF]), ["tsa", undefined, "old"]);
});

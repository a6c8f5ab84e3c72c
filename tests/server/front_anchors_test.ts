/** The anchors of one log as its sequencer and its fronts show them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { AnchorService, ConfiguredAnchor } from "../../src/gateway/anchors/ports.ts";
import { rfc3161 } from "../../src/gateway/anchors/rfc3161/provider.ts";
import { systemClock, unixSeconds } from "../../src/base/clock.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { Evidence, seenHeadsOf } from "../../src/gateway/federation/evidence.ts";
import type { Peer } from "../../src/gateway/federation/ports.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import type { AnchorSource } from "../../src/gateway/ports.ts";
import type { PeerEvidence } from "../../src/http/gateway/evidence_routes.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import {
  type AnchorsStart,
  type FrontAnchors,
  openFrontAnchors,
} from "../../src/server/anchoring/front_anchors.ts";
import { LogAnchoring, shownPeer } from "../../src/server/anchoring/log_anchoring.ts";
import { anchorKeys, openAnchorDatabase } from "../../src/storage/anchors/anchor_database.ts";
import { KvAnchorList } from "../../src/storage/anchors/kv_anchor_list.ts";
import { KvAnchorStore } from "../../src/storage/anchors/kv_anchor_store.ts";
import { KvFederationStore } from "../../src/storage/anchors/kv_federation_store.ts";
import { KvWitnessedStore } from "../../src/storage/anchors/kv_witnessed_store.ts";
import { DamageLog } from "../../src/http/metrics/damage_log.ts";
import { authority, proofOf } from "../proof/timestamp/fixture.ts";
import { generalizedTime } from "../proof/timestamp/der.ts";
import { hashAt, memoryStore, randomDigests, TestNetwork, until } from "../gateway/fixture.ts";
import { LogLines } from "../log_lines.ts";
import { eachScheme, nativeCrypto } from "../schemes.ts";
import { contradiction, seen } from "../storage/anchor_records.ts";
import { anchorTexts, type AnchorView } from "./anchor_texts.ts";
import type { FrontRead } from "./front_reader.ts";
import { PEER, PeerKeys } from "./peer_keys.ts";

const DOWN = "down.example/log";

/** Shows the anchors of one thread or of another in bundles. */
class SwitchedSource implements AnchorSource {
  #shown: AnchorSource | undefined;
  #version = 0;

  get version(): number {
    return this.#version;
  }

  show(source: AnchorSource): void {
    this.#shown = source;
    this.#version++;
  }

  async covering(size: number) {
    return { ...await this.#shown!.covering(size), isFinal: false };
  }

  status() {
    return this.#shown!.status(0);
  }

  get latestWitnessed() {
    return this.#shown!.latestWitnessed;
  }

  witnessedAt(size: number) {
    return this.#shown!.witnessedAt(size);
  }
}

/** A log with a peer that cosigns its heads, one that fails, and a time-stamp authority. */
class Sequencer implements AnchorView {
  readonly gateway: Gateway;
  readonly anchoring: LogAnchoring;
  readonly source: AnchorSource;
  readonly list: KvAnchorList;
  readonly evidence: PeerEvidence & Pick<Evidence, "add">;
  readonly federation: KvFederationStore;
  readonly start: AnchorsStart;
  /** Whether the peer {@linkcode DOWN} answers. */
  readonly down: { answers: boolean };
  readonly #shown: SwitchedSource;

  private constructor(
    parts: Pick<
      Sequencer,
      "gateway" | "anchoring" | "list" | "evidence" | "federation" | "start" | "down"
    >,
    shown: SwitchedSource,
  ) {
    this.gateway = parts.gateway;
    this.anchoring = parts.anchoring;
    this.source = parts.anchoring.source;
    this.list = parts.list;
    this.evidence = parts.evidence;
    this.federation = parts.federation;
    this.start = parts.start;
    this.down = parts.down;
    this.#shown = shown;
  }

  /** Runs `use`; stops everything after it. */
  static async run(
    scheme: SignatureScheme,
    use: (sequencer: Sequencer) => Promise<void>,
  ): Promise<void> {
    const folder = await Deno.makeTempDir();
    const file = join(folder, "anchors.kv");
    const database = await openAnchorDatabase(file, "test");
    const list = await KvAnchorList.open(database);
    const federation = new KvFederationStore(database, list);
    const home = new TestNetwork(scheme);
    const keys = new PeerKeys(scheme);
    const down = { answers: false };
    const peers = [peerOf(PEER, keys, () => true), peerOf(DOWN, keys, () => down.answers)];
    const services = [serviceOf("tsa"), serviceOf("old", "off")];
    const stored = new Evidence(federation, () => {});
    const anchoring = new LogAnchoring({
      peers,
      services,
      list,
      evidence: stored,
      crypto: nativeCrypto,
      intervalSeconds: 0,
      networkId: home.network.id,
      stores: {
        federation,
        anchors: new KvAnchorStore(database, list),
        witnessed: new KvWitnessedStore(database),
      },
      clock: systemClock,
      report: () => {},
      damaged: () => {},
    });
    const shown = new SwitchedSource();
    shown.show(anchoring.source);
    const { gateway } = await home.start(await memoryStore(), { anchors: shown });
    anchoring.connect(gateway);
    const ids = peers.map(({ network }) => network.id);
    const evidence = {
      add: (found: Parameters<Evidence["add"]>[0]) => stored.add(found),
      contradictions: () => stored.all(),
      seenHeads: () => seenHeadsOf(federation, ids),
    };
    const start: AnchorsStart = structuredClone({
      file,
      networkId: home.network.id,
      peers: peers.map(shownPeer),
      services: services.map(({ name, mode, provider }) => ({
        name,
        mode,
        provider: provider.name,
      })),
    });
    const stop = new AbortController();
    const running = anchoring.run(stop.signal);
    const parts = { gateway, anchoring, list, evidence, federation, start, down };
    try {
      await use(new Sequencer(parts, shown));
    } finally {
      stop.abort();
      await running;
      await gateway.stop();
      database.close();
      await Deno.remove(folder, { recursive: true });
    }
  }

  /** A front that follows this sequencer. */
  front(damaged: (error: CountersignError) => void = () => {}): FrontAnchors & Disposable {
    const context = { crypto: nativeCrypto, clock: systemClock, damaged };
    const front = openFrontAnchors(this.start, context)!;
    const { feed } = this.anchoring;
    const stop = new AbortController();
    front.changed(structuredClone(feed.value));
    feed.onChanged(() => front.changed(structuredClone(feed.value)), stop.signal);
    return Object.assign(front, {
      [Symbol.dispose]() {
        stop.abort();
        front.close();
      },
    });
  }

  /** Publishes one more digest, and waits for the anchors of its head. Returns the head's size. */
  async anchored(): Promise<number> {
    const { length } = this.list;
    const [sequence] = await this.gateway.jobs.accept(randomDigests(1));
    await until(() => this.list.length === length + (this.down.answers ? 3 : 2));
    await until(() => this.anchoring.feed.value.length === this.list.length);
    return sequence! + 1;
  }

  /** The bundle of `sequence` with the anchors that `view` shows. */
  async bundle(sequence: number, { source }: Pick<AnchorView, "source">): Promise<string> {
    this.#shown.show(source as AnchorSource);
    return await this.gateway.proofs.bundle(await hashAt(this.gateway, sequence));
  }
}

function peerOf(id: string, keys: PeerKeys, answers: () => boolean): Peer {
  return {
    network: { ...keys.network, id },
    minWitnesses: 2,
    client: {
      async crossAnchor({ sth: { tree_head: head } }) {
        if (!answers()) throw new CountersignError("peer_unreachable", "Cannot reach the peer");
        const treeHead = { ...head, timestamp: unixSeconds(systemClock) };
        const cosignature = { treeHead, signatures: keys.cosign(treeHead) };
        return await Promise.resolve({ kind: "cosigned", cosignature });
      },
    },
  };
}

function serviceOf(name: string, mode: ConfiguredAnchor["mode"] = "best_effort"): ConfiguredAnchor {
  const service: AnchorService = {
    async anchor(digest) {
      const timestamp = unixSeconds(systemClock);
      const text = new Date(1_000 * timestamp).toISOString().replace(/[-:T]|\.\d+/g, "");
      const token = await authority.token(digest, { info: { genTime: generalizedTime(text) } });
      return { status: "confirmed", timestamp, proof: proofOf(token) };
    },
  };
  return {
    name,
    provider: rfc3161,
    mode,
    intervalSeconds: 0,
    maxDelaySeconds: 3_600,
    ...(mode !== "off" && { service }),
  };
}

eachScheme.test("a front shows the anchors, events and evidence of its sequencer", (scheme) =>
  Sequencer.run(scheme, async (sequencer) => {
    using early = sequencer.front();
    let added = 0;
    early.list.onAdded(() => added++, new AbortController().signal);
    const fronts = [early];
    for (let batch = 0; batch < 3; batch++) {
      const size = await sequencer.anchored();
      await sequencer.evidence.add(contradiction(PEER, 1, 6 + batch));
      await sequencer.federation.saveSeenHead(seen(PEER, 5 + batch));
      // Calls at the same time read the new contradiction twice, and show it once.
      const found = await Promise.all([1, 2].map(() => early.evidence.contradictions()));
      assert.deepEqual(found.map(({ length }) => length), [batch + 1, batch + 1]);
      // A front that starts while the others run.
      using late = sequencer.front();
      for (const front of [...fronts, late]) {
        for (const covered of [1, size, size + 1]) {
          assert.equal(await anchorTexts(front, covered), await anchorTexts(sequencer, covered));
        }
        for (let sequence = 0; sequence < size; sequence++) {
          const bundle = await sequencer.bundle(sequence, sequencer);
          assert.equal(await sequencer.bundle(sequence, front), bundle);
          const { cross_anchors, external_anchors } = JSON.parse(bundle);
          assert.deepEqual([cross_anchors.length, external_anchors.length], [1, 1]);
        }
      }
      assert.equal(early.list.length, 2 * (batch + 1));
      assert.ok(added >= early.list.length, "each anchor is announced");
      assert.equal((await early.evidence.contradictions()).length, batch + 1);
    }
  }));

Deno.test("a front answers the routes of status and evidence like its sequencer", () =>
  Sequencer.run("ed25519", async (sequencer) => {
    using front = sequencer.front();
    const { gateway } = sequencer;
    const text = async (view: Pick<FrontAnchors, "source" | "evidence">, path: string) => {
      const app = gatewayApp({
        service: gateway,
        verifier: nativeCrypto,
        evidence: view.evidence,
        report: () => {},
      });
      await sequencer.bundle(0, view);
      return await (await app(new Request(`http://gateway.test${path}`))).text();
    };
    const isSame = async (path: string) => {
      // The ages in both answers are of the same second, or they are asked again.
      for (;;) {
        const second = unixSeconds(systemClock);
        const [ours, theirs] = [await text(front, path), await text(sequencer, path)];
        if (second !== unixSeconds(systemClock)) continue;
        assert.equal(ours, theirs);
        return JSON.parse(ours);
      }
    };
    const failing = async () =>
      (await isSame("/v1/status")).peers.map(({ failing }: { failing: boolean }) => failing);
    await sequencer.evidence.add(contradiction(PEER, 1));
    await sequencer.federation.saveSeenHead(seen(DOWN, 7));
    await sequencer.anchored();
    await until(() => sequencer.anchoring.feed.value.failingPeers.length === 1);
    assert.deepEqual(await failing(), [false, true]);
    assert.equal((await isSame("/v1/federation/contradictions")).length, 1);
    assert.equal((await isSame("/v1/federation/tree-heads"))[0].sth.tree_head.network_id, DOWN);
    assert.equal(JSON.parse(await text(front, "/v1/status")).contradictions, 1);
    const { peers, anchors } = await isSame("/v1/status");
    assert.equal(peers[0].last_cross_anchor.tree_size, 1);
    assert.deepEqual(anchors.map(({ service }: { service: string }) => service), ["tsa", "old"]);
    assert.deepEqual(anchors.map(({ last }: { last?: unknown }) => last !== undefined), [
      true,
      false,
    ]);
    sequencer.down.answers = true;
    await until(() => sequencer.anchoring.feed.value.failingPeers.length === 0);
    assert.deepEqual(await failing(), [false, false]);
  }));

Deno.test("a front omits a damaged anchor, and reports it once", () =>
  Sequencer.run("ed25519", async (sequencer) => {
    const lines = new LogLines();
    const damage = new DamageLog(lines.report, systemClock);
    using front = sequencer.front((error) => void damage.take(error));
    const size = await sequencer.anchored();
    const whole = JSON.parse(await sequencer.bundle(0, front));
    assert.deepEqual([whole.cross_anchors.length, whole.external_anchors.length], [1, 1]);
    {
      using kv = await Deno.openKv(sequencer.start.file);
      await kv.set(anchorKeys.crossAnchor(PEER, size), new Uint8Array(3));
      const record = (await kv.get<Uint8Array>(anchorKeys.anchor("tsa", "confirmed", size))).value!;
      // Its record is well-formed, and its proof does not verify.
      const text = new TextDecoder().decode(record).replace(/"token":"..../, '"token":"AAAA');
      await kv.set(anchorKeys.anchor("tsa", "confirmed", size), new TextEncoder().encode(text));
    }
    for (let i = 0; i < 3; i++) {
      const bundle = JSON.parse(await sequencer.bundle(0, front));
      assert.deepEqual([bundle.cross_anchors, bundle.external_anchors], [[], []]);
    }
    await front.source.status(0);
    const reports = lines.lines.map(({ message }) => message);
    assert.equal(reports.length, 2, reports.join("\n"));
    assert.match(reports.join("\n"), new RegExp(`cross-anchor ${size} by ${PEER}`));
    assert.match(reports.join("\n"), new RegExp(`anchor ${size} of tsa`));
    assert.ok(damage.reads > 2);
    // Later anchors are whole.
    await sequencer.anchored();
    assert.equal(JSON.parse(await sequencer.bundle(0, front)).cross_anchors.length, 1);
  }));

Deno.test("a front reads anchors with read permission alone", () =>
  Sequencer.run("ed25519", async (sequencer) => {
    const size = await sequencer.anchored();
    await sequencer.evidence.add(contradiction(PEER, 1));
    const { start, anchoring: { feed: { value: state } } } = sequencer;
    const worker = new Worker(new URL("./front_reader.ts", import.meta.url), {
      type: "module",
      deno: {
        permissions: {
          env: false,
          net: false,
          write: false,
          run: false,
          ffi: false,
          sys: false,
          import: false,
          read: [join(start.file, "..")],
        },
      },
    });
    const answer = Promise.withResolvers<{ texts: string; refusal: string }>();
    worker.onmessage = ({ data }) => {
      if (data !== "loaded") return answer.resolve(data);
      worker.postMessage({ start, state, size } satisfies FrontRead);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      answer.reject(new Error(event.message));
    };
    const { texts, refusal } = await answer.promise;
    worker.terminate();
    assert.equal(texts, await anchorTexts(sequencer, size));
    assert.equal(refusal, "NotCapable");
  }));

Deno.test("openFrontAnchors() rejects a missing file, and opens nothing of a damaged one", async () => {
  const folder = await Deno.makeTempDir();
  const file = join(folder, "anchors.kv");
  const damages: string[] = [];
  const damaged = ({ message }: CountersignError) => void damages.push(message);
  const context = { crypto: nativeCrypto, clock: systemClock, damaged };
  const open = (services: AnchorsStart["services"] = []) =>
    openFrontAnchors({ file, networkId: PEER, peers: [], services }, context);
  assert.throws(() => open(), { code: "storage_failed" });
  await Deno.writeTextFile(file, "no store ".repeat(1000));
  assert.equal(open(), undefined);
  assert.match(damages.join(), /^Cannot read the store: the database is damaged[^,]*$/);
  assert.throws(() => open([{ name: "a", mode: "off", provider: "none" }]), { code: "internal" });
  await Deno.remove(folder, { recursive: true });
});

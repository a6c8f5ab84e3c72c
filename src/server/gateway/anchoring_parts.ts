/**
 * Opens the anchoring of a log: peers with their tokens, anchor services, and the store of anchors.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { utf8 } from "../../base/bytes.ts";
import { systemClock } from "../../base/clock.ts";
import { configureAnchors } from "../../config/anchor_services.ts";
import { type LoadedPeer, loadFederation } from "../../config/federation_peers.ts";
import { readBytesFile } from "../../config/text_file.ts";
import type { WitnessingSettings } from "../../config/witnessing.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { Evidence } from "../../gateway/federation/evidence.ts";
import { followedPeer } from "../../gateway/federation/followed_peer.ts";
import type { AnyContradiction } from "../../proof/format/federation.ts";
import type { Peer } from "../../gateway/federation/ports.ts";
import { parseLogPolicy, WITNESS_TYPES } from "../../proof/format/log_policy.ts";
import { parseVkey } from "../../proof/format/note_key.ts";
import { conflictText } from "../../proof/format/succession_conflict.ts";
import type { AnchorList } from "../../gateway/events/event_ports.ts";
import type { AnchorDatabase } from "../../storage/anchors/anchor_database.ts";
import { KvAnchorList } from "../../storage/anchors/kv_anchor_list.ts";
import { KvAnchorStore } from "../../storage/anchors/kv_anchor_store.ts";
import { KvFederationStore } from "../../storage/anchors/kv_federation_store.ts";
import { KvWitnessedStore } from "../../storage/anchors/kv_witnessed_store.ts";
import { FetchAnchorHttp } from "../../http/outgoing/anchor_http.ts";
import { CheckpointWitnessClient } from "../../http/outgoing/checkpoint_witness_client.ts";
import { chainFetcher, HttpPeerClient } from "../../http/outgoing/peer_client.ts";
import { storeFault } from "../../storage/store_fault.ts";
import { anchorsFile } from "../data_paths.ts";
import type { GatewayRun } from "./gateway_run.ts";
import type { GatewayStores } from "./gateway_stores.ts";
import type { AnchorsStart } from "../anchoring/front_anchors.ts";
import { LogAnchoring, shownPeer } from "../anchoring/log_anchoring.ts";
import type { WitnessingPlan } from "../../gateway/witnessing/witnessing.ts";
import { storeDigestOf } from "./present_epoch.ts";

export interface OpenedAnchoring {
  readonly peers: readonly LoadedPeer[];
  /** The same, in the epochs that they were followed to. Absent where `anchoring` is. */
  readonly followed?: readonly Peer[];
  /**
   * Absent if neither peers nor services are or were configured, or if the file of anchors is damaged.
   */
  readonly anchoring?: LogAnchoring;
  /** Present if `anchoring` is. */
  readonly anchorList?: AnchorList;
  /** For the fronts; present if `anchoring` is. */
  readonly start?: AnchorsStart;
}

/** The peers with their tokens. With federation off, no heads are exchanged. */
export async function loadPeers(
  { operator: { network, federation }, io, crypto: { bls } }: GatewayRun,
): Promise<readonly LoadedPeer[]> {
  if (!network.federation.enabled) return [];
  return await loadFederation(network, federation, { env: (name) => io.env(name), bls });
}

export async function openAnchoring(
  run: GatewayRun,
  stores: GatewayStores,
): Promise<OpenedAnchoring> {
  const { operator, options: { insecure }, paths, crypto, log, damage } = run;
  const report = log.report("anchoring");
  const peers = await loadPeers(run);
  const services = await configureAnchors(operator.anchors, {
    http: new FetchAnchorHttp({ insecure }),
    clock: systemClock,
    insecure,
    readFile: (path) => readBytesFile(resolve(dirname(paths.networkFile), path)),
  });
  // Contradictions stay on show after the peer is removed.
  const { witnessing, network: { id: networkId } } = operator;
  const asksNone = peers.length === 0 && services.length === 0 && witnessing === undefined;
  if (asksNone && !await stores.hasAnchors()) return { peers };
  // Expected when the first peer or service was just configured; otherwise the file was lost.
  if (await stores.hasLog() && !await stores.hasAnchors()) {
    report(
      `Created "${stores.name}" for an existing log: earlier anchors and earlier heads of peers are unknown`,
    );
  }
  const stored = await openStored(stores, storeDigestOf(run), run);
  if (stored === undefined) return { peers };
  const { database, anchorList } = stored;
  const federationStore = new KvFederationStore(database, anchorList);
  const evidence = new Evidence(
    federationStore,
    (found) => report(alertOf(found), { level: "error", peer: found.origin }),
  );
  const following = { store: federationStore, evidence, crypto, clock: systemClock, report };
  const askedPeers = await Promise.all(peers.map((peer) => {
    const { network: { id }, gatewayUrl: url } = peer;
    const fetchChain = url === undefined ? undefined : chainFetcher({ id, url, insecure });
    return followedPeer(askedPeer(peer, insecure), fetchChain, following);
  }));
  const anchoring = new LogAnchoring({
    services,
    evidence,
    crypto,
    clock: systemClock,
    report,
    list: anchorList,
    damaged: (error) => damage.take(error),
    peers: askedPeers,
    intervalSeconds: operator.federation.intervalSeconds,
    networkId,
    witnessing: witnessing && plannedWitnessing(witnessing, insecure),
    stores: {
      federation: federationStore,
      witnessed: new KvWitnessedStore(database),
      anchors: new KvAnchorStore(database, anchorList),
    },
  });
  const start = {
    file: anchorsFile(paths.dataFolder),
    networkId,
    peers: askedPeers.map(shownPeer),
    services: services.map(({ name, mode, provider }) => ({ name, mode, provider: provider.name })),
  };
  return { peers, followed: askedPeers, anchoring, anchorList, start };
}

/** The stored anchors; `undefined` if they are damaged: the log works without anchors. */
async function openStored(
  stores: GatewayStores,
  networkDigest: string,
  { damage, log, opened }: GatewayRun,
): Promise<{ readonly database: AnchorDatabase; readonly anchorList: KvAnchorList } | undefined> {
  try {
    const database = await stores.openAnchors(networkDigest);
    opened.defer(() => database.close());
    return { database, anchorList: await KvAnchorList.open(database) };
  } catch (error) {
    // SQLite does not recognise a file with another beginning as a database.
    const isOtherFile = hasCode(error, "file_failed") &&
      hasCode(storeFault("read", error.cause), "store_corrupt");
    const cause = isOtherFile
      ? new CountersignError("store_corrupt", error.message, { cause: error })
      : error;
    if (!damage.take(cause)) throw error;
    log.report("anchoring")(
      `"${stores.name}" is damaged: nothing is anchored, peers' heads are refused and bundles have no ` +
        "anchors. Restore or remove the file, and restart the gateway",
      { level: "error", code: cause.code },
    );
    return undefined;
  }
}

function alertOf(found: AnyContradiction): string {
  if (!("path" in found)) {
    return `Alert: ${conflictText(found)}`;
  }
  const [first, second] = [found.first, found.second].map(({ sth }) => sth.tree_head.tree_size);
  return `Alert: ${found.origin} signed two heads that contradict one another, of sizes ${first} and ` +
    `${second}`;
}

function plannedWitnessing(
  { witnesses, ...plan }: WitnessingSettings,
  insecure: boolean,
): WitnessingPlan {
  return {
    ...plan,
    witnesses: witnesses.map(({ name, url, publicUrl, vkeys, intervalSeconds }) => ({
      name,
      ...(publicUrl !== undefined && { publicUrl }),
      keys: vkeys.map((vkey) => parseVkey(vkey, WITNESS_TYPES)),
      intervalSeconds,
      client: new CheckpointWitnessClient({ name, url, insecure }),
    })),
    policy: parseLogPolicy(utf8(plan.policy)),
  };
}

function askedPeer({ network, minWitnesses, outbound }: LoadedPeer, insecure: boolean): Peer {
  return {
    network,
    minWitnesses,
    ...(outbound !== undefined && {
      client: new HttpPeerClient({ id: network.id, ...outbound, insecure }),
    }),
  };
}

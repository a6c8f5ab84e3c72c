/**
 * The anchors of a log in a front: read from the database that the sequencer writes, and counted by the
 * state that the sequencer publishes.
 *
 * @module
 */

import type { AnchorMode } from "../../gateway/anchors/ports.ts";
import { providerNamed } from "../../gateway/anchors/providers.ts";
import type { Clock } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { EvidenceReader } from "../../gateway/federation/evidence.ts";
import type { AnchorList } from "../../gateway/events/event_ports.ts";
import { type AnchorsState, NO_ANCHORS_STATE } from "../../gateway/fronts/ports.ts";
import type { AnchorSource } from "../../gateway/ports.ts";
import type { PeerEvidence } from "../../http/gateway/evidence_routes.ts";
import { AnchorValues } from "../../storage/anchors/anchor_database.ts";
import { listedAnchors } from "../../storage/anchors/kv_anchor_list.ts";
import { KvAnchorReads } from "../../storage/anchors/kv_anchor_store.ts";
import { KvFederationReads } from "../../storage/anchors/kv_federation_store.ts";
import { KvWitnessedReads } from "../../storage/anchors/kv_witnessed_store.ts";
import type { StoreReads } from "../../storage/store_engine.ts";
import { openSqliteReads, type SqliteReads } from "../../storage/sqlite_reads.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import { PublicAnchoringStatus } from "./anchoring_status.ts";
import { Current } from "../../base/current.ts";
import { type ShownPeer, StoredAnchors } from "./stored_anchors.ts";

/** SQLite's page cache: a bundle reads a few records, and the gateway keeps its text. */
const CACHE_KIB = 2_048;

/** Sent by the sequencer to each front that starts. */
export interface AnchorsStart {
  /** Path of the file on Deno KV. */
  readonly file: string;
  /** The origin of the log. */
  readonly networkId: string;
  readonly peers: readonly ShownPeer[];
  readonly services: readonly {
    readonly name: string;
    readonly mode: AnchorMode;
    /** Name of the provider. */
    readonly provider: string;
  }[];
}

export interface FrontAnchorsContext {
  readonly crypto: VerifierCrypto;
  readonly clock: Clock;
  /** Called for a damaged anchor, which is omitted. */
  readonly damaged: (error: CountersignError) => void;
  /** The anchors where they are not in a file. */
  readonly reads?: StoreReads | undefined;
}

/** The readers of anchors that a front composes. */
export interface FrontAnchors {
  readonly source: AnchorSource;
  readonly list: AnchorList;
  readonly evidence: PeerEvidence;
  /** Call with the state of each snapshot and each update. */
  changed(state: AnchorsState): void;
  close(): void;
}

/**
 * Opens the anchors; `undefined`, after a call of `damaged`, if their file was damaged since the sequencer
 * opened it: the front works without anchors. `storage_failed`.
 */
export function openFrontAnchors(
  { file, networkId, peers, services: started }: AnchorsStart,
  { crypto, clock, damaged, reads: opened }: FrontAnchorsContext,
): FrontAnchors | undefined {
  const services = started.map(({ provider, ...service }) => ({
    ...service,
    provider: requiredProvider(provider),
  }));
  const reads = opened ?? openWhole(file, damaged);
  if (reads === undefined) return undefined;
  const values = new AnchorValues(reads);
  const federation = new KvFederationReads(values);
  const listed = listedAnchors(values);
  const evidence = new EvidenceReader(federation, peers.map(({ network }) => network.id));
  const current = new Current(NO_ANCHORS_STATE);
  const shown = {
    crossAnchors: federation,
    externalAnchors: new KvAnchorReads(values),
    witnessed: new KvWitnessedReads(values),
    networkId,
    peers,
    services,
    current,
    damaged,
  };
  const status = new PublicAnchoringStatus({ ...shown, evidence, clock });
  return {
    source: new StoredAnchors({ ...shown, crypto, status: (latest) => status.read(latest) }),
    list: {
      get length() {
        return current.value.length;
      },
      list: (start, end) => listed.list({ start, end }),
      onAdded: (listener, signal) => current.onChanged(listener, signal),
    },
    evidence,
    changed: (state) => current.set(state),
    close: () => reads.close(),
  };
}

function openWhole(
  file: string,
  damaged: FrontAnchorsContext["damaged"],
): SqliteReads | undefined {
  try {
    return openSqliteReads(file, CACHE_KIB);
  } catch (error) {
    if (!hasCode(error, "store_corrupt")) throw error;
    damaged(error);
    return undefined;
  }
}

function requiredProvider(name: string) {
  const provider = providerNamed(name);
  if (provider !== undefined) return provider;
  throw new CountersignError("internal", `Unknown anchor provider ${name}`);
}

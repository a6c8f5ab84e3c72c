/**
 * Composes the readers of one log, over the state of the sequencer itself or over replicas of it.
 *
 * @module
 */

import type { Kernels } from "../../proof/crypto/kernels.ts";
import { TileProver } from "../../proof/merkle/tile_proof.ts";
import type { Report } from "../../base/report.ts";
import type { AnchorSource } from "../ports.ts";
import type { CommittedTree } from "../sequencing/committed_tree.ts";
import { AttestationReader, type ReaderContext } from "./attestation_reader.ts";
import { Proofs, type ProofsContext } from "./proofs.ts";
import { PublishedLog, type PublishedLogContext } from "./published_log.ts";

/** About 8 MiB of groups of leaves and nodes above them, and at most 8 MiB of paths and of right edges. */
const PROOF_CACHES = { tiles: 4096, sizes: 8192 };

export interface LogReadersContext
  extends Omit<ReaderContext, "networkId">, Pick<ProofsContext, "damaged"> {
  /** Absent if nothing is anchored. */
  readonly anchors: AnchorSource | undefined;
  readonly heads: PublishedLogContext["heads"];
  readonly tree: CommittedTree;
  readonly kernels: Kernels;
  readonly report: Report;
}

export interface LogReaders {
  readonly reader: AttestationReader;
  readonly tiles: TileProver;
  readonly log: PublishedLog;
  readonly proofs: Proofs;
}

export function composeReaders(context: LogReadersContext): LogReaders {
  const { epochs, kernels, tree } = context;
  const networkId = epochs.current.network.id;
  const reader = new AttestationReader({ ...context, networkId });
  const nodes = tree.proofNodes((start, end) => reader.storedLeaves(start, end));
  const tiles = new TileProver(kernels, nodes, PROOF_CACHES);
  const log = new PublishedLog({ ...context, reader, tiles });
  return { reader, tiles, log, proofs: new Proofs({ ...context, networkId, reader, log }) };
}

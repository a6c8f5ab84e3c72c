/**
 * Composes the readers of one log, over the state of the sequencer itself or over replicas of it.
 *
 * @module
 */

import type { Kernels } from "../../proof/crypto/kernels.ts";
import type { NodeSource } from "../../proof/merkle/tile.ts";
import { TileProver } from "../../proof/merkle/tile_proof.ts";
import type { Report } from "../../base/report.ts";
import type { AnchorSource } from "../ports.ts";
import { AttestationReader, type ReaderContext } from "./attestation_reader.ts";
import { Proofs, type ProofsContext } from "./proofs.ts";
import { PublishedLog, type PublishedLogContext } from "./published_log.ts";

/** 16 MiB of tiles, 2 MiB of paths above them and 8 MiB of right edges at most. */
const PROOF_CACHES = { tiles: 1024, sizes: 8192 };

export interface LogReadersContext
  extends Omit<ReaderContext, "networkId">, Pick<ProofsContext, "damaged"> {
  /** Absent if nothing is anchored. */
  readonly anchors: AnchorSource | undefined;
  readonly heads: PublishedLogContext["heads"];
  /** The committed tree. */
  readonly tree: NodeSource;
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
  const tiles = new TileProver(kernels, tree, PROOF_CACHES);
  const log = new PublishedLog({ ...context, reader, tiles });
  return { reader, tiles, log, proofs: new Proofs({ ...context, networkId, reader, log }) };
}

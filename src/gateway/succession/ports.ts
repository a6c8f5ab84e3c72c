/**
 * What a gateway needs to apply a succession.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { Succession, SuccessionLink } from "../../proof/format/succession.ts";
import type { Report } from "../../base/report.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { LogSigner, SuccessionStore, WitnessClient } from "../ports.ts";
import type { StoreWrites } from "../settle.ts";
import type { WitnessPool } from "../signing/witness_pool.ts";
import type { Epochs } from "./epochs.ts";

/** Who signs in an epoch, with the means to ask. */
export interface EpochParts {
  readonly network: NetworkConfiguration;
  /** One for each witness of the network. */
  readonly witnesses: readonly WitnessClient[];
  readonly logSigner: LogSigner;
}

/** The operator's next configuration, which may appear while the gateway runs. */
export interface SuccessionSource {
  /** The finished succession; reads it again. `undefined` if there is none or it cannot be used. */
  read(): Promise<Succession | undefined>;
  /** Opens the configuration whose core is the successor; `invalid_configuration` if it is another. */
  open(succession: Succession): Promise<EpochParts>;
}

/** How far a gateway has applied a succession. */
export interface SuccessionProgress {
  readonly epoch: number;
  /** The epoch that a succession leads to; absent while none is applied. */
  readonly next?: number;
  readonly step?: "checking" | "ending" | "beginning";
  /** The boundary, once known. */
  readonly tree_size?: number;
  /** Witnesses that have not done their part, if that holds the succession up. */
  readonly waits_for?: readonly string[];
  /** The log has ended for good. */
  readonly frozen?: true;
}

/** The parts of the running gateway that the driver needs. */
export interface SuccessionDriverContext {
  readonly epochs: Epochs;
  readonly store: SuccessionStore;
  readonly source: SuccessionSource | undefined;
  readonly writes: StoreWrites;
  readonly crypto: VerifierCrypto;
  readonly clock: Clock;
  readonly report: Report;
  /** The present epoch's. */
  readonly pool: () => WitnessPool;
  readonly logSigner: () => LogSigner;
  /** Size of the last published head. */
  readonly publishedSize: () => number;
  readonly publishedRoot: (size: number) => Promise<string>;
  readonly findDigest: (hash: string) => number | undefined | Promise<number | undefined>;
  /**
   * Assigns a sequence to a digest of this gateway's own, and ends rounds after it in the same turn.
   * `undefined` if the digest is in the log already, with rounds beyond it.
   */
  readonly logLast: (
    digest: Bytes,
    isFreeze: boolean,
  ) => { readonly sequence: number; readonly durable: Promise<void> } | undefined;
  /** Ends rounds at a boundary that is known; false if rounds beyond it exist. */
  readonly endAt: (boundary: number, isFreeze: boolean) => boolean;
  /** Unix seconds of a confirmed attestation. */
  readonly attestedAt: (sequence: number) => Promise<number>;
  readonly inclusionPath: (sequence: number, size: number) => Promise<string[]>;
  readonly consistencyPath: (first: number, second: number) => Promise<Bytes[]>;
  /** The link is stored: `next` signs from now on; `null` if the log has ended. */
  readonly switchTo: (link: SuccessionLink, next: PreparedEpoch | null) => void;
  readonly prepare: (parts: EpochParts) => PreparedEpoch;
}

/** The pool of the next epoch, before the gateway uses it. */
export interface PreparedEpoch {
  readonly parts: EpochParts;
  readonly pool: WitnessPool;
}

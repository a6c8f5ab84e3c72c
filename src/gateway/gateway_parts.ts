/**
 * What a gateway is made of: handed to it by whoever composes it.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import type { Bls } from "../crypto/bls.ts";
import type { Ed25519Verify } from "../crypto/ed25519_rule.ts";
import type { Kernels } from "../crypto/kernels.ts";
import type { CountersignError } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { Report } from "../report.ts";
import type { RoundTreeBuilder } from "../merkle/round_tree.ts";
import type { PipelineObserver } from "./observer.ts";
import type { AnchorSource, BeaconSource, LogSigner, LogStore, WitnessClient } from "./ports.ts";
import type { BatchPolicy } from "./sequencing.ts";
import type { Tracer } from "./tracer.ts";

/** What a gateway is made of. */
export interface GatewayParts {
  readonly network: NetworkConfiguration;
  readonly store: LogStore;
  readonly witnesses: readonly WitnessClient[];
  readonly logSigner: LogSigner;
  readonly kernels: Kernels;
  readonly verify: Ed25519Verify;
  readonly bls: Bls;
  readonly buildTree: RoundTreeBuilder;
  readonly clock: Clock;
  readonly policy: BatchPolicy;
  /** Absent where rounds have no beacon. */
  readonly beacons?: BeaconSource;
  /** Absent where no head is anchored. */
  readonly anchors?: AnchorSource;
  /** An admission may have something spent: what was spent before is found in memory then. */
  readonly spendsTokens?: boolean;
  /**
   * Accepts digests after a start before the witnesses have agreed with the store: where it is an old
   * copy, these are never signed.
   */
  readonly acceptsBeforeWitnesses?: boolean;
  /** Absent where nobody measures. */
  readonly observer?: PipelineObserver;
  /** Absent where no request is followed. */
  readonly tracer?: Tracer;
  /** Told once of a fault that no retry mends: the process is to end and start again. */
  readonly onFatal: (error: unknown) => void;
  /** Called for damage that an answer leaves out: `store_corrupt`. */
  readonly onDamaged?: (error: CountersignError) => void;
  /** Told of what an operator should know, when it changes. */
  readonly report: Report;
}

/**
 * The dependencies of a gateway.
 *
 * @module
 */

import type { Clock } from "../base/clock.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import type { Ed25519Verify } from "../proof/crypto/ed25519_rule.ts";
import type { Kernels } from "../proof/crypto/kernels.ts";
import type { CountersignError } from "../base/errors.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import type { SuccessionLink } from "../proof/format/succession.ts";
import type { Report } from "../base/report.ts";
import type { RoundTreeBuilder } from "../proof/merkle/round_tree.ts";
import type { AnchorsFeed } from "./fronts/ports.ts";
import type { HashIndex } from "./index/hash_index.ts";
import type { PipelineObserver } from "./observer.ts";
import type { AnchorSource, BeaconSource, LogSigner, LogStore, WitnessClient } from "./ports.ts";
import type { BatchPolicy } from "./sequencing/batching.ts";
import type { SuccessionSource } from "./succession/ports.ts";
import type { Tracer } from "./tracer.ts";

export interface GatewayParts {
  /** Configuration of the present epoch. */
  readonly network: NetworkConfiguration;
  /** The verified links that lead to it; none in epoch 0. */
  readonly links?: readonly SuccessionLink[] | undefined;
  /** Absent if no succession can be applied while the gateway runs. */
  readonly succession?: SuccessionSource;
  readonly store: LogStore;
  readonly witnesses: readonly WitnessClient[];
  readonly logSigner: LogSigner;
  readonly kernels: Kernels;
  readonly verify: Ed25519Verify;
  readonly bls: Bls;
  readonly buildTree: RoundTreeBuilder;
  readonly clock: Clock;
  readonly policy: BatchPolicy;
  /** The index of the digests below some sequence, as a standby kept it; by default it is loaded. */
  readonly index?: Promise<HashIndex | undefined> | undefined;
  /** Absent if rounds have no beacon. */
  readonly beacons?: BeaconSource;
  /** Absent if heads are not anchored. */
  readonly anchors?: AnchorSource | undefined;
  /** The anchoring as fronts follow it; absent if heads are not anchored. */
  readonly anchorsFeed?: AnchorsFeed | undefined;
  /** Admissions may redeem tokens: load the index of redeemed ids. */
  readonly spendsTokens?: boolean;
  /**
   * Accept digests after a start before the witnesses have agreed with the store. If the store is an old
   * copy, these digests are never signed.
   */
  readonly acceptsBeforeWitnesses?: boolean;
  /**
   * The start does not wait for the witnesses, without which digests are not accepted: clients can find this
   * gateway meanwhile.
   */
  readonly isTakeover?: boolean;
  /** False while another process may take the digests of this log; by default always true. */
  readonly isActive?: () => boolean;
  /** Why this process cannot find out whether it may; `undefined` if it can. */
  readonly leaseFailure?: () => string | undefined;
  readonly observer?: PipelineObserver | undefined;
  readonly tracer?: Tracer | undefined;
  /**
   * Resolves when the requests that have arrived are taken, which takes a turn of the event loop: each
   * request has its own microtasks. Commits wait for it. One microtask when absent.
   */
  readonly turn?: () => Promise<void>;
  /**
   * Clients that submit again within this time after an answer count as returning, and commits wait for them
   * (`intake/returning_clients.ts`). When absent, none do.
   */
  readonly returnMs?: number;
  /** Called once after a fault that no retry fixes: the process has to end and start again. */
  readonly onFatal: (error: unknown) => void;
  /** Called for damage (`store_corrupt`) because of which an answer omits an anchor. */
  readonly onDamaged?: (error: CountersignError) => void;
  /** Reports conditions to the operator. */
  readonly report: Report;
}

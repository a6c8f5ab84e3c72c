/**
 * The ports of a monitor: logs, their views, the store of its state, and channels for alerts.
 *
 * @module
 */

import type { CheckpointRule } from "../publishing/checkpoint_rule.ts";
import type { LogSource } from "../publishing/ports.ts";

/** Verified evidence of two histories, from a peer. */
export interface PeerEvidence {
  /** JSON. */
  readonly text: string;
}

/**
 * A place that shows a log: its operator or a copy, with tiles; or a witness or peer network, which shows
 * the latest head that it cosigned or saw.
 */
export interface View {
  /** Unique in its log. */
  readonly name: string;
  readonly heads: Pick<LogSource, "name" | "checkpoint">;
  /** Absent for a witness or a peer. */
  readonly tiles?: LogSource;
  /** Evidence against the log that the peer has. */
  readonly contradictions?: (signal: AbortSignal) => Promise<readonly PeerEvidence[]>;
}

/** An entry that has to stay in the log. */
export interface WatchedHash {
  /**
   * In hex: the leaf hash of the entry, the SHA-256 of the entry, or the digest that the entry, an
   * attestation, is about.
   */
  readonly hash: string;
  /** Found by reading the log if absent. */
  readonly index?: number;
}

export interface MonitoredLog {
  readonly origin: string;
  readonly rule: CheckpointRule;
  readonly views: readonly View[];
  /** Largest age of a head; absent if it is not judged. */
  readonly maxAgeSeconds?: number;
  /** Entry bundles that each poll reads again, in turn. */
  readonly bundlesPerPoll: number;
  readonly watch: readonly WatchedHash[];
}

/** An operator's acknowledgement of a finding. */
export interface Acknowledgement {
  /** Id of the finding. */
  readonly id: string;
  readonly note?: string | undefined;
}

/** A monitor's folder. Methods reject with `storage_failed`. */
export interface MonitorStore {
  /** Names the state in messages. */
  readonly name: string;
  /** The state; `undefined` before the first write. */
  read(): Promise<string | undefined>;
  /** Replaces the state, durably: after a crash it is the old or the new one. */
  write(text: string): Promise<void>;
  /** Stores evidence whole, unless there is some of this name. Returns its path. */
  putEvidence(name: string, text: string): Promise<string>;
  acknowledgements(): Promise<readonly Acknowledgement[]>;
  /** Called once the stored state contains it. */
  removeAcknowledgement(id: string): Promise<void>;
}

/** A change of a finding that an operator should know. */
export interface Alert {
  /** The same each time it is sent. */
  readonly id: string;
  /** One line of JSON. */
  readonly text: string;
  /** For people. */
  readonly line: string;
}

/** A receiver of alerts. */
export interface AlertChannel {
  readonly name: string;
  /** Sends an alert until it arrived: true, or until `signal` aborts: false. */
  send(alert: Alert, signal: AbortSignal): Promise<boolean>;
}

/**
 * The calls between the supervisor, the sequencer's thread and the fronts' threads. What is called for
 * each submission goes through shared memory instead (`gateway/link/thread_link.ts`).
 *
 * @module
 */

import type { ListenerAddress } from "../../config/listeners.ts";
import type { SharedLimits } from "../../http/limit_tables.ts";
import type { MetricFamily } from "../../http/metrics/prometheus_text.ts";
import type { FrontEnd, LinkMemory, SequencerEnd } from "../../gateway/link/thread_link_ends.ts";
import type { ApiKeyEntry } from "../../config/api_keys.ts";
import type { SentDirectory } from "../gateway/directory_feed.ts";
import type { AnchorsStart } from "../anchoring/front_anchors.ts";
import type { PortUrls } from "../gateway/gateway_listeners.ts";

/** Parts of a running sequencer that fronts need. */
export interface SequencerStarted {
  readonly limits: SharedLimits;
  /** The ports on which the sequencer has served reads as a standby, and which the fronts share. */
  readonly ports: FrontPorts | undefined;
  /** As configured. */
  readonly eventSockets: ListenerAddress | undefined;
}

/** A front that connects to the sequencer. */
export interface ConnectingFront {
  /** The same for a front and its replacement. */
  readonly name: string;
  readonly end: SequencerEnd;
  /** For {@linkcode FrontCalls}. */
  readonly calls: MessagePort;
}

/** Parts that a front gets from the sequencer. */
export interface FrontParts {
  /** The text of `network.json` as the sequencer has read it; later epochs are in the link. */
  readonly networkText: string;
  /** The directories of issuers that the sequencer has accepted. */
  readonly directories: readonly SentDirectory[];
  /** Absent if clients need no API key. */
  readonly apiKeys?: readonly ApiKeyEntry[] | undefined;
  /** Absent if nothing is anchored. */
  readonly anchors?: AnchorsStart | undefined;
}

/** The parts that a front serves, and its addresses. */
export interface FrontOpening {
  readonly name: string;
  /** From 0; its number in the tables of limits. */
  readonly index: number;
  readonly parts: FrontParts;
  readonly limits: SharedLimits;
  readonly ports: FrontPorts;
  readonly end: FrontEnd;
  /** For {@linkcode FrontCalls}. */
  readonly calls: MessagePort;
}

/** The ports of a gateway, the same for all fronts. */
export interface FrontPorts {
  readonly port: number;
  /** Absent without the listener. */
  readonly operatorPort?: number | undefined;
  readonly eventSocketsPort?: number | undefined;
}

/** The supervisor calls the sequencer. */
export interface SequencerControl {
  /**
   * Starts the sequencer, or starts it again after it ended; it stands by first if the options say so. Resolves
   * once it runs. Its fronts connect over `link`.
   */
  start(link: LinkMemory): Promise<SequencerStarted>;
  connect(front: ConnectingFront): FrontParts;
  /** The front has ended. */
  disconnect(name: string): void;
  /** All fronts listen: the operator listener opens, and the standby's ports close. The lines to print. */
  banner(urls: PortUrls): Promise<string>;
  /** Accepts nothing more; held answers end. A lease is given back. */
  refuseNew(): Promise<void>;
  /** Closes all that {@linkcode SequencerControl.start} opened. */
  end(): Promise<void>;
}

/** The sequencer calls the supervisor. */
export interface SupervisorCalls {
  /** A fault that ends the gateway was reported. */
  failed(): void;
}

/** The supervisor calls a front. */
export interface FrontControl {
  /** Resolves once the front listens. */
  serve(opening: FrontOpening): Promise<PortUrls>;
}

/** The sequencer calls a front. */
export interface FrontCalls {
  metrics(): readonly MetricFamily[];
  useDirectory(directory: SentDirectory): void;
  useApiKeys(keys: readonly ApiKeyEntry[]): void;
}

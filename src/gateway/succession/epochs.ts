/**
 * The epochs of a log: which configuration signs which part of it (protocol.md "Succession"). Stored rounds
 * and heads name witnesses by index. The index is one of the configuration of their epoch, so readers of
 * records ask here for the epoch of a position.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { parseVkey } from "../../proof/format/note_key.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import { coreDigest, coreOf, type TrustCore } from "../../proof/format/trust_core.ts";
import { type IndexedWitness, indexedWitnesses } from "../signing/indexed_witnesses.ts";

export interface LogEpoch {
  readonly number: number;
  /** Sequence of its first leaf. Its witnesses sign the heads of larger sizes. */
  readonly start: number;
  readonly network: NetworkConfiguration;
  /** Ascending by id. */
  readonly witnesses: readonly IndexedWitness[];
  readonly witnessIds: readonly string[];
  /** The log's key; absent if the configuration has none. */
  readonly logPublicKey: Bytes | undefined;
}

/** The present configuration, and the links that lead to it. */
export interface EpochChain {
  /** Configuration of the present epoch, or of the last one if the log has ended. */
  readonly network: NetworkConfiguration;
  /** Verified. The first one begins at epoch 0; the last one leads to the core of `network`. */
  readonly links: readonly SuccessionLink[];
}

/** The epochs so far, and the links between them. */
export class Epochs {
  #epochs: LogEpoch[] = [];
  #links: readonly SuccessionLink[] = [];
  #chainJson = "[]";

  /** As {@linkcode Epochs.replace}. */
  constructor(network: NetworkConfiguration, links: readonly SuccessionLink[] = []) {
    this.replace({ network, links });
  }

  get chain(): EpochChain {
    return { network: this.current.network, links: this.#links };
  }

  /** Replaces all epochs by those of a chain; `internal` if its links do not lead from epoch 0 to its `network`. */
  replace({ network, links }: EpochChain): void {
    let start = 0;
    for (const [i, { predecessor, end }] of links.entries()) {
      const isNext = predecessor.id === network.id && predecessor.epoch === i &&
        end.tree_size > start;
      if (!isNext) throw new CountersignError("internal", "The chain does not begin with epoch 0");
      start = end.tree_size;
    }
    this.#epochs = [];
    start = 0;
    for (const { predecessor, end } of links) {
      this.#push(configured(network, predecessor), start);
      start = end.tree_size;
    }
    const last = links.at(-1);
    // A log that has ended has no epoch after the last link.
    if (last?.successor !== null) {
      if (last !== undefined && coreDigest(last.successor) !== coreDigest(coreOf(network))) {
        throw new CountersignError("internal", "The chain leads to another configuration");
      }
      this.#push(network, start);
    }
    this.#setLinks(links);
  }

  get current(): LogEpoch {
    return this.#epochs.at(-1)!;
  }

  /** The size of the log at its end, if it has ended. */
  get frozenAt(): number | undefined {
    const last = this.#links.at(-1);
    return last?.successor === null ? last.end.tree_size : undefined;
  }

  /** Why an ended log takes no hash, and which log continues it. */
  get endText(): string {
    const next = this.#links.at(-1)?.next_log?.origin;
    const text = "The log has ended: it takes no more hashes";
    return next === undefined ? text : `${text}. It continues in the log ${next}`;
  }

  /** Who signs the leaf of `sequence`. */
  ofLeaf(sequence: number): LogEpoch {
    let at = this.#epochs.length - 1;
    while (at > 0 && sequence < this.#epochs[at]!.start) at--;
    return this.#epochs[at]!;
  }

  /** Who signs a head of `size`. */
  ofHead(size: number): LogEpoch {
    return this.ofLeaf(size - 1);
  }

  get links(): readonly SuccessionLink[] {
    return this.#links;
  }

  /** JSON of {@linkcode links}. */
  get chainJson(): string {
    return this.#chainJson;
  }

  /** Adds a verified link that leads to `network`, or ends the log. */
  add(link: SuccessionLink, network: NetworkConfiguration | null): void {
    if (network !== null) this.#push(network, link.end.tree_size);
    this.#setLinks([...this.#links, link]);
  }

  #setLinks(links: readonly SuccessionLink[]): void {
    this.#links = links;
    this.#chainJson = JSON.stringify(links);
  }

  #push(network: NetworkConfiguration, start: number): void {
    const witnesses = indexedWitnesses(network);
    this.#epochs.push({
      number: network.epoch ?? 0,
      start,
      network,
      witnesses,
      witnessIds: witnesses.map(({ id }) => id),
      logPublicKey: network.log_vkey === undefined
        ? undefined
        : parseVkey(network.log_vkey).publicKey,
    });
  }
}

/** The configuration of the epoch of `core`, with the members of `network` that no core has. */
function configured(network: NetworkConfiguration, core: TrustCore): NetworkConfiguration {
  if (core.epoch === (network.epoch ?? 0)) return network;
  const { federation, merge_delay_seconds } = network;
  return {
    ...core,
    federation,
    ...(merge_delay_seconds !== undefined && { merge_delay_seconds }),
  };
}

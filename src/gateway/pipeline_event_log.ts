/**
 * The log as events tell of it, over a running {@linkcode Pipeline}: what is durable and final.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import type { DigestEvent, EventLog, PublishedHead } from "./event_ports.ts";
import type { Pipeline } from "./pipeline.ts";
import type { RoundStore } from "./ports.ts";
import type { SthRecord } from "../format/records.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;

/** {@linkcode EventLog} of one gateway. */
export class PipelineEventLog implements EventLog {
  readonly networkId: string;
  readonly #pipeline: Pipeline;
  readonly #rounds: RoundStore;

  constructor(networkId: string, pipeline: Pipeline, rounds: RoundStore) {
    this.networkId = networkId;
    this.#pipeline = pipeline;
    this.#rounds = rounds;
  }

  get accepted(): number {
    return this.#pipeline.committer.durable;
  }

  get confirmed(): number {
    return this.#pipeline.confirmed.end;
  }

  get published(): number {
    return this.#pipeline.heads.size;
  }

  async acceptances(start: number, end: number): Promise<readonly DigestEvent[]> {
    return this.#recentAcceptances(start, end) ?? await this.#storedAcceptances(start, end);
  }

  async confirmations(start: number, end: number): Promise<readonly DigestEvent[]> {
    const attestations = await this.#pipeline.reader.attestations(start, end);
    return attestations.map(({ hash, timestamp }) => ({ hash, at: timestamp }));
  }

  async headAbove(size: number): Promise<PublishedHead | undefined> {
    const record = await this.#pipeline.heads.closing(size);
    return record && this.#headOf(record);
  }

  async publishedUpTo(size: number): Promise<number> {
    const [record] = await this.#pipeline.heads.below(size + 1, 1);
    return record?.size ?? 0;
  }

  async sequenceOf(hash: string): Promise<number | undefined> {
    const sequence = await this.#pipeline.index.find(Uint8Array.fromHex(hash));
    return sequence !== undefined && sequence < this.accepted ? sequence : undefined;
  }

  onProgress(listener: () => void, signal: AbortSignal): void {
    this.#pipeline.progress.listen(listener, signal);
  }

  #headOf(record: SthRecord): PublishedHead {
    const { prover } = this.#pipeline;
    return {
      size: record.size,
      sth: () => prover.sthOf(record),
      batch: () => prover.batchOf(record),
    };
  }

  /** From memory, where all of them are. */
  #recentAcceptances(start: number, end: number): DigestEvent[] | undefined {
    const { index } = this.#pipeline;
    const digests = index.digests(start, end);
    if (digests instanceof Promise) return undefined;
    const hex = digests.toHex();
    const events: DigestEvent[] = [];
    for (let i = 0; i < end - start; i++) {
      const at = index.acceptedAt(start + i);
      if (at instanceof Promise) return undefined;
      events.push({ hash: hex.slice(i * HEX_LENGTH, (i + 1) * HEX_LENGTH), at });
    }
    return events;
  }

  async #storedAcceptances(start: number, end: number): Promise<DigestEvent[]> {
    const digests = await this.#pipeline.index.digests(start, end);
    const hex = digests.toHex();
    const events: DigestEvent[] = [];
    for (const row of await this.#rounds.rows(start, end)) {
      const to = Math.min(end, row.first + row.digests.length / HASH_LENGTH);
      for (let at = Math.max(start, row.first); at < to; at++) {
        const i = (at - start) * HEX_LENGTH;
        events.push({ hash: hex.slice(i, i + HEX_LENGTH), at: row.acceptedAt });
      }
    }
    return events;
  }
}

/**
 * {@linkcode EventLog} over a running {@linkcode Pipeline}: what is durable and final.
 *
 * @module
 */

import { HASH_LENGTH } from "../../bytes.ts";
import type { DigestEvent, EventLog, PublishedHead } from "./event_ports.ts";
import type { Pipeline } from "../pipeline.ts";
import type { RoundStore } from "../ports.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;

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
    const { index } = this.#pipeline;
    const hex = (await index.digests(start, end)).toHex();
    const events: DigestEvent[] = [];
    const add = (at: number) => {
      const i = events.length * HEX_LENGTH;
      events.push({ hash: hex.slice(i, i + HEX_LENGTH), at });
    };
    for (let sequence = start; sequence < end; sequence++) {
      const at = index.acceptedInMemory(sequence);
      if (at === undefined) break;
      add(at);
    }
    const next = start + events.length;
    // Times that are not in memory are read once a row.
    for (const row of next === end ? [] : await this.#rounds.rows(next, end)) {
      const to = Math.min(end, row.first + row.digests.length / HASH_LENGTH);
      while (start + events.length < to) add(row.acceptedAt);
    }
    return events;
  }

  async confirmations(start: number, end: number): Promise<readonly DigestEvent[]> {
    const attestations = await this.#pipeline.reader.attestations(start, end);
    return attestations.map(({ hash, timestamp }) => ({ hash, at: timestamp }));
  }

  async headAbove(size: number): Promise<PublishedHead | undefined> {
    const { heads, prover } = this.#pipeline;
    const record = await heads.closing(size);
    return record && {
      size: record.size,
      sth: () => prover.sthOf(record),
      batch: () => prover.batchOf(record),
    };
  }

  async sequenceOf(hash: string): Promise<number | undefined> {
    const sequence = await this.#pipeline.index.find(Uint8Array.fromHex(hash));
    return sequence !== undefined && sequence < this.accepted ? sequence : undefined;
  }

  onProgress(listener: () => void, signal: AbortSignal): void {
    this.#pipeline.progress.listen(listener, signal);
  }
}

/**
 * The {@linkcode EventLog} of a running gateway.
 *
 * @module
 */

import { HASH_LENGTH } from "../../base/bytes.ts";
import type { DigestEvent, EventLog, PublishedHead } from "./event_ports.ts";
import type { DigestIndex } from "../index/digest_index.ts";
import type { Committer } from "../intake/committer.ts";
import type { Listeners } from "../observer.ts";
import type { RoundReads } from "../ports.ts";
import type { AttestationReader } from "../proving/attestation_reader.ts";
import type { ConfirmedRounds } from "../proving/confirmed_rounds.ts";
import type { PublishedLog } from "../proving/published_log.ts";
import type { PublishedHeads } from "../sequencing/published_heads.ts";

const HEX_LENGTH = 2 * HASH_LENGTH;

export interface EventLogContext {
  readonly networkId: string;
  readonly rounds: Pick<RoundReads, "rows">;
  readonly index: Pick<DigestIndex, "digests" | "acceptedInMemory">;
  readonly committer: Pick<Committer, "durable">;
  readonly confirmed: Pick<ConfirmedRounds, "end">;
  readonly heads: Pick<PublishedHeads, "size" | "closing">;
  readonly reader: Pick<AttestationReader, "attestations" | "find">;
  readonly log: Pick<PublishedLog, "sthOf" | "batchOf">;
  readonly progress: Pick<Listeners, "listen">;
}

export class GatewayEventLog implements EventLog {
  readonly networkId: string;
  readonly #context: EventLogContext;

  constructor(context: EventLogContext) {
    this.networkId = context.networkId;
    this.#context = context;
  }

  get accepted(): number {
    return this.#context.committer.durable;
  }

  get confirmed(): number {
    return this.#context.confirmed.end;
  }

  get published(): number {
    return this.#context.heads.size;
  }

  async acceptances(start: number, end: number): Promise<readonly DigestEvent[]> {
    const { index, rounds } = this.#context;
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
    for (const row of next === end ? [] : await rounds.rows(next, end)) {
      const to = Math.min(end, row.first + row.digests.length / HASH_LENGTH);
      while (start + events.length < to) add(row.acceptedAt);
    }
    return events;
  }

  async confirmations(start: number, end: number): Promise<readonly DigestEvent[]> {
    const attestations = await this.#context.reader.attestations(start, end);
    return attestations.map(({ hash, timestamp }) => ({ hash, at: timestamp }));
  }

  async headAbove(size: number): Promise<PublishedHead | undefined> {
    const { heads, log } = this.#context;
    const record = await heads.closing(size);
    return record && {
      size: record.size,
      sth: () => log.sthOf(record),
      batch: () => log.batchOf(record),
    };
  }

  async sequenceOf(hash: string): Promise<number | undefined> {
    return await this.#context.reader.find(hash);
  }

  onProgress(listener: () => void, signal: AbortSignal): void {
    this.#context.progress.listen(listener, signal);
  }
}

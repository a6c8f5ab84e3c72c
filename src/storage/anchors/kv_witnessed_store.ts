/**
 * {@linkcode WitnessedStore} on any engine.
 *
 * @module
 */

import type { WitnessedCheckpoint } from "../../proof/format/records.ts";
import type { WitnessedReads, WitnessedStore } from "../../gateway/witnessing/ports.ts";
import type { NumberedRecords } from "../numbered_records.ts";
import { decodeWitnessed, encodeWitnessed } from "./anchor_codec.ts";
import { type AnchorDatabase, anchorKeys, type AnchorValues } from "./anchor_database.ts";

/** Records without a quorum that are kept: those of checkpoints that slow witnesses may still cosign. */
const MAX_PARTIAL = 64;

const LAST = { limit: 1, reverse: true } as const;

/** Cosignatures under `["fw", "quorum" or "partial", size]`. */
export class KvWitnessedReads implements WitnessedReads {
  readonly #values: AnchorValues;

  constructor(values: AnchorValues) {
    this.#values = values;
  }

  async at(size: number): Promise<WitnessedCheckpoint | undefined> {
    return await this.records(true).at(size) ?? await this.records(false).at(size);
  }

  async covering(size: number): Promise<number | undefined> {
    const [found] = await this.records(true).numbers({ start: size, limit: 1 });
    return found ?? (await this.records(false).numbers({ start: size, ...LAST }))[0];
  }

  protected records(meetsQuorum: boolean): NumberedRecords<WitnessedCheckpoint> {
    return this.#values.records(
      anchorKeys.witnessed(meetsQuorum),
      (size, value) => decodeWitnessed({ size, meetsQuorum }, value),
    );
  }
}

/** The same, and writes them. */
export class KvWitnessedStore extends KvWitnessedReads implements WitnessedStore {
  readonly #database: AnchorDatabase;

  constructor(database: AnchorDatabase) {
    super(database);
    this.#database = database;
  }

  async save(record: WitnessedCheckpoint): Promise<void> {
    const { size, meetsQuorum } = record;
    // A record with a quorum that one without replaces is damaged or of another tree.
    const met = await this.records(true).numbers({ limit: 2, reverse: true });
    const last = meetsQuorum ? size : met.find((found) => found !== size) ?? 0;
    if (size < last) return;
    const partial = await this.records(false).numbers({});
    const isKept = (found: number, i: number) =>
      found > last && i > partial.length - MAX_PARTIAL && found !== size;
    await this.#database.commit(`cosignatures of size ${size}`, {
      remove: [
        ...partial.filter((found, i) => !isKept(found, i))
          .map((found) => anchorKeys.witnessedAt(false, found)),
        anchorKeys.witnessedAt(true, size),
      ],
      set: [[anchorKeys.witnessedAt(meetsQuorum, size), encodeWitnessed(record)]],
    });
  }
}

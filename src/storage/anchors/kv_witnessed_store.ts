/**
 * {@linkcode WitnessedStore} on any engine.
 *
 * @module
 */

import type { WitnessedCheckpoint } from "../../format/records.ts";
import type { WitnessedReads, WitnessedStore } from "../../witnessing/ports.ts";
import type { NumberedRecords } from "../numbered_records.ts";
import { decodeWitnessed, encodeWitnessed } from "./anchor_codec.ts";
import { type AnchorDatabase, anchorKeys, type AnchorValues } from "./anchor_database.ts";

/** Records without a quorum that are kept: those of checkpoints that slow witnesses may still cosign. */
const MAX_PARTIAL = 64;

/** Cosignatures under `["fw", "quorum" or "partial", size]`. */
export class KvWitnessedReads implements WitnessedReads {
  readonly #values: AnchorValues;

  constructor(values: AnchorValues) {
    this.#values = values;
  }

  async at(size: number): Promise<WitnessedCheckpoint | undefined> {
    return await this.records(true).at(size) ?? await this.records(false).at(size);
  }

  async covering(size: number): Promise<WitnessedCheckpoint | undefined> {
    const found = await this.records(true).first(size);
    if (found !== undefined) return found;
    const last = await this.records(false).last();
    return last === undefined || last.size < size ? undefined : last;
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
    const last = meetsQuorum ? size : (await this.records(true).last())?.size ?? 0;
    if (size < last) return;
    const partial = (await this.records(false).list({})).map((found) => found.size);
    const isKept = (found: number, i: number) =>
      found > last && i > partial.length - MAX_PARTIAL && found !== size;
    await this.#database.commit(`cosignatures of size ${size}`, {
      remove: partial.filter((found, i) => !isKept(found, i))
        .map((found) => anchorKeys.witnessedAt(false, found)),
      set: [[anchorKeys.witnessedAt(meetsQuorum, size), encodeWitnessed(record)]],
    });
  }
}

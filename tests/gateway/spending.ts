/**
 * Admissions for tests, and the redeemed tokens of a log by digest.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../../src/base/bytes.ts";
import type { Admission, LogStore } from "../../src/gateway/ports.ts";
import { checkIndex, hashesOf, LogFault } from "./checker.ts";

/** Redeems the id at the index of each new digest, and records the requests. */
export class Spending implements Admission {
  readonly asked: (readonly number[])[] = [];
  readonly #ids: Bytes;
  readonly #answer: <T>(value: T) => T | Promise<T>;

  /** `ids` are packed, one for each digest of the request; `answer` can delay the result. */
  constructor(ids: Bytes, answer: <T>(value: T) => T | Promise<T> = (value) => value) {
    this.#ids = ids;
    this.#answer = answer;
  }

  admit(offsets: readonly number[]): Bytes | Promise<Bytes> {
    this.asked.push(offsets);
    const ids = offsets.map((place) =>
      this.#ids.subarray(place * HASH_LENGTH, (place + 1) * HASH_LENGTH)
    );
    return this.#answer(concat(...ids));
  }
}

/**
 * Redeemed ids in hex, by hash. Rejects with a {@linkcode LogFault} unless they are numbered
 * without gaps, each id occurs once with one digest, and the index matches.
 */
export async function checkSpent(store: LogStore): Promise<Map<string, string>> {
  const rows = await store.spent.rows(0, Number.MAX_SAFE_INTEGER - 1);
  const spent = new Map<string, string>();
  let next = 0;
  for (const { first, intakeRow, offsets, ids } of rows) {
    require(first === next, `a row at ${first} where ${next} is next`);
    const row = await store.rounds.rowAt(intakeRow);
    require(row !== undefined, `ids of row ${intakeRow}, which is not there`);
    const hashes = hashesOf(row!.digests);
    hashesOf(ids).forEach((id, i) => {
      const hash = hashes[offsets[i]!];
      require(hash !== undefined && !spent.has(hash), `an id of ${intakeRow} without a digest`);
      spent.set(hash!, id);
    });
    next += offsets.length;
  }
  require(new Set(spent.values()).size === next, "one twice");
  await checkIndex({ index: store.spentIndex }, concat(...rows.map(({ ids }) => ids)));
  return spent;
}

function require(holds: boolean, found: string): void {
  if (!holds) throw new LogFault("spent", found);
}

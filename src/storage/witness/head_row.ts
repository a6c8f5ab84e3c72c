/**
 * The stored form of a witness's latest head of an origin (docs/formats.md).
 *
 * @module
 */

import { HASH_LENGTH, isCount, isHex, textOf, utf8 } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { WitnessedEpoch, WitnessedHead } from "../../witness/ports.ts";

/** The value of `head`. */
export function headRow({ size, root, timestamp, epoch, checkpoint }: WitnessedHead): unknown {
  return {
    size,
    root,
    timestamp,
    ...(epoch !== undefined && { epoch }),
    // As bytes: the database would store a text in UTF-16, beyond its limit for a value.
    ...(checkpoint !== undefined && { checkpoint: utf8(checkpoint) }),
  };
}

/** The head of `origin` that is stored as `value`; `store_corrupt`. */
export function readHead(origin: string, value: unknown): WitnessedHead {
  if (typeof value === "object" && value !== null) {
    const { size, root, timestamp, epoch, checkpoint } = value as Record<string, unknown>;
    if (
      isCount(size) && isCount(timestamp) && root instanceof Uint8Array &&
      root.length === HASH_LENGTH && (epoch === undefined || isEpoch(epoch)) &&
      (checkpoint === undefined || checkpoint instanceof Uint8Array)
    ) {
      return {
        size,
        root: root.slice(),
        timestamp,
        ...(epoch !== undefined && { epoch }),
        ...(checkpoint !== undefined && { checkpoint: textOf(checkpoint, "store_corrupt") }),
      };
    }
  }
  throw new CountersignError(
    "store_corrupt",
    `Cannot read the head of "${origin}": the value is not a cosigned head`,
  );
}

function isEpoch(value: unknown): value is WitnessedEpoch {
  if (typeof value !== "object" || value === null) return false;
  const { number, logKey, begunBy, endedBy } = value as Record<string, unknown>;
  const isDigest = (text: unknown) =>
    text === undefined || typeof text === "string" && isHex(text, HASH_LENGTH);
  return isCount(number) && isDigest(begunBy) && isDigest(endedBy) &&
    (logKey === undefined || logKey instanceof Uint8Array && logKey.length === HASH_LENGTH);
}

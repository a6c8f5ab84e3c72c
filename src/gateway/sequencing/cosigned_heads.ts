/**
 * The latest published head and the checkpoint, as each change of a head leaves them.
 *
 * @module
 */

import { addsSignatures, type SthRecord } from "../../proof/format/records.ts";

export interface CosignedHeads {
  /** The latest published head. */
  readonly latest: SthRecord | undefined;
  /** That head, or the same size and root as cosigned again since. */
  readonly checkpoint: SthRecord | undefined;
}

/** After `record` was published, got further signatures, or was cosigned again. */
export function withCosigned(heads: CosignedHeads, record: SthRecord): CosignedHeads {
  const { latest, checkpoint } = heads;
  if (latest === undefined || record.size > latest.size) {
    return { latest: record, checkpoint: record };
  }
  // Further signatures of an earlier head.
  if (record.size < latest.size) return heads;
  if (!addsSignatures(latest, record)) return { latest, checkpoint: record };
  // Signatures of different times are never combined.
  const isRefreshed = checkpoint?.timestamp !== latest.timestamp;
  return { latest: record, checkpoint: isRefreshed ? checkpoint : record };
}

/**
 * Reads the store of anchors for an audit, and reports damaged records and unknown keys. Writes nothing. The
 * caller must lock a file.
 *
 * @module
 */

import type { AuditedAnchor } from "../../logs/audit/anchor_audit.ts";
import type { FaultPart } from "../../logs/audit/faults.ts";
import { isCount } from "../../base/bytes.ts";
import { keyText } from "../kv_records.ts";
import { openAuditedReads } from "../sqlite_reads.ts";
import { reasonOf } from "../store_fault.ts";
import { bytesAt, type StoreReads } from "../store_engine.ts";
import { checkMeta, META_KEY, type StoreMeta } from "../store_meta.ts";
import {
  decodeAnchor,
  decodeContradiction,
  decodeCrossAnchor,
  decodePeerLink,
  decodeSeenHead,
  decodeWitnessed,
} from "./anchor_codec.ts";

export class KvStoredAnchors {
  readonly #kv: StoreReads;

  constructor(kv: StoreReads) {
    this.#kv = kv;
  }

  /** All records, in the order of the keys. */
  async *entries(): AsyncGenerator<AuditedAnchor> {
    try {
      for await (const { key, value } of this.#kv.list<unknown>({ prefix: [] })) {
        const entry = entryOf(key, value);
        if (entry !== undefined) yield entry;
      }
    } catch (error) {
      yield { part: "anchors", place: "database", damage: reasonOf(error) };
    }
  }

  close(): void {
    this.#kv.close();
  }
}

/**
 * Opens the database at `path` for reading; `undefined` when there is no file. Rejects like
 * `openAnchorDatabase`.
 */
export async function openStoredAnchors(
  path: string,
  networkDigest: string,
): Promise<KvStoredAnchors | undefined> {
  const isThere = await Deno.stat(path).then(({ size }) => size > 0, () => false);
  if (!isThere) return undefined;
  return await storedAnchorsIn(openAuditedReads(path), networkDigest);
}

/** The anchors in `kv`. Closes `kv` if it rejects. */
export async function storedAnchorsIn(
  kv: StoreReads,
  networkDigest: string,
): Promise<KvStoredAnchors> {
  try {
    const { value } = await kv.get<StoreMeta>(META_KEY);
    // A new database has none.
    if (value !== null) checkMeta(value, networkDigest);
    return new KvStoredAnchors(kv);
  } catch (error) {
    kv.close();
    throw error;
  }
}

/** The entry of a record; `undefined` for keys that are not audited. */
function entryOf(key: Deno.KvKey, value: unknown): AuditedAnchor | undefined {
  const place = keyText(key);
  const kind = recordKind(key, place);
  if (kind === "not audited") return undefined;
  if (kind === undefined) return { part: "anchors", place, damage: "unknown key" };
  try {
    return kind.decode(bytesAt(key, value));
  } catch (error) {
    return { part: kind.part, place, damage: reasonOf(error) };
  }
}

interface RecordKind {
  readonly part: FaultPart;
  readonly decode: (value: Uint8Array) => AuditedAnchor;
}

/** The kind of the record at `key`; `undefined` for an unknown key. */
function recordKind(
  [kind, ...rest]: Deno.KvKey,
  place: string,
): RecordKind | "not audited" | undefined {
  const [first, second, third] = rest;
  switch (`${String(kind)} ${rest.length}`) {
    // These only lead to other records, or order them.
    case "meta 0":
    case "pair 5":
    case "pair 2":
      return "not audited";
    case "al 1":
      return isCount(first) ? "not audited" : undefined;
    case "ca 2": {
      if (typeof first !== "string" || !isCount(second)) return undefined;
      const part = "cross_anchor";
      return {
        part,
        decode: (value) => ({ part, place, ...decodeCrossAnchor(first, second, value) }),
      };
    }
    case "ea 3": {
      if (typeof first !== "string" || !isStatus(second) || !isCount(third)) return undefined;
      const key = { service: first, status: second, size: third };
      const part = "external_anchor";
      return { part, decode: (value) => ({ part, place, anchor: decodeAnchor(key, value) }) };
    }
    case "peer 2": {
      if (typeof first !== "string" || !isCount(second)) return undefined;
      const part = "peer_link";
      return {
        part,
        decode: (value) => ({ part, place, link: decodePeerLink(first, second, value) }),
      };
    }
    case "seen 1": {
      if (typeof first !== "string") return undefined;
      const part = "seen_head";
      return { part, decode: (value) => ({ part, place, head: decodeSeenHead(first, value) }) };
    }
    case "fw 2": {
      const isKind = first === "quorum" || first === "partial";
      if (!isKind || !isCount(second)) return undefined;
      const key = { size: second, meetsQuorum: first === "quorum" };
      const part = "witnessed_checkpoint";
      return { part, decode: (value) => ({ part, place, witnessed: decodeWitnessed(key, value) }) };
    }
    case "contra 1": {
      if (!isCount(first)) return undefined;
      const part = "contradiction";
      return {
        part,
        decode: (value) => ({ part, place, contradiction: decodeContradiction(first, value) }),
      };
    }
    default:
      return undefined;
  }
}

function isStatus(value: unknown): value is "pending" | "confirmed" {
  return value === "pending" || value === "confirmed";
}

/**
 * Reads `anchors.kv` for an audit, and reports damaged records and unknown keys. Writes nothing. The
 * caller must lock the file.
 *
 * @module
 */

import type { AnchorEntry } from "../../audit/anchor_audit.ts";
import type { FaultPart } from "../../audit/faults.ts";
import { isCount } from "../../bytes.ts";
import {
  decodeAnchor,
  decodeContradiction,
  decodeCrossAnchor,
  decodeSeenHead,
} from "./anchor_codec.ts";
import { ANCHORS_FORMAT_VERSION } from "./anchor_database.ts";
import { probeDatabase } from "../database_probe.ts";
import { checkMeta, type Meta } from "../log/kv_log_store.ts";
import { keyText } from "../kv_records.ts";
import { reasonOf } from "../store_fault.ts";
import { openStoreKv, type StoreKv } from "../store_kv.ts";

export class KvStoredAnchors {
  readonly #kv: StoreKv;

  constructor(kv: StoreKv) {
    this.#kv = kv;
  }

  /** All records, in the order of the keys. */
  async *entries(): AsyncGenerator<AnchorEntry> {
    try {
      for await (const { key, value } of this.#kv.list<unknown>({ prefix: [] })) {
        const entry = entryOf(key, value);
        if (entry !== undefined) yield entry;
      }
    } catch (error) {
      const required = "an undamaged database";
      yield { part: "anchors", place: "database", required, damage: reasonOf(error) };
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
  probeDatabase(path);
  const kv = await openStoreKv(path);
  try {
    const { value } = await kv.get<Meta>(["meta"]);
    // A new database has none.
    if (value !== null) checkMeta(value, networkDigest, ANCHORS_FORMAT_VERSION);
    return new KvStoredAnchors(kv);
  } catch (error) {
    kv.close();
    throw error;
  }
}

/** The entry of a record; `undefined` for keys that are not audited. */
function entryOf(key: Deno.KvKey, value: unknown): AnchorEntry | undefined {
  const place = keyText(key);
  const part = partOf(key);
  if (part === undefined) return undefined;
  const required = part === "anchors" ? "a key of the anchors' store" : "a valid record";
  if (part === "anchors") return { part, place, required, damage: "another" };
  if (!(value instanceof Uint8Array)) return { part, place, required, damage: "another value" };
  try {
    return decodedEntry(key, place, value);
  } catch (error) {
    return { part, place, required, damage: reasonOf(error) };
  }
}

function partOf([kind, ...rest]: Deno.KvKey): FaultPart | undefined {
  const [first, second, third] = rest;
  switch (kind) {
    case "meta":
      return rest.length === 0 ? undefined : "anchors";
    case "pair":
      // Only leads to a contradiction.
      return rest.length === 5 ? undefined : "anchors";
    case "al":
      // Only orders anchors that have records.
      return rest.length === 1 && isCount(first) ? undefined : "anchors";
    case "ca":
      return rest.length === 2 && typeof first === "string" && isCount(second)
        ? "cross_anchor"
        : "anchors";
    case "ea":
      return rest.length === 3 && typeof first === "string" && isStatus(second) && isCount(third)
        ? "external_anchor"
        : "anchors";
    case "seen":
      return rest.length === 1 && typeof first === "string" ? "seen_head" : "anchors";
    case "contra":
      return rest.length === 1 && isCount(first) ? "contradiction" : "anchors";
    default:
      return "anchors";
  }
}

function isStatus(value: unknown): value is "pending" | "confirmed" {
  return value === "pending" || value === "confirmed";
}

/** Decodes a record whose key {@linkcode partOf} has checked. */
function decodedEntry(
  [kind, ...rest]: Deno.KvKey,
  place: string,
  value: Uint8Array,
): AnchorEntry {
  switch (kind) {
    case "ca": {
      const [peer, size] = rest as [string, number];
      return { part: "cross_anchor", place, ...decodeCrossAnchor(peer, size, value) };
    }
    case "ea": {
      const [service, status, size] = rest as [string, "pending" | "confirmed", number];
      const anchor = decodeAnchor({ service, status, size }, value);
      return { part: "external_anchor", place, anchor };
    }
    case "seen":
      return { part: "seen_head", place, head: decodeSeenHead(rest[0] as string, value) };
    default: {
      const contradiction = decodeContradiction(rest[0] as number, value);
      return { part: "contradiction", place, contradiction };
    }
  }
}

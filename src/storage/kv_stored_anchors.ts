/**
 * Every record of `anchors.kv`, for an audit: what cannot be read is said to be damaged, and keys that
 * nothing reads are told. Nothing is set; the caller keeps other processes off the file.
 *
 * @module
 */

import type { AnchorEntry } from "../audit/anchor_audit.ts";
import type { FaultPart } from "../audit/faults.ts";
import { isCount } from "../bytes.ts";
import {
  decodeAnchor,
  decodeContradiction,
  decodeCrossAnchor,
  decodeSeenHead,
} from "./anchor_codec.ts";
import { ANCHORS_FORMAT_VERSION } from "./anchor_database.ts";
import { probeDatabase } from "./database_probe.ts";
import { checkMeta, type Meta } from "./kv_log_store.ts";
import { keyText } from "./kv_records.ts";
import { reasonOf } from "./store_fault.ts";
import { openStoreKv, type StoreKv } from "./store_kv.ts";

/** Records of one database at rest. */
export class KvStoredAnchors {
  readonly #kv: StoreKv;

  constructor(kv: StoreKv) {
    this.#kv = kv;
  }

  /** Everything, in the order of the keys. */
  async *entries(): AsyncGenerator<AnchorEntry> {
    try {
      for await (const { key, value } of this.#kv.list<unknown>({ prefix: [] })) {
        const entry = entryOf(key, value);
        if (entry !== undefined) yield entry;
      }
    } catch (error) {
      const required = "a whole database";
      yield { part: "anchors", place: "database", required, damage: reasonOf(error) };
    }
  }

  close(): void {
    this.#kv.close();
  }
}

/**
 * Opens the database at `path` for reading; `undefined` when there is no file. Refused like
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
    // A database that was made and never written to has none.
    if (value !== null) checkMeta(value, networkDigest, ANCHORS_FORMAT_VERSION);
    return new KvStoredAnchors(kv);
  } catch (error) {
    kv.close();
    throw error;
  }
}

/** What stands under `key`; `undefined` of what is no record of its own. */
function entryOf(key: Deno.KvKey, value: unknown): AnchorEntry | undefined {
  const place = keyText(key);
  const part = partOf(key);
  if (part === undefined) return undefined;
  const required = part === "anchors" ? "a key of the anchors' store" : "a whole record";
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
      // It finds a contradiction again, and says nothing by itself.
      return rest.length === 5 ? undefined : "anchors";
    case "al":
      // Of an anchor that is there by itself, it says when that was told.
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

/** Of a key whose form {@linkcode partOf} has seen. */
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

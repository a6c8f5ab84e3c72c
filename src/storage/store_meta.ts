/**
 * The record of a store's format and network.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { storeFault } from "./store_fault.ts";
import type { StoreKv } from "./store_kv.ts";

export const META_KEY: Deno.KvKey = ["meta"];

const FIRST_FORMAT_VERSION = 1;

export interface StoreMeta {
  readonly format_version: number;
  /** Digest of the network's id, keys and threshold. */
  readonly network: string;
}

/** The stored record; stores `created` if there is none. */
export async function openMeta<M extends StoreMeta>(kv: StoreKv, created: M): Promise<M> {
  const entry = await kv.get<M>(META_KEY);
  if (entry.value !== null) return entry.value;
  try {
    await kv.atomic().check(entry).set(META_KEY, created).commit();
  } catch (cause) {
    throw storeFault("write", cause);
  }
  // Another process may have created the record first.
  return (await kv.get<M>(META_KEY)).value ?? created;
}

/** Rejects a format above `latest` (`format_unsupported`) or another network (`network_changed`). */
export function checkMeta(
  { format_version: version, network }: StoreMeta,
  networkDigest: string,
  latest: number,
): void {
  if (!Number.isInteger(version) || version < FIRST_FORMAT_VERSION || version > latest) {
    throw new CountersignError(
      "format_unsupported",
      `Cannot open store: this program reads format versions ${FIRST_FORMAT_VERSION} to ${latest}, ` +
        `the store has ${version}. Use the program that wrote it, or a later one`,
    );
  }
  if (network !== networkDigest) {
    throw new CountersignError(
      "network_changed",
      "Cannot open store: it belongs to a network with another id, threshold, log key or witness key",
    );
  }
}

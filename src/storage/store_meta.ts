/**
 * The record of a store's format and network.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import { storeFault } from "./store_fault.ts";
import type { StoreEngine } from "./store_engine.ts";

export const META_KEY: Deno.KvKey = ["meta"];

/**
 * The format of the log's and of the anchors' store. From the first release on it is raised with each new
 * key, record version or meaning that a program would misread or report as damage.
 */
export const FORMAT_VERSION = 1;

export interface StoreMeta {
  readonly format_version: number;
  /** Digest of the network's id, keys and threshold. */
  readonly network: string;
  /** Present where no gateway may start. */
  readonly mark?: StoreMark;
}

/** Why no gateway may start on a store (`store_copy.ts`). */
export interface StoreMark {
  /** The store is an unfinished copy; or its log is now in another one. */
  readonly state: "copying" | "moved";
  /** The other store, as in messages. */
  readonly other: string;
  /** Unix seconds. */
  readonly at: number;
}

/**
 * With `--moved`, the mark of a moved log that this process finds first. A later one says that the log has
 * been moved away since: a standby may wait for months.
 */
export class AcceptedMark {
  readonly #isMoved: boolean;
  #first: { readonly mark: StoreMark | undefined } | undefined;

  /** `isMoved` is the option `--moved`. */
  constructor(isMoved: boolean) {
    this.#isMoved = isMoved;
  }

  /** Whether the store that has `mark`, or none, may be opened in spite of it. */
  accepts(mark: StoreMark | undefined): boolean {
    this.#first ??= { mark };
    const { mark: first } = this.#first;
    return this.#isMoved && mark?.state === "moved" && first?.state === "moved" &&
      first.other === mark.other && first.at === mark.at;
  }
}

/** `meta` without its mark. */
export function unmarked<M extends StoreMeta>({ mark: _, ...meta }: M): Omit<M, "mark"> {
  return meta;
}

/** The stored record; stores `created` if there is none. */
export async function openMeta<M extends StoreMeta>(
  kv: Pick<StoreEngine, "get" | "atomic">,
  created: M,
): Promise<M> {
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

/**
 * Rejects another format (`format_unsupported`), a marked store (`store_copied`), and another network
 * (`network_changed`).
 */
export function checkMeta(
  { format_version: version, network, mark }: StoreMeta,
  networkDigest: string,
): void {
  if (version !== FORMAT_VERSION) {
    throw new CountersignError(
      "format_unsupported",
      `Cannot open store: this program reads format version ${FORMAT_VERSION}, the store has ` +
        `${version}. Use the program that wrote it, or a later one`,
    );
  }
  if (mark !== undefined) throw markedStore(mark);
  if (network !== networkDigest) {
    throw new CountersignError(
      "network_changed",
      "Cannot open store: it belongs to a network with another id, threshold, log key or witness key",
    );
  }
}

function markedStore({ state, other, at }: StoreMark): CountersignError {
  const time = new Date(at * 1_000).toISOString();
  return new CountersignError(
    "store_copied",
    state === "copying"
      ? `Cannot open store: it is an unfinished copy of "${other}", begun at ${time}. Repeat the ` +
        "countersign store copy that began it; the log is still in its source"
      : `Cannot open store: its log was moved to "${other}" at ${time}, and two gateways over copies ` +
        "of one log fork it. Name that store in the configuration. If it is lost for good, start " +
        "once with --moved",
  );
}

/**
 * The list of batches, grown at both ends: newer ones as they close, older ones when asked.
 *
 * @module
 */

import { useCallback, useEffect, useState } from "hono/jsx/dom";
import type { Batch } from "../../format/bundle.ts";
import type { Services } from "../services.ts";

/** Batches in one answer; the gateway's own limit. */
const PAGE_SIZE = 100;

/** What is listed. A failure leaves what was listed before. */
export interface BatchListing {
  readonly batches: readonly Batch[];
  readonly isLoading: boolean;
  /** Whether the list begins with the log's first batch. */
  readonly isWhole: boolean;
  readonly error?: unknown;
}

/** The listing, and how to go on: `refresh` for newer batches, `older` for the page before. */
export interface Batches extends BatchListing {
  readonly refresh: () => void;
  readonly older: () => void;
}

type Request = { readonly before?: number; readonly round: number };

export function useBatches({ api }: Pick<Services, "api">): Batches {
  const [listing, setListing] = useState<BatchListing>({
    batches: [],
    isLoading: true,
    isWhole: false,
  });
  const [request, setRequest] = useState<Request>({ round: 0 });
  useEffect(() => {
    const stop = new AbortController();
    const { before } = request;
    setListing(({ error: _, ...last }) => ({ ...last, isLoading: true }));
    const page = { limit: PAGE_SIZE, ...(before !== undefined && { before }) };
    api.batches(page, stop.signal).then(
      ({ value }) => {
        if (stop.signal.aborted) return;
        setListing((last) => before === undefined ? latest(last, value) : earlier(last, value));
      },
      (error) => {
        if (!stop.signal.aborted) setListing((last) => ({ ...last, isLoading: false, error }));
      },
    );
    return () => stop.abort();
  }, [request, api]);
  const refresh = useCallback(() => setRequest(({ round }) => ({ round: round + 1 })), []);
  const last = listing.batches.at(-1)?.id;
  return {
    ...listing,
    refresh,
    older: () => {
      if (last !== undefined) setRequest(({ round }) => ({ round: round + 1, before: last }));
    },
  };
}

/** Where some are missing between what is listed and what is new, the list begins anew. */
function latest(last: BatchListing, page: readonly Batch[]): BatchListing {
  const joined = prependNewer(last.batches, page);
  return {
    batches: joined ?? page,
    isLoading: false,
    isWhole: joined !== undefined && last.batches.length > 0
      ? last.isWhole
      : page.length < PAGE_SIZE,
  };
}

function earlier(last: BatchListing, page: readonly Batch[]): BatchListing {
  return {
    batches: appendOlder(last.batches, page),
    isLoading: false,
    isWhole: page.length < PAGE_SIZE,
  };
}

/** `known` with the batches of `older` that precede it. */
export function appendOlder(known: readonly Batch[], older: readonly Batch[]): readonly Batch[] {
  const last = known.at(-1)?.id ?? Infinity;
  return [...known, ...older.filter((batch) => batch.id < last)];
}

/** `known` with newer batches in front; `undefined` if batches between them are missing. */
export function prependNewer(
  known: readonly Batch[],
  newer: readonly Batch[],
): readonly Batch[] | undefined {
  const first = known[0]?.id ?? 0;
  const added = newer.filter((batch) => batch.id > first);
  const oldest = added.at(-1);
  if (oldest !== undefined && known.length > 0 && oldest.first_index !== first) return undefined;
  return [...added, ...known];
}

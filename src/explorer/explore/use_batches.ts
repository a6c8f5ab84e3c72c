/**
 * The list of batches, extended at both ends: newer ones as they close, older ones on request.
 *
 * @module
 */

import { useCallback, useState } from "hono/jsx/dom";
import type { Batch } from "../../proof/format/bundle.ts";
import { useEffect } from "../effect.ts";
import type { Services } from "../services.ts";

/** Batches in one answer; the gateway's own limit. */
const PAGE_SIZE = 100;

/** The batches so far. A failure keeps them. */
interface BatchListing {
  readonly batches: readonly Batch[];
  readonly isLoading: boolean;
  /** Whether the list reaches the log's first batch. */
  readonly isWhole: boolean;
  readonly error?: unknown;
}

export interface Batches extends BatchListing {
  /** Loads newer batches. */
  readonly refresh: () => void;
  /** Loads the next 100 older ones. */
  readonly older: () => void;
}

export function useBatches({ api, line }: Pick<Services, "api" | "line">): Batches {
  const [listing, setListing] = useState<BatchListing>({
    batches: [],
    isLoading: true,
    isWhole: false,
  });
  const [request, setRequest] = useState<{ readonly before?: number }>({});
  useEffect(() => {
    const stop = new AbortController();
    const { before } = request;
    setListing(({ error: _, ...last }) => ({ ...last, isLoading: true }));
    const page = { limit: PAGE_SIZE, ...(before !== undefined && { before }) };
    line.ask(() => api.batches(page, stop.signal), stop.signal).then(
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
  const refresh = useCallback(() => setRequest({}), []);
  const last = listing.batches.at(-1)?.id;
  return {
    ...listing,
    refresh,
    older: () => {
      if (last !== undefined) setRequest({ before: last });
    },
  };
}

/** Starts a new list where batches between `last` and `page` are missing. */
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

/**
 * Runs an action on many items, a few at a time.
 *
 * @module
 */

/** Calls `act` with each item, at most `limit` at once. Rejects with the first error. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items].entries();
  // The workers share the iterator: each takes the next item.
  const workers = Array.from({ length: limit }, async () => {
    for (const [i, item] of waiting) await act(item, i);
  });
  await Promise.all(workers);
}

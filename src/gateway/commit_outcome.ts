/**
 * The outcome of a commit of the store.
 *
 * @module
 */

/**
 * Outcome of a commit: `stored` is durable; `conflict` means that a check failed and nothing was
 * stored. A rejected commit has an unknown outcome: the caller reads the write-once key to find out.
 * Rejects with `fence_lost` if another process took the store.
 */
export type CommitOutcome = "stored" | "conflict";

/**
 * The clients that read events.
 *
 * @module
 */

/** A client, which may have many readers. */
export interface EventClient {
  /** Clients take turns; all readers of one client share its turns. */
  readonly owner: string;
  /**
   * Charges the client for a page of a replay before it is read. `weight` is the number of events about
   * digests that cost as much to read. Answers 0; or charges nothing, and answers the milliseconds after
   * which to ask again. Does not throw.
   */
  charge(weight: number): number;
}

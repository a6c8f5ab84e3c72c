/**
 * The inputs and results of an attack.
 *
 * @module
 */

/** Where an attack goes, and how large it is. */
export interface AttackPlan {
  /** Where clients reach the gateway. */
  readonly url: string;
  /** Where they open WebSockets. */
  readonly socketUrl: string;
  readonly witnessUrls: readonly string[];
  /** Digests of the log, by `numberedDigests`: numbers 1 to this. */
  readonly knownDigests: number;
  /** How many connections the one attacking client has at once. */
  readonly connections: number;
}

/** The results of the attacker's requests, connections or streams. */
export interface Tally {
  /** All that were begun, with any outcome. */
  sent: number;
  accepted: number;
  /** Refused with 429 or 503, or the connection was closed or could not be opened. */
  refused: number;
}

/** Attacks until `signal` aborts. Counts in `tally`. */
export type Attack = (plan: AttackPlan, tally: Tally, signal: AbortSignal) => Promise<void>;

/** Runs `count` copies of `act`, each again and again until `signal` aborts. */
export async function repeat(
  count: number,
  signal: AbortSignal,
  act: () => Promise<void>,
): Promise<void> {
  const lane = async () => {
    while (!signal.aborted) await act();
  };
  await Promise.all(Array.from({ length: count }, lane));
}

/**
 * Identifies clients for limits.
 *
 * @module
 */

/** Identifies one client: 64 bits in two words. */
export interface ClientKey {
  readonly high: number;
  readonly low: number;
}

/** Names a client in maps, and where clients take turns. */
export function clientName({ high, low }: ClientKey): string {
  return `${high}:${low}`;
}

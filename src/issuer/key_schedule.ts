/**
 * Which keys of an issuer serve, and when the next ones are made.
 *
 *     made, published        signs                      taken by gateways       removed
 *     |--- overlap ---|------- lifetime --------|---------- overlap ----------|
 *                     not_before                |                             not_after
 *                                               not_before of the next key
 *
 * So a gateway has the time of the overlap to learn of a key before the first token of it comes, and a
 * client as much to spend the last one. Of the keys of one type the one that began last signs.
 *
 * @module
 */

import { TOKEN_TYPE, type TokenType } from "../format/privacy_pass.ts";
import type { KeyPeriod } from "./issuer_secret.ts";

/** In seconds; both at least 1, and the overlap at most the lifetime. */
export interface Rotation {
  readonly lifetimeSeconds: number;
  readonly overlapSeconds: number;
}

/** What is asked of a key here. */
export interface ScheduledKey extends KeyPeriod {
  readonly tokenType: TokenType;
}

const TYPES: readonly TokenType[] = Object.values(TOKEN_TYPE);

/** The period of a key that begins at `notBefore`. */
export function periodFrom(
  notBefore: number,
  { lifetimeSeconds, overlapSeconds }: Rotation,
): KeyPeriod {
  return { notBefore, notAfter: notBefore + lifetimeSeconds + overlapSeconds };
}

/**
 * The period of the key of `tokenType` that is missing among `keys` at `now`, in Unix seconds;
 * `undefined` when none is. `early` asks for the next key whatever the age of the present one.
 */
export function missingPeriod(
  keys: readonly ScheduledKey[],
  tokenType: TokenType,
  { rotation, now, early = false }: {
    readonly rotation: Rotation;
    readonly now: number;
    readonly early?: boolean;
  },
): KeyPeriod | undefined {
  const begins = keys.filter((key) => key.tokenType === tokenType).map((key) => key.notBefore);
  const latest = Math.max(-Infinity, ...begins);
  const due = latest + rotation.lifetimeSeconds;
  // Nothing signs, or the one that does has passed its time while no issuer ran.
  if (due <= now) return periodFrom(now, rotation);
  if (latest > now) return undefined;
  const announced = now + rotation.overlapSeconds;
  if (due <= announced) return periodFrom(due, rotation);
  return early ? periodFrom(announced, rotation) : undefined;
}

/** The keys of `keys` that have not ended at `now`. */
export function lasting<Key extends KeyPeriod>(keys: readonly Key[], now: number): Key[] {
  return keys.filter(({ notAfter }) => now < notAfter);
}

/** `keys` in the order of a directory: by type, and of one type the latest first (RFC 9578 section 4). */
export function directoryOrder<Key extends ScheduledKey>(keys: readonly Key[]): Key[] {
  return keys.toSorted((a, b) => b.tokenType - a.tokenType || b.notBefore - a.notBefore);
}

/** The keys that sign at `now`: of each type the one that began last, if it has not ended. */
export function signing<Key extends ScheduledKey>(keys: readonly Key[], now: number): Key[] {
  const begun = directoryOrder(lasting(keys, now)).filter(({ notBefore }) => notBefore <= now);
  return TYPES.flatMap((type) => begun.find(({ tokenType }) => tokenType === type) ?? []);
}

/**
 * Schedule of an issuer's keys: publication, signing, removal and creation of the next key.
 *
 *     created, published     signs                      accepted by gateways    removed
 *     |--- overlap ---|------- lifetime --------|---------- overlap ----------|
 *                     not_before                |                             not_after
 *                                               not_before of the next key
 *
 * A gateway has one overlap to learn of a key before its first token can arrive, and a client has
 * one overlap to spend the last token. The newest key that has begun signs.
 *
 * @module
 */

/** Period of a key, in Unix seconds. */
export interface KeyPeriod {
  /** First second in which it signs. */
  readonly notBefore: number;
  /** First second in which its tokens are refused. */
  readonly notAfter: number;
}

/** In seconds; both at least 1, and the overlap at most the lifetime. */
export interface Rotation {
  readonly lifetimeSeconds: number;
  readonly overlapSeconds: number;
}

/** The period of a key that begins at `notBefore`. */
export function periodFrom(
  notBefore: number,
  { lifetimeSeconds, overlapSeconds }: Rotation,
): KeyPeriod {
  return { notBefore, notAfter: notBefore + lifetimeSeconds + overlapSeconds };
}

/**
 * The period of the key to make at `now`, in Unix seconds; `undefined` if none is due. `early` makes
 * the next key regardless of the age of the current one.
 */
export function missingPeriod(
  keys: readonly KeyPeriod[],
  { rotation, now, early = false }: {
    readonly rotation: Rotation;
    readonly now: number;
    readonly early?: boolean;
  },
): KeyPeriod | undefined {
  const latest = Math.max(-Infinity, ...keys.map((key) => key.notBefore));
  const due = latest + rotation.lifetimeSeconds;
  // There is no key, or its lifetime ended while no issuer ran.
  if (due <= now) return periodFrom(now, rotation);
  if (latest > now) return undefined;
  const announced = now + rotation.overlapSeconds;
  if (due <= announced) return periodFrom(due, rotation);
  return early ? periodFrom(announced, rotation) : undefined;
}

/** The keys that have not ended at `now`, the latest first, as in a directory (RFC 9578 section 4). */
export function lasting<Key extends KeyPeriod>(keys: readonly Key[], now: number): Key[] {
  return keys.filter(({ notAfter }) => now < notAfter)
    .toSorted((a, b) => b.notBefore - a.notBefore);
}

/** The key that signs at `now`: the one that began last, unless it has ended. */
export function signingKey<Key extends KeyPeriod>(
  keys: readonly Key[],
  now: number,
): Key | undefined {
  return lasting(keys, now).find(({ notBefore }) => notBefore <= now);
}

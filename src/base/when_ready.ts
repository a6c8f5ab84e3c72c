/**
 * Continuations that run at once on values that are ready. On the hot path all data is in memory: there
 * each promise would cost as much as a look-up.
 *
 * @module
 */

type Settled<Values extends readonly unknown[]> = { [I in keyof Values]: Awaited<Values[I]> };

/** `make` of `value`; returns and throws at once unless `value` is a promise. */
export function whenReady<Value, Result>(
  value: Value | Promise<Value>,
  make: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(make) : make(value);
}

/** {@linkcode whenReady} for several values. */
export function whenAll<Values extends readonly unknown[], Result>(
  values: readonly [...Values],
  make: (...values: Settled<Values>) => Result | Promise<Result>,
): Result | Promise<Result> {
  for (const value of values) {
    if (value instanceof Promise) {
      return Promise.all(values).then((settled) => make(...settled as Settled<Values>));
    }
  }
  return make(...values as Settled<Values>);
}

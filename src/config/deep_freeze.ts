/**
 * Makes a configuration unchangeable once it was checked.
 *
 * @module
 */

/** Freezes `value` and all plain objects and lists in it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  // A byte array cannot be frozen, and configurations hold none.
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

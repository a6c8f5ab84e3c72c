/**
 * The `wait` preference (RFC 7240 section 4.3): how long a client waits for a job.
 *
 * @module
 */

import { MAX_WAIT_SECONDS } from "../limits.ts";

/**
 * RFC 7240 section 2: a list of names with a value and parameters. Values may be quoted. White space
 * matches in one way only, since two ways would take quadratic time.
 */
const PREFERENCE =
  /[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:[ \t]*=[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+|"(?:[^"\\]|\\.)*"))?(?:[ \t]*;(?:[^",]|"(?:[^"\\]|\\.)*")*|[ \t]*)(?:,|$)|[ \t]*,/y;

/** Headers with nothing but whole seconds, which nearly all clients send. */
const PLAIN: ReadonlyMap<string, number> = new Map(
  Array.from({ length: MAX_WAIT_SECONDS + 1 }, (_, seconds) => [`wait=${seconds}`, seconds]),
);

/**
 * Seconds to wait by a `Prefer` header, at most {@linkcode MAX_WAIT_SECONDS}. `undefined` without
 * `wait` or for a malformed header, which RFC 7240 section 2 lets a server ignore.
 */
export function waitSeconds(prefer: string | null): number | undefined {
  if (prefer === null) return undefined;
  const plain = PLAIN.get(prefer);
  if (plain !== undefined) return plain;
  PREFERENCE.lastIndex = 0;
  while (PREFERENCE.lastIndex < prefer.length) {
    const found = PREFERENCE.exec(prefer);
    if (found === null) return undefined;
    const [, name, value = ""] = found;
    // RFC 7240 section 2: only the first of repeated preferences counts.
    if (name?.toLowerCase() === "wait") return secondsOf(value);
  }
  return undefined;
}

/**
 * The `Preference-Applied` header after a wait of at most `seconds`. Absent if there was no wait: the
 * job was already terminal, or the preference was 0.
 */
export function preferenceApplied(seconds: number): string {
  return `wait=${seconds}`;
}

function secondsOf(value: string): number | undefined {
  const [, digits] = /^"?([0-9]+)"?$/.exec(value) ?? [];
  return digits === undefined ? undefined : Math.min(Number(digits), MAX_WAIT_SECONDS);
}

/**
 * The `wait` preference (RFC 7240 section 4.3): how long an answer may be held.
 *
 * @module
 */

import { MAX_WAIT_SECONDS } from "./limits.ts";

/**
 * RFC 7240 section 2: a name, a value and parameters, in a list. Values may be quoted. Space after
 * parameters is read as theirs alone: two ways to read it would take time quadratic in the header.
 */
const PREFERENCE =
  /[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)(?:[ \t]*=[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+|"(?:[^"\\]|\\.)*"))?(?:[ \t]*;(?:[^",]|"(?:[^"\\]|\\.)*")*|[ \t]*)(?:,|$)|[ \t]*,/y;

/**
 * Seconds that a `Prefer` header asks to wait, at most {@linkcode MAX_WAIT_SECONDS}. `undefined`
 * when it does not ask, or not in a way that RFC 7240 knows: section 2 has a server ignore those.
 */
export function waitSeconds(prefer: string | null): number | undefined {
  if (prefer === null) return undefined;
  PREFERENCE.lastIndex = 0;
  while (PREFERENCE.lastIndex < prefer.length) {
    const found = PREFERENCE.exec(prefer);
    if (found === null) return undefined;
    const [, name, value = ""] = found;
    // Section 2: of a preference that is given more than once, only the first is considered.
    if (name?.toLowerCase() === "wait") return secondsOf(value);
  }
  return undefined;
}

/**
 * The `Preference-Applied` header of an answer that was held for `seconds` at most. Other answers
 * lack it: there was nothing to wait for when the job was already terminal or the wait was 0.
 */
export function preferenceApplied(seconds: number): string {
  return `wait=${seconds}`;
}

function secondsOf(value: string): number | undefined {
  const [, digits] = /^"?([0-9]+)"?$/.exec(value) ?? [];
  return digits === undefined ? undefined : Math.min(Number(digits), MAX_WAIT_SECONDS);
}

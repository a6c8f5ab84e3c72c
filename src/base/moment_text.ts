/**
 * A time for people. The locale has no effect: two readers who compare their reports see the same.
 *
 * @module
 */

/** "2026-01-01 00:00:00 UTC" of Unix seconds; "… s" beyond the range of dates. */
export function momentText(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} s`;
  return `${date.toISOString().slice(0, -5).replace("T", " ")} UTC`;
}

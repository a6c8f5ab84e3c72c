/**
 * Numbers, times and sizes as text. The browser's locale has no effect, so that two readers who
 * compare their pages see the same.
 *
 * @module
 */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "12 s", "5 min", "3 h", "2 d" of a number of seconds, rounded down. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < 2 * DAY) return `${Math.floor(whole / HOUR)} h`;
  return `${Math.floor(whole / DAY)} d`;
}

/** "12 s ago", "in 5 min" or "just now", of two times in Unix seconds. */
export function relativeText(seconds: number, now: number): string {
  const age = now - seconds;
  if (Math.abs(age) < 2) return "just now";
  return age > 0 ? `${durationText(age)} ago` : `in ${durationText(-age)}`;
}

/** "1,234,567" of an integer. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 file", "3 files". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

const UNITS = ["kB", "MB", "GB", "TB", "PB"] as const;

/** "999 B", "1.2 kB", "3.4 GB" of a number of bytes: three digits, decimal units. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let [value, unit] = [bytes / 1000, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/** A witness's id without the network's id in front. */
export function witnessName(id: string, networkId: string): string {
  return id.startsWith(`${networkId}/`) ? id.slice(networkId.length + 1) : id;
}

/** The provider of an anchor service, with the service's name if it has one. */
export function serviceText(provider: string, service: string | undefined): string {
  return service === undefined ? provider : `${provider} (${service})`;
}

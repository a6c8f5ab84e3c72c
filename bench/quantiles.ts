/**
 * Quantiles of measured times.
 *
 * @module
 */

/** The value below which the share `q` (0 to 1) of `values` lies; `NaN` of none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

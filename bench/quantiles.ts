/**
 * Quantiles of measured times.
 *
 * @module
 */

/** The quantile `q` (0 to 1) of `values`; `NaN` if empty. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

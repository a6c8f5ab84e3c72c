/**
 * How far something is.
 *
 * @module
 */

interface ProgressProps {
  /** What is going on. */
  readonly label: string;
  readonly value: number;
  /** The value at its end; unknown when left out or 0. */
  readonly max?: number;
}

/** A bar with its label above. */
export function Progress({ label, value, max = 0 }: ProgressProps) {
  return (
    <label class="progress">
      <span>{label}</span>
      {max > 0 ? <progress value={value} max={max}></progress> : <progress></progress>}
    </label>
  );
}

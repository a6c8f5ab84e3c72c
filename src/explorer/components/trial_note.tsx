/**
 * Says that a network is a trial.
 *
 * @module
 */

import { useTrial } from "../hooks.ts";
import { plural } from "../text.ts";

interface TrialNoteProps {
  /** Those of the network that a proof is from; by default the gateway's own. */
  readonly witnesses?: readonly { readonly id: string }[];
}

/** Nothing where other processes than the gateway's have keys of witnesses. */
export function TrialNote({ witnesses }: TrialNoteProps) {
  const count = useTrial(witnesses);
  if (count === undefined) return null;
  return (
    <p>
      <b>Trial: {plural(count, "witness", "witnesses")} in one process.</b>{" "}
      Whoever runs this gateway has all their keys, so a proof counts no more than this one party's
      word.
    </p>
  );
}

/**
 * The configuration of a witness's network in each epoch, as its operator gave it.
 *
 * @module
 */

import type { TrustCore } from "../../proof/format/trust_core.ts";
import type { SuccessionRule } from "../../witness/epoch_steps.ts";
import type { VouchRule } from "../../witness/vouching.ts";

/** Knows the `present` configuration, and those of the succession that the witness is armed with. */
export function networkReader(
  present: TrustCore | undefined,
  armed: SuccessionRule["armed"] = () => Promise.resolve(undefined),
): VouchRule["network"] {
  return async (epoch) => {
    if (present?.epoch === epoch) return present;
    const succession = await armed();
    return [succession?.predecessor, succession?.successor ?? undefined]
      .find((core) => core?.epoch === epoch);
  };
}

/**
 * Answers that something is absent, of a gateway that may lack the newest part of its log: a standby that
 * is behind, or a gateway that another one has replaced.
 *
 * @module
 */

import { hasCode } from "../base/errors.ts";
import type { GatewayService } from "./gateway_service.ts";
import { wrappedPart } from "./wrapped_part.ts";

/** Codes of errors that more of the log may end; also those of records that another gateway writes meanwhile. */
const ENDED_BY_MORE = [
  "hash_unknown",
  "not_confirmed",
  "not_batched",
  "tree_size_not_published",
  "store_corrupt",
  "fence_lost",
] as const;

/** The reads whose answer may be that something is absent, by part. */
const READS = {
  jobs: ["get"],
  proofs: [
    "bundle",
    "attested",
    "tlogProof",
    "coseReceipt",
    "merkleProof",
    "inclusion",
    "externalAnchors",
  ],
  log: ["sthAt", "consistency", "consistencyReceipt", "batch", "checkpointAt", "tile", "entries"],
} as const satisfies { [Part in keyof GatewayService]?: readonly (keyof GatewayService[Part])[] };

/**
 * `part` as service `name`: before one of its reads says that something is absent, it waits for `confirm` and
 * reads again. `confirm` is `undefined` if the whole log is here, resolves once all that was stored before the
 * call is, and rejects with the reason if that cannot be known.
 */
export function confirmingAbsence<Name extends keyof typeof READS>(
  name: Name,
  part: GatewayService[Name],
  confirm: () => Promise<void> | undefined,
): GatewayService[Name] {
  const reads: readonly string[] = READS[name];
  return wrappedPart(part, {
    method: (call, member) =>
      reads.includes(member) ? (...args) => confirmed(() => call(...args), confirm) : call,
  }) as GatewayService[Name];
}

function confirmed(read: () => unknown, confirm: () => Promise<void> | undefined): unknown {
  const orAgain = (otherwise: () => unknown) => {
    const confirming = confirm();
    return confirming === undefined ? otherwise() : confirming.then(read);
  };
  const failed = (error: unknown) => {
    const raise = () => {
      throw error;
    };
    return ENDED_BY_MORE.some((code) => hasCode(error, code)) ? orAgain(raise) : raise();
  };
  const found = (value: unknown) => value === undefined ? orAgain(() => value) : value;
  try {
    const value = read();
    return value instanceof Promise ? value.then(found, failed) : found(value);
  } catch (error) {
    return failed(error);
  }
}

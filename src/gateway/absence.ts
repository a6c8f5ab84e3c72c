/**
 * Answers that something is absent, of a gateway that may lack the newest part of its log: a standby that
 * is behind, or a gateway that another one has replaced.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import type { GatewayService } from "./gateway_service.ts";

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
  proofs: ["bundle", "tlogProof", "coseReceipt", "merkleProof", "inclusion", "externalAnchors"],
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
  const reads: readonly PropertyKey[] = READS[name];
  const methods = new Map<PropertyKey, unknown>();
  // Not over `part`, whose members may be fixed: then a proxy may return no others.
  return new Proxy({} as GatewayService[Name], {
    ownKeys: () => Reflect.ownKeys(part),
    getOwnPropertyDescriptor(_, member) {
      const own = Reflect.getOwnPropertyDescriptor(part, member);
      return own && { ...own, configurable: true };
    },
    get(_, member) {
      const known = methods.get(member);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(part, member, part);
      if (typeof value !== "function") return value;
      const method = reads.includes(member)
        ? (...args: readonly unknown[]) =>
          confirmed(() => Reflect.apply(value, part, args), confirm)
        : value.bind(part);
      methods.set(member, method);
      return method;
    },
  });
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

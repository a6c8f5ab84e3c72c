/**
 * How a witness answers: by its rules, or with lies of one kind.
 *
 * @module
 */

import type { Bytes } from "../../src/bytes.ts";
import { schemeSigner } from "../schemes.ts";
import type { CosignAnswer, WitnessClient } from "../../src/gateway/ports.ts";
import { SIGNATURE_LENGTH, type SignatureScheme } from "../../src/format/signature_set.ts";
import type { TestSigner } from "../schemes.ts";
import { obliging } from "../gateway/faulty_witnesses.ts";
import type { Random } from "./random.ts";

/**
 * `garbage` answers with bytes that are no signature, `stranger` signs with a key that nobody
 * configured, `impostor` with the key of another witness, `stale` the same at another time,
 * `boaster` says that it stands elsewhere, `equivocating` signs whatever it is asked to.
 */
export type Temper =
  | "honest"
  | "garbage"
  | "stranger"
  | "impostor"
  | "stale"
  | "boaster"
  | "equivocating";

/** Tempers that end without a trace, unlike equivocation. */
export const PASSING_TEMPERS: readonly Temper[] = [
  "garbage",
  "stranger",
  "impostor",
  "stale",
  "boaster",
];

export interface TemperContext {
  readonly random: Random;
  readonly scheme: SignatureScheme;
  readonly temper: () => Temper;
  /** Signs anything with the witness's own key. */
  readonly obliging: WitnessClient;
  readonly otherSigners: readonly TestSigner[];
  /** Told when it says that it stands where it does not. */
  readonly lied: () => void;
}

/** `honest` while the temper says so. */
export function answerAs(honest: WitnessClient, context: TemperContext): WitnessClient {
  const { id } = honest;
  const liar = () => liarOf(id, context);
  return {
    id,
    sign: async (request, signal) => {
      const temper = context.temper();
      if (temper === "honest" || temper === "boaster") return await honest.sign(request, signal);
      if (temper === "garbage") return garbage(context);
      const asked = temper === "stale" ? { ...request, timestamp: request.timestamp - 1 } : request;
      return await liar().sign(asked, signal);
    },
    cosign: async (request, signal): Promise<CosignAnswer> => {
      const temper = context.temper();
      if (temper === "honest") return await honest.cosign(request, signal);
      if (temper === "boaster") return boast(context, request.treeHead.tree_size);
      if (temper === "garbage") return { kind: "cosigned", signature: garbage(context) };
      // Signed by its own key and out of its rules, it would be an equivocation.
      if (temper === "stale") return { kind: "cosigned", signature: garbage(context) };
      return await liar().cosign(request, signal);
    },
    checkHealth: (signal) => honest.checkHealth(signal),
  };
}

/** Signs without a look, with the key that the temper calls for. */
function liarOf(
  id: string,
  { scheme, temper, obliging: own, otherSigners }: TemperContext,
): WitnessClient {
  const [other] = otherSigners;
  if (temper() === "stranger" || other === undefined && temper() === "impostor") {
    return obliging(id, schemeSigner(scheme, "a stranger"), () => {});
  }
  return temper() === "impostor" ? obliging(id, other!, () => {}) : own;
}

function garbage({ random, scheme }: TemperContext): Bytes {
  return random.bytes(SIGNATURE_LENGTH[scheme]);
}

function boast({ random, lied }: TemperContext, size: number): CosignAnswer {
  lied();
  const claims = [0, 1, size, size + 1, size + random.below(1_000), 2 ** 53 - 1];
  return { kind: "size_conflict", size: random.pick(claims) };
}

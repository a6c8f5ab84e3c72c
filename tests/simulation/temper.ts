/**
 * The behaviour of a witness: honest, or one kind of lie.
 *
 * @module
 */

import type { Bytes } from "../../src/base/bytes.ts";
import { schemeSigner } from "../schemes.ts";
import type { CosignAnswer } from "../../src/proof/format/witness_request.ts";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import { SIGNATURE_LENGTH, type SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { TestSigner } from "../schemes.ts";
import { obliging } from "../gateway/faulty_witnesses.ts";
import type { Random } from "../random.ts";
import { NO_EPOCHS } from "../gateway/wrapped_witness.ts";

/**
 * `garbage` answers with invalid signature bytes, `stranger` signs with a key that is not
 * configured, `impostor` with the key of another witness, `stale` with a different time, `boaster`
 * reports a wrong size, `equivocating` signs any request.
 */
export type Temper =
  | "honest"
  | "garbage"
  | "stranger"
  | "impostor"
  | "stale"
  | "boaster"
  | "equivocating";

/** Tempers that leave no trace when they end, unlike equivocation. */
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
  /** Called when the witness reports a wrong size. */
  readonly lied: () => void;
}

/** The answer of `honest` if the temper is honest, otherwise a lie. */
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
      // A dishonest signature with its own key would be an equivocation.
      if (temper === "stale") return { kind: "cosigned", signature: garbage(context) };
      return await liar().cosign(request, signal);
    },
    checkHealth: (signal) => honest.checkHealth(signal),
    reach: async (signal) => {
      const temper = context.temper();
      if (temper === "honest") return await honest.reach(signal);
      if (temper !== "boaster") return { size: 0, signedEnd: 0 };
      context.lied();
      return { size: 0, signedEnd: context.random.below(1_000) };
    },
    roundsFrom: (...args) =>
      context.temper() === "honest" ? honest.roundsFrom(...args) : Promise.resolve([]),
    epochs: NO_EPOCHS,
  };
}

/** Signs without checks, with the key of the temper. */
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

/**
 * The gateway's opinion of a SignedAttestation (`POST /v1/verify`). Its bytes, signatures and beacon
 * are each charged before they are parsed or verified. Clients take turns.
 *
 * @module
 */

import { clientName } from "../limits/client_key.ts";
import { systemClock } from "../../base/clock.ts";
import { BeaconVerifier } from "../../proof/crypto/beacon_verifier.ts";
import { FairTurns, type Turn } from "../../base/fair_turns.ts";
import { type SignedAttestation, signedAttestationOf } from "../../proof/format/bundle.ts";
import { isEd25519Set, type SignatureSet } from "../../proof/format/signature_set.ts";
import { parseStrictJson } from "../../proof/format/strict_json.ts";
import { verifySignedAttestation } from "../../proof/verify/attestation.ts";
import { attestationTime } from "../../proof/verify/time_bracket.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import { jsonTextOf, requireJson } from "../body.ts";
import { BODY_LIMIT, MAX_SIGNED_VALUES } from "../limits.ts";
import type { RequestContext } from "../request_context.ts";
import { PAIRING_READS, readsOfBytes, SIGNATURE_READS } from "../work_cost.ts";

export class Opinions {
  readonly #epochs: GatewayService["epochs"];
  readonly #verifier: VerifierCrypto;
  readonly #beacons: BeaconVerifier;
  readonly #turns = new FairTurns(systemClock);

  constructor({ epochs }: Pick<GatewayService, "epochs">, verifier: VerifierCrypto) {
    this.#epochs = epochs;
    this.#verifier = verifier;
    this.#beacons = new BeaconVerifier(verifier.bls);
  }

  /** The body of an answer to `context`; `malformed_json`, `malformed_request`, `rate_limited`. */
  async read(context: RequestContext) {
    requireJson(context.request.headers);
    const body = await context.readBody(BODY_LIMIT);
    // One read was charged on entry.
    context.charge(readsOfBytes(body.length) - 1);
    const client = context.client === undefined ? "" : clientName(context.client);
    return await this.#turns.run(client, async (turn) => {
      const value = parseStrictJson(jsonTextOf(body), "malformed_json", MAX_SIGNED_VALUES);
      return await this.#opinion(signedAttestationOf(value, "malformed_request"), context, turn);
    });
  }

  async #opinion(signed: SignedAttestation, context: RequestContext, turn: Turn) {
    context.charge(readsOfSignatures(signed));
    const result = await verifySignedAttestation(
      pausing(this.#verifier, turn),
      this.#epochs.ofLeaf(signed.attestation.sequence).network,
      signed,
    );
    const { beacon } = signed.round;
    if (result.valid && beacon !== null && this.#beacons.needsPairing(beacon)) {
      context.charge(PAIRING_READS);
    }
    return {
      valid: result.valid,
      verified_signatures: result.verified,
      required_signatures: result.required,
      ...(result.valid && { time: attestationTime(this.#beacons, signed, result) }),
      ...(result.reason !== undefined && { reason: result.reason }),
    };
  }
}

function readsOfSignatures(set: SignatureSet): number {
  return isEd25519Set(set) ? set.signatures.length * SIGNATURE_READS : PAIRING_READS;
}

/** `verifier` with a pause of `turn` before each signature. */
function pausing(verifier: VerifierCrypto, turn: Turn): VerifierCrypto {
  return {
    kernels: verifier.kernels,
    bls: verifier.bls,
    ed25519: async (publicKey, message, signature) => {
      await turn.pause();
      return await verifier.ed25519(publicKey, message, signature);
    },
  };
}

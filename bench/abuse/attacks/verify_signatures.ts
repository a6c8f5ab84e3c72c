/**
 * Sends SignedAttestations to `/v1/verify`, each for a different hash, so that the gateway verifies
 * every signature and all fail. On `ed25519` networks, signatures of unknown keys fill each up to
 * 64 KiB.
 *
 * @module
 */

import { randomDigests } from "../../digests.ts";
import type { Attack } from "../attack.ts";
import { floodRequests } from "./request_flood.ts";

/** Signatures that fit a body of 64 KiB besides those of the witnesses. */
const STRANGERS = 350;

export const verifySignatures: Attack = async ({ url, connections }, tally, signal) => {
  const signed = await attest(url);
  if (Array.isArray(signed.signatures)) {
    const { signature } = signed.signatures[0];
    for (let i = 0; i < STRANGERS; i++) {
      signed.signatures.push({ witness_id: `x${String(i).padStart(4, "0")}`, signature });
    }
  }
  const verifyUrl = new URL("/v1/verify", url);
  await floodRequests(
    connections,
    () => {
      const attestation = { ...signed.attestation, hash: randomDigests(1).toHex() };
      const body = JSON.stringify({ ...signed, attestation });
      return { url: verifyUrl, mediaType: "application/json", body };
    },
    tally,
    signal,
  );
};

/** The SignedAttestation of a new hash. */
async function attest(url: string) {
  const response = await fetch(new URL("/v1/attestations", url), {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": "wait=30" },
    body: JSON.stringify({ hash: randomDigests(1).toHex() }),
  });
  return (await response.json()).signed_attestation;
}

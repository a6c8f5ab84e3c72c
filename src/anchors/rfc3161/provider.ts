/**
 * Anchors by a time-stamp authority (RFC 3161). The proof is `{"token": base64}`, with the DER of
 * the token's ContentInfo: of an authority's reply, only that is signed. `timestamp` is the
 * token's time, rounded down.
 *
 * @module
 */

import { type Bytes, bytesOfBase64 } from "../../bytes.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import { Fields } from "../../format/fields.ts";
import { parseServiceUrl } from "../../format/service_url.ts";
import type { JsonValue } from "../../format/strict_json.ts";
import type { AnchorClaim, AnchorFile, AnchorProvider, AnchorVerdict } from "../ports.ts";
import { encodeDer, TAG } from "./der.ts";

/** Of a token; about ten times what authorities answer. */
const MAX_TOKEN_BYTES = 65_536;

/** X.660: arcs without leading zeros, below the three roots. */
const OBJECT_IDENTIFIER =
  /^([01]\.([0-9]|[1-3][0-9])|2\.(0|[1-9][0-9]{0,8}))(\.(0|[1-9][0-9]{0,8})){0,20}$/;

/**
 * RFC 3161 time-stamp authorities. What needs pkijs is imported by those functions that need it:
 * loading it takes tens of milliseconds and 15 MB, which a process without such an anchor does not
 * spend.
 */
export const rfc3161: AnchorProvider = {
  name: "rfc3161",
  members: { required: ["url"], optional: ["policy", "roots_file"] },
  reach: { urls: ["url"], files: ["roots_file"] },
  rootsHelp: "root certificates of time-stamp authorities, in PEM or DER",
  defaultMaxDelaySeconds: 900,

  async configure(entry, { http, insecure, readFile }) {
    const url = endpointOf(entry.text("url"), insecure);
    const policy = entry.has("policy") ? policyOf(entry) : undefined;
    const { TimeStampService } = await import("./service.ts");
    const { readRoots } = await import("./roots.ts");
    const roots = entry.has("roots_file")
      ? readRoots(await readFile(entry.text("roots_file")))
      : [];
    return new TimeStampService({ http, url, policy, roots });
  },

  async verify(claim) {
    try {
      return await verdictOf(claim);
    } catch (error) {
      if (hasCode(error, "anchor_refused")) return { status: "failed", reason: error.message };
      if (!hasCode(error, "invalid_configuration")) throw error;
      return { status: "not_checked", reason: error.message };
    }
  },

  files(_digest, proof): readonly AnchorFile[] {
    // A reply that grants: PKIStatusInfo with status 0, and the token.
    const status = encodeDer(TAG.sequence, encodeDer(TAG.integer, Uint8Array.of(0)));
    return [{
      extension: ".tsr",
      bytes: encodeDer(TAG.sequence, status, readTokenProof(proof)),
      command: "openssl ts -verify -data CHECKPOINT -in FILE -CAfile roots.pem",
    }];
  },
};

/** DER of the token in `proof`; `anchor_refused` for another shape. */
export function readTokenProof(proof: JsonValue): Bytes {
  const context = { where: "time-stamp proof", code: "anchor_refused" } as const;
  const token = bytesOfBase64(new Fields(proof, context, ["token"]).text("token"));
  if (token === undefined || token.length > MAX_TOKEN_BYTES) {
    throw new CountersignError(
      "anchor_refused",
      "Cannot read time-stamp proof: a token in base64 required, found another text",
    );
  }
  return token;
}

async function verdictOf(claim: AnchorClaim): Promise<AnchorVerdict> {
  const { digest, status, timestamp, proof } = claim;
  const encoded = readTokenProof(proof);
  const { requireRoot, verifyToken } = await import("./verify.ts");
  const { readRoots } = await import("./roots.ts");
  const verified = await verifyToken(encoded, { digest });
  const { genTime, notAfter } = verified.token.info;
  if (status !== "confirmed" || timestamp !== genTime) {
    throw new CountersignError(
      "anchor_refused",
      `Cannot verify anchor: one confirmed at ${genTime} required, found ${status} at ${timestamp}`,
    );
  }
  if (claim.roots.length === 0) {
    return { status: "not_checked", reason: "no root certificate to check its authority with" };
  }
  await requireRoot(verified, claim.roots.flatMap(readRoots));
  return {
    status: "verified",
    notAfter,
    source: `RFC 3161 token of ${verified.signer.subjectText}`,
  };
}

/** Where requests go: exactly the configured URL, which has to be one of a service. */
function endpointOf(text: string, insecure: boolean): URL {
  parseServiceUrl(text, { insecure });
  // Not what that gave: authorities tell /tsr from /tsr/.
  return new URL(text);
}

function policyOf(entry: Fields): string {
  const policy = entry.text("policy");
  if (OBJECT_IDENTIFIER.test(policy)) return policy;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot use ${entry.where}: a dotted object identifier in policy required, found another text`,
  );
}

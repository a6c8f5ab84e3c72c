/**
 * Anchors by a time-stamp authority (RFC 3161). The proof is `{"token": base64}` with the DER of the
 * token's ContentInfo. `timestamp` is the token's time, rounded down.
 *
 * @module
 */

import { type Bytes, bytesOfBase64 } from "../../bytes.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import { Fields } from "../../format/fields.ts";
import { parseServiceUrl } from "../../format/service_url.ts";
import type { JsonValue } from "../../format/strict_json.ts";
import type { AnchorClaim, AnchorFile, AnchorProvider, AnchorVerdict } from "../ports.ts";
import { readRoots } from "./certificate.ts";
import { encodeDer, TAG } from "./der.ts";
import { TimeStampService } from "./service.ts";
import { requireRoot, verifyToken } from "./verify.ts";

/** About ten times the size of usual tokens. */
const MAX_TOKEN_BYTES = 65_536;

/** X.660: arcs without leading zeros, below the three roots. */
const OBJECT_IDENTIFIER =
  /^([01]\.([0-9]|[1-3][0-9])|2\.(0|[1-9][0-9]{0,8}))(\.(0|[1-9][0-9]{0,8})){0,20}$/;

export const rfc3161: AnchorProvider = {
  name: "rfc3161",
  members: { required: ["url"], optional: ["policy", "roots_file"] },
  reach: { urls: ["url"], files: ["roots_file"] },
  rootsHelp: "root certificates of time-stamp authorities, in PEM or DER",
  defaultMaxDelaySeconds: 900,

  async configure(entry, { http, insecure, readFile }) {
    const text = entry.text("url");
    parseServiceUrl(text, { insecure });
    // The exact URL of the entry: authorities distinguish /tsr from /tsr/.
    const url = new URL(text);
    const policy = entry.has("policy") ? policyOf(entry) : undefined;
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
    // TimeStampResp with status `granted` and the token.
    const status = encodeDer(TAG.sequence, encodeDer(TAG.integer, Uint8Array.of(0)));
    return [{
      extension: ".tsr",
      bytes: encodeDer(TAG.sequence, status, readTokenProof(proof)),
      command: "openssl ts -verify -data CHECKPOINT -in FILE -CAfile roots.pem",
    }];
  },
};

/** The DER of the token in `proof`; `anchor_refused` for any other proof. */
export function readTokenProof(proof: JsonValue): Bytes {
  const context = { where: "time-stamp proof", code: "anchor_refused" } as const;
  const token = bytesOfBase64(new Fields(proof, context, ["token"]).text("token"));
  if (token === undefined || token.length > MAX_TOKEN_BYTES) {
    throw new CountersignError(
      "anchor_refused",
      `Cannot read time-stamp proof: the token is not base64 of at most ${MAX_TOKEN_BYTES} bytes`,
    );
  }
  return token;
}

async function verdictOf(claim: AnchorClaim): Promise<AnchorVerdict> {
  const { digest, status, timestamp, proof, roots } = claim;
  const verified = await verifyToken(readTokenProof(proof), { digest });
  const { genTime, notAfter } = verified.token.info;
  if (status !== "confirmed" || timestamp !== genTime) {
    throw new CountersignError(
      "anchor_refused",
      `Cannot verify anchor: the token is of ${genTime}, the anchor is ${status} at ${timestamp}`,
    );
  }
  if (roots.length === 0) {
    return {
      status: "not_checked",
      reason: "no root certificate was given to check the authority",
    };
  }
  await requireRoot(verified, roots.flatMap(readRoots));
  return {
    status: "verified",
    notAfter,
    source: `RFC 3161 token of ${verified.signer.subjectText}`,
  };
}

function policyOf(entry: Fields): string {
  const policy = entry.text("policy");
  if (OBJECT_IDENTIFIER.test(policy)) return policy;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot use ${entry.where}: policy is not a dotted object identifier`,
  );
}

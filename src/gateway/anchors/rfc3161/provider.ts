/**
 * Anchors by a time-stamp authority over HTTP (RFC 3161 sections 2.4.1, 2.4.2 and 3.4). The
 * proof is `{"token": base64}` with the DER of the token's ContentInfo. `timestamp` is the token's
 * time, rounded down.
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64 } from "../../../base/bytes.ts";
import { CountersignError, hasCode } from "../../../base/errors.ts";
import { object, TEXT } from "../../../proof/format/schema.ts";
import { parseServiceUrl } from "../../../proof/format/service_url.ts";
import type { JsonValue } from "../../../proof/format/strict_json.ts";
import { bodyOf } from "../answers.ts";
import type { AnchorClaim, AnchorFile, AnchorProvider, AnchorVerdict } from "../ports.ts";
import { readRoots } from "../../../proof/timestamp/certificate.ts";
import type { MessageImprint } from "../../../proof/timestamp/message_imprint.ts";
import { encodeGranted, readReply, REPLY_MEDIA_TYPE } from "../../../proof/timestamp/reply.ts";
import { encodeRequest, REQUEST_MEDIA_TYPE } from "../../../proof/timestamp/request.ts";
import { readToken } from "../../../proof/timestamp/token.ts";
import { requireRoot, verifyToken } from "../../../proof/timestamp/verify.ts";

/** About ten times the size of usual tokens. */
const MAX_TOKEN_BYTES = 65_536;

/** X.660: arcs without leading zeros, below the three roots. */
const OBJECT_IDENTIFIER =
  /^([01]\.([0-9]|[1-3][0-9])|2\.(0|[1-9][0-9]{0,8}))(\.(0|[1-9][0-9]{0,8})){0,20}$/;

const MAX_REPLY_BYTES = 65_536;

const PROOF = object({
  token: TEXT.map((text) => {
    const bytes = bytesOfBase64(text);
    return bytes !== undefined && bytes.length <= MAX_TOKEN_BYTES ? bytes : undefined;
  }, `base64 of at most ${MAX_TOKEN_BYTES} bytes`),
});

const MEMBERS = {
  url: TEXT.with({ format: "uri", description: "Exact URL of the authority" }),
  policy: TEXT.convert((policy, where) => {
    if (OBJECT_IDENTIFIER.test(policy)) return policy;
    throw new CountersignError(
      "invalid_configuration",
      `Cannot use ${where}: it is not a dotted object identifier`,
    );
  }).with({
    title: "object identifier",
    description: "Policy of the tokens, such as 1.3.6.1.4.1.601.10.3.1",
  }).optional(),
  roots_file: TEXT.with({
    title: "path",
    description: "Root certificates, PEM or DER, one of which must vouch for the authority",
  }).optional(),
} as const;

export const rfc3161: AnchorProvider<typeof MEMBERS> = {
  name: "rfc3161",
  members: MEMBERS,
  reach: { urls: ["url"], files: ["roots_file"] },
  rootsHelp: "root certificates of time-stamp authorities, in PEM or DER",
  defaultMaxDelaySeconds: 900,

  async configure(entry, { http, insecure, readFile }) {
    parseServiceUrl(entry.url, { insecure });
    // The exact URL of the entry: authorities distinguish /tsr from /tsr/.
    const url = new URL(entry.url);
    const { policy, roots_file: rootsFile } = entry;
    const roots = rootsFile === undefined ? [] : readRoots(await readFile(rootsFile));
    return {
      async anchor(digest, signal) {
        const imprint = imprintOf(digest);
        const nonce = crypto.getRandomValues(new Uint8Array(8));
        // A positive integer whose DER has these eight bytes.
        nonce[0] = nonce[0]! & 0x3f | 0x40;
        const answer = await http.request(url, {
          method: "POST",
          headers: { "content-type": REQUEST_MEDIA_TYPE, "accept": REPLY_MEDIA_TYPE },
          body: encodeRequest(imprint, nonce, policy),
        }, signal);
        const reply = bodyOf(answer, "time-stamp authority", MAX_REPLY_BYTES, REPLY_MEDIA_TYPE);
        const { token, verified } = await refusingAnchor(async () => {
          const token = readReply(reply);
          const verified = await verifyToken(readToken(token), { imprint, nonce, policy });
          // If there are roots, one has to vouch for the authority.
          if (roots.length > 0) await requireRoot(verified, roots);
          return { token, verified };
        });
        const proof: JsonValue = Object.assign(Object.create(null), { token: base64Of(token) });
        return { status: "confirmed", timestamp: verified.token.info.genTime, proof };
      },
    };
  },

  async verify(claim) {
    try {
      return await refusingAnchor(() => verdictOf(claim));
    } catch (error) {
      if (hasCode(error, "anchor_refused")) return { status: "failed", reason: error.message };
      if (!hasCode(error, "invalid_configuration")) throw error;
      return { status: "not_checked", reason: error.message };
    }
  },

  files(_digest, proof): readonly AnchorFile[] {
    return [{
      extension: ".tsr",
      bytes: encodeGranted(readTokenProof(proof)),
      command: "openssl ts -verify -data CHECKPOINT -in FILE -CAfile roots.pem",
    }];
  },
};

function imprintOf(digest: Bytes): MessageImprint {
  return { hash: "SHA-256", digest };
}

/** What `check` refuses, as a refusal of the anchor. */
async function refusingAnchor<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (cause) {
    if (!hasCode(cause, "timestamp_refused")) throw cause;
    throw new CountersignError("anchor_refused", cause.message, { cause });
  }
}

/** The DER of the token in `proof`; `anchor_refused` for any other proof. */
export function readTokenProof(proof: JsonValue): Bytes {
  return PROOF.parse(proof, { where: "time-stamp proof", code: "anchor_refused" }).token;
}

async function verdictOf(claim: AnchorClaim): Promise<AnchorVerdict> {
  const { digest, status, timestamp, proof, roots } = claim;
  const verified = await verifyToken(readToken(readTokenProof(proof)), {
    imprint: imprintOf(digest),
  });
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

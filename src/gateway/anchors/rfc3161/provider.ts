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
import { SHA256_OID } from "./algorithms.ts";
import { elementsOf, encodeObjectIdentifier, integerOf, membersOf, printableText } from "./asn1.ts";
import { readRoots } from "./certificate.ts";
import { type DerValue, encodeDer, readDer, TAG, unreadable } from "./der.ts";
import { requireRoot, verifyToken } from "./verify.ts";

/** About ten times the size of usual tokens. */
const MAX_TOKEN_BYTES = 65_536;

/** X.660: arcs without leading zeros, below the three roots. */
const OBJECT_IDENTIFIER =
  /^([01]\.([0-9]|[1-3][0-9])|2\.(0|[1-9][0-9]{0,8}))(\.(0|[1-9][0-9]{0,8})){0,20}$/;

const QUERY_TYPE = "application/timestamp-query";
const REPLY_TYPE = "application/timestamp-reply";
const MAX_REPLY_BYTES = 65_536;

const WHAT = "time-stamp reply";
const STATUSES = [
  "granted",
  "grantedWithMods",
  "rejection",
  "waiting",
  "revocationWarning",
  "revocationNotification",
] as const;
/** Statuses up to this one come with a token. */
const GRANTED_WITH_MODS = 1;

/** Bits of PKIFailureInfo. */
const FAILURES: readonly (readonly [bit: number, name: string])[] = [
  [0, "badAlg"],
  [2, "badRequest"],
  [5, "badDataFormat"],
  [14, "timeNotAvailable"],
  [15, "unacceptedPolicy"],
  [16, "unacceptedExtension"],
  [17, "addInfoNotAvailable"],
  [25, "systemFailure"],
];
const TEXT_LENGTH = 200;

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
        const nonce = crypto.getRandomValues(new Uint8Array(8));
        // A positive integer whose DER has these eight bytes.
        nonce[0] = nonce[0]! & 0x3f | 0x40;
        const answer = await http.request(url, {
          method: "POST",
          headers: { "content-type": QUERY_TYPE, "accept": REPLY_TYPE },
          body: encodeRequest(digest, nonce, policy),
        }, signal);
        const reply = bodyOf(answer, "time-stamp authority", MAX_REPLY_BYTES, REPLY_TYPE);
        const token = readReply(reply);
        const verified = await verifyToken(token, { digest, nonce, policy });
        // If there are roots, one has to vouch for the authority.
        if (roots.length > 0) await requireRoot(verified, roots);
        const proof: JsonValue = Object.assign(Object.create(null), { token: base64Of(token) });
        return { status: "confirmed", timestamp: verified.token.info.genTime, proof };
      },
    };
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
  return PROOF.parse(proof, { where: "time-stamp proof", code: "anchor_refused" }).token;
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

/** TimeStampReq for a token of `digest` (SHA-256) that carries the authority's certificates. */
function encodeRequest(digest: Bytes, nonce: Bytes, policy: string | undefined): Bytes {
  const algorithm = [encodeObjectIdentifier(SHA256_OID), encodeDer(TAG.null)];
  return encodeDer(
    TAG.sequence,
    encodeDer(TAG.integer, Uint8Array.of(1)),
    encodeDer(
      TAG.sequence,
      encodeDer(TAG.sequence, ...algorithm),
      encodeDer(TAG.octetString, digest),
    ),
    ...policy === undefined ? [] : [encodeObjectIdentifier(policy)],
    encodeDer(TAG.integer, nonce),
    encodeDer(TAG.boolean, Uint8Array.of(0xff)),
  );
}

/** The DER of the token in a reply that grants one; else `anchor_refused` with the reply's reason. */
export function readReply(bytes: Bytes): Bytes {
  const [info, token] = membersOf(readDer(bytes, WHAT), WHAT, "SEQUENCE SEQUENCE?");
  const [number, strings, failures] = membersOf(info, WHAT, "INTEGER SEQUENCE? BITS?");
  const status = integerOf(number, WHAT);
  const name = STATUSES[status];
  if (name === undefined) throw unreadable(WHAT, "unknown status");
  const texts = strings ? elementsOf(strings, WHAT, TAG.utf8String) : [];
  if (status <= GRANTED_WITH_MODS) {
    if (token === undefined) throw unreadable(WHAT, "it has no token");
    return token.bytes.slice();
  }
  const reasons = [
    name,
    ...failures ? failureNames(failures) : [],
    ...texts.map((text) => printableText(text, TEXT_LENGTH)),
  ].join(", ").slice(0, 2 * TEXT_LENGTH);
  throw new CountersignError(
    "anchor_refused",
    `Cannot anchor tree head: the time-stamp authority answered ${reasons}`,
  );
}

function failureNames({ contents }: DerValue): readonly string[] {
  return FAILURES.flatMap(([bit, name]) => {
    const octet = contents[1 + (bit >> 3)] ?? 0;
    return octet & 0x80 >> (bit & 7) ? [name] : [];
  });
}

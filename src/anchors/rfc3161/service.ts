/**
 * Asks a time-stamp authority over HTTP (RFC 3161 sections 2.4.1, 2.4.2 and 3.4).
 *
 * @module
 */

import { base64Of, type Bytes } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type { AnchorProof } from "../../format/records.ts";
import type { JsonValue } from "../../format/strict_json.ts";
import { bodyOf } from "../http_answer.ts";
import type { AnchorHttp, AnchorService } from "../ports.ts";
import { SHA256_OID } from "./algorithms.ts";
import { elementsOf, encodeObjectIdentifier, integerOf, membersOf, printableText } from "./asn1.ts";
import type { Certificate } from "./certificate.ts";
import { type DerValue, encodeDer, readDer, TAG, unreadable } from "./der.ts";
import { requireRoot, verifyToken } from "./verify.ts";

const QUERY_TYPE = "application/timestamp-query";
const REPLY_TYPE = "application/timestamp-reply";
const MAX_REPLY_BYTES = 65_536;

const WHAT = "time-stamp reply";
const STATUSES = [
  ...["granted", "grantedWithMods", "rejection", "waiting"],
  ...["revocationWarning", "revocationNotification"],
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

export interface TimeStampServiceOptions {
  readonly http: AnchorHttp;
  readonly url: URL;
  /** Dotted object identifier of the policy to request. */
  readonly policy: string | undefined;
  /** If there are any, one has to vouch for the authority. */
  readonly roots: readonly Certificate[];
}

/** {@linkcode AnchorService} of one authority. */
export class TimeStampService implements AnchorService {
  readonly #options: TimeStampServiceOptions;

  constructor(options: TimeStampServiceOptions) {
    this.#options = options;
  }

  async anchor(digest: Bytes, signal: AbortSignal): Promise<AnchorProof> {
    const { http, url, policy, roots } = this.#options;
    const nonce = crypto.getRandomValues(new Uint8Array(8));
    // A positive integer whose DER has these eight bytes.
    nonce[0] = nonce[0]! & 0x3f | 0x40;
    const answer = await http.request(url, {
      method: "POST",
      headers: { "content-type": QUERY_TYPE, "accept": REPLY_TYPE },
      body: encodeRequest(digest, nonce, policy),
    }, signal);
    const encoded = readReply(bodyOf(answer, "time-stamp authority", MAX_REPLY_BYTES, REPLY_TYPE));
    const verified = await verifyToken(encoded, { digest, nonce, policy });
    if (roots.length > 0) await requireRoot(verified, roots);
    const proof: JsonValue = Object.assign(Object.create(null), { token: base64Of(encoded) });
    return { status: "confirmed", timestamp: verified.token.info.genTime, proof };
  }
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

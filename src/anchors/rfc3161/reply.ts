/**
 * Requests to a time-stamp authority and its replies (RFC 3161 sections 2.4.1 and 2.4.2).
 *
 * @module
 */

import * as asn1js from "asn1js";
import { AlgorithmIdentifier, MessageImprint, TimeStampReq, TimeStampResp } from "pkijs";
import type { Bytes } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { SHA256_OID } from "./algorithms.ts";
import { unreadable } from "./der.ts";
import { readPki } from "./pki.ts";
import { printable } from "./text.ts";

const WHAT = "time-stamp reply";
const STATUSES = [
  ...["granted", "grantedWithMods", "rejection", "waiting"],
  ...["revocationWarning", "revocationNotification"],
] as const;
/** Those whose reply has a token. */
const GRANTED = 1;

/** Bits of PKIFailureInfo. */
const FAILURES: Readonly<Record<number, string>> = {
  0: "badAlg",
  2: "badRequest",
  5: "badDataFormat",
  14: "timeNotAvailable",
  15: "unacceptedPolicy",
  16: "unacceptedExtension",
  17: "addInfoNotAvailable",
  25: "systemFailure",
};
const TEXT_LENGTH = 200;

/** A request, and what its reply has to repeat. */
export interface TimeStampRequest {
  readonly der: Bytes;
  /** Contents of the integer. */
  readonly nonce: Bytes;
}

/** A request for a token of `digest` (SHA-256) with the authority's certificates in it. */
export function timeStampRequest(digest: Bytes, policy: string | undefined): TimeStampRequest {
  const random = crypto.getRandomValues(new BigUint64Array(1))[0]!;
  const nonce = asn1js.Integer.fromBigInt(random);
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({
        algorithmId: SHA256_OID,
        algorithmParams: new asn1js.Null(),
      }),
      hashedMessage: new asn1js.OctetString({ valueHex: digest }),
    }),
    nonce,
    certReq: true,
  });
  if (policy !== undefined) request.reqPolicy = policy;
  return {
    der: new Uint8Array(request.toSchema().toBER()),
    nonce: nonce.valueBlock.valueHexView.slice(),
  };
}

/** DER of the token that the reply of `bytes` grants; `anchor_refused` with what it says instead. */
export function readReply(bytes: Bytes): Bytes {
  const { value: { status }, der } = readPki(TimeStampResp, bytes, WHAT);
  const [, token] = der.children;
  if (status.status <= GRANTED) {
    if (token === undefined) throw unreadable(WHAT, "a token", "none");
    return token.bytes.slice();
  }
  const texts = (status.statusStrings ?? []).map((text) => {
    const value: unknown = text.valueBlock.value;
    return typeof value === "string" ? [printable(value, TEXT_LENGTH)] : [];
  });
  const said = [STATUSES[status.status], ...failuresOf(status.failInfo), ...texts.flat()];
  throw new CountersignError(
    "anchor_refused",
    `Cannot anchor tree head: a granted time stamp required, found ${
      said.join(", ").slice(0, 2 * TEXT_LENGTH)
    }`,
  );
}

function failuresOf(failInfo: asn1js.BitString | undefined): readonly string[] {
  const bits = failInfo?.valueBlock.valueHexView ?? new Uint8Array();
  return Object.entries(FAILURES).flatMap(([place, name]) => {
    const number = Number(place);
    const octet = bits[number >> 3] ?? 0;
    return (octet & (0x80 >> (number & 7))) === 0 ? [] : [name];
  });
}

/**
 * A time-stamp authority (RFC 3161) that signs only what a threshold of witnesses attested: the time of a
 * token is the time of the attestation, and the token carries it (protocol.md "Time stamps").
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { hasCode } from "../../base/errors.ts";
import { momentText } from "../../base/moment_text.ts";
import type { Hashing } from "../../proof/crypto/hashing.ts";
import {
  SERIAL_RANDOM_BITS,
  TOKEN_ACCURACY_SECONDS,
} from "../../proof/timestamp/attested_token.ts";
import { attestedHash, imprintHashOf, imprintOf } from "../../proof/timestamp/message_imprint.ts";
import { encodeGranted, encodeRejection, type ReplyFailure } from "../../proof/timestamp/reply.ts";
import { readRequest, type TimeStampRequest } from "../../proof/timestamp/request.ts";
import type { TimestampIdentity } from "./timestamp_signer.ts";
import { TokenWriter } from "./token_writer.ts";

/** A reply, DER of a TimeStampResp. */
export interface TimestampReply {
  readonly isGranted: boolean;
  readonly bytes: Bytes;
}

/** A request that may be granted once its hash is attested. */
export interface AcceptedRequest {
  /** The hash to attest, 64 lowercase hex digits. */
  readonly hash: string;
  readonly request: TimeStampRequest;
}

/** What the witnesses attested of the hash of a request. */
export interface AttestedHash {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly sequence: number;
  /** JSON of a ProofBundle. */
  readonly bundle: string;
}

export interface AuthorityContext {
  readonly identity: TimestampIdentity;
  readonly kernels: Pick<Hashing, "sha256">;
  readonly clock: Clock;
}

const VERSION = 1;
const WHAT = "message imprint";

export class TimestampAuthority {
  readonly #identity: TimestampIdentity;
  readonly #kernels: Pick<Hashing, "sha256">;
  readonly #clock: Clock;
  readonly #writer: TokenWriter;

  constructor({ identity, kernels, clock }: AuthorityContext) {
    this.#identity = identity;
    this.#kernels = kernels;
    this.#clock = clock;
    this.#writer = new TokenWriter(identity, kernels);
  }

  get identity(): TimestampIdentity {
    return this.#identity;
  }

  /** The request in `bytes`, or the reply that rejects it (RFC 3161 section 2.4.2). */
  accept(bytes: Bytes): AcceptedRequest | TimestampReply {
    const request = ifReadable(() => readRequest(bytes));
    if (request === undefined) {
      return rejection("badDataFormat", "The request is not a TimeStampReq in DER");
    }
    const { version, policy, hasExtensions } = request;
    if (version !== VERSION) {
      return rejection("badRequest", `The request has version ${version}, not ${VERSION}`);
    }
    // Section 2.4.1: also one that is not critical.
    if (hasExtensions) {
      return rejection("unacceptedExtension", "No extension of a request is known here");
    }
    if (policy !== undefined && policy !== this.#identity.policy) {
      return rejection("unacceptedPolicy", `The policy here is ${this.#identity.policy}`);
    }
    if (ifReadable(() => imprintHashOf(request.imprint, WHAT)) === undefined) {
      return rejection("badAlg", "The hash must be SHA-256, SHA-384 or SHA-512");
    }
    const imprint = ifReadable(() => imprintOf(request.imprint, WHAT));
    if (imprint === undefined) {
      return rejection("badDataFormat", "The digest is not as long as its hash function makes it");
    }
    // A new hash would be attested, and paid for, in vain.
    const invalid = this.#invalidAt(unixSeconds(this.#clock));
    if (invalid !== undefined) {
      return rejection(
        "timeNotAvailable",
        `No time stamps now: ${invalid}. Ask the operator of this gateway`,
      );
    }
    return { hash: attestedHash(this.#kernels, imprint), request };
  }

  /** The reply to a request whose hash is attested. Rejects if the signer fails. */
  async grant({ request }: AcceptedRequest, attested: AttestedHash): Promise<TimestampReply> {
    const { timestamp, sequence, bundle } = attested;
    const invalid = this.#invalidAt(timestamp);
    if (invalid !== undefined) {
      return rejection(
        "timeNotAvailable",
        `This content was attested at ${momentText(timestamp)}, and ${invalid}: ` +
          "GET /v1/bundle has its proof",
      );
    }
    const { imprint, nonce, certReq } = request;
    const token = await this.#writer.write({
      imprint: imprint.bytes,
      serial: BigInt(sequence) << BigInt(SERIAL_RANDOM_BITS) | randomBits(),
      time: timestamp,
      accuracySeconds: TOKEN_ACCURACY_SECONDS,
      nonce,
      withCertificates: certReq,
      proof: bundle,
    });
    return { isGranted: true, bytes: encodeGranted(token) };
  }

  /** Why verifiers would refuse a token of `time` for a certificate. */
  #invalidAt(time: number): string | undefined {
    for (const { notBefore, notAfter, subjectText } of this.#identity.certificates) {
      const name = `the certificate of ${subjectText}`;
      if (time < notBefore) return `${name} is not valid before ${momentText(notBefore)}`;
      if (time > notAfter) return `${name} expired at ${momentText(notAfter)}`;
    }
    return undefined;
  }
}

/** RFC 3161 section 2.4.2: no two tokens of an authority have one serial number. */
function randomBits(): bigint {
  const [bits] = crypto.getRandomValues(new BigUint64Array(1));
  return bits!;
}

function rejection(failure: ReplyFailure, text: string): TimestampReply {
  return { isGranted: false, bytes: encodeRejection(failure, text) };
}

function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, "timestamp_refused")) return undefined;
    throw error;
  }
}

/**
 * Requests for time-stamp tokens of new hashes.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { type Bytes, concat, HASH_LENGTH, utf8 } from "../../src/base/bytes.ts";
import { encodeInteger } from "../../src/proof/timestamp/asn1.ts";
import { encodeDer, TAG } from "../../src/proof/timestamp/der.ts";
import { encodeImprint } from "../../src/proof/timestamp/message_imprint.ts";
import { REQUEST_MEDIA_TYPE } from "../../src/proof/timestamp/request.ts";
import type { Answer } from "./answer_reader.ts";
import type { SampleVerifier } from "./sample_verifier.ts";
import type { Check, Client, Scenario } from "./scenario.ts";

/** A TimeStampReq with `certReq`, whose digest is zeros. */
export function blankQuery(): Bytes {
  const imprint = encodeImprint({ hash: "SHA-256", digest: new Uint8Array(HASH_LENGTH) });
  return encodeDer(
    TAG.sequence,
    encodeInteger(1),
    imprint,
    encodeDer(TAG.boolean, Uint8Array.of(0xff)),
  );
}

/** Offset of the digest in {@linkcode blankQuery}, from its end: `certReq` follows it. */
export const DIGEST_FROM_END = HASH_LENGTH + 3;

/** `timestamp`: POSTs that are answered with a token when their hash is confirmed. */
export function timestampScenario(verifier: SampleVerifier): Scenario {
  return {
    name: "timestamp",
    hashes: 1,
    submits: true,
    client: () => new TimestampClient(verifier),
  };
}

class TimestampClient implements Client {
  readonly #verifier: SampleVerifier;
  readonly #request: Bytes;
  /** In the request. */
  readonly #digest: Buffer<ArrayBuffer>;

  constructor(verifier: SampleVerifier) {
    this.#verifier = verifier;
    const body = blankQuery();
    const head = utf8(
      `POST /tsa HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${REQUEST_MEDIA_TYPE}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n`,
    );
    this.#request = concat(head, body);
    const at = this.#request.length - DIGEST_FROM_END;
    this.#digest = Buffer.from(this.#request.buffer, at, HASH_LENGTH);
  }

  next(): Uint8Array {
    crypto.getRandomValues(this.#digest);
    return this.#request;
  }

  /** A reply that rejects the request does not have its digest. */
  accepts({ status, body }: Answer): boolean {
    return status === 200 &&
      Buffer.from(body.buffer, body.byteOffset, body.length).includes(this.#digest);
  }

  check({ body }: Answer): Check {
    const [digest, reply] = [new Uint8Array(this.#digest), new Uint8Array(body)];
    return () => this.#verifier.timestamp(digest, reply);
  }
}

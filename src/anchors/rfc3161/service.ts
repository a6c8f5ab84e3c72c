/**
 * A configured time-stamp authority over HTTP (RFC 3161 section 3.4).
 *
 * @module
 */

import { base64Of, type Bytes } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type { AnchorProof } from "../../format/records.ts";
import type { JsonValue } from "../../format/strict_json.ts";
import type { AnchorAnswer, AnchorHttp, AnchorService } from "../ports.ts";
import type { Certificate } from "./certificate.ts";
import { readReply, timeStampRequest } from "./reply.ts";
import { requireRoot, verifyToken } from "./verify.ts";

const QUERY_TYPE = "application/timestamp-query";
const REPLY_TYPE = "application/timestamp-reply";
const MAX_REPLY_BYTES = 65_536;

/** Statuses after which asking again may help: a time-out, a limit, and what the server got wrong. */
function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

export interface TimeStampServiceOptions {
  readonly http: AnchorHttp;
  readonly url: URL;
  /** Dotted object identifier that is asked for. */
  readonly policy: string | undefined;
  /** When there are any, the authority has to be vouched for by one. */
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
    const request = timeStampRequest(digest, policy);
    const answer = await http.request(url, {
      method: "POST",
      headers: { "content-type": QUERY_TYPE, "accept": REPLY_TYPE },
      body: request.der,
    }, signal);
    const encoded = readReply(bodyOf(answer));
    const verified = await verifyToken(encoded, { digest, nonce: request.nonce, policy });
    if (roots.length > 0) await requireRoot(verified, roots);
    const proof: JsonValue = Object.assign(Object.create(null), { token: base64Of(encoded) });
    return { status: "confirmed", timestamp: verified.token.info.genTime, proof };
  }
}

function bodyOf({ status, contentType, body }: AnchorAnswer): Bytes {
  if (status !== 200) {
    throw new CountersignError(
      isPassing(status) ? "anchor_unreachable" : "anchor_refused",
      `Cannot anchor tree head: a time-stamp reply required, found status ${status}`,
    );
  }
  if (contentType !== REPLY_TYPE || body.length > MAX_REPLY_BYTES) {
    throw new CountersignError(
      "anchor_refused",
      `Cannot anchor tree head: ${REPLY_TYPE} of at most ${MAX_REPLY_BYTES} bytes required, found another answer`,
    );
  }
  return body;
}

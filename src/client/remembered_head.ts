/**
 * A tree head that a page remembers between visits, as JSON:
 *
 *     {"version": 1, "fingerprint", "seen_at", "sth", "log_signature"?}
 *
 * `fingerprint` is that of the configuration under which the head was verified, `seen_at` is in Unix
 * seconds of the browser's clock. With the log key's signature, two heads can be evidence that a
 * gateway accepts and `countersign log contradictions --file` verifies.
 *
 * @module
 */

import { type Bytes, fromHex, hexOf, utf8 } from "../base/bytes.ts";
import { CountersignError, tryParse } from "../base/errors.ts";
import { parseNote } from "../proof/format/note.ts";
import { parseVkey } from "../proof/format/note_key.ts";
import { COUNT, HASH, object } from "../proof/format/schema.ts";
import { SIGNATURE_LENGTH } from "../proof/format/signature_set.ts";
import {
  encodeCheckpointBody,
  LOG_SIGNATURE,
  SIGNED_TREE_HEAD,
  type SignedTreeHead,
  type TreeHead,
} from "../proof/format/tree_head.ts";
import type { CryptoSuite } from "../proof/crypto/crypto_suite.ts";
import { type FollowedNetwork, signersOfHead } from "../proof/verify/followed_network.ts";

const CODE = "malformed_text";
const VERSION = 1;

/** A head that was verified when it was stored. */
export interface RememberedHead {
  readonly sth: SignedTreeHead;
  /** SHA-256 in hex of the configuration under which it was verified. */
  readonly fingerprint: string;
  /** Unix seconds of the browser's clock. */
  readonly seenAt: number;
  /** The log key's signature, if the gateway showed it. */
  readonly logSignature?: Bytes;
}

export function encodeRememberedHead(head: RememberedHead): string {
  const { sth, fingerprint, seenAt, logSignature } = head;
  return JSON.stringify({
    version: VERSION,
    fingerprint,
    seen_at: seenAt,
    sth,
    ...(logSignature && { log_signature: hexOf(logSignature) }),
  });
}

const REMEMBERED_HEAD = object({
  version: COUNT,
  fingerprint: HASH,
  seen_at: COUNT,
  sth: SIGNED_TREE_HEAD,
  log_signature: LOG_SIGNATURE.optional(),
});

/** Parses a head of network `id`; `malformed_text`. */
export function parseRememberedHead(text: string, id: string): RememberedHead {
  const { version, fingerprint, seen_at: seenAt, sth, log_signature: signature } = REMEMBERED_HEAD
    .parseText(text, { where: "remembered head", code: CODE });
  if (version !== VERSION || sth.tree_head.network_id !== id) {
    throw new CountersignError(
      CODE,
      `Cannot read remembered head: expected version ${VERSION} of network ${id}`,
    );
  }
  return {
    sth,
    fingerprint,
    seenAt,
    ...(signature !== undefined && { logSignature: fromHex(signature) }),
  };
}

/**
 * The log key's signature over `head` in the note of `GET /checkpoint`; `undefined` if the note is
 * malformed, is of another head or has no valid signature of the log key.
 */
export async function logSignatureIn(
  crypto: CryptoSuite,
  network: FollowedNetwork,
  head: TreeHead,
  checkpoint: string,
): Promise<Bytes | undefined> {
  const vkey = signersOfHead(network, head.tree_size)?.log_vkey;
  if (vkey === undefined) return undefined;
  const body = encodeCheckpointBody(head);
  const { publicKey } = parseVkey(vkey);
  for (const { name, payload } of signaturesOver(body, checkpoint)) {
    if (name !== network.id || payload.length !== SIGNATURE_LENGTH.ed25519) continue;
    const signature = Uint8Array.from(payload);
    if (await crypto.ed25519(publicKey, utf8(body), signature)) return signature;
  }
  return undefined;
}

function signaturesOver(body: string, checkpoint: string) {
  const note = tryParse(() => parseNote(checkpoint));
  return note?.text === body ? note.signatures : [];
}

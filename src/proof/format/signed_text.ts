/**
 * The texts that keys of witnesses and logs sign. A signer that knows them cannot be used to sign
 * anything else, such as a login or a certificate.
 *
 * @module
 */

import {
  COSIGNATURE_DOMAIN,
  EPOCH_END_DOMAIN,
  ROUND_DOMAIN,
  SUCCESSION_DOMAIN,
} from "../crypto/domains.ts";
import { isReceiptMessage } from "./cose_receipt.ts";
import type { KeyKind } from "./signer_key.ts";
import { subtreeMessageStart } from "./subtree_cosignature.ts";

/** The longest text is a succession of a large network. */
export const MAX_SIGNED_BYTES = 1024 * 1024;

const DOMAINS = [ROUND_DOMAIN, COSIGNATURE_DOMAIN, EPOCH_END_DOMAIN, SUCCESSION_DOMAIN];

/**
 * The first line of `message` if the key `name` of this kind signs such texts, otherwise `undefined`. A
 * log's key signs checkpoints, whose first line is the log's name, successions and COSE receipts; an ML-DSA-44
 * key signs trees and subtrees as the cosigner `name`.
 */
export function signedDomain(
  { kind, name }: { readonly kind: KeyKind; readonly name: string },
  message: Uint8Array,
): string | undefined {
  // `http/signer/timestamp_text.ts` knows the texts of a time-stamp authority.
  if (kind === "tsa") return undefined;
  if (kind === "cosigner") {
    return beginsWith(message, subtreeMessageStart(name)) ? "subtree/v1" : undefined;
  }
  if (kind === "log" && isReceiptMessage(name, message)) return "COSE Signature1";
  const first = kind === "log" ? [name, SUCCESSION_DOMAIN] : DOMAINS;
  return first.find((line) => beginsWith(message, new TextEncoder().encode(`${line}\n`)));
}

function beginsWith(message: Uint8Array, start: Uint8Array): boolean {
  return message.length >= start.length && start.every((byte, i) => message[i] === byte);
}

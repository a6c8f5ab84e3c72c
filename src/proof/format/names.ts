/**
 * Names: `network_id` (a C2SP origin), `witness_id` (a C2SP key name), and names of anchor services.
 * No name contains a newline, a space or a `+`.
 *
 * @module
 */

import { RESERVED_ORIGIN_PREFIXES } from "../crypto/domains.ts";
import { pattern, TEXT } from "./schema.ts";

const NETWORK_ID_MAX_LENGTH = 96;
const WITNESS_ID_MAX_LENGTH = 112;
const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._~/-]*$/;

/** True for a well-formed `network_id`: 1 to 96 characters, no reserved prefix. */
export function isNetworkId(text: string): boolean {
  return text.length <= NETWORK_ID_MAX_LENGTH && NAME.test(text) &&
    !RESERVED_ORIGIN_PREFIXES.some((prefix) => text.startsWith(prefix));
}

/** True for a well-formed `witness_id` (J9). */
export function isWitnessId(text: string): boolean {
  return text.length <= WITNESS_ID_MAX_LENGTH && NAME.test(text);
}

/** True for the name of an anchor service (J9). It is safe in file names. */
export function isServiceName(text: string): boolean {
  return SERVICE_NAME.test(text);
}

/** Reads any text: signed texts and configurations check it when they are encoded or used. */
export const NETWORK_ID = TEXT.named("NetworkId", {
  minLength: 1,
  maxLength: NETWORK_ID_MAX_LENGTH,
  pattern: NAME.source,
  description: "Name of the network, the C2SP origin of its log",
});

/** Reads any text, as {@linkcode NETWORK_ID} does. */
export const WITNESS_ID = TEXT.named("WitnessId", {
  minLength: 1,
  maxLength: WITNESS_ID_MAX_LENGTH,
  pattern: NAME.source,
  description: "Name of the witness, its C2SP key name",
});

/** An operator's name for one of several anchor services of one kind. */
export const SERVICE = pattern(SERVICE_NAME).with({
  description: "The gateway's name for the service; only where it has several of this provider",
});

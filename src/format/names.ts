/**
 * Names: `network_id`, which is the log's C2SP origin, `witness_id`, which is a C2SP key name, and the
 * names of anchor services. None holds a newline, a space or a `+`.
 *
 * @module
 */

import { RESERVED_ORIGIN_PREFIXES } from "../crypto/domains.ts";

const NETWORK_ID_MAX_LENGTH = 48;
const WITNESS_ID_MAX_LENGTH = 80;
const SERVICE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._~/-]*$/;

/** True for a well-formed `network_id`: 1 to 48 characters, no reserved prefix. */
export function isNetworkId(text: string): boolean {
  return text.length <= NETWORK_ID_MAX_LENGTH && NAME.test(text) &&
    !RESERVED_ORIGIN_PREFIXES.some((prefix) => text.startsWith(prefix));
}

/** True for a well-formed `witness_id`: the same alphabet, 1 to 80 characters. */
export function isWitnessId(text: string): boolean {
  return text.length <= WITNESS_ID_MAX_LENGTH && NAME.test(text);
}

/** True for the name of an anchor service: 1 to 40 characters, which are safe in names of files. */
export function isServiceName(text: string): boolean {
  return SERVICE_NAME.test(text);
}

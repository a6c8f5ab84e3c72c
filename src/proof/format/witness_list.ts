/**
 * Witnesses that logs may ask, as their operators publish them: a trust policy (c2sp.org/tlog-policy), or
 * any page with verifier keys of type 0x04 and the URLs of `add-checkpoint`, as the about pages of the
 * witness network have them.
 *
 * @module
 */

import { utf8 } from "../../base/bytes.ts";
import { tryParse } from "../../base/errors.ts";
import { parseLogPolicy, WITNESS_TYPES } from "./log_policy.ts";
import { encodeVkey, parseVkey } from "./note_key.ts";
import { parseServiceUrl } from "./service_url.ts";

/** A witness of a list. Nothing in a list is signed. */
export interface ListedWitness {
  readonly vkey: string;
  /** Its submission prefix; absent if the page does not say which URL is its own. */
  readonly url?: string;
}

/** Around words, in text or in HTML. */
const DELIMITERS = /[\s<>"'`()[\],]/;
/** A key of ML-DSA-44 has 1,752 characters of base64. */
const MAX_WORD_LENGTH = 2_048;
const SUBMISSION = "/add-checkpoint";
const MAX_WITNESSES = 1_024;

/** The witnesses in `text`; an empty list if it names none. Never throws. */
export function witnessesIn(text: string): readonly ListedWitness[] {
  const policy = tryParse(() => parseLogPolicy(utf8(text)));
  if (policy !== undefined) {
    return Array.from(policy.witnesses.values(), ({ key, url }) => ({
      vkey: encodeVkey(key),
      ...(url !== undefined && { url }),
    }));
  }
  const isKey = (word: string) => tryParse(() => parseVkey(word, WITNESS_TYPES)) !== undefined;
  const words = new Set(
    text.split(DELIMITERS).filter((word) => word.length <= MAX_WORD_LENGTH)
      .map((word) => /[.;]$/.test(word) ? word.slice(0, -1) : word),
  );
  const vkeys = [...words].filter((word) => word.includes("+") && isKey(word))
    .slice(0, MAX_WITNESSES);
  const urls = [...words].filter((word) => word.startsWith("https://") && word.endsWith(SUBMISSION))
    .map((url) => url.slice(0, 1 - SUBMISSION.length))
    .filter((url) => tryParse(() => parseServiceUrl(url, { insecure: false })) !== undefined);
  // A single URL belongs to all keys; otherwise each key needs its own URL.
  const urlOf = (i: number) => urls.length === vkeys.length ? urls[i] : urls[0];
  const isPaired = urls.length === 1 || urls.length === vkeys.length;
  return vkeys.map((vkey, i) => ({ vkey, ...(isPaired && { url: urlOf(i)! }) }));
}

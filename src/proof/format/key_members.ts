/**
 * Members that a network's configuration shares with the trust cores in its succession.
 *
 * @module
 */

import { count, hex, TEXT } from "./schema.ts";
import { SIGNATURE_LENGTH } from "./signature_set.ts";

/** Verifier keys are checked by `checkNetwork()`. */
export const VKEY = TEXT.with({
  pattern: "^[^+\\s]+\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]+=*$",
  title: "C2SP verifier key",
  example: "countersign.example/log+eb0f242b+AagoDLUKs09XH+jQMTULFrQzZijHPmxv92gz1cZYUcE5",
});

export const THRESHOLD = count("Number of witnesses that must sign").with({
  minimum: 1,
  example: 2,
});

export const PROOF_OF_POSSESSION = hex(
  SIGNATURE_LENGTH.bls,
  "Signature of the key over itself; bls only",
);

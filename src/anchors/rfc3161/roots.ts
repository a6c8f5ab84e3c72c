/**
 * Files of root certificates: one in DER, or any number in PEM (RFC 7468 section 5).
 *
 * @module
 */

import { type Bytes, textOf } from "../../bytes.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import { parsePem } from "../../format/pem.ts";
import { type Certificate, readCertificate } from "./certificate.ts";
import { TAG } from "./der.ts";

/** Larger than the roots of a whole operating system. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Blocks of other labels are ignored. */
const LABEL = "CERTIFICATE";

function invalid(required: string, found: string, cause?: unknown): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use root certificates: ${required} required, found ${found}`,
    { cause },
  );
}

/** The certificates of one file, at least one; `invalid_configuration` for another file. */
export function readRoots(file: Bytes): readonly Certificate[] {
  if (file.length > MAX_FILE_BYTES) throw invalid(`at most ${MAX_FILE_BYTES} bytes`, "more");
  const encoded = file[0] === TAG.sequence ? [file] : pemCertificates(file);
  if (encoded.length === 0) throw invalid("a certificate in PEM or DER", "none");
  return encoded.map((bytes, place) => {
    try {
      return readCertificate(bytes, `root certificate ${place + 1}`);
    } catch (error) {
      if (!hasCode(error, "anchor_refused")) throw error;
      throw invalid("certificates", `in place ${place + 1} what "${error.message}" says`, error);
    }
  });
}

function pemCertificates(file: Bytes): readonly Bytes[] {
  const code = "invalid_configuration";
  return parsePem(textOf(file, code), code)
    .filter(({ label }) => label === LABEL)
    .map(({ bytes }) => bytes);
}

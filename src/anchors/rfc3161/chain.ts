/**
 * The path from a token's signer to a root (RFC 5280 section 6.1), at the time of the token.
 * Revocation is not looked at: it needs what a token does not carry.
 *
 * @module
 */

import { equalBytes } from "../../bytes.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import { AuthorityKeyIdentifier } from "pkijs";
import { isSignedBy, signatureSchemeOf } from "./algorithms.ts";
import { checkIssuerCertificate, EXTENSION, unfit } from "./certificate_checks.ts";
import type { Certificate } from "./certificate.ts";
import { readDer } from "./der.ts";
import { checkNameConstraints } from "./name_constraints.ts";
import { readPki } from "./pki.ts";

/** Certificates from a signer to a root, both of them among these. */
const MAX_PATH = 8;
/** Certificates that are tried: many of one name would make the paths exponentially many. */
const MAX_TRIES = 64;

/** Signer first, root last. */
export type CertificatePath = readonly [signer: Certificate, ...issuers: Certificate[]];

/**
 * A path from `signer` over some of `intermediates` to one of `roots`, all fit at `time` (Unix
 * seconds). `anchor_refused` with what the longest attempt met when there is none.
 */
export async function findPath(
  signer: Certificate,
  intermediates: readonly Certificate[],
  roots: readonly Certificate[],
  time: number,
): Promise<CertificatePath> {
  return await new PathSearch(intermediates, roots, time).from(signer);
}

/** One search; `#refusal` is what the longest attempt met. Owned by a single call. */
class PathSearch {
  readonly #intermediates: readonly Certificate[];
  readonly #roots: readonly Certificate[];
  readonly #time: number;
  #refusal: { readonly length: number; readonly error: CountersignError } | undefined;
  #tries = 0;

  constructor(
    intermediates: readonly Certificate[],
    roots: readonly Certificate[],
    time: number,
  ) {
    this.#intermediates = intermediates;
    this.#roots = roots;
    this.#time = time;
  }

  async from(signer: Certificate): Promise<CertificatePath> {
    const found = await this.#extend([signer]);
    if (found) return found;
    throw this.#refusal?.error ?? unfit(signer, "a path to a root", "none");
  }

  async #extend(path: CertificatePath): Promise<CertificatePath | undefined> {
    const last = path.at(-1)!;
    // Roots first: a token may carry the root as well, which by itself is worth nothing.
    for (const root of this.#roots) {
      if (await this.#isIssuer(root, path)) return [...path, root];
    }
    if (path.length + 1 < MAX_PATH) {
      for (const issuer of this.#intermediates) {
        if (equalBytes(issuer.subject, issuer.issuer)) continue;
        if (!await this.#isIssuer(issuer, path)) continue;
        const found = await this.#extend([...path, issuer]);
        if (found) return found;
      }
    }
    this.#refuse(path.length, unfit(last, "an issuer that leads to a root", "none"));
    return undefined;
  }

  /** True when `issuer` signed the last of `path` and may be above all of it. */
  async #isIssuer(issuer: Certificate, path: CertificatePath): Promise<boolean> {
    const last = path.at(-1)!;
    if (!isNamedIssuer(issuer, last) || path.some(({ der }) => equalBytes(der, issuer.der))) {
      return false;
    }
    // Ends the search: it is no attempt like others, of which one may succeed.
    if (++this.#tries > MAX_TRIES) throw unfit(last, `at most ${MAX_TRIES} issuers`, "more");
    try {
      await checkIssuance(issuer, path, this.#time);
      return true;
    } catch (error) {
      if (!hasCode(error, "anchor_refused")) throw error;
      this.#refuse(path.length + 1, error);
      return false;
    }
  }

  #refuse(length: number, error: CountersignError): void {
    if (length > (this.#refusal?.length ?? 0)) this.#refusal = { length, error };
  }
}

/** True when `certificate` names `issuer` as its own, by name and, where both say it, by key. */
function isNamedIssuer(issuer: Certificate, certificate: Certificate): boolean {
  if (!equalBytes(issuer.subject, certificate.issuer)) return false;
  const authority = certificate.extensions.get(EXTENSION.authorityKeyIdentifier);
  const subject = issuer.extensions.get(EXTENSION.subjectKeyIdentifier);
  if (!authority || !subject) return true;
  const { value } = readPki(AuthorityKeyIdentifier, authority.value, "authority key identifier");
  const key = readDer(subject.value, "subject key identifier").contents;
  return value.keyIdentifier === undefined ||
    equalBytes(value.keyIdentifier.valueBlock.valueHexView, key);
}

async function checkIssuance(
  issuer: Certificate,
  path: CertificatePath,
  time: number,
): Promise<void> {
  const last = path.at(-1)!;
  checkIssuerCertificate(issuer, time, path.length - 1);
  checkNameConstraints(issuer, path);
  const scheme = signatureSchemeOf(last.signatureAlgorithm);
  if (!await isSignedBy(issuer.publicKey, scheme, last.signed, last.signature)) {
    throw unfit(last, "a signature by its issuer", "another");
  }
}

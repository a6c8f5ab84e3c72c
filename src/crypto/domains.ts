/**
 * Every domain string that separates one kind of signed message from another (protocol.md "Signed
 * messages", "Signature schemes").
 * No other file spells one out.
 *
 * @module
 */

/** First line of an attestation, a leaf of the log. Never signed on its own. */
export const ATTESTATION_DOMAIN = "countersign/attestation/v1";

/** First line of the message that witnesses sign for a round of attestations. */
export const ROUND_DOMAIN = "countersign/round/v1";

/** First line of a C2SP cosignature message (c2sp.org/tlog-cosignature). */
export const COSIGNATURE_DOMAIN = "cosignature/v1";

/** Prefixes that no `network_id` may have: an origin must never read as a domain line. */
export const RESERVED_ORIGIN_PREFIXES = ["cosignature/", "countersign/", "subtree/"] as const;

/** Ciphersuite of `bls` signatures (RFC 9380, draft-irtf-cfrg-bls-signature section 4.2.3). */
export const BLS_SIGNATURE_DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";

/** Domain of `bls` proofs of possession. */
export const BLS_POSSESSION_DST = "BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";

/** What follows the private note type 0xff of a `bls` witness's key (c2sp.org/signed-note). */
export const BLS_WITNESS_NOTE_IDENTIFIER = "countersign/bls-witness/v1";

/** What follows it in the key ID of a `bls` network's line in a checkpoint. */
export const BLS_AGGREGATE_NOTE_IDENTIFIER = "countersign/bls-aggregate/v1";

/** Ciphersuite of drand's `bls-unchained-g1-rfc9380` scheme: what beacons are signed in. */
export const DRAND_SIGNATURE_DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/** First line of the text over which a client of an issuer of tokens works. Never signed. */
export const WORK_DOMAIN = "countersign/work-proof/v1";

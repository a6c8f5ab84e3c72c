/**
 * All domain strings of signed messages (protocol.md "Signed messages", "Signature schemes").
 *
 * @module
 */

/** First line of an attestation, a leaf of the log. Only signed as part of a round. */
export const ATTESTATION_DOMAIN = "countersign/attestation/v1";

/** First line of the message that witnesses sign for a round of attestations. */
export const ROUND_DOMAIN = "countersign/round/v1";

/** First line of a C2SP cosignature message (c2sp.org/tlog-cosignature). */
export const COSIGNATURE_DOMAIN = "cosignature/v1";

/** Label of the message of an ML-DSA-44 cosignature (c2sp.org/tlog-cosignature). */
export const SUBTREE_DOMAIN = "subtree/v1\n\0";

/** First line of the text of a trust core, whose SHA-256 is a network's fingerprint. Never signed. */
export const TRUST_CORE_DOMAIN = "countersign/trust-core/v1";

/** First line of a succession, which both epochs and the log keys sign. */
export const SUCCESSION_DOMAIN = "countersign/succession/v1";

/** First line of the text that witnesses sign at the end of their epoch. */
export const EPOCH_END_DOMAIN = "countersign/epoch-end/v1";

/** First line of the name of a frozen log's successor, whose SHA-256 is in the succession. */
export const NEXT_LOG_DOMAIN = "countersign/next-log/v1";

/** Domain of the first entry of a log that continues a frozen one. */
export const PREVIOUS_LOG_DOMAIN = "countersign/previous-log/v1";

/** Prefixes that no `network_id` may have: an origin must never read as a domain line. */
export const RESERVED_ORIGIN_PREFIXES = ["cosignature/", "countersign/", "subtree/"] as const;

/** Ciphersuite of `bls` signatures (RFC 9380, draft-irtf-cfrg-bls-signature section 4.2.3). */
export const BLS_SIGNATURE_DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";

/** Domain of `bls` proofs of possession. */
export const BLS_POSSESSION_DST = "BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_";

/** Identifier after the private note type 0xff in the key of a `bls` witness (c2sp.org/signed-note). */
export const BLS_WITNESS_NOTE_IDENTIFIER = "countersign/bls-witness/v1";

/** Identifier after 0xff in the key ID of a `bls` network's signature line. */
export const BLS_AGGREGATE_NOTE_IDENTIFIER = "countersign/bls-aggregate/v1";

/** Ciphersuite of drand's scheme `bls-unchained-g1-rfc9380`. */
export const DRAND_SIGNATURE_DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/** First line of the text of a proof of work for an issuer of tokens. Never signed. */
export const WORK_DOMAIN = "countersign/work-proof/v1";

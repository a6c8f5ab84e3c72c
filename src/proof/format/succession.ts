/**
 * The succession of a network's configurations (protocol.md "Succession"). Two texts are signed:
 *
 *     countersign/succession/v1                    countersign/epoch-end/v1
 *     <network_id>                                 <network_id>
 *     <epoch of the successor>                     <epoch that ends>
 *     <SHA-256 of the predecessor's core>          <SHA-256 of the succession text>
 *     <SHA-256 of the successor's core>            <tree size at which it ends>
 *     <size of a published tree head>              <root of that tree, hex>
 *     <Unix seconds>
 *     <nonce, 32 random bytes in hex>
 *
 * Every line ends with a newline. SHA-256 of the succession text is an entry of the log, the last one
 * of the epoch that ends. A freeze has no successor: its fifth line is `none`, or the SHA-256 of
 *
 *     countersign/next-log/v1
 *     <network id of the next log>
 *     <log_vkey of the next log>
 *     <SHA-256 of the next log's core>
 *
 * The documents repeat nothing that follows from their other members. No signature is checked here.
 *
 * @module
 */

import { HASH_LENGTH, hexOf, isCount, isHex, utf8 } from "../../base/bytes.ts";
import { EPOCH_END_DOMAIN, NEXT_LOG_DOMAIN, SUCCESSION_DOMAIN } from "../crypto/domains.ts";
import { sha256 } from "../crypto/hashing.ts";
import { errorBuilder, type ErrorCode, tryParse } from "../../base/errors.ts";
import { VKEY } from "./key_members.ts";
import { isNetworkId, NETWORK_ID } from "./names.ts";
import { parseVkey } from "./note_key.ts";
import {
  count,
  HASH,
  HASH_PATH,
  hex,
  list,
  object,
  type Of,
  type OfMembers,
  orNull,
  TEXT,
  time,
} from "./schema.ts";
import { SIGNATURE_LENGTH, SIGNER } from "./signature_set.ts";
import { coreDigest, TRUST_CORE } from "./trust_core.ts";

const malformed = errorBuilder("malformed_text", "Cannot read succession");

/** One signature of each witness, of either scheme: these texts are never signed in aggregate. */
const EACH_SIGNATURE = list(
  object({
    witness_id: SIGNER,
    signature: TEXT.map(
      (text) => Object.values(SIGNATURE_LENGTH).some((n) => isHex(text, n)) ? text : undefined,
      "64 or 48 bytes in lowercase hex",
    ),
  }).named("SuccessionSignature"),
).with({ description: "Each witness's own signature, strictly ascending by witness_id" });

const LOG_SIGNATURE = hex(SIGNATURE_LENGTH.ed25519, "Ed25519 signature of a log key");

const NEXT_LOG = object({
  origin: NETWORK_ID,
  log_vkey: VKEY,
  core: HASH.with({ description: "SHA-256 of its trust core" }),
}).named("NextLog", { description: "The log that continues a frozen one" });

const DOCUMENT_MEMBERS = {
  predecessor: TRUST_CORE,
  successor: orNull(TRUST_CORE),
  next_log: NEXT_LOG.optional(),
  tree_size: count("Size of a published tree head; the epoch ends after it"),
  timestamp: time("When the succession was proposed"),
  nonce: HASH.with({ description: "32 random bytes, so that nobody else can log its digest" }),
  signatures: object({
    predecessor: EACH_SIGNATURE,
    successor: EACH_SIGNATURE,
    log: LOG_SIGNATURE.optional(),
    successor_log: LOG_SIGNATURE.optional(),
  }).named("SuccessionSignatures"),
} as const;

export const SUCCESSION = object(DOCUMENT_MEMBERS)
  .map((it) => isWhole(it) ? it : undefined, "a succession; next_log only without a successor")
  .named("Succession", { description: "Leads from one configuration to the next, when signed" });

const EPOCH_END = object({
  tree_size: count("Number of leaves of this and all earlier epochs"),
  root_hash: HASH,
  timestamp: time("Timestamp of the last attestation, whose hash is that of the succession"),
  inclusion_path: HASH_PATH,
  signatures: EACH_SIGNATURE,
}).named("EpochEnd", { description: "The tree with which an epoch ended" });

export const SUCCESSION_LINK = object({ ...DOCUMENT_MEMBERS, end: EPOCH_END })
  .map((it) => isWhole(it) ? it : undefined, "a succession; next_log only without a successor")
  .named("SuccessionLink", {
    description: "A succession that took effect, and the tree at which it did",
  });

/** The links of a network from epoch 0 on. */
export const SUCCESSION_CHAIN = list(SUCCESSION_LINK).named("SuccessionChain", {
  description: "The links from the first epoch on, in order, without a gap",
});

/** A succession and the signatures that it has so far. */
export type Succession = OfMembers<typeof DOCUMENT_MEMBERS>;

/** The content that a succession's signatures cover. */
export type SuccessionTerms = Omit<Succession, "signatures">;

/** The end of an epoch. */
export type EpochEnd = Of<typeof EPOCH_END>;

/** A succession that took effect. */
export type SuccessionLink = Succession & { readonly end: EpochEnd };

/** The log that continues a frozen one. */
export type NextLog = Of<typeof NEXT_LOG>;

/** The exact text that both epochs sign. */
export function encodeSuccession(terms: SuccessionTerms): string {
  const { predecessor, successor, next_log, tree_size, timestamp, nonce } = terms;
  if (!isCount(tree_size)) throw malformed("the tree size is not an integer in [0, 2^53)");
  if (!isCount(timestamp)) throw malformed("the time is not an integer in [0, 2^53)");
  if (!isHex(nonce, HASH_LENGTH)) throw malformed("the nonce is not 32 bytes");
  const lines = [
    SUCCESSION_DOMAIN,
    predecessor.id,
    predecessor.epoch + 1,
    coreDigest(predecessor),
    successor === null ? nextLogDigest(next_log) : coreDigest(successor),
    tree_size,
    timestamp,
    nonce,
  ];
  return `${lines.join("\n")}\n`;
}

/** SHA-256 in hex of the succession's text: the last entry of the epoch that it ends. */
export function successionDigest(terms: SuccessionTerms): string {
  return hexOf(sha256(utf8(encodeSuccession(terms))));
}

/** The exact text that the predecessor's witnesses sign when their epoch ends with a tree. */
export function encodeEpochEnd(
  terms: SuccessionTerms,
  { tree_size, root_hash }: Pick<EpochEnd, "tree_size" | "root_hash">,
): string {
  if (!isCount(tree_size)) throw malformed("the tree size is not an integer in [0, 2^53)");
  if (!isHex(root_hash, HASH_LENGTH)) throw malformed("the root hash is not 32 bytes");
  const { id, epoch } = terms.predecessor;
  const lines = [EPOCH_END_DOMAIN, id, epoch, successionDigest(terms), tree_size, root_hash];
  return `${lines.join("\n")}\n`;
}

/** Parses a succession document. */
export function parseSuccession(
  text: string,
  code: ErrorCode = "malformed_configuration",
): Succession {
  return SUCCESSION.parseText(text, { where: "succession", code });
}

/** Parses a chain of links. */
export function parseSuccessionChain(
  text: string,
  code: ErrorCode = "malformed_configuration",
): readonly SuccessionLink[] {
  return SUCCESSION_CHAIN.parseText(text, { where: "succession chain", code });
}

function isWhole(terms: SuccessionTerms): boolean {
  return (terms.next_log === undefined || terms.successor === null) &&
    tryParse(() => encodeSuccession(terms)) !== undefined;
}

function nextLogDigest(next: NextLog | undefined): string {
  if (next === undefined) return "none";
  const { origin, log_vkey, core } = next;
  if (!isNetworkId(origin)) throw malformed("the next log's id is not a valid C2SP origin");
  if (parseVkey(log_vkey).name !== origin) throw malformed(`log_vkey is not named ${origin}`);
  if (!isHex(core, HASH_LENGTH)) throw malformed("the next log's core digest is not 32 bytes");
  const lines = [NEXT_LOG_DOMAIN, origin, log_vkey, core];
  return hexOf(sha256(utf8(`${lines.join("\n")}\n`)));
}

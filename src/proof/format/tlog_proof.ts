/**
 * Proofs that an entry is in a log, for verifiers of any log (c2sp.org/tlog-proof):
 *
 *     c2sp.org/tlog-proof@v1
 *     [extra <base64>]
 *     index <index of the entry>
 *     <base64 of a hash of the inclusion path, from leaf to root> ...
 *
 *     <checkpoint>
 *
 * Of our log, `extra` is the attestation's text, which is the entry.
 *
 * @module
 */

import {
  base64Of,
  type Bytes,
  bytesOfBase64,
  fromHex,
  HASH_LENGTH,
  integerOf,
  utf8,
} from "../../base/bytes.ts";
import { CountersignError, errorBuilder } from "../../base/errors.ts";
import { encodeAttestation } from "./attestation.ts";
import type { ProofBundle } from "./bundle.ts";
import { encodeCheckpoint } from "./checkpoint.ts";
import type { NetworkConfiguration } from "./network.ts";

/** A parsed proof. Nothing in it is verified. */
export interface TlogProof {
  /** No signature covers it, unless it is the entry itself. */
  readonly extra?: Bytes;
  readonly index: number;
  /** 32 bytes each, from leaf to root. */
  readonly path: readonly Bytes[];
  /** A signed note. */
  readonly checkpoint: string;
}

const HEADER = "c2sp.org/tlog-proof@v1";
const EXTRA = "extra ";
const INDEX = "index ";
/** Hashes of a path in a tree of 2^53 leaves. */
const MAX_PATH_LENGTH = 53;

const malformed = errorBuilder("malformed_text", "Cannot read tlog-proof");

export function encodeTlogProof({ extra, index, path, checkpoint }: TlogProof): string {
  const extraLine = extra === undefined ? [] : [`${EXTRA}${base64Of(extra)}`];
  const lines = [HEADER, ...extraLine, `${INDEX}${index}`, ...path.map((hash) => base64Of(hash))];
  return `${lines.join("\n")}\n\n${checkpoint}`;
}

/** Parses a proof in its only spelling; `malformed_text`. */
export function parseTlogProof(text: string): TlogProof {
  const split = text.indexOf("\n\n");
  if (split < 0) throw malformed("no empty line before the checkpoint");
  const [header, ...lines] = text.slice(0, split).split("\n");
  if (header !== HEADER) throw malformed(`the first line is not ${HEADER}`);
  const extra = lines[0]?.startsWith(EXTRA)
    ? bytesOfBase64(lines.shift()!.slice(EXTRA.length))
    : null;
  if (extra === undefined) throw malformed("the extra data is not base64");
  const first = lines.shift();
  const index = first?.startsWith(INDEX) ? integerOf(first.slice(INDEX.length)) : undefined;
  if (index === undefined) throw malformed("no index in [0, 2^53)");
  const path = lines.map((line) => bytesOfBase64(line));
  if (!path.every((hash) => hash?.length === HASH_LENGTH) || path.length > MAX_PATH_LENGTH) {
    throw malformed(`the path is not at most ${MAX_PATH_LENGTH} hashes of 32 bytes in base64`);
  }
  const checkpoint = text.slice(split + 2);
  return { ...(extra && { extra }), index, path: path as Bytes[], checkpoint };
}

/**
 * The proof in `bundle`, which is verified under `network`, the configuration of its head's epoch: under
 * the checkpoint that foreign witnesses cosigned, if there is one. `proof_refused` without a batch,
 * `malformed_text` without the log's key or signature.
 */
export function tlogProofOf(network: NetworkConfiguration, bundle: ProofBundle): string {
  const { signed_attestation: { attestation }, batch_inclusion: inclusion, witnessed } = bundle;
  if (inclusion === null) {
    throw new CountersignError("proof_refused", "Cannot write tlog-proof: not in a batch yet");
  }
  return encodeTlogProof({
    extra: utf8(encodeAttestation(attestation)),
    index: attestation.sequence,
    path: (witnessed ?? inclusion.merkle_proof).inclusion_path.map((hash) => fromHex(hash)),
    checkpoint: witnessed?.checkpoint ?? encodeCheckpoint(network, inclusion.sth),
  });
}

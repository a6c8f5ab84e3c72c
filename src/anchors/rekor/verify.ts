/**
 * Verifies the entry of a Rekor log, in two parts: what it says by itself, and whether a trusted log
 * stands behind it.
 *
 * Not by `@sigstore/verify`, against which the tests hold it: that verifies artifacts, where only
 * a digest is at hand; it names no digest for ECDSA, without which `node:crypto` of Deno verifies
 * nothing; and it runs in no browser.
 *
 * @module
 */

import { base64Of, type Bytes, equalBytes, utf8 } from "../../bytes.ts";
import { verifyP256 } from "../../crypto/p256.ts";
import { portableKernels } from "../../crypto/portable_kernels.ts";
import { CountersignError } from "../../errors.ts";
import { verifyInclusion } from "../../merkle/proof.ts";
import type { RekorProof } from "./bundle.ts";
import {
  isOriginOf,
  isSignedBy,
  parseRekorCheckpoint,
  type RekorCheckpoint,
} from "./checkpoint.ts";
import type { RekorEntry } from "./entry.ts";
import { type TrustedLog, verifyLogSignature } from "./roots.ts";

/**
 * The checkpoint of an entry that records a signature over `digest`, and whose path leads to the
 * root of the checkpoint.
 *
 * @throws CountersignError `proof_refused`, `malformed_text`
 */
export async function verifyEntry(
  { entry, record }: RekorProof,
  digest: Uint8Array,
): Promise<RekorCheckpoint> {
  if (!equalBytes(record.digest, digest)) throw refused("an entry of the digest", "of another");
  if (!await verifyP256(record.publicKey, digest, record.signature)) {
    throw refused("a signature that verifies under the entry's key", "another");
  }
  const { index, size, root, path } = entry.inclusion;
  const checkpoint = parseRekorCheckpoint(entry.inclusion.checkpoint);
  if (checkpoint.size !== size) throw refused("the size of the checkpoint", "another");
  if (!equalBytes(checkpoint.root, root)) throw refused("the root of the checkpoint", "another");
  const leafHash = portableKernels.leafHashes(entry.body, Uint32Array.of(entry.body.length));
  if (!verifyInclusion(portableKernels, { leafHash, index, size, path, root })) {
    throw refused("a path to the root of the checkpoint", "another");
  }
  return checkpoint;
}

/**
 * The one of `logs` that signed the checkpoint and, where there is one, the promise.
 *
 * @throws CountersignError `proof_refused`
 */
export async function verifyLog(
  entry: RekorEntry,
  checkpoint: RekorCheckpoint,
  logs: readonly TrustedLog[],
): Promise<TrustedLog> {
  const log = logs.find(({ keyId }) => equalBytes(keyId, entry.logId));
  if (log === undefined) throw refused("a log of the roots", "another");
  if (!isOriginOf(log, checkpoint.origin)) throw refused(`origin ${log.origin}`, "another");
  if (!await isSignedBy(log, checkpoint.note)) {
    throw refused(`a checkpoint that ${log.origin} signed`, "another");
  }
  const { promise } = entry;
  if (promise === undefined) return log;
  if (!await verifyLogSignature(log, promisedMessage(entry, promise), promise.signature)) {
    throw refused(`a time that ${log.origin} signed`, "another");
  }
  if (promise.integratedTime < log.validFrom || promise.integratedTime > log.validTo) {
    throw refused("a time at which the log's key was valid", "another");
  }
  return log;
}

/** What a signed entry timestamp signs (sigstore/rekor `pkg/api/entries.go`), as RFC 8785 orders it. */
function promisedMessage(
  { body, logId, logIndex }: RekorEntry,
  { integratedTime }: { readonly integratedTime: number },
): Bytes {
  const logID = logId.toHex();
  return utf8(JSON.stringify({ body: base64Of(body), integratedTime, logID, logIndex }));
}

function refused(required: string, found: string): CountersignError {
  return new CountersignError(
    "proof_refused",
    `Cannot verify Rekor entry: ${required} required, found ${found}`,
  );
}

/**
 * Anchors digests in a Sigstore Rekor log with API version 2 (rekor-tiles) or 1. The gateway signs
 * a digest with its submitter key and logs the signature as a `hashedrekord`. The proof is the
 * entry's place in a public log; the signer proves nothing.
 *
 * A log of version 1 signs the time of an entry. Version 2 has no time (its `CLIENTS.md`, "Signed
 * RFC 3161 Timestamps"); to date a tree head, anchor it with `rfc3161` too.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../../base/bytes.ts";
import { unixSeconds } from "../../../base/clock.ts";
import { signP256 } from "../../../proof/crypto/p256.ts";
import { CountersignError, expectedError } from "../../../base/errors.ts";
import { count, type OfMembers, TEXT } from "../../../proof/format/schema.ts";
import { parseServiceUrl } from "../../../proof/format/service_url.ts";
import type { JsonValue } from "../../../proof/format/strict_json.ts";
import type {
  AnchorClaim,
  AnchorContext,
  AnchorFile,
  AnchorProvider,
  AnchorService,
  AnchorVerdict,
} from "../ports.ts";
import { bodyOf } from "../answers.ts";
import {
  encodeRekorBundle,
  parseRekorBundle,
  readFirstAnswer,
  readSecondAnswer,
} from "./bundle.ts";
import { decodeEntryBody, encodeEntryRequest, publicKeyPem } from "./entry.ts";
import { parseTrustedLogs, readSubmitterKey, type TrustedLog } from "./keys.ts";
import { verifyEntry, verifyLog } from "./verify.ts";

/** The versions of the API, each with a version of entries. */
const VERSIONS = {
  1: { entry: "0.0.1", path: "api/v1/log/entries", read: readFirstAnswer },
  2: { entry: "0.0.2", path: "api/v2/log/entries", read: readSecondAnswer },
} as const;

/** Entries are a few thousand bytes. The log's witnesses add lines to its checkpoint. */
const MAX_ANSWER_BYTES = 40_000;

const MEMBERS = {
  url: TEXT.with({ format: "uri", description: "The log" }),
  key_file: TEXT.with({
    title: "path",
    description: "Key that signs submissions and nothing else: PKCS #8, P-256",
  }),
  api_version: count("Version of the log's API, 1 or 2").convert((version, where) => {
    if (version === 1 || version === 2) return version;
    throw new CountersignError(
      "invalid_configuration",
      `Cannot use ${where}: it is ${version}, not 1 or 2`,
    );
  }).with({ minimum: 1, maximum: 2 }).withDefault(2),
  trusted_root_file: TEXT.with({
    title: "path",
    description: "Sigstore trusted root, or the log's key: answers of other logs are refused",
  }).optional(),
} as const;

async function configure(
  entry: OfMembers<typeof MEMBERS>,
  context: AnchorContext,
): Promise<AnchorService> {
  const { http, clock, insecure, readFile } = context;
  const url = parseServiceUrl(entry.url, { insecure });
  const { entry: entryVersion, path, read } = VERSIONS[entry.api_version];
  const { secret, publicKey } = await readSubmitterKey(await readFile(entry.key_file));
  const { trusted_root_file: rootFile } = entry;
  const logs = rootFile === undefined ? undefined : logsOf(await readFile(rootFile));
  return {
    async anchor(digest, signal) {
      // Randomized, so that a retry after a lost answer logs a new entry.
      const record = { digest, signature: await signP256(secret, digest), publicKey };
      const answer = await http.request(new URL(path, url), {
        method: "POST",
        headers: { "Accept": "application/json", "Content-Type": "application/json" },
        body: encodeEntryRequest(entryVersion, record),
      }, signal);
      const body = bodyOf(answer, "Rekor log", MAX_ANSWER_BYTES, "application/json");
      try {
        const logged = read(body);
        const record = decodeEntryBody(entryVersion, logged.body);
        const proof = encodeRekorBundle({ entry: logged, record });
        await verifyProof(proof, digest, logs);
        const timestamp = logged.promise?.integratedTime ?? unixSeconds(clock);
        return { status: "confirmed", timestamp, proof };
      } catch (cause) {
        throw new CountersignError("anchor_refused", expectedError(cause).message, { cause });
      }
    },
  };
}

/** The logs of `trusted_root_file`. */
function logsOf(root: Bytes): readonly TrustedLog[] {
  try {
    return parseTrustedLogs(root);
  } catch (cause) {
    throw new CountersignError("invalid_configuration", expectedError(cause).message, { cause });
  }
}

/** Verifies a proof for `digest`. Without `logs`, no signature of a log is checked. */
async function verifyProof(
  bundle: JsonValue,
  digest: Bytes,
  logs: readonly TrustedLog[] | undefined,
) {
  const proof = parseRekorBundle(bundle);
  const checkpoint = await verifyEntry(proof, digest);
  const log = logs && await verifyLog(proof.entry, checkpoint, logs);
  return { entry: proof.entry, log };
}

async function verify(claim: AnchorClaim): Promise<AnchorVerdict> {
  const { status, timestamp, digest, roots } = claim;
  let logs: TrustedLog[] | undefined;
  try {
    if (roots.length > 0) logs = roots.flatMap(parseTrustedLogs);
  } catch (error) {
    return { status: "not_checked", reason: expectedError(error).message };
  }
  try {
    const { entry, log } = await verifyProof(claim.proof, digest, logs);
    const notAfter = entry.promise?.integratedTime;
    if (status !== "confirmed") {
      return { status: "failed", reason: "its status is pending, but the proof is complete" };
    }
    if (notAfter !== undefined && notAfter !== timestamp) {
      return { status: "failed", reason: "its timestamp is not the time of the entry" };
    }
    if (log === undefined) {
      return { status: "not_checked", reason: "no root was given to check the log" };
    }
    const source = `Rekor log ${log.origin}, entry ${entry.logIndex}`;
    return { status: "verified", source, ...(notAfter !== undefined && { notAfter }) };
  } catch (error) {
    return { status: "failed", reason: expectedError(error).message };
  }
}

function files(_digest: Bytes, proof: JsonValue): readonly AnchorFile[] {
  const { record } = parseRekorBundle(proof);
  return [{
    extension: ".sigstore.json",
    bytes: utf8(`${JSON.stringify(proof, undefined, 2)}\n`),
    command: "cosign verify-blob --key FILE.pub --bundle FILE CHECKPOINT",
  }, {
    extension: ".sigstore.json.pub",
    bytes: utf8(publicKeyPem(record.publicKey)),
  }];
}

export const rekor: AnchorProvider<typeof MEMBERS> = {
  name: "rekor",
  members: MEMBERS,
  reach: { urls: ["url"], files: ["key_file", "trusted_root_file"] },
  rootsHelp:
    "a Sigstore trusted_root.json, or a log's public key (PEM) below a line `Origin: NAME`",
  defaultMaxDelaySeconds: 900,
  // Each anchor is a permanent entry in a public log.
  defaultIntervalSeconds: 300,
  configure,
  verify,
  files,
};

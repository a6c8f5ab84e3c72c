/**
 * Anchors digests in a Sigstore Rekor log with API version 2 (rekor-tiles) or 1. The gateway signs
 * a digest with its submitter key and logs the signature as a `hashedrekord`. The proof is the
 * entry's place in a public log; the signer proves nothing.
 *
 * A log of version 1 signs the time of an entry. Version 2 has no time (its `CLIENTS.md`, "Signed
 * RFC 3161 Timestamps"); to date a tree head, anchor it with `rfc3161` too.
 *
 * Members of an entry of `anchors`, besides the common ones:
 *
 *     "url": "https://log2025-1.rekor.sigstore.dev"   // of the log
 *     "key_file": "rekor-key.pem"                     // PKCS#8, P-256: signs submissions
 *     "api_version": 2                                // or 1
 *     "trusted_root_file": "trusted_root.json"        // verifies answers
 *
 * @module
 */

import { type Bytes, utf8 } from "../../bytes.ts";
import { type Clock, unixSeconds } from "../../clock.ts";
import { signP256 } from "../../crypto/p256.ts";
import { CountersignError } from "../../errors.ts";
import type { Fields } from "../../format/fields.ts";
import type { AnchorProof } from "../../format/records.ts";
import { parseServiceUrl } from "../../format/service_url.ts";
import type { JsonValue } from "../../format/strict_json.ts";
import type {
  AnchorClaim,
  AnchorContext,
  AnchorFile,
  AnchorHttp,
  AnchorProvider,
  AnchorService,
  AnchorVerdict,
} from "../ports.ts";
import { bodyOf } from "../http_answer.ts";
import { readFirstAnswer, readSecondAnswer } from "./answer.ts";
import { encodeRekorBundle, parseRekorBundle } from "./bundle.ts";
import { decodeEntryBody, encodeEntryRequest, publicKeyPem } from "./entry.ts";
import { readSubmitterKey, type SubmitterKey } from "./keys.ts";
import { verifyEntry, verifyLog } from "./verify.ts";
import { parseTrustedLogs, type TrustedLog } from "./roots.ts";

/** The versions of the API, each with a version of entries. */
const VERSIONS = {
  1: { entry: "0.0.1", path: "api/v1/log/entries", read: readFirstAnswer },
  2: { entry: "0.0.2", path: "api/v2/log/entries", read: readSecondAnswer },
} as const;

/** Entries are a few thousand bytes. The log's witnesses add lines to its checkpoint. */
const MAX_ANSWER_BYTES = 40_000;

interface RekorOptions {
  readonly url: URL;
  readonly version: keyof typeof VERSIONS;
  readonly key: SubmitterKey;
  /** Answers of other logs are refused. Absent to trust the URL. */
  readonly logs?: readonly TrustedLog[];
  readonly http: AnchorHttp;
  readonly clock: Clock;
}

/** {@linkcode AnchorService} of one log. */
class RekorService implements AnchorService {
  readonly #options: RekorOptions;

  constructor(options: RekorOptions) {
    this.#options = options;
  }

  async anchor(digest: Bytes, signal: AbortSignal): Promise<AnchorProof> {
    const { url, version, key, logs, http, clock } = this.#options;
    const { entry: entryVersion, path, read } = VERSIONS[version];
    // Randomized, so that a retry after a lost answer logs a new entry.
    const signature = await signP256(key.secret, digest);
    const record = { digest, signature, publicKey: key.publicKey };
    const answer = await http.request(new URL(path, url), {
      method: "POST",
      headers: { "Accept": "application/json", "Content-Type": "application/json" },
      body: encodeEntryRequest(entryVersion, record),
    }, signal);
    const body = bodyOf(answer, "Rekor log", MAX_ANSWER_BYTES, "application/json");
    try {
      const entry = read(body);
      const proof = encodeRekorBundle({ entry, record: decodeEntryBody(entryVersion, entry.body) });
      await verifyProof(proof, digest, logs);
      const timestamp = entry.promise?.integratedTime ?? unixSeconds(clock);
      return { status: "confirmed", timestamp, proof };
    } catch (cause) {
      if (!(cause instanceof CountersignError)) throw cause;
      throw new CountersignError("anchor_refused", cause.message, { cause });
    }
  }
}

/** Verifies a proof for `digest`; `log` is absent without `logs`. */
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

async function configure(entry: Fields, context: AnchorContext): Promise<AnchorService> {
  const { http, clock, insecure, readFile } = context;
  const url = parseServiceUrl(entry.text("url"), { insecure });
  const version = entry.has("api_version") ? entry.integer("api_version") : 2;
  if (version !== 1 && version !== 2) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot use ${entry.where}: api_version is ${version}, not 1 or 2`,
    );
  }
  const key = await readSubmitterKey(await readFile(entry.text("key_file")));
  if (!entry.has("trusted_root_file")) {
    return new RekorService({ url, version, key, http, clock });
  }
  const root = await readFile(entry.text("trusted_root_file"));
  try {
    return new RekorService({ url, version, key, logs: parseTrustedLogs(root), http, clock });
  } catch (cause) {
    throw new CountersignError("invalid_configuration", reasonOf(cause), { cause });
  }
}

async function verify(claim: AnchorClaim): Promise<AnchorVerdict> {
  const { status, timestamp, digest, roots } = claim;
  let logs: TrustedLog[] | undefined;
  try {
    if (roots.length > 0) logs = roots.flatMap(parseTrustedLogs);
  } catch (error) {
    return { status: "not_checked", reason: reasonOf(error) };
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
    return { status: "failed", reason: reasonOf(error) };
  }
}

/** The message of a refusal. Rethrows other errors, which are bugs. */
function reasonOf(error: unknown): string {
  if (error instanceof CountersignError) return error.message;
  throw error;
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

export const rekor: AnchorProvider = {
  name: "rekor",
  members: { required: ["url", "key_file"], optional: ["api_version", "trusted_root_file"] },
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

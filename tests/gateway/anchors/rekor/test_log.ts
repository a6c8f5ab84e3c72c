/**
 * A Rekor log for tests, of either API version: a real tree, checkpoints and promises, from which
 * one thing at a time can be made wrong while everything else is signed.
 *
 * @module
 */

import { p256 } from "@noble/curves/nist.js";
import { base64Of, type Bytes, concat, utf8 } from "../../../../src/base/bytes.ts";
import { Ed25519Signer } from "../../../../src/proof/crypto/ed25519_native.ts";
import { portableKernels } from "../../../../src/proof/crypto/portable_kernels.ts";
import { encodeSignatureLine } from "../../../../src/proof/format/note_writer.ts";
import { encodePem } from "../../../../src/proof/format/pem.ts";
import { pathInLevels, treeLevels } from "../../../../src/proof/merkle/tree.ts";
import { encodeRekorBundle } from "../../../../src/gateway/anchors/rekor/bundle.ts";
import {
  encodeEntryBody,
  type EntryVersion,
  type HashedRecord,
  type RekorEntry,
} from "../../../../src/gateway/anchors/rekor/entry.ts";
import { encodeSpki, type RekorKey } from "../../../../src/gateway/anchors/rekor/keys.ts";
import type { JsonValue } from "../../../../src/proof/format/strict_json.ts";

export const LOG_TIME = 1_766_275_300;
export const ORIGIN = "rekor.test";

/** SHA-256 of this is what is anchored. */
export const ARTIFACT = utf8("net.example/a\n12\nroot\n");
export const DIGEST = portableKernels.sha256(ARTIFACT);

const OF_DIGESTS = { prehash: false, lowS: false, format: "der" } as const;
/** Entries of others, before and after ours. */
const OTHERS = [6, 5] as const;
/** What an entry of version 0.0.1 is counted beyond its place in the shard. */
const EARLIER_SHARDS = 1_000;

/** Signs digests; the same signature each time, for the same inputs in each run of a fuzzer. */
export function p256Secret(fill: number): Bytes {
  return new Uint8Array(32).fill(fill);
}

const signatures = new Map<string, Bytes>();

/** By noble, in some milliseconds: kept, since tests sign the same digests again and again. */
export function signDigest(secret: Uint8Array, digest: Uint8Array): Bytes {
  return signatures.getOrInsertComputed(
    `${secret.toHex()} ${digest.toHex()}`,
    () => p256.sign(digest, secret, OF_DIGESTS).slice(),
  ).slice();
}

/** The key that submits. */
export const SUBMITTER = p256Secret(7);

/** A signed digest, as a gateway submits it. */
export function recordOf(digest = DIGEST, secret = SUBMITTER): HashedRecord {
  const publicKey = p256.getPublicKey(secret, false).slice();
  return { digest, signature: signDigest(secret, digest), publicKey };
}

/** The PEM of {@linkcode SUBMITTER}, as openssl writes it. */
export async function submitterPem(): Promise<string> {
  const point = recordOf().publicKey;
  const url = { alphabet: "base64url", omitPadding: true } as const;
  const key = await crypto.subtle.importKey(
    "jwk",
    {
      kty: "EC",
      crv: "P-256",
      d: SUBMITTER.toBase64(url),
      x: point.subarray(1, 33).toBase64(url),
      y: point.subarray(33).toBase64(url),
    },
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign"],
  );
  const bytes = new Uint8Array(await crypto.subtle.exportKey("pkcs8", key));
  return encodePem({ label: "PRIVATE KEY", bytes });
}

/** What a checkpoint says, where it does not say the truth. */
export interface Lie {
  readonly origin?: string;
  readonly size?: number;
  readonly root?: Bytes;
  /** The name of the signature line. */
  readonly name?: string;
  /** Whole lines of others, after the log's. */
  readonly lines?: string;
  /** Of the promise. */
  readonly integratedTime?: number;
}

interface LogOptions {
  readonly version: EntryVersion;
  readonly algorithm: RekorKey["algorithm"];
  readonly seed?: number;
}

/** A log of a dozen entries, each time one of them ours. */
export class TestRekorLog {
  readonly version: EntryVersion;
  readonly key: RekorKey;
  readonly keyId: Bytes;
  readonly #secret: Bytes;

  constructor({ version, algorithm, seed = 11 }: LogOptions) {
    this.version = version;
    this.#secret = p256Secret(seed);
    const publicKey = algorithm === "p256"
      ? p256.getPublicKey(this.#secret, false).slice()
      : new Ed25519Signer(this.#secret).publicKey;
    this.key = { algorithm, publicKey };
    this.keyId = portableKernels.sha256(
      algorithm === "p256"
        ? encodeSpki(this.key)
        : concat(utf8(`${ORIGIN}\n`), Uint8Array.of(1), publicKey),
    );
  }

  sign(message: Bytes): Bytes {
    return this.key.algorithm === "p256"
      ? signDigest(this.#secret, portableKernels.sha256(message))
      : new Ed25519Signer(this.#secret).sign(message);
  }

  /** `body` as an entry of the tree, under a checkpoint that tells `lie`. */
  entry(body: Bytes, lie: Lie = {}): RekorEntry {
    const other = (_: unknown, i: number) => utf8(`entry ${i}`);
    const [before, after] = OTHERS;
    const bodies = [
      ...Array.from({ length: before }, other),
      body,
      ...Array.from({ length: after }, other),
    ];
    const ends = Uint32Array.from(bodies, (_, i) => concat(...bodies.slice(0, i + 1)).length);
    const levels = treeLevels(
      portableKernels,
      portableKernels.leafHashes(concat(...bodies), ends),
    );
    const root = levels.at(-1)!;
    const isFirst = this.version === "0.0.1";
    const entry = {
      version: this.version,
      logId: this.keyId,
      logIndex: before + (isFirst ? EARLIER_SHARDS : 0),
      body,
      inclusion: {
        index: before,
        size: bodies.length,
        root,
        path: pathInLevels(levels, before),
        checkpoint: this.checkpoint(bodies.length, root, lie),
      },
    };
    const { integratedTime = LOG_TIME } = lie;
    return isFirst ? { ...entry, promise: this.#promise(entry, integratedTime) } : entry;
  }

  /** A signed note over what `lie` has in place of size and root. */
  checkpoint(size: number, root: Bytes, lie: Lie = {}): string {
    const said = { origin: this.#origin, name: ORIGIN, lines: "", size, root, ...lie };
    const text = `${said.origin}\n${said.size}\n${base64Of(said.root)}\n`;
    const keyId = this.keyId.slice(0, 4);
    const payload = this.sign(utf8(text));
    return `${text}\n${encodeSignatureLine({ name: said.name, keyId, payload })}${said.lines}`;
  }

  get #origin(): string {
    return this.version === "0.0.1" ? `${ORIGIN} - 8202293616175992157` : ORIGIN;
  }

  #promise(entry: Omit<RekorEntry, "promise">, integratedTime: number) {
    const { body, logId, logIndex } = entry;
    const text = `{"body":"${base64Of(body)}","integratedTime":${integratedTime},` +
      `"logID":"${logId.toHex()}","logIndex":${logIndex}}`;
    return { integratedTime, signature: this.sign(utf8(text)) };
  }

  /** A proof whose record and body are `record`, but for `lie`. */
  proof(record = recordOf(), lie: Lie = {}): JsonValue {
    const body = encodeEntryBody(this.version, record);
    return encodeRekorBundle({ entry: this.entry(body, lie), record });
  }

  /** `trusted_root.json`, whose first log has a key of an algorithm that is not used here. */
  trustedRoot(validFor: object = { start: "2021-01-12T11:53:27.000Z" }): Bytes {
    const keyId = { keyId: base64Of(this.keyId) };
    const isP256 = this.key.algorithm === "p256";
    const log = {
      baseUrl: `https://${ORIGIN}`,
      hashAlgorithm: "SHA2_256",
      publicKey: {
        rawBytes: base64Of(encodeSpki(this.key)),
        keyDetails: isP256 ? "PKIX_ECDSA_P256_SHA_256" : "PKIX_ED25519",
        validFor,
      },
      logId: keyId,
    };
    const publicKey = { ...log.publicKey, keyDetails: "PKIX_ECDSA_P384_SHA_384" };
    const other = { ...log, publicKey, baseUrl: "https://old.test" };
    return utf8(JSON.stringify({
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: [other, { ...log, checkpointKeyId: isP256 ? null : keyId }],
      certificateAuthorities: [],
      ctlogs: [],
      timestampAuthorities: [],
    }));
  }

  /** The other file of roots. */
  pem(origin = ORIGIN): Bytes {
    const pem = encodePem({ label: "PUBLIC KEY", bytes: encodeSpki(this.key) });
    return utf8(`Origin: ${origin}\n${pem}`);
  }

  /** What the log answers for `entry`, as JSON. */
  answer(entry: RekorEntry): object {
    const { inclusion, promise } = entry;
    if (promise !== undefined) {
      return {
        [entry.logId.toHex()]: {
          attestation: {},
          body: base64Of(entry.body),
          integratedTime: promise.integratedTime,
          logID: entry.logId.toHex(),
          logIndex: entry.logIndex,
          verification: {
            inclusionProof: {
              checkpoint: inclusion.checkpoint,
              hashes: inclusion.path.map((hash) => hash.toHex()),
              logIndex: inclusion.index,
              rootHash: inclusion.root.toHex(),
              treeSize: inclusion.size,
            },
            signedEntryTimestamp: base64Of(promise.signature),
          },
        },
      };
    }
    return {
      logIndex: String(entry.logIndex),
      logId: { keyId: base64Of(entry.logId) },
      kindVersion: { kind: "hashedrekord", version: entry.version },
      integratedTime: "0",
      inclusionPromise: null,
      inclusionProof: {
        logIndex: String(inclusion.index),
        rootHash: base64Of(inclusion.root),
        treeSize: String(inclusion.size),
        hashes: inclusion.path.map((hash) => base64Of(hash)),
        checkpoint: { envelope: inclusion.checkpoint },
      },
      canonicalizedBody: base64Of(entry.body),
    };
  }
}

/** One of each version, with the key that public logs of it have. */
export const firstLog = new TestRekorLog({ version: "0.0.1", algorithm: "p256" });
export const secondLog = new TestRekorLog({ version: "0.0.2", algorithm: "ed25519" });

/**
 * What is computed in a browser and beside it, to be compared text by text: every operation of the
 * kernels and of the `bls` scheme, and verdicts on bundles. Runs in both.
 *
 * @module
 */

import { type Bytes, concat, hexOf, utf8 } from "../../src/base/bytes.ts";
import { type Bls, popProve } from "../../src/proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST as DST } from "../../src/proof/crypto/domains.ts";
import type { Kernels } from "../../src/proof/crypto/kernels.ts";
import type { CryptoSuite } from "../../src/proof/crypto/crypto_suite.ts";
import { parseBundle, parseNetwork, verifyBundle } from "../../src/proof/verify/mod.ts";
import { generateKey } from "../../src/proof/crypto/bls_key_gen.ts";

/** A bundle as a page gets it, and what the page holds it against. */
export interface Exhibit {
  /** The pinned configuration, JSON. */
  readonly network: string;
  /** JSON. */
  readonly bundle: string;
  /** The digest that the bundle is to be about. */
  readonly hash: string;
}

/** By name, hex or JSON. */
export type Results = Readonly<Record<string, string>>;

/** Bytes without a period that a hash block would hide. */
function pattern(length: number): Bytes {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 3) * 7) % 251);
}

/** Nodes that a level takes in more than one part. */
const MANY_NODES = 8_193;

/** More than a message region holds. */
const LONG_MESSAGE = 300_001;

function hashingResults(kernels: Kernels): Results {
  const lengths = Array.from({ length: 131 }, (_, length) => length);
  let end = 0;
  const ends = Uint32Array.from(lengths, (length) => end += length);
  const levels = kernels.treeLevels(pattern(100 * 32));
  const results = {
    "short messages": concat(...lengths.map((length) => kernels.sha256(pattern(length)))),
    "a long message": kernels.sha256(pattern(LONG_MESSAGE)),
    "leaves": kernels.leafHashes(pattern(end), ends),
    "numbered leaves": kernels.numberedLeafHashes({
      before: utf8("before "),
      digests: pattern(21 * 32),
      between: utf8(" between "),
      first: 89,
      after: utf8(" after\n"),
    }),
    "a node": kernels.nodeHash(pattern(32), pattern(32).toReversed()),
    "a level": kernels.treeLevel(pattern(1_001 * 32)),
    "a root": kernels.treeLevel(pattern(MANY_NODES * 32), Infinity),
    "all levels": levels,
    "all paths": kernels.inclusionPaths(levels, 100),
  };
  return Object.fromEntries(Object.entries(results).map(([name, bytes]) => [name, hexOf(bytes)]));
}

function blsResults(bls: Bls): Results {
  const secrets = [1, 2, 3].map((seed) => generateKey(new Uint8Array(32).fill(seed)));
  const publicKeys = secrets.map((secret) => bls.skToPk(secret));
  const [message, other] = [utf8("message"), utf8("other")];
  const shares = secrets.map((secret) => bls.sign(secret, message, DST));
  const aggregate = bls.aggregate(shares)!;
  const [key, share] = [publicKeys[0]!, shares[0]!];
  const points = {
    "secret keys": secrets,
    "public keys": publicKeys,
    "shares": shares,
    "a possession": [popProve(bls, secrets[0]!)],
    "a hash": [bls.hashToG1(message, DST)],
    "an aggregate": [aggregate],
    "an aggregate key": [bls.aggregateKeys(publicKeys)!],
  };
  const check = { publicKeys, message, signature: aggregate };
  const verdicts = {
    "keys": [key, key.with(95, key[95]! ^ 1)].map((bytes) => bls.keyValidate(bytes)),
    "signatures": [share, share.with(47, share[47]! ^ 1)]
      .map((bytes) => bls.signatureValidate(bytes)),
    "one signature": [message, other].map((text) => bls.verify(key, text, share, DST)),
    "an aggregate signature": [message, other]
      .map((text) => bls.fastAggregateVerify(publicKeys, text, aggregate, DST)),
    "a batch": bls.batchVerify([check, { ...check, message: other }, check], DST),
    "sums of what is refused": [bls.aggregate([share, new Uint8Array(48)]) === undefined],
  };
  return Object.fromEntries([
    ...Object.entries(points).map(([name, parts]) => [name, hexOf(concat(...parts))]),
    ...Object.entries(verdicts).map(([name, answers]) => [`verdicts on ${name}`, answers.join()]),
  ]);
}

/** The verdict on an exhibit with the configuration checked by `crypto` too, as JSON. */
async function verdictOn(
  crypto: CryptoSuite,
  { network, bundle, hash }: Exhibit,
): Promise<string> {
  const trust = { network: parseNetwork(network, crypto.bls), peers: [] };
  return JSON.stringify(await verifyBundle(crypto, trust, parseBundle(bundle), { hash }));
}

/** Everything that `crypto` computes, and its verdict on each of `exhibits` under its name. */
export async function resultsOf(
  crypto: CryptoSuite,
  exhibits: Readonly<Record<string, Exhibit>>,
): Promise<Results> {
  const verdicts: [string, string][] = [];
  for (const [name, exhibit] of Object.entries(exhibits)) {
    verdicts.push([name, await verdictOn(crypto, exhibit)]);
  }
  return {
    ...hashingResults(crypto.kernels),
    ...blsResults(crypto.bls),
    ...Object.fromEntries(verdicts),
  };
}

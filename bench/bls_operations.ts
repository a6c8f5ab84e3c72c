/**
 * The measured operations of the BLS scheme, and the inputs of every implementation.
 *
 * @module
 */

import { type Bytes, equalBytes, utf8 } from "../src/base/bytes.ts";
import { generateKey } from "../src/proof/crypto/bls_key_gen.ts";
import { encodeRoundMessage } from "../src/proof/format/round.ts";

/** Number of added signatures. */
const SHARES = 16;
/** Number of signatures verified together, each by a whole signer set. */
const BATCH = 256;
const SIGNERS = 3;
/**
 * Our implementations cache the last 1,024 decoded keys; with more alternating keys, every use
 * misses.
 */
const NEW_KEYS = 1_100;

/** The operations by name. */
export const BLS_OPERATIONS = {
  hash: "hash to G1",
  sign: "hash to G1 and sign",
  verifyNew: "verify one, from bytes, key not seen before",
  verifyKnown: "verify one, signature from bytes, key known",
  aggregate: `aggregate ${SHARES} signatures from bytes, checked`,
  batch: `batch-verify ${BATCH} signatures, distinct messages, one signer set`,
  possession: "check a proof of possession, key not seen before",
  keyValidate: "validate a key not seen before",
  skToPk: "public key of a secret key",
} as const;

/** A key of {@linkcode BLS_OPERATIONS}. */
export type BlsOperation = keyof typeof BLS_OPERATIONS;

/** One implementation with its inputs; each operation returns whether its result is right. */
export interface BlsContender {
  readonly name: string;
  readonly operations: Readonly<Partial<Record<BlsOperation, () => boolean>>>;
  /** A remark about it, or about one of its operations. */
  readonly remarks: readonly string[];
}

/** Makes inputs as bytes, with the domain separation tag of signatures. */
export interface BlsMaker {
  skToPk(secretKey: Bytes): Uint8Array;
  sign(secretKey: Bytes, message: Bytes): Uint8Array;
  aggregate(signatures: readonly Uint8Array[]): Uint8Array;
}

/** One signature over a message. */
export interface SignedMessage {
  readonly message: Bytes;
  readonly signature: Uint8Array;
}

/** A signature with the one key that it verifies under. */
export interface SignedByKey extends SignedMessage {
  readonly secretKey: Bytes;
  readonly publicKey: Uint8Array;
}

/** Inputs in one variant, minimal signature size or minimal public key size. */
export interface BlsInputs {
  /** Of a cached key. */
  readonly own: SignedByKey;
  /** More keys than our implementations cache, each with a signature. */
  readonly byNewKeys: readonly SignedByKey[];
  readonly shares: readonly Uint8Array[];
  /** The sum of `shares`. */
  readonly sum: Uint8Array;
  /** Keys of one set; all of them sign each of `batch`. */
  readonly signers: readonly Uint8Array[];
  readonly batch: readonly SignedMessage[];
}

/** The message of a round. */
function roundMessage(timestamp: number): Bytes {
  return utf8(encodeRoundMessage({
    network_id: "bench.example/log-01234567",
    timestamp,
    size: 512,
    root: "ab".repeat(32),
    beacon: null,
  }));
}

function secretKeys(count: number): Bytes[] {
  return Array.from(
    { length: count },
    () => generateKey(crypto.getRandomValues(new Uint8Array(32))),
  );
}

const FIRST_TIME = 1_800_000_000;

/** Inputs by `maker`, with `newKeys` alternating keys. */
export function blsInputs(maker: BlsMaker, newKeys: number = NEW_KEYS): BlsInputs {
  const message = roundMessage(FIRST_TIME);
  const shares = secretKeys(SHARES).map((key) => maker.sign(key, message));
  const signers = secretKeys(SIGNERS);
  const [own, ...byNewKeys] = secretKeys(1 + newKeys).map((secretKey) => ({
    secretKey,
    publicKey: maker.skToPk(secretKey),
    message,
    signature: maker.sign(secretKey, message),
  }));
  return {
    own: own!,
    byNewKeys,
    shares,
    sum: maker.aggregate(shares),
    signers: signers.map((key) => maker.skToPk(key)),
    batch: Array.from({ length: BATCH }, (_, i) => {
      const message = roundMessage(FIRST_TIME + 1 + i);
      return {
        message,
        signature: maker.aggregate(signers.map((key) => maker.sign(key, message))),
      };
    }),
  };
}

/**
 * Cycles through `items`. Operations over new keys share one cycle, because separate cycles would
 * use keys that the other has just cached.
 */
export function inTurn<Item>(items: readonly Item[]): () => Item {
  let next = 0;
  return () => {
    const item = items[next]!;
    next = (next + 1) % items.length;
    return item;
  };
}

/** True if an operation has the expected result. */
export function makes(expected: Uint8Array, found: Uint8Array | undefined): boolean {
  return found !== undefined && equalBytes(found, expected);
}

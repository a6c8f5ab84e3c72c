/**
 * Rebuilds a whole log from its store through the port, and compares accepted digests, rounds, the
 * tree, and all published heads. Two fields have no second source and are not compared: the time of
 * acceptance of a row and the number of attempts of a round.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, HASH_LENGTH, utf8 } from "../../src/base/bytes.ts";
import { verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { roundLeaves } from "../../src/proof/merkle/round_tree.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import {
  type IndexedSignatureSet,
  type SthRecord,
  UPPER_NODE_HEIGHT,
} from "../../src/proof/format/records.ts";
import { encodeRoundMessage, MAX_ROUND_SIZE } from "../../src/proof/format/round.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
} from "../../src/proof/format/tree_head.ts";
import { sortRun } from "../../src/gateway/index/index_run.ts";
import { KeyedHash } from "../../src/gateway/index/keyed_hash.ts";
import { type LogStore } from "../../src/gateway/ports.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import { nativeCrypto } from "../schemes.ts";
import { treeLevels, treeRoot } from "../../src/proof/merkle/tree.ts";
import { CompactRange } from "../proof/merkle/compact_range.ts";

/** More than any list contains. */
const ALL = 2 ** 31 - 1;

/** The faulty part of a log. */
export type LogPart =
  | "rows"
  | "digests"
  | "rounds"
  | "round_signatures"
  | "upper_nodes"
  | "head"
  | "tiles"
  | "edges"
  | "sths"
  | "sth_signatures"
  | "log_signature"
  | "index"
  | "spent"
  /** A commit refused by the rules of the store. */
  | "rules"
  /** The log contradicts an answer to a client. */
  | "promises";

/** A fault of a log. */
export class LogFault extends Error {
  readonly part: LogPart;

  constructor(part: LogPart, found: string) {
    super(`${part}: ${found}`);
    this.part = part;
  }
}

/** The sizes of a valid log; `accepted` >= `confirmed` >= `treeSize` >= `published`. */
export interface CheckedLog {
  readonly accepted: number;
  /** Sequences in some stored round. */
  readonly signed: number;
  /** Sequence after the contiguous signed prefix. */
  readonly confirmed: number;
  readonly treeSize: number;
  readonly published: number;
  /** Every accepted digest in sequence order, hex. */
  readonly hashes: readonly string[];
  /** Hex root of every published size. */
  readonly roots: ReadonlyMap<number, string>;
}

/** Rejects with the first {@linkcode LogFault}. */
export async function checkLog(
  store: LogStore,
  network: NetworkConfiguration,
): Promise<CheckedLog> {
  const digests = await checkRows(store);
  const accepted = digests.length / HASH_LENGTH;
  const { leaves, signed } = await checkRounds(store, network, digests);
  const confirmed = leaves.length / HASH_LENGTH;
  const treeSize = await checkTree(store, leaves);
  const sths = await checkSths(store, network, leaves.subarray(0, treeSize * HASH_LENGTH));
  await checkIndex(store, digests);
  return {
    accepted,
    signed,
    confirmed,
    treeSize,
    published: sths.at(-1)?.size ?? 0,
    hashes: hashesOf(digests),
    roots: new Map(sths.map(({ size, root }) => [size, root.toHex()])),
  };
}

/** Hex of each of packed digests. */
export function hashesOf(digests: Bytes): string[] {
  const hex = digests.toHex();
  return Array.from(
    { length: digests.length / HASH_LENGTH },
    (_, i) => hex.slice(i * 64, i * 64 + 64),
  );
}

function require(holds: boolean, part: LogPart, found: string): asserts holds {
  if (!holds) throw new LogFault(part, found);
}

/**
 * Requires rows to be contiguous from 0, without duplicate digests. Returns all digests, packed.
 */
async function checkRows({ rounds }: LogStore): Promise<Bytes> {
  const last = await rounds.lastRow();
  const end = last === undefined ? 0 : last.first + last.digests.length / HASH_LENGTH;
  const rows = await rounds.rows(0, end);
  let next = 0;
  for (const { first, digests } of rows) {
    require(first === next, "rows", `a row at ${first} where ${next} is next`);
    require(digests.length > 0 && digests.length % HASH_LENGTH === 0, "rows", `row ${first} torn`);
    next = first + digests.length / HASH_LENGTH;
  }
  require(next === end, "rows", `an end at ${next} where ${end} is last`);
  const all = concat(...rows.map((row) => row.digests));
  require(new Set(hashesOf(all)).size === end, "digests", "one twice");
  return all;
}

/**
 * Requires rounds not to overlap and to be signed by the threshold. Returns the packed leaves of
 * the confirmed prefix.
 */
async function checkRounds(
  { rounds }: LogStore,
  network: NetworkConfiguration,
  digests: Bytes,
): Promise<{ leaves: Bytes; signed: number }> {
  const accepted = digests.length / HASH_LENGTH;
  const prefix: Bytes[] = [];
  let [end, confirmed, signed] = [0, 0, 0];
  for (const record of await rounds.rounds(0, Number.MAX_SAFE_INTEGER, ALL)) {
    const { first, size, timestamp, beacon, signatures, upperNodes } = record;
    require(first >= end, "rounds", `one at ${first}, within one that ends at ${end}`);
    require(size >= 1 && size <= MAX_ROUND_SIZE, "rounds", `one of ${size}`);
    end = first + size;
    require(end <= accepted, "rounds", `one to ${end}, beyond the ${accepted} accepted`);
    const part = digests.subarray(first * HASH_LENGTH, end * HASH_LENGTH);
    const leaves = roundLeaves(kernels, { networkId: network.id, timestamp, first, digests: part });
    const message = encodeRoundMessage({
      network_id: network.id,
      timestamp,
      size,
      root: treeRoot(kernels, leaves).toHex(),
      beacon,
    });
    checkSignatures(network, message, signatures, "round_signatures");
    const levels = treeLevels(kernels, leaves);
    const upper = levels[UPPER_NODE_HEIGHT] ?? levels.at(-1)!;
    require(equalBytes(upper, upperNodes), "upper_nodes", `others of round ${first}`);
    signed += size;
    if (first === confirmed) {
      confirmed = end;
      prefix.push(leaves);
    }
  }
  return { leaves: concat(...prefix), signed };
}

/** Requires valid signatures of distinct witnesses, in order, that meet the threshold. */
export function checkSignatures(
  { witnesses, threshold, signature_scheme: scheme }: NetworkConfiguration,
  message: string,
  signatures: IndexedSignatureSet,
  part: LogPart,
): void {
  const keys = [...witnesses].sort((a, b) => a.id < b.id ? -1 : 1)
    .map((witness) => Uint8Array.fromHex(witness.pubkey));
  require(("witnesses" in signatures) === (scheme === "bls"), part, "the other scheme's shape");
  if ("witnesses" in signatures) {
    const witnessIndexes = signatures.witnesses;
    require(witnessIndexes.length >= threshold, part, `${witnessIndexes.length} of ${threshold}`);
    require(
      witnessIndexes.every((witnessIndex, i) => i === 0 || witnessIndexes[i - 1]! < witnessIndex),
      part,
      "not ascending",
    );
    const signing = witnessIndexes.map((witnessIndex) => keys[witnessIndex]);
    require(signing.every((key) => key !== undefined), part, `witnessIndexes ${witnessIndexes}`);
    const isRight = nativeCrypto.bls
      .fastAggregateVerify(signing, utf8(message), signatures.signature, BLS_SIGNATURE_DST);
    require(isRight, part, "an aggregate that fails");
    return;
  }
  require(signatures.length >= threshold, part, `${signatures.length} of ${threshold}`);
  signatures.forEach(({ witness, signature }, i) => {
    const key = keys[witness];
    require(i === 0 || signatures[i - 1]!.witness < witness, part, "not ascending");
    require(key !== undefined, part, `witness ${witness} of ${keys.length}`);
    require(verifyNative(key, utf8(message), signature), part, `one of ${witness} that fails`);
  });
}

/**
 * Requires the tree to cover a prefix of the confirmed digests, and its tiles and edges to match.
 */
async function checkTree({ tree }: LogStore, leaves: Bytes): Promise<number> {
  const size = (await tree.head())?.head.size ?? 0;
  require(size * HASH_LENGTH <= leaves.length, "head", `size ${size} beyond what is confirmed`);
  const taken = leaves.slice(0, size * HASH_LENGTH);
  const root = (await tree.head())?.head.root ?? treeRoot(kernels, taken);
  require(equalBytes(root, treeRoot(kernels, taken)), "head", `another root at ${size}`);
  const edges = await tree.edges();
  let nodes: Bytes = taken;
  for (let level = 0; level < edges.length || nodes.length > 0; level++) {
    const whole = Math.floor(nodes.length / HASH_LENGTH / 256);
    for (let index = 0; index <= whole; index++) {
      const tile = await tree.tile(level, index);
      const expected = index === whole ? undefined : tileOf(nodes, index);
      require(equalTile(tile, expected), "tiles", `another at ${level}/${index}`);
      if (level > 0) continue;
      const upper = expected && kernels.treeLevel(expected, 5);
      require(equalTile(await tree.upperNodes(index), upper), "tiles", `upper nodes of ${index}`);
    }
    const edge = nodes.subarray(whole * 256 * HASH_LENGTH);
    require(equalBytes(edges[level] ?? new Uint8Array(), edge), "edges", `another at ${level}`);
    let above: Bytes = nodes.slice(0, whole * 256 * HASH_LENGTH);
    for (let height = 0; height < 8; height++) above = kernels.treeLevel(above);
    nodes = above;
  }
  return size;
}

function tileOf(nodes: Bytes, index: number): Bytes {
  return nodes.slice(index * 256 * HASH_LENGTH, (index + 1) * 256 * HASH_LENGTH);
}

function equalTile(found: Bytes | undefined, expected: Bytes | undefined): boolean {
  if (found === undefined || expected === undefined) return found === expected;
  return equalBytes(found, expected);
}

/** Requires every published head to be one of this tree, signed by the log and by the threshold. */
async function checkSths(
  { sths }: LogStore,
  network: NetworkConfiguration,
  leaves: Bytes,
): Promise<SthRecord[]> {
  const records = (await sths.below(Number.MAX_SAFE_INTEGER, ALL)).reverse();
  const range = CompactRange.empty();
  for (const record of records) {
    const { size } = record;
    require(size > range.size, "sths", `one at ${size} after one at ${range.size}`);
    require(size * HASH_LENGTH <= leaves.length, "sths", `one at ${size}, beyond the tree`);
    while (range.size < size) {
      range.append(
        kernels,
        leaves.subarray(range.size * HASH_LENGTH, (range.size + 1) * HASH_LENGTH),
      );
    }
    require(equalBytes(record.root, range.root(kernels)), "sths", `another root at ${size}`);
    checkHeadSignatures(network, record);
  }
  return records;
}

/** Requires signatures of the log and of the threshold. */
export function checkHeadSignatures(network: NetworkConfiguration, record: SthRecord): void {
  const head = {
    network_id: network.id,
    tree_size: record.size,
    timestamp: record.timestamp,
    root_hash: record.root.toHex(),
  };
  const { publicKey } = parseVkey(network.log_vkey!);
  const body = utf8(encodeCheckpointBody(head));
  const isOurs = verifyNative(publicKey, body, record.logSignature);
  require(isOurs, "log_signature", `one that fails at ${record.size}`);
  checkSignatures(network, encodeCosignatureMessage(head), record.signatures, "sth_signatures");
}

/**
 * Requires a finished run to hold exactly the entries of its leaves; `digests` are all digests,
 * packed.
 */
export async function checkIndex(
  { index }: Pick<LogStore, "index">,
  digests: Bytes,
): Promise<void> {
  const runs = await index.runCount();
  for (let run = 0; run < runs; run++) {
    const words = new Uint32Array(digests.buffer, run * RUN_LEAVES * HASH_LENGTH);
    require(words.length >= RUN_LEAVES * 8, "index", `run ${run} beyond what is accepted`);
    const sorted = await sortRun(new KeyedHash(index.key), words, () => Promise.resolve());
    let next = 0;
    for await (const { bucket, entries } of index.buckets(run)) {
      require(bucket === next++, "index", `bucket ${bucket} of run ${run} out of order`);
      require(equalBytes(entries, sorted.buckets[bucket]!), "index", `another bucket ${bucket}`);
    }
    require(next === sorted.buckets.length, "index", `${next} buckets of run ${run}`);
  }
}

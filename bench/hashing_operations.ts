/**
 * The measured hashing operations of a log: nodes of a tree, a round, a batch.
 *
 * @module
 */

import { hashInto } from "@chainsafe/as-sha256";
import { type Bytes, HASH_LENGTH, utf8 } from "../src/base/bytes.ts";
import type { Kernels } from "../src/proof/crypto/kernels.ts";
import { encodeAttestation } from "../src/proof/format/attestation.ts";
import { roundLeaves } from "../src/proof/merkle/round_tree.ts";
import { growTree } from "../src/proof/merkle/tile_growth.ts";
import { randomDigests } from "./digests.ts";
import { HASHING_CORES } from "./hashing_cores.ts";
import type { Trial } from "./interleaved.ts";

/** A measured operation. */
export interface HashingOperation {
  readonly name: string;
  run(kernels: Kernels): void;
  /** The single inputs, for implementations without kernels. */
  readonly messages?: readonly Bytes[];
  /** Alternative implementations. */
  readonly others?: readonly Trial[];
}

/**
 * WebCrypto is asynchronous: it hashes many messages concurrently, and cannot implement `Kernels`.
 */
async function webCrypto(messages: readonly Bytes[]): Promise<void> {
  await Promise.all(messages.map((message) => crypto.subtle.digest("SHA-256", message)));
}

function randomMessages(count: number, length: number): Bytes[] {
  return Array.from({ length: count }, () => crypto.getRandomValues(new Uint8Array(length)));
}

const NODE_INPUT = 1 + 2 * HASH_LENGTH;

/** One message. */
export const HASH_OPERATIONS: readonly HashingOperation[] = [NODE_INPUT, 160].map((length) => {
  const messages = randomMessages(1, length);
  return {
    name: `${length} bytes`,
    run: (kernels) => void kernels.sha256(messages[0]!),
    messages,
  };
});

const NODES = 2_048;
const level = randomDigests(2 * NODES);
const parents = new Uint8Array(NODES * HASH_LENGTH);

const nodes: HashingOperation = {
  name: `${NODES} nodes of a tree`,
  run: (kernels) => void kernels.treeLevel(level),
  messages: randomMessages(NODES, NODE_INPUT),
  others: [{
    // Nodes of another kind of tree: 64 bytes without a prefix, so that their padding is constant.
    name: "as-sha256, four lanes, no prefix",
    run: () => void hashInto(level, parents),
  }],
};

const ROUND_SIZE = 512;
const round = {
  networkId: "bench.example/log-01234567",
  timestamp: 1_800_000_000,
  first: 1_000_000,
  digests: randomDigests(ROUND_SIZE),
};
const leafInput = 1 + utf8(encodeAttestation({
  network_id: round.networkId,
  timestamp: round.timestamp,
  sequence: round.first,
  hash: round.digests.subarray(0, HASH_LENGTH).toHex(),
})).length;

const wholeRound: HashingOperation = {
  name: `round of ${ROUND_SIZE}: texts to leaf hashes, root and paths`,
  run(kernels) {
    const levels = kernels.treeLevels(roundLeaves(kernels, round));
    kernels.inclusionPaths(levels, ROUND_SIZE);
  },
  messages: [
    ...randomMessages(ROUND_SIZE, leafInput),
    ...randomMessages(ROUND_SIZE - 1, NODE_INPUT),
  ],
};

// Entries of the length of an attestation's text.
const ENTRY_LENGTH = 160;
const ENTRIES = 65_536;
const entries = randomDigests(ENTRIES * ENTRY_LENGTH / HASH_LENGTH);
const ends = Uint32Array.from({ length: ENTRIES }, (_, i) => (i + 1) * ENTRY_LENGTH);

/** The whole batch of a tree. */
export const BATCH_OPERATION: HashingOperation = {
  name: `${ENTRIES} leaves of ${ENTRY_LENGTH} bytes to root and tiles`,
  run: (kernels) =>
    void growTree(kernels, { size: 0, edges: [] }, kernels.leafHashes(entries, ends)),
};

/** Many messages of one tree. */
export const TREE_OPERATIONS: readonly HashingOperation[] = [nodes, wholeRound];

/** Trials of `operation` for every implementation that supports it, ours first. */
export function hashingTrials({ run, messages, others = [] }: HashingOperation): Trial[] {
  const kernels = Object.entries(HASHING_CORES).map(([name, kernels]) => ({
    name,
    run: () => run(kernels),
  }));
  const web = messages && [{ name: "WebCrypto", run: async () => await webCrypto(messages) }];
  return [...kernels, ...web ?? [], ...others];
}

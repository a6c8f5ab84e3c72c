/**
 * SHA-256 of what a log hashes: single messages, a level of a tree, a round.
 *
 * @module
 */

import { hashInto } from "@chainsafe/as-sha256";
import { type Bytes, HASH_LENGTH, utf8 } from "../src/bytes.ts";
import type { Kernels } from "../src/crypto/kernels.ts";
import { encodeAttestation, roundLeaves } from "../src/format/attestation.ts";
import { randomDigests } from "./digests.ts";
import { HASHING_CORES } from "./hashing_cores.ts";

/** WebCrypto answers later: it takes many messages side by side, and stands in no `Kernels`. */
async function webCrypto(messages: readonly Bytes[]): Promise<void> {
  await Promise.all(messages.map((message) => crypto.subtle.digest("SHA-256", message)));
}

function compare(
  group: string,
  run: (kernels: Kernels) => void,
  messages: readonly Bytes[],
): void {
  for (const [index, [name, kernels]] of Object.entries(HASHING_CORES).entries()) {
    Deno.bench(name, { group, baseline: index === 0 }, () => run(kernels));
  }
  Deno.bench("WebCrypto", { group }, () => webCrypto(messages));
}

function randomMessages(count: number, length: number): Bytes[] {
  return Array.from({ length: count }, () => crypto.getRandomValues(new Uint8Array(length)));
}

const NODE_INPUT = 1 + 2 * HASH_LENGTH;
for (const length of [NODE_INPUT, 160]) {
  const [message] = randomMessages(1, length);
  compare(`${length} bytes`, (kernels) => kernels.sha256(message!), [message!]);
}

const NODES = 2_048;
const level = randomDigests(2 * NODES);
const nodesGroup = `${NODES} nodes of a tree`;
compare(
  nodesGroup,
  (kernels) => kernels.treeLevel(level),
  randomMessages(NODES, NODE_INPUT),
);

// Nodes of its own kind of tree: 64 bytes without a prefix, so that their padding is constant.
const parents = new Uint8Array(NODES * HASH_LENGTH);
Deno.bench("as-sha256, four lanes, no prefix", { group: nodesGroup }, () => {
  hashInto(level, parents);
});

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
compare(
  `round of ${ROUND_SIZE}: texts to leaf hashes, root and paths`,
  (kernels) => {
    const levels = kernels.treeLevels(roundLeaves(kernels, round));
    kernels.inclusionPaths(levels, ROUND_SIZE);
  },
  [
    ...randomMessages(ROUND_SIZE, leafInput),
    ...randomMessages(ROUND_SIZE - 1, NODE_INPUT),
  ],
);

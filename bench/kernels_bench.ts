/**
 * SHA-256 of what a log hashes: single messages, a level of a tree, a round.
 *
 * @module
 */

import { createHash, hash } from "node:crypto";
import { type Bytes, HASH_LENGTH, utf8 } from "../src/bytes.ts";
import { loadCompiledKernels } from "../src/crypto/compiled_kernels.ts";
import type { Kernels } from "../src/crypto/kernels.ts";
import { kernelsOf } from "../src/crypto/kernels_of.ts";
import { portableKernels } from "../src/crypto/portable_kernels.ts";
import { encodeAttestation } from "../src/format/attestation.ts";
import { buildRoundTree } from "../src/rounds/round_tree.ts";
import { randomDigests } from "./digests.ts";

const alternatives: Readonly<Record<string, Kernels>> = {
  "portable kernels": portableKernels,
  "compiled kernels": await loadCompiledKernels(),
  "node:crypto createHash": kernelsOf((message) => createHash("sha256").update(message).digest()),
  "node:crypto hash": kernelsOf((message) => hash("sha256", message, "buffer")),
};

/** WebCrypto answers later: it takes many messages side by side, and stands in no `Kernels`. */
async function webCrypto(messages: readonly Bytes[]): Promise<void> {
  await Promise.all(messages.map((message) => crypto.subtle.digest("SHA-256", message)));
}

function compare(
  group: string,
  run: (kernels: Kernels) => void,
  messages: readonly Bytes[],
): void {
  for (const [name, kernels] of Object.entries(alternatives)) {
    const baseline = kernels === portableKernels;
    Deno.bench(name, { group, baseline }, () => run(kernels));
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
compare(
  `${NODES} nodes of a tree`,
  (kernels) => kernels.treeLevel(level),
  randomMessages(NODES, NODE_INPUT),
);

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
compare(`tree of a round of ${ROUND_SIZE}`, (kernels) => buildRoundTree(kernels, round), [
  ...randomMessages(ROUND_SIZE, leafInput),
  ...randomMessages(ROUND_SIZE - 1, NODE_INPUT),
]);

import { createHash } from "node:crypto";
import { concat, HASH_LENGTH } from "../src/bytes.ts";
import { portableKernels } from "../src/crypto/portable_kernels.ts";
import { growTree } from "../src/merkle/tile_growth.ts";
import { treeRoot } from "../src/merkle/tree.ts";

const NODE_PREFIX = Uint8Array.of(1);

for (const count of [1, 64, 512, 16_384]) {
  const leaves = crypto.getRandomValues(new Uint8Array(HASH_LENGTH * Math.min(count, 2_048)));
  const packed = concat(...Array(Math.ceil(count / 2_048)).fill(leaves));
  const group = `tree of ${count} leaves`;

  Deno.bench("kernels", { group, baseline: true }, () => {
    treeRoot(portableKernels, packed);
  });

  Deno.bench("tiles", { group }, () => {
    growTree(portableKernels, { size: 0, edges: [] }, packed);
  });

  Deno.bench("node:crypto, node by node", { group }, () => {
    for (let level = packed; level.length > HASH_LENGTH;) {
      const parents = new Uint8Array(Math.floor(level.length / 64) * HASH_LENGTH);
      for (let at = 0; at + 64 <= level.length; at += 64) {
        const node = createHash("sha256").update(NODE_PREFIX).update(level.subarray(at, at + 64));
        parents.set(node.digest(), at / 2);
      }
      level = parents;
    }
  });
}

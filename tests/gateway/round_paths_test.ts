import assert from "node:assert/strict";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { pathJson } from "../../src/gateway/proving/attestation_json.ts";
import { pathInLevels, treeLevels } from "../../src/proof/merkle/tree.ts";
import { randomDigests } from "./fixture.ts";

Deno.test("pathJson() agrees with pathInLevels() for every leaf of every size, in any order", () => {
  let empty = 0;
  for (const size of [...Array(70).keys()].map((i) => i + 1).concat(127, 128, 129, 255, 511, 512)) {
    const levels = treeLevels(portableKernels, randomDigests(size));
    const texts = { levelsHex: levels.map((level) => level.toHex()), upperPaths: [] };
    for (let i = 0; i < size; i++) {
      const index = (7 * i + 3) % size;
      const path = pathInLevels(levels, index).map((node) => node.toHex());
      if (path.length === 0) empty++;
      assert.equal(pathJson(texts, index), JSON.stringify(path), `${index} of ${size}`);
    }
  }
  assert.equal(empty, 1);
});

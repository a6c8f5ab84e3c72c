import assert from "node:assert/strict";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { pathSteps } from "../../src/explorer/verify/proof_path.ts";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";

const log = new TestLog(new TestNetwork("path.example"));
log.addRound(Array.from({ length: 40 }, (_, i) => digestOf(`leaf ${i}`)), { timestamp: 1 });

Deno.test("pathSteps() ends at the root of the tree", () => {
  for (let size = 1; size <= 40; size++) {
    const { root_hash: root } = log.head(size, 1);
    for (let index = 0; index < size; index++) {
      const path = log.inclusionPath(index, size);
      const leafHash = Uint8Array.fromHex(log.leafHash(index));
      const steps = pathSteps(portableKernels, { leafHash, index, size, path });
      assert.equal(steps.length, path.length);
      assert.equal(steps.at(-1)?.node ?? log.leafHash(index), root, `${index} of ${size}`);
    }
  }
});

Deno.test("pathSteps() of a wrong path does not reach the root", () => {
  const leafHash = Uint8Array.fromHex(log.leafHash(5));
  const path = log.inclusionPath(5, 12);
  const changed = [path[0]!, "00".repeat(32), ...path.slice(2)];
  const steps = pathSteps(portableKernels, { leafHash, index: 5, size: 12, path: changed });
  assert.notEqual(steps.at(-1)!.node, log.head(12, 1).root_hash);
  const long = [...path, path[0]!, path[0]!];
  assert.equal(pathSteps(portableKernels, { leafHash, index: 5, size: 12, path: long }).length, 4);
  assert.equal(pathSteps(portableKernels, { leafHash, index: 5, size: 12, path: [] }).length, 0);
  assert.equal(pathSteps(portableKernels, { leafHash, index: 0, size: 0, path }).length, 0);
});

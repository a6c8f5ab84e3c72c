import assert from "node:assert/strict";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import type { ExternalAnchor } from "../../../src/proof/format/external_anchor.ts";
import { bindExternalAnchors } from "../../../src/proof/verify/bundle.ts";
import { makeLog, TestNetwork } from "./fixture.ts";

const network = new TestNetwork("net.example/external");
const log = makeLog(network);
const head = log.head(12, 1_766_275_300);
const later = log.externalAnchor({ from: 12, size: 16, timestamp: 5 });

function reason(anchor: ExternalAnchor) {
  return bindExternalAnchors(kernels, [anchor], head).anchors[0]?.reason;
}

Deno.test("an anchor of the same or a later head is bound", () => {
  const same = log.externalAnchor({ from: 12, size: 12, timestamp: 5 });
  assert.deepEqual(bindExternalAnchors(kernels, [same, later], head), {
    present: 2,
    unbound: 0,
    anchors: [{ provider: "rfc3161", bound: true }, { provider: "rfc3161", bound: true }],
  });
});

Deno.test("other anchors are not bound", () => {
  const earlier = log.externalAnchor({ from: 4, size: 9, timestamp: 5 });
  const elsewhere = makeLog(new TestNetwork("net.example/elsewhere"));
  assert.equal(reason(earlier), "anchor_precedes_batch");
  assert.equal(reason({ ...later, digest: "00".repeat(32) }), "digest_mismatch");
  assert.equal(reason({ ...later, tree_head: log.head(15, 5) }), "digest_mismatch");
  assert.equal(reason({ ...later, consistency_path: [] }), "consistency_invalid");
  assert.equal(
    reason(elsewhere.externalAnchor({ from: 12, size: 16, timestamp: 5 })),
    "network_mismatch",
  );
  const { present, unbound } = bindExternalAnchors(kernels, [earlier, later], head);
  assert.deepEqual([present, unbound], [1, 1]);
});

Deno.test("the digest must be of the whole checkpoint body, not only of the root", () => {
  const { root_hash } = later.tree_head;
  assert.equal(reason({ ...later, digest: root_hash }), "digest_mismatch");
});

Deno.test("without a verified batch no anchor is bound", () => {
  const { present, anchors } = bindExternalAnchors(kernels, [later], undefined);
  assert.equal(present, 0);
  assert.equal(anchors[0]?.reason, "lower_layer_unverified");
});

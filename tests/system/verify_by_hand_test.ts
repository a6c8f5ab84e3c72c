/**
 * The blocks of `docs/verify_by_hand.md`, run by bash, openssl and sha256sum as they stand there, over
 * a bundle that has everything: a batch, a peer's cosignatures of a later head, and a token.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { base64Of } from "../../src/bytes.ts";
import { publicNetworkJson } from "../../src/format/public_network.ts";
import { verifyBundle } from "../../src/verify/bundle.ts";
import { TestAuthority } from "../anchors/test_authority.ts";
import { pemOf } from "../anchors/test_certificates.ts";
import { exampleLog, HEAD_TIME, network, peer } from "../docs/example_log.ts";
import { markedBlock, markedNames } from "../docs/marked_blocks.ts";
import { nativeCrypto } from "../schemes.ts";
import { runTool, type ToolResult } from "./tools.ts";

const DOCUMENT = "docs/verify_by_hand.md";

/** The first defines functions for the others, of which each stands alone. */
const BLOCKS = [
  "tools",
  "attestation",
  "tree-head",
  "inclusion",
  "checkpoint",
  "cross-anchor",
  "rfc3161",
];

/** Files of a proof that holds in every respect. */
async function makeFiles(): Promise<Record<string, string>> {
  const log = exampleLog();
  const head = log.head(3, HEAD_TIME + 5);
  const anchor = log.externalAnchor({ from: 2, size: 3, timestamp: HEAD_TIME + 5 });
  const authority = await TestAuthority.create();
  const token = await authority.token(Uint8Array.fromHex(anchor.digest));
  const bundle = {
    ...log.bundle(0, log.batchInclusion(0, log.sth(2, HEAD_TIME))),
    cross_anchors: [log.crossAnchor(peer, { from: 2, size: 3, timestamp: HEAD_TIME + 7 })],
    external_anchors: [{ ...anchor, proof: { token: base64Of(token) } }],
  };
  const trust = { network: network.configuration, peers: [peer.configuration] };
  assert.equal((await verifyBundle(nativeCrypto, trust, bundle)).level, "federated");
  return {
    "claim.txt": "hello",
    "claim.txt.countersign.json": JSON.stringify(bundle),
    "network.public.json": publicNetworkJson(network.configuration),
    "peer.public.json": publicNetworkJson(peer.configuration),
    "checkpoint.txt": network.checkpoint(head, { 0: HEAD_TIME, 1: HEAD_TIME }),
    "tsa-roots.pem": new TextDecoder().decode(pemOf(authority.root)),
  };
}

async function runBlocks(
  files: Readonly<Record<string, string>>,
  names: readonly string[],
): Promise<ToolResult> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    const blocks = await Promise.all(names.map((name) => markedBlock(DOCUMENT, name)));
    const script = blocks.join("\n");
    return await runTool("bash", ["-euo", "pipefail", "-c", script], { cwd: folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const BUNDLE = "claim.txt.countersign.json";

/** What is changed of a proof, in which file, and the block that has to notice. */
const CHANGES: readonly (readonly [block: string, file: string, from: RegExp, to: string])[] = [
  ["attestation", "claim.txt", /hello/, "hallo"],
  ["attestation", BUNDLE, /"timestamp":1766275200/, '"timestamp":1766275201'],
  [
    "attestation",
    BUNDLE,
    /"witness_id":"docs.example\/log\/w2"/,
    '"witness_id":"docs.example/log/w1"',
  ],
  ["tree-head", BUNDLE, /("sth":\{"tree_head":.*?"timestamp":1766275210)/, "$11"],
  ["tree-head", "network.public.json", /"threshold": 2/, '"threshold": 3'],
  [
    "inclusion",
    BUNDLE,
    /("merkle_proof":.*?"inclusion_path":\[)"[0-9a-f]{64}"/,
    '$1"' + "0".repeat(64) + '"',
  ],
  ["checkpoint", "checkpoint.txt", /^3$/m, "4"],
  ["cross-anchor", BUNDLE, /("cross_anchors":.*?"consistency_path":\[")[0-9a-f]/, "$1g"],
  ["cross-anchor", BUNDLE, /("cross_anchors":.*?"timestamp":)1766275217/, "$11766275218"],
  [
    "rfc3161",
    BUNDLE,
    /("external_anchors":.*?"timestamp":1766275215,"root_hash":")[0-9a-f]/,
    "$1x",
  ],
];

Deno.test("every step of docs/verify_by_hand.md holds for a proof that does", async () => {
  assert.deepEqual(await markedNames(DOCUMENT), BLOCKS);
  const { code, stdout, stderr } = await runBlocks(await makeFiles(), BLOCKS);
  assert.equal(code, 0, stdout + stderr);
  assert.equal(stdout.match(/^2 signatures, 2 required$/gm)?.length, 3);
  assert.equal(stdout.match(/^Signature Verified Successfully$/gm)?.length, 7);
  assert.match(stdout + stderr, /^Verification: OK$/m);
  assert.match(stdout, /^Time stamp: /m);
});

Deno.test("every step of docs/verify_by_hand.md finds what was changed", async () => {
  const files = await makeFiles();
  for (const [block, file, from, to] of CHANGES) {
    const text = files[file]!.replace(from, to);
    assert.notEqual(text, files[file], `${block}: ${from}`);
    const { code, stdout } = await runBlocks({ ...files, [file]: text }, ["tools", block]);
    assert.notEqual(code, 0, `${block}: ${from}: ${stdout}`);
  }
});

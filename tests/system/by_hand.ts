/**
 * The blocks of `docs/verify_by_hand.md`, and a proof that has everything: a batch, a peer's cosignatures of a
 * later head, and a token.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { base64Of, type Bytes, utf8 } from "../../src/base/bytes.ts";
import { publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { TestAuthority } from "../proof/timestamp/test_authority.ts";
import { pemOf } from "../proof/timestamp/test_certificates.ts";
import { exampleLog, HEAD_TIME, network, peer } from "../docs/example_log.ts";
import { markedBlock } from "../docs/marked_blocks.ts";
import { IS_LONG } from "../long_runs.ts";
import { nativeCrypto } from "../schemes.ts";
import { runTool, type ToolResult } from "./tools.ts";

export const DOCUMENT = "docs/verify_by_hand.md";

/** Tools, then steps. */
export const BLOCKS = [
  "files",
  "field",
  "hashes",
  "trees",
  "signatures",
  "attestation",
  "tree-head",
  "inclusion",
  "checkpoint",
  "cross-anchor",
  "rfc3161",
  "result",
];

/** Files of a proof that holds in every respect. */
export async function makeFiles(): Promise<Record<string, string>> {
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

export const BUNDLE = "claim.txt.countersign.json";

/** What came of pasting all blocks, and whether a command of a hostile value was run. */
export interface Pasted extends ToolResult {
  readonly isHijacked: boolean;
}

/** Pastes the blocks `names`, or all, and `more` into a bash with `options`, beside `files`. */
export async function paste(
  files: Readonly<Record<string, string | Bytes>>,
  { names = BLOCKS, more = "", options = [] }: {
    readonly names?: readonly string[];
    readonly more?: string;
    readonly options?: readonly string[];
  } = {},
): Promise<Pasted> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, content] of Object.entries(files)) {
      await Deno.writeFile(
        join(folder, name),
        typeof content === "string" ? utf8(content) : content,
      );
    }
    const blocks = await Promise.all(names.map((name) => markedBlock(DOCUMENT, name)));
    await Deno.writeTextFile(join(folder, "blocks.sh"), [...blocks, more].join("\n"));
    const command = `exec bash --norc --noprofile ${options.join(" ")} < blocks.sh`;
    const result = await runTool("bash", ["-c", command], { cwd: folder });
    const written = [...Deno.readDirSync(folder)].map(({ name }) => name);
    return { ...result, isHijacked: written.some((name) => name.includes("hijacked")) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Requires that the blocks end with a message and say nothing that looks like a success. */
export function assertRefused({ code, stdout, stderr, isHijacked }: Pasted, what: string): void {
  assert.ok(!isHijacked, `${what}: a command was run`);
  assert.notEqual(code, 0, `${what}: ${stdout}`);
  assert.doesNotMatch(stdout, /VERIFIED/, what);
  assert.match(stderr, /^FAILED: .*\n(exit\n)?NOT VERIFIED\n$/m, `${what}: ${stderr}`);
}

/** Calls `use` with each of `items`, two at a time. */
export async function inPairs<T>(
  items: readonly T[],
  use: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  await Promise.all([0, 1].map(async () => {
    for (const item of waiting) await use(item);
  }));
}

/** Each change runs a dozen programs, so a short run tries every third. */
export const STRIDE = IS_LONG ? 1 : 3;

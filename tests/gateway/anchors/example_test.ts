/**
 * The example provider of docs/anchor_provider.md: configured, requested over HTTP, stored, encoded for
 * a bundle, verified and saved.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { anchoredDigest } from "../../../src/gateway/anchors/answers.ts";
import {
  coveringAnchors,
  externalAnchorJson,
} from "../../../src/gateway/anchors/external_anchor.ts";
import { verifyAnchors } from "../../../src/gateway/anchors/providers.ts";
import { anchorsOf, configureAnchors } from "../../../src/config/anchor_services.ts";
import { Ed25519Signer } from "../../../src/proof/crypto/ed25519_native.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { parseExternalAnchors } from "../../../src/proof/format/external_anchor.ts";
import { FetchAnchorHttp } from "../../../src/http/outgoing/anchor_http.ts";
import { served } from "../../http/outgoing/fixture.ts";
import { AnchoringSite } from "./anchoring_site.ts";
import { exampleNotary, signedText } from "./example_provider.ts";

const CODE = "malformed_configuration";
const signer = new Ed25519Signer(new Uint8Array(32).fill(3));
const stranger = new Ed25519Signer(new Uint8Array(32).fill(4));
const TIME = 1_800_000_000;

async function notarize(request: Request): Promise<Response> {
  const digest = await request.bytes();
  const signature = signer.sign(signedText(digest, TIME)).toHex();
  return Response.json({ time: TIME, signature });
}

Deno.test("the provider of docs/anchor_provider.md is one file and one line", async () => {
  await served(notarize, async (url) => {
    const text = JSON.stringify([
      { provider: "example-notary", mode: "required", interval_seconds: 0, url },
    ]);
    await using site = new AnchoringSite();
    const entries = anchorsOf([exampleNotary]).parseText(text, { where: "anchors", code: CODE });
    const anchors = await configureAnchors(entries, {
      http: new FetchAnchorHttp({ insecure: false }),
      clock: site.clock,
      insecure: false,
      readFile: () => Promise.reject(new Error("names no file")),
    });
    const anchoring = site.start(...anchors);
    const head = site.log.publish(9);
    while (site.added.length === 0) await site.settle();
    assert.deepEqual(await anchoring.overdue(), []);

    const { records, final } = await coveringAnchors(site.store, anchors, 4);
    assert.equal(final, true);
    const shown = records.map((record) => externalAnchorJson(kernels, record, [], new Set()));
    const parsed = parseExternalAnchors(`[${shown}]`, "malformed_bundle");
    const bindings = [{ provider: "example-notary", bound: true }];
    const verify = async (...roots: Uint8Array<ArrayBuffer>[]) => {
      const supplied = new Map([["example-notary", roots]]);
      const [finding] = await verifyAnchors(parsed, bindings, supplied, [exampleNotary]);
      return finding!.status;
    };
    assert.equal(await verify(signer.publicKey), "verified");
    assert.equal(await verify(stranger.publicKey, signer.publicKey), "verified");
    assert.equal(await verify(stranger.publicKey), "failed");
    assert.equal(await verify(), "not_checked");

    const digest = anchoredDigest(kernels, head);
    const [file] = exampleNotary.files(digest, records[0]!.proof);
    assert.deepEqual(file?.bytes.subarray(64), signedText(digest, TIME));
  });
});

Deno.test("docs/anchor_provider.md contains the tested example provider", async () => {
  const root = new URL("../../../", import.meta.url);
  const page = await Deno.readTextFile(fileURLToPath(new URL("docs/anchor_provider.md", root)));
  const tested = await Deno.readTextFile(
    fileURLToPath(new URL("tests/gateway/anchors/example_provider.ts", root)),
  );
  const [, shown] = /<!-- example: provider -->\n\n```ts\n([\s\S]*?)```\n/.exec(page) ?? [];
  // In the document, the provider is in src/gateway/anchors.
  const there = tested.replaceAll("../../../src/gateway/anchors/", "./").replaceAll(
    "../../../src/",
    "../../",
  );
  assert.equal(shown, there);
});

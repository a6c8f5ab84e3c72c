import assert from "node:assert/strict";
import { verifyAnchors } from "../../../src/gateway/anchors/providers.ts";
import { utf8 } from "../../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import type { ExternalAnchor } from "../../../src/proof/format/external_anchor.ts";
import { parseExternalAnchors } from "../../../src/proof/format/external_anchor.ts";
import { bindExternalAnchors } from "../../../src/proof/verify/bundle.ts";
import { makeLog, TestNetwork } from "../../proof/verify/fixture.ts";
import { fakeProvider } from "./fake_service.ts";

const log = makeLog(new TestNetwork("net.example/found"));
const head = log.head(12, 1_766_275_300);
const roots = new Map([["fake", [utf8("notary")]]]);

function anchorOf(size: number, change: Partial<ExternalAnchor> = {}): ExternalAnchor {
  const anchor = log.externalAnchor({ from: 12, size, timestamp: 1_766_275_400 });
  const { digest } = anchor;
  const proof = { digest, service: "notary" };
  const whole = { ...anchor, provider: "fake", status: "confirmed", proof, ...change };
  return parseExternalAnchors(JSON.stringify([whole]), "malformed_bundle")[0]!;
}

function find(anchors: readonly ExternalAnchor[], supplied = roots, batch = head) {
  const bindings = bindExternalAnchors(kernels, anchors, batch).anchors;
  return verifyAnchors(anchors, bindings, supplied, [fakeProvider]);
}

Deno.test("verifyAnchors() verifies each anchor with its provider and that provider's roots", async () => {
  const other = { ...anchorOf(16), provider: "unheard" };
  const verified = { status: "verified", notAfter: 1_766_275_401, source: "fake service notary" };
  const pending = anchorOf(15, { status: "pending" });
  assert.deepEqual(await find([anchorOf(16), pending, other]), [
    { provider: "fake", treeSize: 16, bound: true, ...verified },
    { provider: "fake", treeSize: 15, bound: true, status: "not_checked", reason: "pending" },
    {
      provider: "unheard",
      treeSize: 16,
      bound: true,
      status: "not_checked",
      reason: "unknown provider",
    },
  ]);
  const rootless = await find([anchorOf(16)], new Map([["other", [utf8("notary")]]]));
  assert.deepEqual(rootless.map(({ status }) => status), ["not_checked"]);
  const wrong = await find([anchorOf(16)], new Map([["fake", [utf8("stranger")]]]));
  assert.deepEqual(wrong.map(({ status }) => status), ["failed"]);
});

Deno.test("verifyAnchors() does not check the proof of an unbound anchor", async () => {
  const [finding] = await find([anchorOf(16, { consistency_path: [] })]);
  assert.equal(finding?.bound, false);
  assert.equal(finding?.status, "not_checked");
  assert.match(finding.reason, /^not bound .*: .*path/);
  // A proof is bound by its own digest too: the provider says so.
  const [swapped] = await find([anchorOf(16, { proof: anchorOf(15).proof })]);
  assert.deepEqual([swapped?.bound, swapped?.status], [true, "failed"]);
});

Deno.test("verifyAnchors() bounds the verifications for one bundle", async () => {
  const found = await find(Array.from({ length: 70 }, () => anchorOf(16)));
  assert.deepEqual(found.map(({ status }) => status), [
    ...Array(64).fill("verified"),
    ...Array(6).fill("not_checked"),
  ]);
});

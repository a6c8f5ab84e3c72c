import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ExternalAnchor } from "../../src/proof/format/external_anchor.ts";
import { encodeCheckpointBody } from "../../src/proof/format/tree_head.ts";
import { TestRekorLog } from "../gateway/anchors/rekor/test_log.ts";
import { digestOf, makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { rekorAnchor } from "./anchor_fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { problem, StubGateway } from "./stub_gateway.ts";

const HASH = digestOf("content 7");
const BEGIN = HASH.slice(0, 16);
const log = makeLog(new TestNetwork("net.example/saved"));
const anchor = rekorAnchor(log, { from: 12, size: 16 });
const CHECKPOINT = `${BEGIN}-16.checkpoint`;
const BUNDLE = `${BEGIN}-rekor-16.sigstore.json`;

async function withAnchors(
  anchors: readonly unknown[],
  use: (client: Client, gateway: StubGateway) => Promise<void>,
): Promise<void> {
  await using gateway = new StubGateway(log, [12]);
  gateway.lies.set(`/v1/anchors/${HASH}`, () => Response.json(anchors));
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await use(client, gateway);
  });
}

async function namesIn(client: Client, folder: string): Promise<string[]> {
  const names = [];
  for await (const { name } of Deno.readDir(join(client.folder, folder))) names.push(name);
  return names.toSorted();
}

Deno.test("anchors --save writes each provider's files and their checkpoint", async () => {
  await withAnchors([anchor], async (client) => {
    const text = await client.run(["anchors", HASH, "--save", "proofs"]);
    assert.equal(text.code, 0, text.stderr);
    assert.deepEqual(await namesIn(client, "proofs"), [CHECKPOINT, BUNDLE, `${BUNDLE}.pub`]);
    const checkpoint = await client.read(`proofs/${CHECKPOINT}`);
    assert.equal(checkpoint, encodeCheckpointBody(anchor.tree_head));
    assert.equal(createHash("sha256").update(checkpoint).digest("hex"), anchor.digest);
    const bundle = JSON.parse(await client.read(`proofs/${BUNDLE}`));
    assert.deepEqual(bundle, JSON.parse(JSON.stringify(anchor.proof)));
    const lines = text.stdout.split("\n");
    assert.ok(lines.includes(`saved: proofs/${BUNDLE}`));
    const command = lines.find((line) => line.startsWith("  verify: cosign"));
    for (const name of [`${BUNDLE}.pub`, BUNDLE, CHECKPOINT]) {
      assert.ok(command?.split(" ").includes(`proofs/${name}`), `${command}`);
    }
    assert.match(text.stdout, new RegExp(`countersign bundle ${HASH}`));
    assert.doesNotMatch(text.stdout, /CHECKPOINT|FILE/);
  });
});

Deno.test("saving again changes nothing, and never overwrites other bytes", async () => {
  await withAnchors([anchor], async (client) => {
    const save = ["anchors", HASH, "--save", "proofs"];
    const first = await client.runJson(save);
    assert.deepEqual(first.json.files.map(({ path }: { path: string }) => path), [
      `proofs/${CHECKPOINT}`,
      `proofs/${BUNDLE}`,
      `proofs/${BUNDLE}.pub`,
    ]);
    assert.equal((await client.runJson(save)).stdout, first.stdout);
    await Deno.remove(join(client.folder, `proofs/${CHECKPOINT}`));
    await client.write(`proofs/${BUNDLE}`, "mine");
    assertFailed(await client.runJson(save), "file_failed");
    assert.equal(await client.read(`proofs/${BUNDLE}`), "mine");
    assert.ok(!(await namesIn(client, "proofs")).includes(CHECKPOINT), "nothing was written");
  });
});

Deno.test("two services of one provider do not write one another's files", async () => {
  const second = new TestRekorLog({ version: "0.0.1", algorithm: "p256", seed: 12 });
  const other = rekorAnchor(log, { from: 12, size: 16 }, second);
  const later = rekorAnchor(log, { from: 12, size: 17 });
  await withAnchors([anchor, other, later], async (client) => {
    assert.equal((await client.run(["anchors", HASH, "--save", "."])).code, 0);
    const names = (await namesIn(client, ".")).filter((name) => name.startsWith(BEGIN));
    assert.deepEqual(names, [
      CHECKPOINT,
      `${BEGIN}-17.checkpoint`,
      `${BEGIN}-rekor-16-2.sigstore.json`,
      `${BEGIN}-rekor-16-2.sigstore.json.pub`,
      BUNDLE,
      `${BUNDLE}.pub`,
      `${BEGIN}-rekor-17.sigstore.json`,
      `${BEGIN}-rekor-17.sigstore.json.pub`,
    ]);
    assert.deepEqual(
      JSON.parse(await client.read(`${BEGIN}-rekor-16-2.sigstore.json`)),
      JSON.parse(JSON.stringify(other.proof)),
    );
  });
});

Deno.test("files of a named service have its name", async () => {
  await withAnchors([{ ...anchor, service: "log-eu" }], async (client) => {
    assert.equal((await client.run(["anchors", HASH, "--save", "."])).code, 0);
    const names = (await namesIn(client, ".")).filter((name) => name.startsWith(BEGIN));
    assert.ok(names.includes(`${BEGIN}-rekor-log-eu-16.sigstore.json`), names.join(", "));
  });
});

Deno.test("folder names are quoted for the shell, and unknown providers are listed", async () => {
  const unknown = { ...anchor, provider: "../notary" };
  await withAnchors([unknown, anchor], async (client) => {
    const { code, stdout } = await client.run(["anchors", HASH, "--save", "it's here"]);
    assert.equal(code, 0);
    assert.ok(stdout.includes(`'it'\\''s here/${BUNDLE}'`), stdout);
    assert.ok(
      stdout.includes(
        "not saved: an anchor of ../notary, a provider that this version does not know",
      ),
    );
    assert.equal((await namesIn(client, "it's here")).length, 3);
  });
});

const LIES: readonly (readonly [string, Partial<ExternalAnchor>, string])[] = [
  ["a digest of something else", { digest: digestOf("else") }, "proof_refused"],
  ["a head that is not the digest's", { tree_head: log.head(15, 1) }, "proof_refused"],
  [
    "a proof of another digest",
    { proof: rekorAnchor(log, { from: 12, size: 15 }).proof },
    "proof_refused",
  ],
  ["a proof that is none", { proof: "no" }, "proof_refused"],
  ["a status that is none", { status: "anchored" }, "proof_refused"],
  ["a path that is none", { consistency_path: ["x"] }, "gateway_refused"],
];

for (const [name, change, code] of LIES) {
  Deno.test(`nothing is saved from a list with ${name}`, async () => {
    await withAnchors([anchor, { ...anchor, ...change }], async (client) => {
      assertFailed(await client.runJson(["anchors", HASH, "--save", "proofs"]), code);
      await assert.rejects(namesIn(client, "proofs"), Deno.errors.NotFound);
    });
  });
}

Deno.test("without anchors there is nothing to save", async () => {
  await withAnchors([], async (client, gateway) => {
    const { code, stdout } = await client.run(["anchors", HASH, "--save", "proofs"]);
    assert.equal(code, 0);
    assert.match(stdout, /^No external anchors/);
    gateway.lies.set(`/v1/anchors/${HASH}`, () => problem(404, "hash_unknown"));
    const { json } = await client.runJson(["anchors", HASH, "--save", "proofs"]);
    assert.deepEqual([json.hash, json.anchors, json.files, json.unknown], [HASH, [], [], []]);
    // The text says this, too.
    assert.equal(json.absence, "the gateway answered 404 hash_unknown");
  });
});

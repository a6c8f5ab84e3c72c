/**
 * A file is stamped, its batch published, and its proof verified with nothing running; and no field
 * of that proof can be changed unnoticed.
 *
 * @module
 */

import assert from "node:assert/strict";
import { keepsHead } from "../kept_head.ts";
import { hasCode } from "../../src/base/errors.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { VERIFY_REASONS } from "../../src/proof/verify/reasons.ts";
import type { Verdict } from "../../src/proof/verify/verdict.ts";
import { type Json, mutations } from "../proof/verify/mutations.ts";
import { blsUnlessLong } from "../long_runs.ts";
import { nativeCrypto } from "../schemes.ts";
import { Deployment } from "./deployment.ts";

blsUnlessLong.test("a proof made by three witnesses and a gateway holds when all of them are gone", async ({ scheme, t }) => {
  await using deployment = await Deployment.start(scheme);
  const names = Array.from({ length: 7 }, (_, i) => `claim-${i}.txt`);
  for (const name of names) await deployment.writeFile(name, `what ${name} says`);
  await deployment.writeFile("first.txt", "stamped before the others");

  await t.step("stamping waits for the batch, unless it should not", async () => {
    const first = await deployment.countersign("stamp", "--save", "--no-wait-batched", "first.txt");
    assert.equal(first.code, 0, first.stderr);
    const confirmed = parseBundle(await deployment.readFile("first.txt.countersign.json"));
    assert.equal(confirmed.batch_inclusion, null);

    const rest = await deployment.countersign("stamp", "--save", ...names);
    assert.equal(rest.code, 0, rest.stderr);
    const bundle = parseBundle(await deployment.readFile(`${names[3]}.countersign.json`));
    assert.equal(bundle.batch_inclusion?.batch.tree_size, 8);
    assert.ok(bundle.batch_inclusion.merkle_proof.inclusion_path.length >= 3);
  });

  await t.step("the gateway's own bundle is the saved one", async () => {
    const saved = parseBundle(await deployment.readFile(`${names[3]}.countersign.json`));
    const { hash } = saved.signed_attestation.attestation;
    const { code, stdout } = await deployment.countersign("bundle", hash, "--output", "json");
    assert.equal(code, 0);
    const own = parseBundle(stdout);
    assert.ok(keepsHead(own.batch_inclusion!.sth, saved.batch_inclusion!.sth));
    assert.deepEqual({
      ...own,
      batch_inclusion: { ...own.batch_inclusion, sth: saved.batch_inclusion!.sth },
    }, saved);
  });

  assert.equal(await deployment.stopGateway(), 0);
  for (const index of [0, 1, 2]) await deployment.killWitness(index);
  const trusting = ["--network-config", deployment.publicFile];

  await t.step("verify-proof says Batched, and what it does not prove", async () => {
    for (const name of [names[0]!, names.at(-1)!]) {
      const { code, stdout, stderr } = await deployment.countersign(
        "verify-proof",
        "--bundle",
        `${name}.countersign.json`,
        "--file",
        name,
        ...trusting,
      );
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^VALID \(Batched\)$/m);
      assert.match(stdout, /globally agreed time/);
    }
  });

  await t.step("the content and the network have to be the right ones", async () => {
    const bundle = ["verify-proof", "--bundle", `${names[0]}.countersign.json`];
    const other = await deployment.countersign(...bundle, "--file", names[1]!, ...trusting);
    assert.equal(other.code, 1);
    assert.match(other.stdout, /^INVALID$/m);

    const made = await deployment.countersign("init", "--out", "other-net");
    assert.equal(made.code, 0);
    const stranger = ["--network-config", "other-net/network.public.json"];
    assert.equal((await deployment.countersign(...bundle, ...stranger)).code, 1);
    assert.notEqual((await deployment.countersign(...bundle)).code, 0, "a pin is required");
  });

  await t.step("every change of the bundle is found and named", async () => {
    const text = await deployment.readFile(`${names[3]}.countersign.json`);
    const bundle = JSON.parse(text);
    // With more signatures than the threshold, one may be absent.
    bundle.batch_inclusion.sth.signatures?.splice(2);
    const unnoticed = await unnoticedChanges(bundle, {
      network: await deployment.network(),
      peers: [],
    });
    assert.deepEqual(unnoticed, ["batch_inclusion.batch.period_start"]);
  });

  await t.step("verify-proof reports a change where it was made", async () => {
    const bundle = JSON.parse(await deployment.readFile(`${names[3]}.countersign.json`));
    bundle.batch_inclusion.batch.period_end++;
    await deployment.writeFile("changed.json", JSON.stringify(bundle));
    const { code, stdout } = await deployment.countersign(
      "verify-proof",
      "--bundle",
      "changed.json",
      ...trusting,
      "--output",
      "json",
    );
    assert.equal(code, 0);
    const report = JSON.parse(stdout);
    assert.equal(report.level, "basic");
    assert.equal(report.layers.batch.field, "batch_inclusion.batch.period_end");

    bundle.signed_attestation.attestation.timestamp++;
    await deployment.writeFile("changed.json", JSON.stringify(bundle));
    const forged = await deployment.countersign(
      "verify-proof",
      "--bundle",
      "changed.json",
      ...trusting,
    );
    assert.equal(forged.code, 1);
    assert.match(forged.stdout, /^INVALID$/m);
  });
});

/** Paths whose change leaves the verdict as it was: each must be listed as unauthenticated. */
async function unnoticedChanges(
  bundle: Json,
  trust: Parameters<typeof verifyBundle>[1],
): Promise<string[]> {
  const unnoticed = new Set<string>();
  let found = 0;
  for (const { path, change, value } of mutations(bundle)) {
    const verdict = await judge(value, trust);
    if (verdict === undefined) continue;
    if (verdict.level === "batched") {
      assert.ok(verdict.unauthenticated.includes(path), `${path} is listed`);
      unnoticed.add(path);
      continue;
    }
    const layer = path.startsWith("signed_attestation")
      ? verdict.layers.attestation
      : verdict.layers.batch;
    found++;
    if (layer.status === "absent") continue;
    assert.equal(layer.status, "failed", `${path}, ${change}`);
    assert.ok(layer.reason !== undefined && layer.reason in VERIFY_REASONS, `${path}, ${change}`);
    assert.ok(layer.field !== undefined, `${path}, ${change}: the field is named`);
  }
  assert.ok(found > 100, "the suite changes more than what parsing refuses");
  return [...unnoticed];
}

/** `undefined` where the text is refused as malformed. */
async function judge(
  value: Json,
  trust: Parameters<typeof verifyBundle>[1],
): Promise<Verdict | undefined> {
  let bundle;
  try {
    bundle = parseBundle(JSON.stringify(value));
  } catch (error) {
    if (hasCode(error, "malformed_bundle")) return undefined;
    throw error;
  }
  return await verifyBundle(nativeCrypto, trust, bundle);
}

/**
 * An old copy of the gateway's store put back: found at start, and nothing signed over it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseSignedTreeHead } from "../../src/proof/format/bundle.ts";
import { eachSchemeOfLongRuns } from "../long_runs.ts";
import { Deployment, eventually } from "./deployment.ts";

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.remove(to, { recursive: true }).catch(() => {});
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(join(from, name), join(to, name));
  }
}

eachSchemeOfLongRuns.test("a store that was rolled back stops the gateway from signing, until it is mended", async ({ scheme, t }) => {
  await using deployment = await Deployment.start(scheme);
  const old = join(deployment.folder, "old");
  const recent = join(deployment.folder, "recent");

  const attest = async (text: string) => {
    const hash = hashOf(text);
    await deployment.post("/v1/attestations", { hash });
    return await eventually("batched", async () => {
      const job = JSON.parse((await deployment.get(`/v1/attestations/${hash}`)).text);
      return job.progress === "batched" ? job : undefined;
    });
  };
  const headSize = async () => {
    const { text } = await deployment.get("/v1/log/sth");
    return parseSignedTreeHead(text).tree_head.tree_size;
  };

  await attest("before the copy");
  await deployment.stopGateway();
  await copyFolder(deployment.dataFolder, old);
  await deployment.startGateway();
  await attest("after the copy");
  await attest("and another");
  assert.equal(await headSize(), 3);
  await deployment.stopGateway();
  await copyFolder(deployment.dataFolder, recent);

  await t.step("the old copy is found, and said to everyone who asks", async () => {
    await copyFolder(old, deployment.dataFolder);
    await assert.rejects(deployment.startGateway(), /store_copied|--moved/);
    await deployment.startGateway("--moved");
    await eventually("unhealthy", async () => {
      const found = await deployment.get("/health");
      return found.status === 503 && /store_rolled_back/.test(found.text) ? found : undefined;
    });
    const refused = await deployment.post("/v1/attestations", { hash: hashOf("a fork") });
    assert.equal(refused.status, 503);
    assert.equal(JSON.parse(refused.text).code, "store_rolled_back");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.equal(await headSize(), 1, "no head is made beside the published ones");
    // The old copy cannot know what was accepted after it.
    for (const text of ["and another", "a fork"]) {
      const absent = await deployment.get(`/v1/attestations/${hashOf(text)}`);
      assert.equal(absent.status, 503);
      assert.equal(JSON.parse(absent.text).code, "store_rolled_back");
    }
    const known = await deployment.get(`/v1/attestations/${hashOf("before the copy")}`);
    assert.equal(known.status, 200);
    await deployment.stopGateway();
  });

  await t.step("the recent copy goes on where it was", async () => {
    await copyFolder(recent, deployment.dataFolder);
    await deployment.startGateway("--moved");
    assert.equal((await deployment.get("/health")).status, 200);
    const job = await attest("after the repair");
    assert.equal(job.signed_attestation.attestation.sequence, 3);
    assert.equal(await headSize(), 4);
  });
});

/** Mirrors of a log that has gone through successions, and of a log with a rival succession. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { servingFiles } from "../logs/publishing/file_server.ts";
import { eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { digestOf } from "../proof/verify/test_network.ts";
import { rivalEpochs, threeEpochs } from "../proof/verify/test_succession.ts";
import { TrustFolder } from "../../src/cli/trust_folder.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { writeCopy } from "./epoch_copy.ts";

const { log, epochs: [zero, , two], links } = threeEpochs();
const { link: rival } = rivalEpochs();

/** A client with a pin of epoch 0, and copies of the log in epoch 0 and in epoch 2. */
async function withCopies(use: (client: Client) => Promise<void>): Promise<void> {
  await withClient(async (client) => {
    await writeCopy(join(client.folder, "copy0"), log, { size: 7, signer: zero });
    await writeCopy(join(client.folder, "copy2"), log, { size: 24, signer: two, links });
    await client.write("net0.json", publicNetwork(zero.configuration));
    await client.write("proof.json", log.bundle(3, null));
    await client.write("rival.json", [rival]);
    assert.equal((await client.runJson(["network", "--pin", "net0.json"])).code, 0);
    await use(client);
  });
}

async function keptLinks(client: Client): Promise<unknown> {
  return (await client.trust.pin(zero.id))!.links;
}

function evidenceFiles(client: Client): string[] {
  const names = [...Deno.readDirSync(join(client.folder, "home", "heads"))].map(({ name }) => name);
  return names.filter((name) => name.endsWith(".fork.json"));
}

/** Each command that reads a copy, with the arguments that name it. */
const READERS: readonly (readonly string[])[] = [
  ["log", "sth", "--verify", "--mirror", "copy2"],
  ["verify-proof", "--bundle", "proof.json", "--mirror", "copy2"],
  ["verify-proof", "--bundle", "proof.json", "--mirror", "copy2", "--distrust", `${zero.id}/g`],
  ["fsck", "--mirror", "copy2"],
  ["mirror", "--from", "URL", "--to", "copied"],
  ["publish", "--once", "--from", "URL", "--to", "published"],
];

Deno.test("a pin keeps the chain that a mirror shows, and refuses a rival of it", async () => {
  for (const reader of READERS) {
    await withCopies((client) =>
      servingFiles(join(client.folder, "copy2"), async (url) => {
        const read = await client.runJson(reader.map((arg) => arg === "URL" ? url : arg));
        assert.equal(read.code, 0, `${reader}: ${read.stdout}`);
        assert.deepEqual(await keptLinks(client), links, `${reader}`);
        const other = ["--chain", "rival.json", "--mirror", "copy0"];
        const refused = await client.runJson(["verify-proof", "--bundle", "proof.json", ...other]);
        assertFailed(refused, "proof_refused");
        assert.equal(evidenceFiles(client).length, 1);
      })
    );
  }
});

Deno.test("each reader of a mirror refuses a chain that contradicts the kept one, with evidence", async () => {
  for (const reader of READERS) {
    await withCopies((client) =>
      servingFiles(join(client.folder, "copy2"), async (url) => {
        const chained = ["--chain", "rival.json", "--mirror", "copy0"];
        const read = await client.runJson(["verify-proof", "--bundle", "proof.json", ...chained]);
        assert.equal(read.code, 0, read.stdout);
        const refused = await client.runJson(reader.map((arg) => arg === "URL" ? url : arg));
        assert.match(refused.stdout + refused.stderr, /two successions/, `${reader}`);
        assert.notEqual(refused.code, 0);
        const [file] = evidenceFiles(client);
        const judged = ["log", "contradictions", "--file", join("home", "heads", file!)];
        assert.equal((await client.runJson(judged)).json.proved, 1);
      })
    );
  }
});

Deno.test("publishers name a damaged succession of a copy", () =>
  withCopies((client) =>
    servingFiles(join(client.folder, "copy2"), async (url) => {
      for (const command of [["mirror"], ["publish", "--once"]]) {
        const publish = [...command, "--from", url, "--to", "copied"];
        assert.equal((await client.run(publish)).code, 0);
        assert.equal((await client.run(publish)).code, 0);
        const whole = await client.read("copied/succession/0.json");
        for (const damaged of [whole.slice(0, 100), whole.replace('"nonce":"', '"nonce":"0')]) {
          await client.write("copied/succession/0.json", damaged);
          const { code, stderr } = await client.run(publish);
          assert.equal(code, 1, stderr);
          assert.match(
            stderr,
            /copied: succession\/0\.json has other bytes than the log; the copy is/,
          );
        }
        await client.write("copied/succession/0.json", whole);
      }
    })
  ));

Deno.test("a proof of before its batch is verified by a mirror of a later epoch", () =>
  withCopies(async (client) => {
    const verify = ["verify-proof", "--bundle", "proof.json", "--mirror", "copy2"];
    for (const trust of [[], ["--network-config", "net0.json"]]) {
      // The pin is as it was before any chain was followed.
      await client.trust.savePin(zero.configuration);
      const { stdout } = await client.run([...verify, ...trust]);
      assert.match(stdout, /^VALID \(Batched/, stdout);
      assert.match(stdout, /^configuration: .*; epoch 2, followed from the pin of epoch 0$/m);
      assert.match(
        stdout,
        /^mirror: size 24, shows that the hash is in the log, which the bundle did not$/m,
      );
      await client.trust.savePin(zero.configuration);
      const { json } = await client.runJson([...verify, ...trust]);
      assert.equal(json.layers.batch.signatures.epoch, 2);
      assert.equal(json.mirror.relation, "inclusion");
      assert.equal(json.remembered_head.relation, "same");
      // A witness of an epoch that the mirror alone leads to.
      await client.trust.savePin(zero.configuration);
      const known = await client.runJson([...verify, ...trust, "--distrust", `${zero.id}/g`]);
      assert.equal(known.json.level, "batched", known.stdout);
      const unknown = await client.runJson([...verify, ...trust, "--distrust", `${zero.id}/h`]);
      assertFailed(unknown, "usage", 2);
    }
  }));

Deno.test("a mirror shows no inclusion of an attestation that its tree does not have", () =>
  withCopies(async (client) => {
    const other = new TestLog(zero);
    other.addRound(["a", "b", "c", "d"].map(digestOf), { timestamp: 1_766_275_900 });
    await client.write("proof.json", other.bundle(3, null));
    const { json } = await client.runJson([
      "verify-proof",
      "--bundle",
      "proof.json",
      "--mirror",
      "copy2",
    ]);
    assert.equal(json.layers.batch.status, "failed");
    assert.equal(json.mirror, undefined);
  }));

Deno.test("mirror --follow keeps the chain of an epoch that begins while it runs", () =>
  withCopies((client) =>
    servingFiles(join(client.folder, "copy0"), async (url) => {
      const trust = new TrustFolder(join(client.folder, ".countersign"));
      await trust.savePin(zero.configuration);
      const to = join(client.folder, "copied");
      const args = ["mirror", "--from", url, "--to", to, "--follow", "--interval-ms", "100"];
      const following = Server.launch(args, { cwd: client.folder });
      try {
        await eventually(
          "the copy",
          () => Deno.stat(join(to, "checkpoint")).catch(() => undefined),
        );
        assert.equal((await trust.pin(zero.id))!.links, undefined);
        await writeCopy(join(client.folder, "copy0"), log, { size: 24, signer: two, links });
        const kept = await eventually("the chain", async () => (await trust.pin(zero.id))!.links);
        assert.deepEqual(kept, links);
      } finally {
        await following.kill();
      }
    })
  ));

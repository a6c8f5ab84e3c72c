import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { CrossAnchor } from "../../src/proof/format/bundle.ts";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const peer = new TestNetwork("net.example/peer");
const network = new TestNetwork("net.example/upgrades", {
  federation: { enabled: true, peer_networks: [{ id: peer.id }], cross_anchor_threshold: 1 },
});
const HASH = digestOf("content");
const PROOF = "files/content.countersign.json";

/** A user with a proof that is not yet in the log, and a gateway whose log has two leaves. */
async function withProof(
  use: (client: Client, gateway: StubGateway, log: TestLog) => Promise<void>,
): Promise<void> {
  const log = new TestLog(network);
  log.addRound([HASH, digestOf("other")], { timestamp: 1_766_275_200 });
  await using gateway = new StubGateway(log, []);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.trust.savePin(network.configuration);
    await client.trust.savePin(peer.configuration);
    await mkdir(join(client.folder, "files"));
    await client.write("files/content", "content");
    await client.write(PROOF, log.bundle(0));
    await use(client, gateway, log);
  });
}

Deno.test("upgrade adds the batch, a peer and anchors as they arrive, and takes nothing away", () =>
  withProof(async (client, gateway, log) => {
    const early = await client.run(["upgrade", "files"]);
    assert.equal(early.code, 0);
    assert.match(early.stdout, /^unchanged {2}files\/content\.\S+: not yet in the log/);

    gateway.sizes.push(2);
    const batched = await client.run(["upgrade", "files/content"]);
    assert.match(batched.stdout, /^upgraded {3}files\/\S+: now has its place in the log$/m);
    assert.equal((await client.runJson(["verify", "files/content"])).json.level, "batched");
    assert.deepEqual((await readdir(join(client.folder, "files"))).toSorted(), [
      "content",
      "content.countersign.json",
    ]);

    const bundle = gateway.bundle(0);
    const anchor = log.crossAnchor(peer, { from: 2, size: 2, timestamp: 1_766_275_400 });
    const path = `/v1/bundle/${HASH}`;
    gateway.lies.set(path, () => Response.json({ ...bundle, cross_anchors: [anchor] }));
    const federated = await client.runJson(["upgrade", PROOF]);
    assert.deepEqual(federated.json.counts, { upgraded: 1, unchanged: 0, kept: 0, failed: 0 });
    assert.deepEqual(federated.json.results[0].parts, [`the cosignature of ${peer.id}`]);
    assert.equal((await client.runJson(["verify", "files/content"])).json.level, "federated");

    const strongest = await client.read(PROOF);
    for (const weaker of [bundle, log.bundle(0)]) {
      gateway.lies.set(path, () => Response.json(weaker));
      const { code, stdout } = await client.run(["upgrade", "files"]);
      assert.equal(code, 0);
      assert.match(stdout, /^kept {7}files\/\S+: the gateway's proof lacks .*the cosignature/m);
      assert.equal(await client.read(PROOF), strongest);
    }
    // Without the peer's configuration, no other cosignature takes the place of the saved one.
    await client.trust.unpin(peer.id);
    const worthless = log.crossAnchor(peer, {
      from: 2,
      size: 2,
      timestamp: 1_766_275_400,
      places: [0],
    });
    const head = { from: 2, size: 2, timestamp: 1_766_275_500 };
    const notary = { ...log.externalAnchor(head), provider: "notary", status: "pending" };
    const withAnchors = (peerAnchor: CrossAnchor) => () =>
      Response.json({ ...bundle, cross_anchors: [peerAnchor], external_anchors: [notary] });
    gateway.lies.set(path, withAnchors(worthless));
    const kept = await client.run(["upgrade", "files"]);
    assert.match(kept.stdout, /^kept {7}.*lacks the saved cosignature of net\.example\/peer$/m);
    assert.equal(await client.read(PROOF), strongest);
    gateway.lies.set(path, withAnchors(anchor));
    assert.match(
      (await client.run(["upgrade", "files"])).stdout,
      /^upgraded .*a pending anchor of notary/m,
    );
  }));

Deno.test("upgrade refuses an invalid proof and one of another attestation", () =>
  withProof(async (client, gateway, log) => {
    const saved = await client.read(PROOF);
    gateway.sizes.push(2);
    const whole = gateway.bundle(0);
    // One witness is fewer than the threshold.
    const forged = new TestLog(network);
    forged.addRound([HASH], { timestamp: 1_766_275_200, places: [0] });
    const path = `/v1/bundle/${HASH}`;
    const later = new TestLog(network);
    later.addRound([digestOf("first"), HASH], { timestamp: 1_766_275_200 });
    const batch = { ...whole.batch_inclusion!, sth: log.sth(2, 1_766_275_300, [0]) };
    for (
      const answer of [
        forged.bundle(0),
        { ...whole, batch_inclusion: batch },
        log.bundle(1),
        later.bundle(1),
      ]
    ) {
      gateway.lies.set(path, () => Response.json(answer));
      const { code, json } = await client.runJson(["upgrade", "files"]);
      assert.equal(code, 1);
      assert.equal(json.results[0].error.code, "proof_refused");
      assert.equal(await client.read(PROOF), saved);
    }
    await client.write("files/damaged.countersign.json", saved.slice(1));
    gateway.lies.clear();
    const { code, json } = await client.runJson(["upgrade", "files"]);
    assert.equal(code, 1);
    assert.deepEqual(json.counts, { upgraded: 1, unchanged: 0, kept: 0, failed: 1 });
    assertFailed(await client.runJson(["upgrade", "-"]), "usage", 2);
    await mkdir(join(client.folder, "empty"));
    assertFailed(await client.runJson(["upgrade", "empty"]), "file_failed");
  }));

Deno.test("failures of many proofs for one reason are one line and a count", () =>
  withProof(async (client, _, log) => {
    for (const name of ["b", "c"]) {
      await client.write(`files/${name}.countersign.json`, log.bundle(0));
    }
    const url = client.gateway;
    const { code, stdout } = await client.run([
      "upgrade",
      "files",
      "--gateway",
      `${url}/elsewhere`,
    ]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^failed .*\n {11}and 2 more for the same reason\n0 upgraded, 3 failed\n?$/,
    );
  }));

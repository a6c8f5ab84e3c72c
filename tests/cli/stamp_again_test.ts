import assert from "node:assert/strict";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";
import { type Client, withClient } from "./client_run.ts";
import { problem, StubGateway } from "./stub_gateway.ts";

const peer = new TestNetwork("net.example/peer");
const network = new TestNetwork("net.example/again", {
  federation: { enabled: true, peer_networks: [{ id: peer.id }], cross_anchor_threshold: 1 },
});
const HASH = digestOf("content");
const PROOF = "content.countersign.json";
const BUNDLE = `/v1/bundle/${HASH}`;
const SAVE = ["stamp", "--save", "content"];
const HEAD = { from: 2, size: 2, timestamp: 1_766_275_400 } as const;

/** A user with a file that a gateway has attested, and no pin. */
async function withFile(
  use: (client: Client, gateway: StubGateway, log: TestLog) => Promise<void>,
): Promise<void> {
  const log = new TestLog(network);
  log.addRound([HASH, digestOf("other")], { timestamp: 1_766_275_200 });
  await using gateway = new StubGateway(log, [2]);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.write("content", "content");
    await use(client, gateway, log);
  });
}

/** `bundle` with signatures of other keys. */
function forged(bundle: ProofBundle): ProofBundle {
  const log = new TestLog(new TestNetwork(network.id, { witnessIds: ["x", "y", "z"] }));
  log.addRound([HASH, digestOf("other")], { timestamp: 1_766_275_200 });
  return { ...bundle, signed_attestation: log.bundle(0).signed_attestation };
}

Deno.test("stamp --save without a pin replaces no proof that is in the log", () =>
  withFile(async (client, gateway, log) => {
    assert.equal((await client.run(SAVE)).code, 0);
    const saved = await client.read(PROOF);
    const worthless = forged(gateway.bundle(0));
    for (const external_anchors of [[], [log.externalAnchor(HEAD)]]) {
      gateway.lies.set(BUNDLE, () => Response.json({ ...worthless, external_anchors }));
      const { code, json } = await client.runJson(SAVE);
      assert.equal(code, 0);
      assert.equal(json.results[0].kept, external_anchors.length > 0 ? true : undefined);
      assert.equal(await client.read(PROOF), saved);
    }
    const { stdout } = await client.run(SAVE);
    assert.match(stdout, /^ {2}kept content\.\S+: .* cannot be verified without a pin$/m);
  }));

Deno.test("stamp --save without a pin completes a proof, and keeps its signatures", () =>
  withFile(async (client, gateway, log) => {
    const early = log.bundle(0);
    await client.write(PROOF, early);
    gateway.lies.set(BUNDLE, () => Response.json(forged(gateway.bundle(0))));
    const { code, json } = await client.runJson(SAVE);
    assert.deepEqual([code, json.results[0].kept], [0, undefined]);
    assert.deepEqual(JSON.parse(await client.read(PROOF)), gateway.bundle(0));
    await client.trust.savePin(network.configuration);
    assert.equal((await client.runJson(["verify", "content"])).json.level, "batched");
  }));

Deno.test("stamp --save with a pin does not replace cosignatures and anchors by worthless ones", () =>
  withFile(async (client, gateway, log) => {
    await client.trust.savePin(network.configuration);
    const notary = (status: string, token: string) => ({
      ...log.externalAnchor(HEAD),
      provider: "notary",
      status,
      proof: { token },
    });
    const good = {
      ...gateway.bundle(0),
      cross_anchors: [log.crossAnchor(peer, HEAD)],
      external_anchors: [notary("confirmed", "00")],
    };
    gateway.lies.set(BUNDLE, () => Response.json(good));
    assert.equal((await client.run(SAVE)).code, 0);
    const saved = await client.read(PROOF);
    const added = { ...notary("pending", "00"), provider: "other" };
    const worthless = log.crossAnchor(peer, { ...HEAD, places: [0] });
    for (const isPeerPinned of [false, true]) {
      if (isPeerPinned) await client.trust.savePin(peer.configuration);
      for (
        const lie of [
          { cross_anchors: [worthless], external_anchors: [...good.external_anchors, added] },
          { external_anchors: [notary("confirmed", "ff"), added] },
        ]
      ) {
        gateway.lies.set(BUNDLE, () => Response.json({ ...good, ...lie }));
        const { code, json } = await client.runJson(SAVE);
        assert.deepEqual([code, json.results[0].kept], [0, true]);
        assert.equal(await client.read(PROOF), saved);
      }
    }
    const more = { ...good, external_anchors: [...good.external_anchors, added] };
    gateway.lies.set(BUNDLE, () => Response.json(more));
    const { code, json } = await client.runJson(SAVE);
    assert.deepEqual([code, json.results[0].kept], [0, undefined]);
    assert.deepEqual(JSON.parse(await client.read(PROOF)), more);

    // A proof that the pin refuses has nothing to lose.
    await client.write(PROOF, { ...forged(more), cross_anchors: [], external_anchors: [added] });
    gateway.lies.clear();
    assert.equal((await client.runJson(SAVE)).json.results[0].kept, undefined);
    assert.deepEqual(JSON.parse(await client.read(PROOF)), gateway.bundle(0));
  }));

Deno.test("stamp --save asks once for the growth between two heads, and again if the gateway is busy", async () => {
  const names = Array.from({ length: 8 }, (_, i) => `file${i}`);
  const log = new TestLog(network);
  log.addRound(names.map(digestOf), { timestamp: 1_766_275_200 });
  await using gateway = new StubGateway(log, [4, 8]);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.trust.savePin(network.configuration);
    await client.trust.saveHead(gateway.sth(8));
    for (const name of names) await client.write(name, name);
    let asked = 0;
    const path = "/v1/log/consistency";
    gateway.lies.set(path, () => {
      asked++;
      if (asked === 1) return problem(429, "rate_limited", { "Retry-After": "0" });
      return Response.json(log.consistencyProof(gateway.sth(4), gateway.sth(8)));
    });
    for (let run = 1; run <= 2; run++) {
      const { code, json, stdout } = await client.runJson(["stamp", "--save", ...names]);
      assert.equal(code, 0, stdout);
      assert.equal(json.results.length, 8);
      // The first answer of all was a refusal.
      assert.equal(asked, run + 1);
    }
  });
});

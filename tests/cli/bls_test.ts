import assert from "node:assert/strict";
import { fingerprintOf } from "../../src/proof/format/trust_core.ts";
import { batchedBundle, makeLog, SEQUENCE, TestNetwork } from "../proof/verify/fixture.ts";
import { withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/together", { scheme: "bls" });
const log = makeLog(network);
const bundle = batchedBundle(log);
const signed = log.attestations[SEQUENCE]!;

Deno.test("a bls network can be shown, pinned and verified against", async () => {
  await using gateway = new StubGateway(log, [12]);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.write("good.json", signed);
    await client.write("bundle.json", bundle);
    const shown = await client.run(["network", "--pin", "--yes"]);
    assert.equal(shown.code, 0, shown.stderr);
    assert.ok(shown.stdout.includes(fingerprintOf(network.configuration)));
    const verified = await client.run(["verify", "good.json"]);
    assert.equal(verified.code, 0, verified.stderr);
    assert.equal(verified.stdout.split("\n")[0], "VALID");
    assert.match(verified.stdout, /^2 of 2 needed signatures \(/m);
    const proof = await client.run(["verify-proof", "--bundle", "bundle.json"]);
    assert.equal(proof.code, 0, proof.stderr);
    assert.match(proof.stdout, /^VALID \(Batched\)$/m);
  });
});

Deno.test("a changed aggregate, or one with another signer, is INVALID", async () => {
  await withClient(async (client) => {
    await client.write("network.json", network.configuration);
    const run = async (change: object) => {
      await client.write("changed.json", { ...signed, ...change });
      return await client.runJson(["verify", "changed.json", "--network-config", "network.json"]);
    };
    assert.equal((await run({})).json.valid, true);
    const stranger = `${network.id}/w9`;
    for (
      const [change, reason, witness] of [
        [network.signTogether("something else\n"), "signature_invalid", undefined],
        [{ signers: [`${network.id}/w1`, stranger] }, "signer_unknown", stranger],
        [{ signers: [`${network.id}/w1`, `${network.id}/w3`] }, "signature_invalid", undefined],
      ] as const
    ) {
      const { json } = await run(change);
      assert.deepEqual([json.valid, json.reason, json.witness], [false, reason, witness]);
      assert.equal(json.verified_signatures, 0);
    }
  });
});

Deno.test("a pin with an invalid proof of possession is refused", async () => {
  await withClient(async (client) => {
    const [first, ...rest] = network.configuration.witnesses;
    const proof_of_possession = rest[0]!.proof_of_possession!;
    const witnesses = [{ ...first!, proof_of_possession }, ...rest];
    await client.write("good.json", signed);
    await client.write("network.json", { ...network.configuration, witnesses });
    const refused = await client.runJson([
      "verify",
      "good.json",
      "--network-config",
      "network.json",
    ]);
    assert.equal(refused.code, 1);
    assert.equal(refused.json.error.code, "invalid_configuration");
  });
});

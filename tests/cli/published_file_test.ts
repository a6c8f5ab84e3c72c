import assert from "node:assert/strict";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { publicNetwork, publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { bls, eachScheme, nativeCrypto } from "../schemes.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";
import { type EpochLog, threeEpochs } from "../proof/verify/test_succession.ts";
import { assertFailed, withClient } from "./client_run.ts";

/** A proof of each epoch, without its succession. */
function proofsOf({ log, epochs }: EpochLog): ProofBundle[] {
  return epochs.map((network, epoch) => {
    const size = 8 * (epoch + 1);
    const sth = network.signHead(log.head(size, 1_766_276_000 + 1_000 * epoch));
    return log.bundle(size - 3, log.batchInclusion(size - 3, sth));
  });
}

eachScheme.test("proofs of every epoch verify with the published file of any epoch", async (scheme) => {
  const epochLog = threeEpochs(scheme, `published.example/${scheme}`);
  const { epochs, links } = epochLog;
  const proofs = proofsOf(epochLog);
  await withClient(async (client) => {
    for (const { configuration } of epochs) {
      const file = publicNetworkJson({ ...configuration, links });
      await client.write("network.json", file);
      const trust = { network: parseNetwork(file, bls), peers: [] };
      for (const proof of proofs) {
        assert.equal((await verifyBundle(nativeCrypto, trust, proof)).level, "batched");
        await client.write("proof.json", proof);
        const verify = ["verify-proof", "--bundle", "proof.json"];
        const { json, stdout } = await client.runJson([
          ...verify,
          "--network-config",
          "network.json",
        ]);
        assert.deepEqual([json.valid, json.level], [true, "batched"], stdout);
      }
    }
  });
});

Deno.test("a published file with a chain that does not lead to it is refused", async () => {
  const epochLog = threeEpochs();
  const { epochs, links } = epochLog;
  const other = threeEpochs("ed25519", "other.example").links;
  const damaged = structuredClone(links) as unknown as { end: { tree_size: number } }[];
  damaged[1]!.end.tree_size++;
  const present = publicNetwork(epochs[2].configuration);
  await withClient(async (client) => {
    await client.write("proof.json", proofsOf(epochLog)[2]);
    for (
      const [succession, code] of [
        [damaged, "invalid_configuration"],
        [links.slice(0, 1), "invalid_configuration"],
        [other, "invalid_configuration"],
        [[], "malformed_configuration"],
        [[{}], "malformed_configuration"],
        ["none", "malformed_configuration"],
      ] as const
    ) {
      await client.write("network.json", { ...present, succession });
      const verify = ["verify-proof", "--bundle", "proof.json", "--network-config"];
      assertFailed(await client.runJson([...verify, "network.json"]), code);
    }
  });
});

Deno.test("a proof of a network that is not pinned says so, whatever else is pinned", async () => {
  const epochLog = threeEpochs();
  const [first] = epochLog.epochs;
  const plain = proofsOf(epochLog)[0]!;
  const proofs = [plain, { ...plain, succession: epochLog.links }];
  const others = ["one.example", "two.example"].map((id) => new TestNetwork(id));
  await withClient(async (client) => {
    for (const pinned of [undefined, ...others]) {
      if (pinned !== undefined) await client.trust.savePin(pinned.configuration);
      for (const proof of proofs) {
        await client.write("proof.json", proof);
        const run = await client.runJson(["verify-proof", "--bundle", "proof.json"]);
        assertFailed(run, "configuration_missing");
        const { message } = run.json.error;
        assert.match(message, new RegExp(`network ${first.id} is not pinned .*network --pin`));
      }
    }
  });
});

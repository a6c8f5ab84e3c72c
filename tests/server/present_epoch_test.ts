import assert from "node:assert/strict";
import { join } from "node:path";
import type { GatewayRun } from "../../src/server/gateway/gateway_run.ts";
import type { GatewayStores } from "../../src/server/gateway/gateway_stores.ts";
import { presentRun } from "../../src/server/gateway/present_epoch.ts";
import type { TestNetwork } from "../proof/verify/test_network.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { nativeCrypto } from "../schemes.ts";
import { inFolder } from "./captured_io.ts";

function operatorText({ configuration: { federation: _, ...network } }: TestNetwork): string {
  const witnesses = network.witnesses.map(({ id, pubkey }, i) => ({
    id,
    pubkey,
    url: `https://w${i}.example/`,
    token: "token-of-at-least-24-characters",
  }));
  return JSON.stringify({ ...network, witnesses, log_key_file: "log.key" });
}

Deno.test("a gateway finds the present epoch after successor.json was renamed", () =>
  inFolder(async (folder) => {
    const { epochs: [zero, one, two], links: [link] } = threeEpochs();
    const networkFile = join(folder, "network.json");
    const run = {
      operator: { network: zero.configuration },
      crypto: nativeCrypto,
      options: {},
      paths: { networkFile },
      report: () => {},
    } as unknown as GatewayRun;
    const stores = { readLinks: () => Promise.resolve([link]) } as unknown as GatewayStores;
    const write = (name: string, network: TestNetwork) =>
      Deno.writeTextFile(join(folder, name), operatorText(network), { mode: 0o600 });
    const epoch = async () => (await presentRun(run, stores)).operator.network.epoch;
    await write("network.json", zero);
    await assert.rejects(epoch(), { code: "network_changed" });
    await write("successor.json", one);
    assert.equal(await epoch(), 1);
    await Deno.rename(join(folder, "successor.json"), networkFile);
    assert.equal(await epoch(), 1);
    // The next one is prepared.
    await write("successor.json", two);
    assert.equal(await epoch(), 1);
  }));

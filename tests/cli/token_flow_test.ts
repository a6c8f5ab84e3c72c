/**
 * From the folder of an issuer to a spent token: issuer, gateway and client as their users run them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inFolder } from "../server/captured_io.ts";
import { assertFailed, Client } from "./client_run.ts";
import { ServedNetwork } from "../server/served_network.ts";
import { withIssuer } from "./served_issuer.ts";

const NETWORK = "flow.example";

Deno.test("tokens are issued, fetched and spent", async () => {
  await inFolder(async (root) => {
    const network = await ServedNetwork.create(root, NETWORK);
    const client = new Client(root);
    let port = 0;
    for (let i = 0; i < 3; i++) await client.write(`file${i}`, `${i} of ${root}`);
    await withIssuer(root, async (issuerUrl, issuers) => {
      await network.configure({ admission: { mode: "token_required", issuers } });
      await network.serve(async ({ url, io }) => {
        client.gateway = url;
        port = Number(new URL(url).port);
        assertFailed(await client.runJson(["stamp", "file0"]), "tokens_missing");
        const fetched = await client.run(["token", "--count", "3", "--issuer", issuerUrl]);
        assert.equal(fetched.code, 0, fetched.stderr);
        assert.equal(await client.supply(NETWORK).count(), 3);
        const stamped = await client.run(["stamp", "--save", "file0", "file1"]);
        assert.equal(stamped.code, 0, stamped.stderr);
        assert.equal(await client.supply(NETWORK).count(), 1);
        const bundle = "file0.countersign.json";
        const config = ["--network-config", network.publicFile];
        const proof = ["verify-proof", "--bundle", bundle, "--file", "file0", ...config];
        assert.equal((await client.run(proof)).code, 0);
        assert.deepEqual(io.errLines, []);
      });
      // After a restart the gateway knows the spent tokens, and the last token is still valid.
      await network.serve(async ({ url }) => {
        client.gateway = url;
        assert.equal((await client.run(["stamp", "file0", "file1", "file2"])).code, 0);
        assert.equal(await client.supply(NETWORK).count(), 0);
      }, { port });
    });
  });
});

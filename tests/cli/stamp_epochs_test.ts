import assert from "node:assert/strict";
import { join } from "node:path";
import { textOf } from "../../src/base/bytes.ts";
import { coseReceiptOf } from "../../src/proof/format/cose_receipt.ts";
import { tlogProofOf } from "../../src/proof/format/tlog_proof.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { digestOf } from "../proof/verify/test_network.ts";
import { withReceiptSignature } from "../proof/verify/vectors/head_cases.ts";
import { withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

Deno.test("stamp follows the chain of a bundle, keeps it, and writes all formats with its keys", async () => {
  const { log, epochs: [zero, , two], links } = threeEpochs();
  await using gateway = new StubGateway(log, [24]);
  const early = zero.signHead(log.head(7, 1_766_275_990));
  const sth = withReceiptSignature(two.signHead(log.head(24, 1_766_279_000)), two.log);
  const bundle = { ...log.bundle(3, log.batchInclusion(3, sth)), succession: links };
  gateway.lies.set(`/v1/bundle/${digestOf("leaf 3")}`, () => Response.json(bundle));
  gateway.lies.set("/v1/log/consistency", () => Response.json(log.consistencyProof(early, sth)));
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.trust.savePin(zero.configuration);
    await client.trust.saveHead(early);
    await client.write("file", "leaf 3");
    const { code, json, stdout } = await client.runJson(["stamp", "--proofs", "all", "file"]);
    assert.equal(code, 0, stdout);
    assert.equal(json.results[0].others.length, 2);
    const read = (format: string) =>
      Deno.readFile(join(client.folder, `file.countersign.${format}`));
    assert.equal(textOf(await read("tlog-proof")), tlogProofOf(two.configuration, bundle));
    assert.deepEqual(await read("cose"), coseReceiptOf(two.configuration, bundle));
    assert.equal((await client.trust.pin(zero.id))!.epochs!.length, 3);
    assert.equal((await client.trust.head(zero.id))!.tree_head.tree_size, 24);
    const verified = await client.run(["verify", "file.countersign.tlog-proof"]);
    assert.equal(verified.code, 0, verified.stdout);
  });
});

/** `bundle --as tlog-proof` and `verify-proof --policy`, of saved proofs and at a gateway. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import { consistencyReceiptOf, coseReceiptOf } from "../../src/proof/format/cose_receipt.ts";
import { tlogProofOf } from "../../src/proof/format/tlog_proof.ts";
import { policyText } from "../../src/http/gateway/c2sp_routes.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { digestOf, TestNetwork } from "../proof/verify/test_network.ts";
import { withLogSignature, withReceiptSignature } from "../proof/verify/vectors/head_cases.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/home");
const log = new TestLog(network);
log.addRound(Array.from({ length: 9 }, (_, i) => digestOf(`content ${i}`)), {
  timestamp: 1_766_275_200,
});
const CONTENT = "content 4";
const HASH = digestOf(CONTENT);
const plain = log.bundle(4, log.batchInclusion(4, log.sth(9, 1_766_275_300)));
const inclusion = plain.batch_inclusion!;
const signed: ProofBundle = {
  ...plain,
  batch_inclusion: { ...inclusion, sth: withReceiptSignature(inclusion.sth, network.log) },
};
const receipt = coseReceiptOf(network.configuration, signed);
const proof = tlogProofOf(network.configuration, signed);

async function withFiles(use: (client: Client) => Promise<void>): Promise<void> {
  await withClient(async (client) => {
    await client.write("content.txt", CONTENT);
    await client.write("network.json", network.configuration);
    await client.write("policy.txt", policyText(network.configuration)!);
    await client.write("content.txt.countersign.json", signed);
    await client.write("p.tlog-proof", proof);
    await Deno.writeFile(join(client.folder, "p.cose"), receipt);
    await use(client);
  });
}

const CONFIGURED = ["--network-config", "network.json"];

Deno.test("bundle --as tlog-proof converts the saved proof of a file offline", () =>
  withFiles(async (client) => {
    const line = ["bundle", "--as", "tlog-proof", "content.txt", ...CONFIGURED];
    const { code, stdout } = await client.run(line);
    assert.deepEqual([code, `${stdout}\n`], [0, proof]);
    await client.write("content.txt", "other");
    assertFailed(await client.runJson(line), "proof_refused");
    await client.write("plain.json", plain);
    const unsigned = await client.runJson([
      "bundle",
      "--as",
      "tlog-proof",
      "plain.json",
      ...CONFIGURED,
    ]);
    assertFailed(unsigned, "proof_refused");
    await client.write("plain.json", { ...signed, batch_inclusion: null });
    const early = await client.runJson([
      "bundle",
      "--as",
      "tlog-proof",
      "plain.json",
      ...CONFIGURED,
    ]);
    assertFailed(early, "proof_refused");
    const wrong = withLogSignature(inclusion.sth, new TestNetwork("net.example/x").log);
    await client.write("plain.json", { ...plain, batch_inclusion: { ...inclusion, sth: wrong } });
    const forged = await client.runJson([
      "bundle",
      "--as",
      "tlog-proof",
      "plain.json",
      ...CONFIGURED,
    ]);
    assertFailed(forged, "proof_refused");
  }));

Deno.test("bundle asks the gateway for the log's signature where it is needed", () =>
  withFiles(async (client) => {
    await using gateway = new StubGateway(log, [9]);
    const path = `/v1/bundle/${HASH}`;
    gateway.lies.set(path, (_, { search }) => Response.json(search === "" ? plain : signed));
    client.gateway = gateway.url;
    assert.equal((await client.run(["bundle", HASH])).stdout, JSON.stringify(plain));
    const whole = await client.run(["bundle", "--log-signature", HASH]);
    assert.equal(whole.stdout, JSON.stringify(signed));
    const converted = await client.run(["bundle", "--as", "tlog-proof", HASH, ...CONFIGURED]);
    assert.equal(`${converted.stdout}\n`, proof);
    const withLog = `GET ${path}?log_signature=true`;
    assert.deepEqual(gateway.requests, [`GET ${path}`, withLog, withLog]);
  }));

Deno.test("verify-proof --policy verifies a tlog-proof from files alone", () =>
  withFiles(async (client) => {
    const line = ["verify-proof", "--policy", "policy.txt", "p.tlog-proof"];
    const verified = await client.run([...line, "--file", "content.txt"]);
    assert.deepEqual([verified.code, verified.isOffline], [0, true]);
    assert.match(verified.stdout, /^VALID\nlog: net\.example\/home\nentry: 4 of a tree of 9\n/);
    const { json } = await client.runJson([...line, "--hash", HASH.toUpperCase()]);
    assert.deepEqual([json.valid, json.hash, json.index, json.tree_size, json.cosigners.length], [
      true,
      HASH,
      4,
      9,
      2,
    ]);
    const other = await client.runJson([...line, "--hash", digestOf("content 5")]);
    assert.deepEqual([other.code, other.json.valid, other.json.reason], [
      1,
      false,
      "hash_mismatch",
    ]);
    const entry = Uint8Array.fromBase64(/^extra (.*)$/m.exec(proof)![1]!);
    await client.write("entry", new TextDecoder().decode(entry));
    await client.write("bare.tlog-proof", proof.replace(/^extra .*\n/m, ""));
    const bare = ["verify-proof", "--policy", "policy.txt", "bare.tlog-proof"];
    assert.equal((await client.run([...bare, "--entry", "entry"])).code, 0);
    const wrong = await client.runJson([...bare, "--entry", "content.txt"]);
    assert.deepEqual([wrong.code, wrong.json.reason], [1, "inclusion_invalid"]);
    assertFailed(await client.runJson(bare), "usage", 2);
    for (
      const more of [["--online"], CONFIGURED, ["--mirror", "m"], [
        "--entry",
        "entry",
        "--hash",
        HASH,
      ]]
    ) assertFailed(await client.runJson([...line, ...more]), "usage", 2);
    await client.write("policy.txt", "quorum nobody\n");
    assertFailed(await client.runJson(line), "invalid_configuration");
  }));

Deno.test("bundle --as cose-receipt converts the saved proof of a file offline", () =>
  withFiles(async (client) => {
    const line = ["bundle", "--as", "cose-receipt", "content.txt", ...CONFIGURED];
    assertFailed(await client.runJson(line), "usage", 2);
    assert.equal((await client.run([...line, "--out", "new.cose"])).code, 0);
    assert.deepEqual(await Deno.readFile(join(client.folder, "new.cose")), receipt);
    assertFailed(await client.runJson([...line, "--out", "new.cose"]), "file_failed");
    assertFailed(await client.runJson(["bundle", HASH, "--out", "x"]), "usage", 2);
    const text = ["bundle", "--as", "tlog-proof", "content.txt", "--out", "new.tlog-proof"];
    assert.equal((await client.run([...text, ...CONFIGURED])).code, 0);
    assert.equal(await client.read("new.tlog-proof"), proof);
    await client.write("plain.json", plain);
    const unsigned = ["bundle", "--as", "cose-receipt", "plain.json", "--out", "x", ...CONFIGURED];
    const { json } = await client.runJson([...unsigned, "--gateway", "http://127.0.0.1:1"]);
    assert.match(
      json.error.message,
      /: countersign upgrade --log-signature plain\.json --gateway /,
    );
  }));

Deno.test("verify-proof --policy verifies COSE receipts of inclusion and of consistency", () =>
  withFiles(async (client) => {
    await client.write("policy.txt", `log ${network.configuration.log_vkey}\nquorum none\n`);
    const line = ["verify-proof", "--policy", "policy.txt"];
    const verified = await client.run([...line, "p.cose", "--file", "content.txt"]);
    assert.deepEqual([verified.code, verified.isOffline], [0, true], verified.stderr);
    assert.match(verified.stdout, /^VALID\nlog: net\.example\/home\nentry: 4 of a tree of 9\n/);
    const other = await client.runJson([...line, "p.cose", "--hash", digestOf("content 5")]);
    assert.deepEqual([other.code, other.json.reason], [1, "hash_mismatch"]);
    const wrong = await client.runJson([...line, "p.cose", "--entry", "content.txt"]);
    assert.deepEqual([wrong.code, wrong.json.reason], [1, "log_signature_invalid"]);
    const flipped = receipt.slice();
    flipped[flipped.length - 1]! ^= 1;
    await Deno.writeFile(join(client.folder, "flipped.cose"), flipped);
    const forged = await client.runJson([...line, "flipped.cose"]);
    assert.deepEqual([forged.code, forged.json.reason], [1, "log_signature_invalid"]);

    const write = (name: string, bytes: Uint8Array) =>
      Deno.writeFile(join(client.folder, name), bytes);
    const growth = (first: number, second: number) =>
      consistencyReceiptOf(network.configuration, {
        sth: withReceiptSignature(log.sth(second, 1_766_275_400), network.log),
        first,
        path: log.consistencyPath(first, second),
      });
    log.addRound([digestOf("more"), digestOf("yet more")], { timestamp: 1_766_275_350 });
    await write("growth.cose", growth(9, 11));
    const grown = [...line, "growth.cose", "--since"];
    const { code, json } = await client.runJson([...grown, "p.cose"]);
    assert.deepEqual([code, json.valid, json.first, json.second], [0, true, 9, 11]);
    const unsound = await client.runJson([...grown, "flipped.cose"]);
    assert.deepEqual([unsound.code, unsound.json.reason], [1, "log_signature_invalid"]);
    await write("growth.cose", growth(8, 11));
    const elsewhere = await client.runJson([...grown, "p.cose"]);
    assert.deepEqual([elsewhere.code, elsewhere.json.reason], [1, "tree_size_mismatch"]);
    for (
      const more of [
        ["growth.cose"],
        ["growth.cose", "--since", "p.cose", "--entry", "content.txt"],
        ["growth.cose", "--since", "growth.cose"],
        ["p.cose", "--since", "p.cose"],
        ["p.tlog-proof", "--since", "p.cose"],
      ]
    ) assertFailed(await client.runJson([...line, ...more]), "usage", 2);
    const noPolicy = ["verify-proof", "--since", "p.cose", "growth.cose"];
    assertFailed(await client.runJson(noPolicy), "usage", 2);
    // A receipt has no cosignatures.
    await client.write("policy.txt", policyText(network.configuration)!);
    const strict = await client.runJson([...line, "p.cose"]);
    assert.deepEqual([strict.code, strict.json.reason], [1, "threshold_not_met"]);
    const { stdout } = await client.run([...line, "p.cose"]);
    assert.match(stdout, /verify it with a --policy FILE that has `quorum none`/);
    const tlogProof = await client.run([...line, "p.tlog-proof", "--hash", digestOf("content 5")]);
    assert.doesNotMatch(tlogProof.stdout, /quorum none/);
  }));

Deno.test("verify of an invalid proof of a log exits 1, with JSON 0; verify-proof exits 1 with both", () =>
  withFiles(async (client) => {
    await client.write("other.txt", "other");
    await client.write(
      "logs.txt",
      policyText(network.configuration)!.replace(/^quorum .*$/m, "quorum none"),
    );
    for (
      const [proof, policy] of [["p.tlog-proof", "policy.txt"], ["p.cose", "logs.txt"]] as const
    ) {
      const verify = ["verify", "other.txt", "--proof", proof, "--policy", policy];
      const verifyProof = ["verify-proof", proof, "--file", "other.txt", "--policy", policy];
      assert.equal((await client.run(verify)).code, 1);
      const { code, json } = await client.runJson(verify);
      assert.deepEqual([code, json.valid, json.reason], [0, false, "hash_mismatch"]);
      assert.equal((await client.run(verifyProof)).code, 1);
      assert.equal((await client.runJson(verifyProof)).code, 1);
    }
  }));

Deno.test("upgrade adds the log's signature to a saved proof, and keeps it", () =>
  withFiles(async (client) => {
    await client.write("content.txt.countersign.json", plain);
    await using gateway = new StubGateway(log, [9]);
    client.gateway = gateway.url;
    const path = `/v1/bundle/${HASH}`;
    gateway.lies.set(path, (_, { search }) => Response.json(search === "" ? plain : signed));
    const upgrade = async (...more: string[]) => {
      const { json } = await client.runJson(["upgrade", "content.txt", ...more, ...CONFIGURED]);
      const [{ status, parts }] = json.results;
      return [status, ...parts];
    };
    assert.deepEqual(await upgrade(), ["unchanged"]);
    const parts = ["the log's signature", "the log's receipt signature"];
    assert.deepEqual(await upgrade("--log-signature"), ["upgraded", ...parts]);
    assert.deepEqual(JSON.parse(await client.read("content.txt.countersign.json")), signed);
    assert.deepEqual(await upgrade(), ["unchanged"]);
    gateway.lies.set(path, () => Response.json(plain));
    assert.deepEqual(await upgrade(), ["kept", ...parts]);
  }));

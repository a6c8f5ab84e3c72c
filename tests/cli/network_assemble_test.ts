import assert from "node:assert/strict";
import { join } from "node:path";
import { parseOperatorNetwork } from "../../src/config/operator_network.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import { fingerprintOf } from "../../src/proof/format/trust_core.ts";
import { bls, SCHEMES } from "../schemes.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const OPERATORS = ["alice", "bob", "carol"];

/** What each operator sends: public keys with URLs. */
async function makeKeys(client: Client, scheme: string): Promise<string[]> {
  for (const [i, name] of OPERATORS.entries()) {
    await Deno.mkdir(join(client.folder, name));
    const { code, stdout } = await client.runJson([
      "keygen",
      `${name}.example/w1`,
      "--out",
      `${name}/witness.key`,
      "--scheme",
      scheme,
      "--url",
      `http://127.0.0.1:${9001 + i}`,
    ]);
    assert.equal(code, 0);
    await client.write(`${name}.json`, stdout);
  }
  return OPERATORS.map((name) => `${name}.json`);
}

for (const scheme of SCHEMES) {
  Deno.test(`network assemble makes a network of keys that it never sees (${scheme})`, async () => {
    await withClient(async (client) => {
      const keys = await makeKeys(client, scheme);
      const line = ["network", "assemble", "--id", "net.example/log", "--out", "net", ...keys];
      const { code, json } = await client.runJson(line);
      assert.equal(code, 0);
      const text = await client.read("net/network.json");
      const operator = parseOperatorNetwork(text, json.network_file, { bls });
      assert.equal(json.fingerprint, fingerprintOf(operator.network));
      assert.equal(operator.network.signature_scheme, scheme);
      assert.equal(operator.network.threshold, 2);
      assert.deepEqual(
        json.witness_files.map(({ id }: { id: string }) => id),
        OPERATORS.map((name) => `${name}.example/w1`),
      );
      for (const [i, { file }] of json.witness_files.entries()) {
        const node = parseWitnessNode(await Deno.readTextFile(file), file);
        const witness = operator.witnesses.find(({ id }) => id === node.id);
        assert.ok(witness?.kind === "remote");
        assert.equal(witness.token, node.token);
        assert.equal(witness.url, `http://127.0.0.1:${node.port}`);
        assert.equal(node.port, 9001 + i);
        const names = [];
        for await (const { name } of Deno.readDir(join(file, ".."))) names.push(name);
        assert.deepEqual(names, ["witness.json"]);
        await Deno.copyFile(file, join(client.folder, OPERATORS[i]!, "witness.json"));
      }
      const files = OPERATORS.map((name) => `${name}/witness.json`);
      const checked = await client.run(["config", "check", "net/network.json", ...files]);
      assert.equal(checked.code, 0, checked.stdout);
    });
  });
}

Deno.test("init and network assemble make ML-DSA-44 keys, and config check compares them", async () => {
  await withClient(async (client) => {
    const check = async (folder: string, ...files: string[]) =>
      await client.run(["config", "check", `${folder}/network.json`, ...files]);
    const init = ["init", "--witnesses", "2", "--threshold", "2", "--ml-dsa", "--out", "made"];
    assert.equal((await client.run(init)).code, 0);
    const made = await check("made", "made/witness-1/witness.json", "made/witness-2/witness.json");
    assert.equal(made.code, 0, made.stdout);

    const keys = await makeKeys(client, "ed25519");
    const further = async (out: string) =>
      await client.runJson([
        "keygen",
        "alice.example/w1",
        "--scheme",
        "ml-dsa-44",
        "--out",
        `alice/${out}`,
      ]);
    const { json: { ml_dsa_vkey } } = await further("ml-dsa.key");
    await client.write("alice.json", {
      ...JSON.parse(await client.read("alice.json")),
      ml_dsa_vkey,
    });
    const line = ["network", "assemble", "--ml-dsa", "--out", "net", ...keys];
    assert.equal((await client.run(line)).code, 0);
    const { witnesses, log_ml_dsa_vkey } = JSON.parse(await client.read("net/network.public.json"));
    assert.deepEqual(
      witnesses.map((witness: { ml_dsa_vkey?: string }) => witness.ml_dsa_vkey),
      [ml_dsa_vkey, undefined, undefined],
    );
    assert.ok(log_ml_dsa_vkey);
    const from = join(client.folder, "net/witness-1/witness.json");
    await Deno.copyFile(from, join(client.folder, "alice/witness.json"));
    const checked = await check("net", "alice/witness.json");
    assert.equal(checked.code, 0, checked.stdout);
    // Another key than the one that alice handed over, and none.
    await further("other.key");
    const node = JSON.parse(await client.read("alice/witness.json"));
    for (const ml_dsa_key_file of ["other.key", undefined]) {
      await client.write("alice/witness.json", { ...node, ml_dsa_key_file });
      const { code, stdout } = await check("net", "alice/witness.json");
      assert.equal(code, 1);
      assert.match(stdout, /ML-DSA-44 key/);
    }
  });
});

Deno.test("network assemble refuses keys that cannot form a network, and writes nothing", async () => {
  await withClient(async (client) => {
    const keys = await makeKeys(client, "ed25519");
    const { url: _, ...silent } = JSON.parse(await client.read("bob.json"));
    await client.write("silent.json", silent);
    await client.write("far.json", { ...silent, url: "http://far.example" });
    await client.write("wrong.json", { ...silent, url: "https://far.example", pubkey: "00" });
    for (
      const [args, code] of [
        [["alice.json", "silent.json"], "invalid_configuration"],
        [["alice.json", "far.json"], "usage"],
        [["alice.json", "wrong.json"], "invalid_key"],
        [["alice.json", "alice.json"], "invalid_configuration"],
        [[...keys, "--threshold", "1"], "invalid_configuration"],
        [["alice/witness.key"], "malformed_configuration"],
      ] as const
    ) {
      const refused = await client.runJson(["network", "assemble", "--out", "net", ...args]);
      assertFailed(refused, code, code === "usage" ? 2 : 1);
      await assert.rejects(() => Deno.stat(join(client.folder, "net")));
    }
    const far = ["network", "assemble", "--out", "net", "alice.json", "far.json", "--insecure"];
    assert.equal((await client.run(far)).code, 0);
    const node = JSON.parse(await client.read("net/witness-2/witness.json"));
    assert.equal(node.port, 8091);
  });
});

import assert from "node:assert/strict";
import { parseSuccession } from "../../src/proof/format/succession.ts";
import { verifySuccession } from "../../src/proof/verify/succession_link.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { eachScheme, nativeCrypto } from "../schemes.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const ID = "ceremony.example/log";

/** Keys of five witnesses and two logs, and the configurations of two epochs. */
async function prepare(client: Client, scheme: string): Promise<void> {
  const made = async (name: string, kind: string) => {
    const id = kind === "log" ? ID : `${ID}/${name}`;
    const options = kind === "log" ? [] : ["--scheme", scheme];
    const { json } = await client.runJson([
      "keygen",
      id,
      "--kind",
      kind,
      "--out",
      `${name}.key`,
      ...options,
    ]);
    const { pubkey, proof_of_possession, vkey } = json;
    return kind === "log"
      ? vkey
      : { id, pubkey, ...(proof_of_possession && { proof_of_possession }) };
  };
  const [a, b, c, d, e] = await Promise.all(
    ["a", "b", "c", "d", "e"].map((name) => made(name, "witness")),
  );
  const [first, second] = await Promise.all(["log1", "log2"].map((name) => made(name, "log")));
  const common = { id: ID, signature_scheme: scheme };
  await client.write("now.json", {
    ...common,
    threshold: 2,
    log_vkey: first,
    witnesses: [a, b, c],
  });
  await client.write("next.json", {
    ...common,
    epoch: 1,
    threshold: 2,
    log_vkey: second,
    witnesses: [b, d, e],
  });
  await client.write("other.json", {
    ...common,
    threshold: 2,
    log_vkey: first,
    witnesses: [a, b, d],
  });
}

const PROPOSE = ["succession", "propose", "--from", "now.json", "--size", "5"];
const SIGN = ["--network-config", "now.json", "--yes"];

eachScheme.test("operators exchange files until the succession is finished", async (scheme) => {
  await withClient(async (client) => {
    await prepare(client, scheme);
    const proposed = await client.run([...PROPOSE, "--to", "next.json", "--out", "p.json"]);
    assert.equal(proposed.code, 0, proposed.stderr);
    assert.match(proposed.stdout, /from epoch 0 to 1/);
    assert.match(proposed.stdout, /witness \S+\/a\s+[0-9a-f]{16}\s+leaves/);
    assert.match(proposed.stdout, /witness \S+\/b\s+[0-9a-f]{16}\s+stays/);
    assert.match(proposed.stdout, /witness \S+\/d\s+-\s+joins/);
    assertFailed(
      await client.runJson([...PROPOSE, "--to", "next.json", "--out", "p.json"]),
      "file_failed",
    );

    const blank = await client.read("p.json");
    await client.write("copy.json", blank);
    const sign = (file: string, key: string) =>
      client.runJson(["succession", "sign", file, "--key", `${key}.key`, ...SIGN]);
    assert.deepEqual((await sign("p.json", "b")).json.signed_as, [
      "a present witness",
      "a next witness",
    ]);
    assert.equal((await sign("p.json", "d")).code, 0);
    assert.equal((await sign("p.json", "log1")).code, 0);
    assert.deepEqual((await sign("copy.json", "log2")).json.signed_as, ["the next log"]);
    assert.equal((await sign("copy.json", "e")).code, 0);

    const finish = ["succession", "finish", "p.json", "copy.json", "--out", "done.json"];
    const early = await client.runJson(finish);
    assert.equal(early.code, 1);
    assert.deepEqual(early.json.missing, {
      predecessor: 1,
      successor: [],
      log: false,
      successor_log: false,
    });
    const unpinned = await client.run(finish);
    assert.match(unpinned.stdout, /^Not finished\. To sign: 1 more of the present witnesses$/m);
    assert.equal(unpinned.stderr.match(/is not pinned/g)?.length, 1);
    const known = await client.run([...finish, "--network-config", "now.json"]);
    assert.doesNotMatch(known.stderr, /is not pinned/);
    assert.equal((await sign("copy.json", "c")).code, 0);
    const finished = await client.runJson(finish);
    assert.equal(finished.json.complete, true, finished.stdout);
    const document = parseSuccession(await client.read("done.json"));
    assert.equal(await verifySuccession(nativeCrypto, document), undefined);
    const shown = await client.run(["succession", "show", "done.json"]);
    assert.match(shown.stdout, /signed by the next witnesses: \S+b, \S+d, \S+e\n/);
    assert.match(shown.stderr, /is not pinned/);
  });
});

Deno.test("successionLines() names a key that moves to another witness, or from the log to a witness", async () => {
  await withClient(async (client) => {
    await prepare(client, "ed25519");
    const read = async (file: string) => JSON.parse(await client.read(file));
    const [now, next] = [await read("now.json"), await read("next.json")];
    const { publicKey } = parseVkey(now.log_vkey);
    const [, , e] = next.witnesses;
    await client.write("next.json", {
      ...next,
      witnesses: [
        { ...next.witnesses[0], pubkey: now.witnesses[0].pubkey },
        { ...next.witnesses[1], pubkey: publicKey.toHex() },
        e,
      ],
    });
    const table = await client.run([...PROPOSE, "--to", "next.json", "--out", "p.json"]);
    const row = (name: string) =>
      table.stdout.split("\n").find((line) => line.startsWith(`witness ${ID}/${name} `));
    assert.match(row("b")!, / new key, with the key of \S+\/a: [0-9a-f]{16}$/);
    assert.match(row("d")!, / joins, with the key of the log: [0-9a-f]{16}$/);
    assert.match(row("e")!, / joins [0-9a-f]{16}$/);
  });
});

Deno.test("each step checks the one before", async () => {
  await withClient(async (client) => {
    await prepare(client, "ed25519");
    const freeze = [...PROPOSE, "--freeze", "--out", "freeze.json"];
    assert.equal((await client.runJson(freeze)).json.successor, null);
    for (const wrong of [["--to", "other.json"], ["--to", "now.json"]]) {
      const run = await client.runJson([...PROPOSE, ...wrong, "--out", "wrong.json"]);
      assertFailed(run, "invalid_configuration");
      assert.match(run.json.error.message, /"epoch": 1/);
    }
    assertFailed(await client.runJson([...PROPOSE, "--out", "wrong.json"]), "usage", 2);
    await client.runJson([...PROPOSE, "--to", "next.json", "--out", "p.json"]);
    await client.runJson([...PROPOSE, "--to", "next.json", "--out", "q.json"]);
    const sign = (file: string, key: string, options = SIGN) =>
      client.runJson(["succession", "sign", file, "--key", `${key}.key`, ...options]);
    assertFailed(
      await sign("p.json", "b", ["--network-config", "other.json", "--yes"]),
      "invalid_configuration",
    );
    assert.equal((await client.runJson(["network", "--pin", "other.json"])).code, 0);
    assertFailed(await sign("p.json", "b", ["--yes"]), "pin_differs");
    assert.equal((await client.runJson(["network", "--unpin", ID])).code, 0);
    assertFailed(await sign("p.json", "b", SIGN.slice(0, 2)), "usage", 2);
    client.answers = ["n"];
    const declined = await sign("p.json", "b", SIGN.slice(0, 2));
    assert.deepEqual([declined.code, declined.json.signed_as], [1, []]);
    client.answers = undefined;
    assertFailed(await sign("freeze.json", "d"), "invalid_key");
    assert.equal((await sign("p.json", "b")).code, 0);

    const document = JSON.parse(await client.read("p.json"));
    const other = JSON.parse(await client.read("q.json"));
    await client.write("q.json", { ...other, signatures: document.signatures });
    assertFailed(await sign("q.json", "a"), "invalid_configuration");
    await client.write("q.json", other);
    assertFailed(
      await client.runJson(["succession", "finish", "p.json", "q.json", "--out", "done.json"]),
      "invalid_configuration",
    );
    await client.write("p.json", { ...document, tree_size: 6 });
    assertFailed(await client.runJson(["succession", "show", "p.json"]), "invalid_configuration");
  });
});

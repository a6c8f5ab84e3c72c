import assert from "node:assert/strict";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { encodeChecksums } from "../../src/proof/format/checksum_list.ts";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

const network = new TestNetwork("net.example/replaced");
const listOf = (...names: readonly string[]) =>
  encodeChecksums(names.map((name) => ({ name, hash: digestOf(name) })));
const CONTENTS = {
  list: listOf("one", "two"),
  nested: listOf("one"),
  outer: listOf("sub/one"),
  changed: "changed",
} as const;

/** Writes a file with its proof into the folder `files`. */
type Save = (name: string, content: keyof typeof CONTENTS) => Promise<void>;

/** A user with the files `one` and `two`, whose content is their name, and their list. */
async function withList(use: (client: Client, save: Save) => Promise<void>): Promise<void> {
  const log = new TestLog(network);
  log.addRound(Object.values(CONTENTS).map(digestOf), { timestamp: 1_766_275_200 });
  const sth = log.sth(4, 1_766_275_300);
  await withClient(async (client) => {
    await client.trust.savePin(network.configuration);
    await mkdir(join(client.folder, "files/sub"), { recursive: true });
    for (const name of ["one", "two"]) await client.write(`files/${name}`, name);
    const save: Save = async (name, content) => {
      const sequence = Object.keys(CONTENTS).indexOf(content);
      const bundle = log.bundle(sequence, log.batchInclusion(sequence, sth));
      await client.write(`files/${name}`, CONTENTS[content]);
      await client.write(`files/${name}.countersign.json`, bundle);
    };
    await save("SHA256SUMS", "list");
    await use(client, save);
  });
}

Deno.test("verify of a folder blames the list of a file that was replaced with its proof", () =>
  withList(async (client, save) => {
    assert.equal((await client.run(["verify", "files"])).code, 0);
    await save("one", "changed");
    for (const names of [["files"], ["files/SHA256SUMS", "files/one", "files/two"]]) {
      const { code, stdout } = await client.run(["verify", ...names]);
      assert.equal(code, 1, stdout);
      assert.match(
        stdout,
        /^INVALID {3}files\/SHA256SUMS: .*; of its 2 files, 1 changed \(files\/one\)$/m,
      );
      assert.match(stdout, /^VALID {5}files\/one existed by/m);
      assert.match(stdout, /^2 of 3 files are proved; 1 invalid$/m);
      const { json } = await client.runJson(["verify", ...names]);
      assert.equal(json.valid, false);
      assert.deepEqual(json.counts, { valid: 2, invalid: 1, unproved: 0, missing: 0, failed: 0 });
    }
    assert.equal((await client.run(["verify", "files/SHA256SUMS"])).code, 1);

    // If the changed file has no proof of its own, its line is INVALID, and that of the list is not.
    await rm(join(client.folder, "files/one.countersign.json"));
    const { code, stdout } = await client.run(["verify", "files"]);
    assert.equal(code, 1);
    assert.match(stdout, /^INVALID {3}files\/one: files\/one has changed: /m);
    assert.match(stdout, /^VALID {5}files\/SHA256SUMS .*; of its 2 files, 1 changed /m);
    assert.match(stdout, /^2 of 3 files are proved; 1 invalid$/m);
  }));

Deno.test("verify of a folder blames the outer list for a file that a nearer list proves", () =>
  withList(async (client, save) => {
    await save("SHA256SUMS", "outer");
    for (const name of ["one", "two"]) await rm(join(client.folder, "files", name));
    await client.write("files/sub/one", "sub/one");
    assert.equal((await client.run(["verify", "files"])).code, 0);
    await client.write("files/sub/one", "one");
    await save("sub/SHA256SUMS", "nested");
    const { code, stdout } = await client.run(["verify", "files"]);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /^INVALID {3}files\/SHA256SUMS: .*; of its 1 file, 1 changed /m);
    assert.match(stdout, /^VALID {5}files\/sub\/one is listed in files\/sub\/SHA256SUMS/m);
    assert.match(stdout, /^2 of 3 files are proved; 1 invalid$/m);
  }));

Deno.test("verify --manifest proves no file that the list does not list, whatever its own proof", () =>
  withList(async (client, save) => {
    const list = ["verify", "--manifest", "files/SHA256SUMS"];
    await save("evil", "changed");
    for (const name of ["files/evil", "files/evil.countersign.json", "-"]) {
      const proof = await client.read("files/evil.countersign.json");
      const alone = await client.runJson([...list, name], proof);
      assertFailed(alone, "malformed_bundle");
      assert.match(alone.json.error.message, /: files\/SHA256SUMS does not list it \(/);
    }
    for (const names of [["files"], ["files/one", "files/evil"]]) {
      const { code, stdout } = await client.run([...list, ...names]);
      assert.equal(code, 1);
      assert.match(stdout, /^NO PROOF {2}files\/evil: files\/SHA256SUMS does not list it$/m);
      assert.match(stdout, /^VALID {5}files\/one is listed in /m);
    }
    // The list is proved by its own proof.
    for (const name of ["files/SHA256SUMS", "files/SHA256SUMS.countersign.json"]) {
      const { code, stdout } = await client.run([...list, name]);
      assert.equal(code, 0);
      assert.match(stdout, /^VALID \(Batched\): files\/SHA256SUMS and the 2 files that it lists$/m);
    }
    assert.equal((await client.run(["verify", "files/evil"])).code, 0);
  }));

Deno.test("verify of a folder reads no device that a list names, also if it has a proof", () =>
  withList(async (client, save) => {
    await save("one", "changed");
    await rm(join(client.folder, "files/one"));
    await symlink("/dev/zero", join(client.folder, "files/one"));
    const { code, stdout } = await client.run(["verify", "files"]);
    assert.equal(code, 1);
    assert.match(stdout, /^FAILED {4}files\/one: .*it is not a regular file$/m);
  }));

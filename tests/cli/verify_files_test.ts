import assert from "node:assert/strict";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { encodeChecksums } from "../../src/format/checksum_list.ts";
import { digestOf, TestLog, TestNetwork } from "../verify/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/files");
const CONTENTS = ["one", "two", "three"] as const;
const LIST = encodeChecksums([
  { name: "listed.txt", hash: digestOf("listed") },
  { name: "deep/down.txt", hash: digestOf("down") },
]);
const log = new TestLog(network);
log.addRound([...CONTENTS, LIST].map(digestOf), { timestamp: 1_766_275_200 });
const sth = log.sth(4, 1_766_275_300);
const bundleOf = (sequence: number) => log.bundle(sequence, log.batchInclusion(sequence, sth));

/** A user with the network pinned, and `one` to `three` with their proofs. */
async function withProofs(use: (client: Client) => Promise<void>): Promise<void> {
  await withClient(async (client) => {
    await client.trust.savePin(network.configuration);
    await mkdir(join(client.folder, "files"));
    for (const [i, content] of CONTENTS.entries()) {
      await client.write(`files/${content}`, content);
      await client.write(`files/${content}.countersign.json`, bundleOf(i));
    }
    await use(client);
  });
}

const SENTENCE = "existed by 2025-12-21 00:00:00 UTC, signed by 2 of 3 witnesses of " +
  "net.example/files, in its log";

Deno.test("verify and verify-proof find the proof of a file, and say what it proves", async () => {
  await withProofs(async (client) => {
    for (const command of ["verify", "verify-proof"]) {
      for (const name of ["files/one", "files/one.countersign.json"]) {
        const { code, stdout, isOffline } = await client.run([command, name]);
        assert.deepEqual([code, isOffline], [0, true]);
        const lines = stdout.split("\n");
        assert.deepEqual(lines.slice(0, 2), ["VALID (Batched)", `files/one ${SENTENCE}`]);
        assert.ok(lines.includes("proof: files/one.countersign.json"));
      }
      const { json } = await client.runJson([command, "files/one"]);
      assert.equal(json.statement, `files/one ${SENTENCE}`);
      assert.equal(json.content.matches, true);
    }
    assert.equal((await client.trust.head(network.id))?.tree_head.tree_size, 4);
  });
});

Deno.test("a proof without its file is verified alone", async () => {
  await withProofs(async (client) => {
    await rm(join(client.folder, "files/one"));
    const { code, stdout } = await client.run(["verify", "files/one.countersign.json"]);
    assert.equal(code, 0);
    assert.match(stdout, /^The content with SHA-256 7692c3ad3540bb80… existed by/m);
    assertFailed(await client.runJson(["verify", "files/one"]), "file_failed");
  });
});

Deno.test("a genuine proof of another file is named as such, without times or contradictions", async () => {
  await withProofs(async (client) => {
    await client.write("files/one", "changed");
    for (const command of ["verify", "verify-proof"]) {
      const { code, stdout } = await client.run([command, "files/one"]);
      assert.equal(code, 1);
      const lines = stdout.split("\n");
      assert.equal(lines[0], "INVALID");
      assert.match(lines[1]!, /^The proof is genuine but belongs to another file: files\/one/);
      assert.doesNotMatch(stdout, /20\d\d-|VALID \(|existed|: verified|has this hash/);
      assert.ok(lines.includes(`hash of files/one: ${digestOf("changed")}`));
      assert.ok(lines.includes(`hash in the proof: ${digestOf("one")}`));
    }
    const { code, json } = await client.runJson(["verify", "files/one"]);
    assert.deepEqual([code, json.valid, json.level], [0, false, "invalid"]);
    assert.deepEqual(json.time.not_after, []);
  });
});

Deno.test("a forged or damaged proof, and one of another network, are not called genuine", async () => {
  await withProofs(async (client) => {
    const { signed_attestation: signed, ...rest } = bundleOf(0);
    const attestation = { ...signed.attestation, hash: digestOf("forged") };
    await client.write("forged", "forged");
    await client.write("forged.countersign.json", {
      signed_attestation: { ...signed, attestation },
      ...rest,
    });
    const forged = await client.run(["verify", "forged"]);
    assert.equal(forged.code, 1);
    assert.match(forged.stdout, /^INVALID\nThe proof of forged is not valid: /);
    assert.doesNotMatch(forged.stdout, /genuine|20\d\d-/);

    const whole = await client.read("files/one.countersign.json");
    await client.write("files/one.countersign.json", whole.slice(0, -20));
    assertFailed(await client.runJson(["verify", "files/one"]), "malformed_bundle");

    const other = new TestLog(new TestNetwork("net.example/elsewhere"));
    other.addRound([digestOf("two")], { timestamp: 1_766_275_200 });
    await client.write("files/two.countersign.json", other.bundle(0));
    const foreign = await client.run(["verify", "files/two"]);
    assert.equal(foreign.code, 1);
    assert.match(foreign.stderr, /network net\.example\/elsewhere is not pinned .*network --pin/);
  });
});

Deno.test("a file without a proof says how to make one", async () => {
  await withProofs(async (client) => {
    await client.write("new.txt", "new");
    await client.write("package.json", { name: "package" });
    await client.write("empty", "");
    for (const name of ["new.txt", "package.json", "empty"]) {
      const { code, stderr } = await client.run(["verify", name]);
      assert.equal(code, 1);
      assert.match(stderr, /no proof is saved beside it.*countersign stamp --save/s);
    }
    assert.match((await client.run(["verify", "nowhere"])).stderr, /there is no such file/);
  });
});

Deno.test("verify of a folder has a line for each file and fails if one is not proved", async () => {
  await withProofs(async (client) => {
    await client.write("files/.hidden", "hidden");
    await symlink("/dev/zero", join(client.folder, "files/link"));
    const whole = await client.run(["verify", "files"]);
    assert.equal(whole.code, 0);
    const lines = whole.stdout.split("\n");
    assert.deepEqual(
      lines.slice(0, 4),
      [
        ...["one", "three", "two"].map((name) => `VALID     files/${name} ${SENTENCE}`),
        "3 of 3 files are proved",
      ],
    );
    assert.match(whole.stderr, /Skipped in files: 1 hidden .*, 1 symbolic link/);

    await client.write("files/one", "changed");
    await client.write("files/new", "new");
    await rm(join(client.folder, "files/two"));
    await client.write("files/three.countersign.json", "{");
    const { code, json } = await client.runJson(["verify", "files"]);
    assert.equal(code, 1);
    assert.equal(json.valid, false);
    assert.deepEqual(json.counts, { valid: 0, invalid: 1, unproved: 1, missing: 1, failed: 1 });
    const statuses = json.results.map(({ file, status }: Record<string, string>) =>
      `${file} ${status}`
    );
    assert.deepEqual(statuses.toSorted(), [
      "files/new unproved",
      "files/one invalid",
      "files/three failed",
      "files/two missing",
    ]);
    const { stdout } = await client.run(["verify", "--hidden", "files"]);
    assert.match(stdout, /NO PROOF {2}files\/\.hidden/);
  });
});

Deno.test("several files are verified one by one; an empty folder is an error", async () => {
  await withProofs(async (client) => {
    const { code, stdout } = await client.run(["verify", "files/one", "nowhere", "files/two"]);
    assert.equal(code, 1);
    assert.deepEqual(stdout.split("\n").slice(1, 4).map((line) => line.slice(0, 20)), [
      "MISSING   nowhere: t",
      "VALID     files/two ",
      "2 of 3 files are pro",
    ]);
    await mkdir(join(client.folder, "empty"));
    assertFailed(await client.runJson(["verify", "empty"]), "file_failed");
  });
});

Deno.test("the proof of a checksum list proves the files that it lists", async () => {
  await withProofs(async (client) => {
    await mkdir(join(client.folder, "release/deep"), { recursive: true });
    await client.write("release/SHA256SUMS", LIST);
    await client.write("release/SHA256SUMS.countersign.json", bundleOf(3));
    await client.write("release/listed.txt", "listed");
    await client.write("release/deep/down.txt", "down");
    const listed =
      /^release\/deep\/down\.txt existed by [^:]*:00:00 UTC: it is listed in .*SHA256SUMS, signed by 2/m;
    for (const list of [[], ["--manifest", "release/SHA256SUMS"]]) {
      const { code, stdout } = await client.run(["verify", "release/deep/down.txt", ...list]);
      assert.equal(code, 0);
      assert.match(stdout, listed);
    }
    const whole = await client.run(["verify", "release"]);
    assert.equal(whole.code, 0);
    assert.match(whole.stdout, /^3 of 3 files are proved$/m);

    await client.write("release/deep/down.txt", "changed");
    const changed = await client.run(["verify", "release/deep/down.txt"]);
    assert.equal(changed.code, 1);
    assert.match(changed.stdout, /^INVALID\nrelease\/deep\/down\.txt has changed: /);
    assert.doesNotMatch(changed.stdout, /20\d\d-/);
    await rm(join(client.folder, "release/listed.txt"));
    await client.write("release/extra.txt", "extra");
    const { json } = await client.runJson(["verify", "release"]);
    assert.deepEqual(json.counts, { valid: 1, invalid: 1, unproved: 1, missing: 1, failed: 0 });

    // A list that is not the attested one proves nothing.
    await client.write("release/SHA256SUMS", `${LIST}${digestOf("extra")}  extra.txt\n`);
    const forged = await client.run(["verify", "release/extra.txt"]);
    assert.equal(forged.code, 1);
    assert.match(forged.stdout, /genuine but belongs to another file: .*SHA256SUMS has changed/);
  });
});

Deno.test("several files say that the gateway was trusted for the configuration", async () => {
  await using gateway = new StubGateway(log, [4]);
  await withProofs(async (client) => {
    await client.trust.unpin(network.id);
    client.gateway = gateway.url;
    gateway.lies.set("/v1/network", () => Response.json(network.configuration));
    const { code, stdout } = await client.run(["verify", "--online", "files"]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^configuration of \S+: fetched from .*the gateway was trusted for it; epoch 0, not followed further$/m,
    );
    const { json } = await client.runJson(["verify", "--online", "files/one", "files/two"]);
    for (const { configuration } of json.results) assert.equal(configuration.gateway_trusted, true);
    const gateways = ["--gateway", "http://127.0.0.1:9", "--gateway", gateway.url];
    const one = await client.runJson(["verify", "--online", "files/one", ...gateways]);
    assert.equal(one.json.configuration.gateway, `${gateway.url}/`);
  });
});

Deno.test("a proof that is named by a hash has to be about that hash", async () => {
  await withProofs(async (client) => {
    await mkdir(join(client.folder, "hashes"));
    const nameOf = (content: string) => `hashes/${digestOf(content)}.countersign.json`;
    await client.write(nameOf("one"), bundleOf(0));
    await client.write(nameOf("other"), bundleOf(1));
    await client.write(`hashes/${digestOf("three").toUpperCase()}.countersign.json`, bundleOf(2));
    const { code, stdout, json } = await client.runJson(["verify", "hashes"]);
    assert.equal(code, 1, stdout);
    assert.deepEqual(json.counts, { valid: 2, invalid: 1, unproved: 0, missing: 0, failed: 0 });
  });
});

Deno.test("a named list goes before the proof of a replaced file; two digests of a file are refused", async () => {
  await withProofs(async (client) => {
    const list = encodeChecksums([{ name: "one", hash: digestOf("as released") }]);
    await client.write("files/SUMS", list);
    await client.write("files/SUMS.countersign.json", bundleOf(0));
    const { stdout } = await client.run(["verify", "--manifest", "files/SUMS", "files/one"]);
    assert.match(stdout, /^INVALID$/m);
    await client.write("files/SUMS", `${list}${digestOf("one")}  ./one\n`);
    const twice = await client.runJson(["verify", "--manifest", "files/SUMS", "files/one"]);
    assertFailed(twice, "malformed_text");
  });
});

Deno.test("a proof on standard input is read whatever lies in the folder", async () => {
  await withProofs(async (client) => {
    await client.write("-.countersign.json", bundleOf(1));
    const { json } = await client.runJson(["verify", "-"], JSON.stringify(bundleOf(0)));
    assert.equal(json.hash, digestOf("one"));
  });
});

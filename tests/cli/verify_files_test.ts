import assert from "node:assert/strict";
import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { encodeChecksums } from "../../src/proof/format/checksum_list.ts";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";
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

const SENTENCE = "existed by 2025-12-21 00:00:00 UTC; 2 of 3 witnesses of net.example/files " +
  "signed it, and it is in their log";

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

Deno.test("verify-proof --file takes a proof that is itself stamped", async () => {
  await withProofs(async (client) => {
    const proof = await client.read("files/one.countersign.json");
    const later = new TestLog(network);
    later.addRound([digestOf(proof)], { timestamp: 1_766_275_400 });
    await client.write("files/one.countersign.json.countersign.json", later.bundle(0));
    const line = ["verify-proof", "files/one.countersign.json", "--file"];
    const { code, json } = await client.runJson([...line, "files/one"]);
    assert.deepEqual([code, json.statement], [0, `files/one ${SENTENCE}`]);
    assert.equal((await client.run([...line, "files/two"])).code, 1);
  });
});

Deno.test("a named configuration is enough: no home folder is needed, and a damaged head is named", async () => {
  await withProofs(async (client) => {
    await client.write("network.json", network.configuration);
    const configured = ["--network-config", "network.json"];
    const lines = [["verify", "files/one"], ["verify-proof", "files/one"], ["verify", "files"]];
    client.hasHome = false;
    for (const line of lines) {
      const { code, stderr } = await client.run([...line, ...configured]);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /Tree head not remembered: .*set COUNTERSIGN_HOME or HOME$/m);
    }
    assertFailed(await client.runJson(lines[0]!), "configuration_missing");
    client.hasHome = true;
    assert.equal((await client.run(lines[0]!)).code, 0);
    await client.write("home/heads/net.example%2ffiles.json", "");
    for (const line of lines) {
      const { code, stderr } = await client.run(line);
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /not remembered: The remembered tree head of net\.example\/files is damaged .*delete ".*home\/heads\//,
      );
    }
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
    assert.match(
      forged.stdout,
      /^INVALID\nThe proof does not verify with the keys of net\.example\/files: /,
    );
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

Deno.test("verify of a folder fails for a proof whose file is a folder or a pipe now", async () => {
  await withProofs(async (client) => {
    await rm(join(client.folder, "files/one"));
    await mkdir(join(client.folder, "files/one"));
    await rm(join(client.folder, "files/two"));
    await new Deno.Command("mkfifo", { args: [join(client.folder, "files/two")] }).output();
    const named = ["one", "one.countersign.json", "three", "three.countersign.json"]
      .map((name) => `files/${name}`);
    for (const [args, failed] of [[["files"], ["one", "two"]], [named, ["one"]]] as const) {
      const { code, json } = await client.runJson(["verify", ...args]);
      assert.equal(code, 1);
      const results: readonly { file: string; status: string; statement: string }[] = json.results;
      assert.deepEqual(
        results.map(({ file, status }) => [file, status]).toSorted(),
        [...failed.map((name) => [`files/${name}`, "failed"]), ["files/three", "valid"]].toSorted(),
      );
      for (const { statement } of results.filter(({ status }) => status === "failed")) {
        assert.equal(statement, "it is not a regular file");
      }
    }
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
      const commands = new RegExp(
        `no proof is saved beside it .*stamp --save ${name}; .*verify ${name} --proof`,
      );
      assert.match(stderr, commands);
      await client.write(`${name}.countersign.json`, "no JSON");
      const damaged = await client.run(["verify", name]);
      assert.equal(damaged.code, 1);
      assert.match(damaged.stderr, /it is not a proof, or it is damaged/);
      assert.match(damaged.stderr, new RegExp(`stamp --save ${name}\\)`));
      const config = ["--network-config", `${name}.countersign.json`];
      const other = await client.run(["verify", "files/one", ...config]);
      assert.match(other.stderr, /not a network's configuration .*Name its network\.public\.json/);
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

Deno.test("a proof that is given with its file counts once, as a shell gives all files", async () => {
  await withProofs(async (client) => {
    await client.write("files/one.countersign.tlog-proof", "not read");
    await mkdir(join(client.folder, "files/one.countersign.anchors"));
    const names = ["", ".countersign.anchors", ".countersign.json", ".countersign.tlog-proof"]
      .map((suffix) => `files/one${suffix}`);
    const { code, stdout, stderr } = await client.run(["verify", ...names, "files/two"]);
    assert.equal(code, 0);
    assert.deepEqual(stdout.split("\n").slice(0, 3), [
      `VALID     files/one ${SENTENCE}`,
      `VALID     files/two ${SENTENCE}`,
      "2 of 2 files are proved",
    ]);
    assert.match(stderr, /Skipped: 2 proofs in other formats/);
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
      /^release\/deep\/down\.txt is listed in .*SHA256SUMS, which existed by .*:00:00 UTC; 2 of /m;
    for (const list of [[], ["--manifest", "release/SHA256SUMS"]]) {
      const { code, stdout } = await client.run(["verify", "release/deep/down.txt", ...list]);
      assert.equal(code, 0);
      assert.match(stdout, listed);
    }
    const whole = await client.run(["verify", "release"]);
    assert.equal(whole.code, 0);
    assert.match(whole.stdout, /^3 of 3 files are proved$/m);
    assert.match(whole.stdout, /^VALID {5}release\/SHA256SUMS .*; its 2 files are as listed$/m);

    await client.write("release/deep/down.txt", "changed");
    const changed = await client.run(["verify", "release/deep/down.txt"]);
    assert.equal(changed.code, 1);
    assert.match(changed.stdout, /^INVALID\nrelease\/deep\/down\.txt has changed: /);
    assert.doesNotMatch(changed.stdout, /20\d\d-/);
    await rm(join(client.folder, "release/listed.txt"));
    await client.write("release/extra.txt", "extra");
    const counts = { valid: 1, invalid: 1, unproved: 1, missing: 1, failed: 0 };
    assert.deepEqual((await client.runJson(["verify", "release"])).json.counts, counts);
    // A missing file counts once, also if both the list and a proof of its own name it.
    await client.write("release/listed.txt.countersign.json", bundleOf(0));
    assert.deepEqual((await client.runJson(["verify", "release"])).json.counts, counts);

    // A list that is not the attested one proves nothing.
    await client.write("release/SHA256SUMS", `${LIST}${digestOf("extra")}  extra.txt\n`);
    const forged = await client.run(["verify", "release/extra.txt"]);
    assert.equal(forged.code, 1);
    assert.match(forged.stdout, /genuine but belongs to another file: .*SHA256SUMS has changed/);
  });
});

/** A folder with the proved `LIST` and its files. */
async function withRelease(use: (client: Client) => Promise<void>): Promise<void> {
  await withProofs(async (client) => {
    await mkdir(join(client.folder, "release/deep"), { recursive: true });
    await client.write("release/SHA256SUMS", LIST);
    await client.write("release/SHA256SUMS.countersign.json", bundleOf(3));
    await client.write("release/listed.txt", "listed");
    await client.write("release/deep/down.txt", "down");
    await use(client);
  });
}

Deno.test("verify of a checksum list compares its files, and its first line says so", async () => {
  await withRelease(async (client) => {
    for (const command of ["verify", "verify-proof"]) {
      const { code, stdout } = await client.run([command, "release/SHA256SUMS"]);
      assert.equal(code, 0);
      const lines = stdout.split("\n");
      const first = "VALID (Batched): release/SHA256SUMS and the 2 files that it lists";
      assert.deepEqual(lines.slice(0, 2), [first, `release/SHA256SUMS ${SENTENCE}`]);
    }
    await client.write("release/listed.txt", "changed");
    await rm(join(client.folder, "release/deep/down.txt"));
    for (const command of ["verify", "verify-proof"]) {
      const { code, stdout } = await client.run([command, "release/SHA256SUMS"]);
      assert.equal(code, 1);
      assert.deepEqual(stdout.split("\n").slice(0, 4), [
        "INVALID: 1 changed, 1 missing of 2 files that release/SHA256SUMS lists",
        `release/SHA256SUMS ${SENTENCE}`,
        "INVALID   release/listed.txt: it has changed: release/SHA256SUMS lists another digest",
        "MISSING   release/deep/down.txt: there is no such file",
      ]);
    }
    const { json } = await client.runJson(["verify", "release/SHA256SUMS"]);
    assert.equal(json.valid, false);
    assert.deepEqual(json.listed_files.counts, { valid: 0, invalid: 1, missing: 1, failed: 0 });

    const several = await client.run(["verify", "files/one", "release/SHA256SUMS"]);
    assert.equal(several.code, 1);
    assert.match(
      several.stdout,
      /^INVALID {3}release\/SHA256SUMS: .*; of its 2 files, 1 changed, 1 missing \(release\/listed\.txt, release\/deep\/down\.txt\)$/m,
    );
  });
});

/** Runs `verify` of a file `name` with `content` and its own proof. */
async function verifyAlone(client: Client, name: string, content: string) {
  const other = new TestLog(network);
  other.addRound([digestOf(content)], { timestamp: 1_766_275_200 });
  await client.write(name, content);
  await client.write(`${name}.countersign.json`, other.bundle(0));
  return await client.run(["verify", name]);
}

Deno.test("lists of BSD form and of -z are compared, and other files are not read as lists", async () => {
  await withProofs(async (client) => {
    const [one, other] = [digestOf("one"), digestOf("other")];
    for (
      const [content, first] of [
        [`SHA256 (files/one) = ${one}\n`, "VALID (Basic): the-list and the file that it lists"],
        [`${one}  files/one\0`, "VALID (Basic): the-list and the file that it lists"],
        [`\\${one}  a\\nb\n`, "INVALID: 1 missing of 1 file that the-list lists"],
        [`${other}  files/one\n`, "INVALID: 1 changed of 1 file that the-list lists"],
        [`# ${one}  nowhere\n`, "VALID (Basic)"],
        [`See ${one}  nowhere\n`, "VALID (Basic)"],
        [`${one}\n`, "VALID (Basic)"],
      ] as const
    ) {
      const { code, stdout } = await verifyAlone(client, "the-list", content);
      assert.equal(stdout.split("\n")[0], first);
      assert.equal(code, first.startsWith("VALID") ? 0 : 1);
    }
  });
});

Deno.test("a list that cannot be read is verified alone, and the first line says so", async () => {
  await withProofs(async (client) => {
    const md5 = `${"ab".repeat(16)}  files/one\n`;
    const mixed = `${digestOf("one")}  files/one\n${"cd".repeat(64)}  files/one\n`;
    for (
      const content of [md5, mixed, `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${md5}`]
    ) {
      const { code, stdout } = await verifyAlone(client, "SUMS", content);
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^VALID \(Basic\): SUMS itself; the files that it lists were not looked at \(.*line \d/,
      );
    }
    const { stdout } = await verifyAlone(client, "SHA256SUMS", "not a list");
    assert.match(stdout, /^VALID \(Basic\): SHA256SUMS itself; .* not looked at/);
    const whole = await client.run(["verify", "files", "SHA256SUMS"]);
    assert.match(
      whole.stdout,
      /^VALID {5}SHA256SUMS .*; the files that it lists were not looked at/m,
    );
  });
});

Deno.test("a list names no file outside of its folder, and no pipe or standard input", async () => {
  await withProofs(async (client) => {
    const hash = digestOf("one");
    const inside = join(client.folder, "files/one");
    const content = encodeChecksums(
      ["../files/one", "/etc/hostname", inside, "x/../../files/one", "-", "."]
        .map((name) => ({ name, hash })),
    );
    await mkdir(join(client.folder, "sub"));
    const { code, stdout } = await verifyAlone(client, "sub/list", content);
    assert.equal(code, 1);
    const lines = stdout.split("\n");
    assert.match(lines[0]!, /^INVALID: 4 not verified of 4 files that sub\/list lists$/);
    const outside =
      "FAILED    files/one: not looked at, outside the folder of sub/list (look at it: " +
      "countersign verify --manifest sub/list files/one)";
    assert.equal(lines.filter((line) => line === outside).length, 1);
    assert.ok(lines.includes("FAILED    sub/-: it is not a regular file"));
    const named = await client.run(["verify", "--manifest", "sub/list", "files/one"]);
    assert.match(named.stdout, /^VALID/);
    assert.equal(named.code, 0);
    const above = await verifyAlone(client, "list", encodeChecksums([{ name: inside, hash }]));
    assert.match(above.stdout, /^VALID \(Basic\): list and the file that it lists/);
  });
});

Deno.test("verify of one good file prints at most six lines where no other tree head is remembered", async () => {
  await withProofs(async (client) => {
    const { stdout } = await client.run(["verify", "files/one"]);
    const lines = stdout.split("\n");
    assert.ok(lines.length <= 6, stdout);
    assert.match(lines[2]!, /^2 of 2 needed signatures \(/);
    const verbose = await client.run(["verify", "--verbose", "files/one"]);
    for (const line of ["cross-anchors: absent", `hash: ${digestOf("one")}`]) {
      assert.ok(!lines.includes(line) && verbose.stdout.split("\n").includes(line), line);
    }
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

Deno.test("files that fail for one reason are one line and a count; --verbose prints each", async () => {
  await withProofs(async (client) => {
    await rm(join(client.folder, "home"), { recursive: true });
    const { code, stdout } = await client.run(["verify", "files"]);
    assert.equal(code, 1);
    const lines = stdout.split("\n");
    assert.match(lines[0]!, /^FAILED {4}files\/one: /);
    assert.equal(lines[1], "          and 2 more for the same reason");
    assert.equal(lines[2], "0 of 3 files are proved; 3 not verified");
    const verbose = await client.run(["verify", "--verbose", "files"]);
    assert.equal(verbose.stdout.match(/^FAILED {4}files\//gm)?.length, 3);
  });
});

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, open, rm, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/folders");
const NAMES = ["plain.txt", "with space", "line\nend", "deep/down.txt"] as const;
const LIST_DIGESTS = NAMES.map((name) => ({ name, hash: digestOf(name) }));
const LIST = LIST_DIGESTS.toSorted((a, b) => a.name < b.name ? -1 : 1).map(({ name, hash }) =>
  name.includes("\n") ? `\\${hash}  ${name.replace("\n", "\\n")}\n` : `${hash}  ${name}\n`
).join("");

/** A gateway that has batched the files of a folder and their checksum list. */
async function withFolder(
  use: (client: Client, gateway: StubGateway) => Promise<void>,
): Promise<void> {
  const log = new TestLog(network);
  log.addRound([...NAMES, LIST].map(digestOf), { timestamp: 1_766_275_200 });
  await using gateway = new StubGateway(log, [5]);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.trust.savePin(network.configuration);
    await mkdir(join(client.folder, "files/deep"), { recursive: true });
    for (const name of NAMES) await client.write(`files/${name}`, name);
    await client.write("files/.hidden", "hidden");
    await symlink("/dev/zero", join(client.folder, "files/link"));
    await use(client, gateway);
  });
}

Deno.test("stamp of a folder takes its files but hidden ones, links and proofs, in one request", () =>
  withFolder(async (client, gateway) => {
    const { code, stdout, stderr } = await client.run(["stamp", "--save", "files"]);
    assert.equal(code, 0, stderr);
    for (const { name, hash } of LIST_DIGESTS) {
      const shown = `files/${name.replace("\n", "\\u000a")}`;
      assert.ok(stdout.includes(`batched  ${hash}  ${shown}`), stdout);
      assert.ok(stdout.includes(`saved ${shown}.countersign.json`));
    }
    assert.match(stderr, /Skipped in files: 1 hidden .*, 1 symbolic links/);
    const posts = gateway.requests.filter((request) => request.startsWith("POST"));
    assert.deepEqual(posts, ["POST /v1/attestations/batch"]);
    const again = await client.runJson(["stamp", "--save", "files"]);
    assert.equal(again.json.results.length, NAMES.length);
    const verified = await client.run(["verify", "files"]);
    assert.equal(verified.code, 0);
    assert.match(verified.stdout, /^4 of 4 files are proved$/m);
    await rm(join(client.folder, "files"), { recursive: true });
    await mkdir(join(client.folder, "files"));
    assertFailed(await client.runJson(["stamp", "files"]), "file_failed");
  }));

Deno.test("one proof of a manifest proves all files, to sha256sum and to verify", () =>
  withFolder(async (client, gateway) => {
    const args = ["stamp", "--manifest", "files/SHA256SUMS", "files"];
    for (let run = 0; run < 2; run++) {
      const { code, stdout, stderr } = await client.run(args);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /saved files\/SHA256SUMS\.countersign\.json/);
      assert.equal(await client.read("files/SHA256SUMS"), LIST);
    }
    assert.deepEqual(gateway.requests.filter((request) => request.startsWith("POST")), [
      "POST /v1/attestations",
      "POST /v1/attestations",
    ]);
    const checked = execFileSync("sha256sum", ["--quiet", "-c", "SHA256SUMS"], {
      cwd: join(client.folder, "files"),
    });
    assert.equal(checked.length, 0);
    for (const name of [...NAMES, "SHA256SUMS"]) {
      assert.equal((await client.run(["verify", `files/${name}`])).code, 0);
    }
    assert.match((await client.run(["verify", "files"])).stdout, /^5 of 5 files are proved$/m);

    // The list is proved as it was: a changed folder does not replace it.
    await client.write("files/plain.txt", "changed");
    assertFailed(await client.runJson(args), "file_failed");
    assert.equal(await client.read("files/SHA256SUMS"), LIST);
    assertFailed(
      await client.runJson(["stamp", "--manifest", "files/deep/SUMS", "files"]),
      "file_failed",
    );
    assertFailed(await client.runJson(["stamp", "--manifest", "SUMS", "nowhere"]), "file_failed");
    await assert.rejects(client.read("SUMS"));
  }));

Deno.test("a folder's files count by what is beside them, not by their names", () =>
  withFolder(async (client) => {
    const added = [
      "other.countersign.cose",
      "other.countersign.tlog-proof",
      "other.countersign.json",
      "other.countersign.anchors/file",
      "plain.txt.countersign.anchors/file",
    ];
    for (const folder of ["other", "plain.txt"]) {
      await mkdir(join(client.folder, `files/${folder}.countersign.anchors`));
    }
    for (const name of added) await client.write(`files/${name}`, "plain.txt");
    const proofs = [
      "plain.txt.countersign.cose",
      "plain.txt.countersign.tlog-proof",
      "plain.txt.countersign.anchors/0011223344556677-5.checkpoint",
    ];
    for (const name of proofs) await client.write(`files/${name}`, "");
    execFileSync("mkfifo", [join(client.folder, "files/deep/pipe")]);

    const verified = await client.runJson(["verify", "files"]);
    assert.equal(verified.code, 1);
    const { json } = await client.runJson(["stamp", "files", "--save"]);
    for (const results of [json.results, verified.json.results]) {
      // `verify` names the file that a proof is there for.
      const names = results.map(({ name, file }: Record<string, string>) =>
        file === "files/other" ? `${file}.countersign.json` : name ?? file
      )
        .toSorted();
      assert.deepEqual(names, [...NAMES, ...added].map((name) => `files/${name}`).toSorted());
    }
    const { stderr } = await client.run(["stamp", "files"]);
    assert.match(
      stderr,
      /1 special files \(files\/deep\/pipe\), 9 saved proofs, 3 proofs in other/,
    );
  }));

Deno.test("files whose names are not UTF-8 are named as not stamped, and no others", {
  ignore: Deno.build.os !== "linux",
}, () =>
  withFolder(async (client) => {
    await client.write("files/real\ufffd", "plain.txt");
    const script =
      "cd files && for n in 'a\\377' 'a\\376' 'real\\377'; do printf plain > \"$(printf $n)\"; done" +
      " && mkdir \"$(printf 'deep/d\\377')\"";
    execFileSync("sh", ["-c", script], { cwd: client.folder });
    for (const command of ["stamp", "verify"]) {
      const { code, json } = await client.runJson([
        command,
        "files",
        ...(command === "stamp" ? ["--save"] : []),
      ]);
      assert.equal(code, 1);
      const failed = json.results.filter(({ error }: { error?: unknown }) => error !== undefined);
      assert.equal(json.results.length - failed.length, NAMES.length + 1, command);
      assert.equal(failed.length, 4);
      for (const { error } of failed) assert.match(error.message, /its name is not UTF-8/);
    }
    const listed = await client.runJson(["stamp", "--manifest", "SUMS", "files"]);
    assertFailed(listed, "file_failed");
    assert.match(
      listed.json.error.message,
      /its name is not UTF-8 .*\. Nothing was stamped, and "SUMS" was not written$/,
    );
    await assert.rejects(client.read("SUMS"), Deno.errors.NotFound);
    const { stderr } = await client.run(["upgrade", "files"]);
    assert.doesNotMatch(stderr, /Cannot read/);
    await rm(join(client.folder, "files/real\ufffd"));
    const alone = await client.runJson(["stamp", "files/a\ufffd"]);
    assert.match(alone.json.results[0].error.message, /no such file, or its name is not UTF-8/);
  }));

Deno.test("a file that changes while it is hashed is neither submitted nor saved", () =>
  withFolder(async (client, gateway) => {
    const path = join(client.folder, "large");
    await client.write("large", "");
    await truncate(path, 256 << 20);
    const file = await open(path, "r+");
    let isHashed = false;
    const changes = (async () => {
      for (let count = 0; !isHashed; count++) {
        await file.write(new Uint8Array([count]), 0, 1, 0);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const { code, json } = await client.runJson(["stamp", "large", "--save"]);
    isHashed = true;
    await changes;
    await file.close();
    assert.equal(code, 1);
    assert.match(json.results[0].error.message, /"large": it changed while it was read/);
    assert.deepEqual(gateway.requests.filter((request) => request.startsWith("POST")), []);
    await assert.rejects(client.read("large.countersign.json"));
  }));

Deno.test("--checksums stamps the digests of a list without reading the files", () =>
  withFolder(async (client) => {
    await client.write("list", LIST);
    await rm(join(client.folder, "files"), { recursive: true });
    await mkdir(join(client.folder, "deep"));
    const fromFile = await client.runJson(["stamp", "--checksums", "list", "--save"]);
    assert.equal(fromFile.code, 0);
    assert.deepEqual(
      fromFile.json.results.map(({ name, hash }: Record<string, string>) => ({ name, hash }))
        .toSorted((a: { name: string }, b: { name: string }) => a.name < b.name ? -1 : 1),
      LIST_DIGESTS.toSorted((a, b) => a.name < b.name ? -1 : 1),
    );
    await client.write("plain.txt", "plain.txt");
    assert.equal((await client.run(["verify", "plain.txt"])).code, 0);
    const piped = await client.runJson(["stamp", "--checksums", "-"], LIST);
    assert.equal(piped.json.results.length, NAMES.length);
    assertFailed(await client.runJson(["stamp", "--checksums", "-"], "no list"), "malformed_text");
    const ofNul = LIST_DIGESTS.map(({ name, hash }) => `${hash}  ${name}\0`).join("");
    const withNul = await client.runJson(["stamp", "--checksums", "-"], ofNul);
    assert.equal(withNul.json.results.length, NAMES.length);
    const ofReturns = LIST.replaceAll("\n", "\r");
    assertFailed(await client.runJson(["stamp", "--checksums", "-"], ofReturns), "malformed_text");
  }));

Deno.test("a checksum list cannot make --save write outside of its folder", () =>
  withFolder(async (client) => {
    await mkdir(join(client.folder, "received"));
    const { hash } = LIST_DIGESTS[0]!;
    await client.write("received/list", `${hash}  ../escaped\n${hash}  inner/../kept\n`);
    const list = ["stamp", "--checksums", "received/list"];
    const { code, json } = await client.runJson([...list, "--save"]);
    assert.equal(code, 1);
    assert.equal(json.results[0].error.code, "file_failed");
    await assert.rejects(client.read("escaped.countersign.json"));
    await client.read("received/kept.countersign.json");
    assert.equal((await client.run(list)).code, 0, "without --save nothing is written");
  }));

Deno.test("--save waits for the log, and saves what there is if the log is late", () =>
  withFolder(async (client, gateway) => {
    gateway.sizes.length = 0;
    let now = 0;
    client.clock = {
      nowMs: () => now,
      elapsedMs: () => now,
      sleep: (ms) => {
        now += ms;
        if (now > 3_000) gateway.sizes.push(5);
        return Promise.resolve();
      },
    };
    const args = ["stamp", "files/plain.txt", "--save"];
    const late = await client.runJson([...args, "--timeout", "2"]);
    assert.equal(late.code, 1);
    assert.equal(late.json.results[0].error.code, "not_batched");
    assert.equal((await client.runJson(["verify", "files/plain.txt"])).json.level, "basic");
    assert.equal((await client.runJson(args)).json.results[0].progress, "batched");
    assert.equal((await client.runJson(["verify", "files/plain.txt"])).json.level, "batched");

    // A gateway that has lost the batch does not weaken the proof.
    gateway.sizes.length = 0;
    const weaker = await client.runJson([...args, "--no-wait-batched"]);
    assert.equal(weaker.json.results[0].kept, true);
    assert.equal((await client.runJson(["verify", "files/plain.txt"])).json.level, "batched");
  }));

Deno.test("--timeout bounds a run against a gateway that never answers", () =>
  withFolder(async (client, gateway) => {
    const held = Promise.withResolvers<Response>();
    gateway.lies.set("/v1/attestations", () => held.promise);
    const args = ["stamp", "files/plain.txt", "--timeout", "1"];
    const { stderr } = await client.run(args);
    const { code, json } = await client.runJson(args);
    held.resolve(Response.json({}));
    // Without the bound, the request fails by another limit, after 15 s.
    assert.match(stderr, /1 s have passed \(--timeout\).*run the same command again/);
    assert.doesNotMatch(stderr, /Is the gateway running/);
    assert.deepEqual([code, json.error.code], [1, "interrupted"]);
  }));

Deno.test("--timeout bounds the reading of a pipe that never ends", () =>
  withFolder(async (client) => {
    const { code, stderr } = await client.run(
      ["stamp", "-", "--timeout", "1"],
      new ReadableStream(),
    );
    assert.equal(code, 1);
    assert.match(stderr, /1 s have passed \(--timeout\)/);
  }));

Deno.test("a proof is saved within --timeout if the log is late", () =>
  withFolder(async (client, gateway) => {
    gateway.sizes.length = 0;
    const { code, json } = await client.runJson([
      "stamp",
      "files/plain.txt",
      "--save",
      "--timeout",
      "5",
    ]);
    assert.equal(code, 1);
    assert.equal(json.results?.[0].error.code, "not_batched");
    assert.equal((await client.runJson(["verify", "files/plain.txt"])).json.level, "basic");
  }));

Deno.test("--save keeps a proof of the same content by another network, pinned or not", () =>
  withFolder(async (client) => {
    const other = new TestNetwork("net.example/earlier");
    const earlier = new TestLog(other);
    earlier.addRound([digestOf("plain.txt")], { timestamp: 1_666_275_200 });
    const proof = "files/plain.txt.countersign.json";
    await client.write(proof, earlier.bundle(0));
    const kept = await client.read(proof);
    for (const id of [network.id, undefined]) {
      const { code, json } = await client.runJson(["stamp", "files/plain.txt", "--save"]);
      assert.equal(code, 1);
      assert.equal(json.results[0].error.code, "file_failed");
      assert.match(json.results[0].error.message, /by net\.example\/earlier, sequence 0/);
      assert.equal(await client.read(proof), kept);
      if (id !== undefined) await client.trust.unpin(id);
    }
  }));

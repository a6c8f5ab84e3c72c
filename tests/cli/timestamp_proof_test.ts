/**
 * `verify`, `verify-proof` and `upgrade` of time-stamp tokens: those of the gateway, and what a thief of
 * the authority's key can sign.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { type Bytes, utf8 } from "../../src/base/bytes.ts";
import { withAttachedProof } from "../../src/proof/timestamp/attached_proof.ts";
import { parseTimestamp } from "../../src/proof/timestamp/attested_token.ts";
import { encodeChecksums } from "../../src/proof/format/checksum_list.ts";
import { encodeGranted, encodeRejection } from "../../src/proof/timestamp/reply.ts";
import {
  AttestedNetwork,
  authorityOf,
  digestBy,
  identityOf,
  imprintOfContent,
  requestOf,
  tokenFor,
} from "../gateway/timestamping/fixture.ts";
import * as der from "../proof/timestamp/der.ts";
import { TestAuthority } from "../proof/timestamp/test_authority.ts";
import { pemOf } from "../proof/timestamp/test_certificates.ts";
import type { TestHash } from "../proof/timestamp/test_keys.ts";
import { type Client, withClient } from "./client_run.ts";

const CONTENT = utf8("a release\n");
const authority = await TestAuthority.create();
const other = await TestAuthority.create("RSA");
const home = new AttestedNetwork("home.example/tokens");

/** A user with the network pinned, the file, and a genuine token of it. */
async function withToken(
  hash: TestHash,
  use: (client: Client, token: Bytes) => Promise<void>,
): Promise<void> {
  const request = requestOf(await imprintOfContent(CONTENT, hash));
  const token = await tokenFor(
    authorityOf(identityOf(authority)),
    request,
    (one) => home.attest(one),
  );
  await withClient(async (client) => {
    await client.trust.savePin(home.network.configuration);
    await Deno.writeFile(join(client.folder, "file"), CONTENT);
    await Deno.writeFile(join(client.folder, "file.tsr"), encodeGranted(token));
    await Deno.writeFile(join(client.folder, "root.pem"), pemOf(authority.root));
    await Deno.writeFile(join(client.folder, "other.pem"), pemOf(other.signer));
    await use(client, token);
  });
}

for (const hash of ["SHA-256", "SHA-384", "SHA-512"] as const) {
  Deno.test(`a token of ${hash} proves its file`, () =>
    withToken(hash, async (client) => {
      const { code, stdout } = await client.run(["verify", "file.tsr"]);
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^VALID \(Basic\)\nfile existed by 2026-11-21 12:00:00 UTC/);
      assert.match(
        stdout,
        /upgrade file\.tsr\)\nauthority: CN=Stamps, not compared with a root \(--tsa-root FILE\)/,
      );
      const rooted = await client.run(["verify-proof", "file.tsr", "--tsa-root", "root.pem"]);
      assert.equal(rooted.code, 0, rooted.stdout);
      assert.match(rooted.stdout, /^authority: CN=Stamps, its root was given$/m);
      assert.match(
        rooted.stdout,
        new RegExp(`^time stamp: of ${hash} [0-9a-f]+, to within 60 s`, "m"),
      );
      // What is attested of a longer imprint is not the SHA-256 of the content.
      await Deno.writeFile(
        join(client.folder, "alone.tsr"),
        await Deno.readFile(join(client.folder, "file.tsr")),
      );
      const alone = await client.run(["verify", "alone.tsr"]);
      const digest = (await digestBy(CONTENT, hash)).toHex().slice(0, 16);
      assert.match(
        alone.stdout,
        new RegExp(`^VALID \\(Basic\\)\nThe content with ${hash} ${digest}… existed by`),
      );
      await client.write("file", "changed");
      const changed = await client.run(["verify", "file.tsr"]);
      assert.equal(changed.code, 1);
      assert.match(changed.stdout, /^INVALID\nThe proof is genuine but belongs to another file/);
      const label = hash === "SHA-256" ? "hash" : "attested hash";
      assert.match(changed.stdout, new RegExp(`^${label} of file: [0-9a-f]{64}$`, "m"));
    }));
}

Deno.test("another root refuses a token", () =>
  withToken("SHA-256", async (client) => {
    const { code, stdout } = await client.run([
      "verify-proof",
      "file.tsr",
      "--tsa-root",
      "other.pem",
    ]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^INVALID\nfile is not proved: the authority of its time stamp is refused$/m,
    );
    assert.match(
      stdout,
      /^authority: refused: Cannot trust certificate of CN=Intermediate: no issuer/m,
    );
  }));

Deno.test("a token with an earlier time is signed by the authority, but not by the witnesses", () =>
  withToken("SHA-256", async (client, genuine) => {
    const { info, proof } = parseTimestamp(genuine);
    const digest = await digestBy(CONTENT, "SHA-256");
    const earlier = await authority.token(digest, {
      info: {
        serial: der.value(0x02, info.serial),
        genTime: der.generalizedTime("20200101000000Z"),
        accuracy: der.sequence(der.integer(60)),
      },
    });
    const write = (name: string, token: Bytes) =>
      Deno.writeFile(join(client.folder, name), encodeGranted(token));
    await write("bare.tsr", earlier);
    await write("old.tsr", withAttachedProof(earlier, new TextDecoder().decode(proof)));
    for (const name of ["bare.tsr", "old.tsr"]) {
      const args = ["verify-proof", name, "--file", "file", "--tsa-root", "root.pem"];
      const { code, stdout } = await client.run(args);
      assert.equal(code, 1, stdout);
      assert.match(stdout, /^INVALID\n.* is signed by the authority, but not by the witnesses/);
      assert.match(stdout, /^authority: CN=Stamps, its root was given$/m);
      assert.doesNotMatch(stdout, /^time bracket|existed by/m);
      const json = await client.run([...args, "--output", "json"]);
      const { valid, token } = JSON.parse(json.stdout);
      assert.deepEqual(
        [json.code, valid, token.reason],
        [1, false, name === "bare.tsr" ? "attestation_missing" : "field_mismatch"],
      );
    }
  }));

Deno.test("a token with the proof of another hash is not called a genuine proof of another file", () =>
  withToken("SHA-256", async (client, genuine) => {
    const { bundle } = home.attest("ab".repeat(32));
    await Deno.writeFile(join(client.folder, "file.tsr"), withAttachedProof(genuine, bundle));
    for (const files of [["file.tsr"], ["file.tsr", "--file", "root.pem"]]) {
      const { code, stdout } = await client.run(["verify-proof", ...files]);
      assert.equal(code, 1);
      assert.match(
        stdout,
        /^INVALID\n(file|root\.pem) is not proved: the time stamp is signed by the authority, but not by the witnesses: the proof in it is about another hash\n/,
      );
    }
  }));

Deno.test("a hash on the command line is the one that is attested", () =>
  withToken("SHA-256", async (client) => {
    const run = (hash: string) => client.run(["verify-proof", "file.tsr", "--hash", hash]);
    assert.equal((await run((await digestBy(CONTENT, "SHA-256")).toHex())).code, 0);
    assert.equal((await run("ab".repeat(32))).code, 1);
  }));

Deno.test("a damaged token, and one of another authority without a proof, say what is wrong", () =>
  withToken("SHA-256", async (client, token) => {
    await Deno.writeFile(join(client.folder, "cut.tsr"), token.subarray(0, -1));
    await Deno.writeFile(join(client.folder, "cut.bin"), Uint8Array.of(0xff, 0xfe));
    const cut = await client.run(["verify", "cut.tsr"]);
    assert.equal(cut.code, 1);
    assert.match(cut.stderr, /Cannot read .*, in "cut\.tsr": it has no token, or it is damaged/);
    // What an authority or a proxy may answer in place of a reply.
    for (const text of ["", "<html>", '{"type":"about:blank"}']) {
      await Deno.writeTextFile(join(client.folder, "text.tsr"), text);
      const { code, stderr } = await client.run(["verify", "text.tsr"]);
      assert.equal(code, 1);
      assert.match(stderr, /"text\.tsr": it is not a time stamp, or .*request another one\)/);
    }
    const noRoot = await client.run(["verify-proof", "file.tsr", "--tsa-root", "cut.bin"]);
    assert.match(noRoot.stderr, /no certificate in PEM or DER, in "cut\.bin"/);
    const broken = withAttachedProof(token, "{broken");
    await Deno.writeFile(join(client.folder, "broken.tsr"), broken);
    const rejection = encodeRejection("timeNotAvailable", "The certificate has expired");
    await Deno.writeFile(join(client.folder, "rejected.tsr"), rejection);
    for (const command of ["verify", "upgrade"]) {
      const one = await client.run([command, "broken.tsr"]);
      assert.match(one.stdout + one.stderr, /"broken\.tsr": it has no token, or it is damaged/);
      const rejected = await client.run([command, "rejected.tsr"]);
      assert.equal(rejected.code, 1);
      assert.match(
        rejected.stdout + rejected.stderr,
        /answered rejection, timeNotAvailable, The certificate has expired, in "rejected\.tsr"/,
      );
    }
    await Deno.writeFile(
      join(client.folder, "foreign.tsr"),
      await other.token(await digestBy(CONTENT, "SHA-256")),
    );
    const foreign = await client.run(["upgrade", "foreign.tsr"]);
    assert.equal(foreign.code, 1);
    assert.match(foreign.stdout, /the time-stamp token carries no proof of ours/);
  }));

/** A checksum list of `file` and of a token of another authority beside it. */
async function listWith(token: Bytes): Promise<string> {
  const digestOf = async (bytes: Bytes) => (await digestBy(bytes, "SHA-256")).toHex();
  return encodeChecksums([
    { name: "file", hash: await digestOf(CONTENT) },
    { name: "file.tsr", hash: await digestOf(token) },
  ]);
}

for (const hash of ["SHA-256", "SHA-512"] as const) {
  Deno.test(`a token of ${hash} proves a checksum list, and its files are as listed`, () =>
    withToken(hash, async (client) => {
      const foreign = await Deno.readFile(join(client.folder, "file.tsr"));
      const list = await listWith(foreign);
      const request = requestOf(await imprintOfContent(utf8(list), hash));
      const token = await tokenFor(
        authorityOf(identityOf(authority)),
        request,
        (one) => home.attest(one),
      );
      await client.write("SHA256SUMS", list);
      await Deno.writeFile(join(client.folder, "SHA256SUMS.tsr"), encodeGranted(token));
      for (const command of ["verify", "verify-proof"]) {
        const { code, stdout } = await client.run([command, "SHA256SUMS.tsr"]);
        assert.equal(code, 0, stdout);
        assert.match(stdout, /^VALID \(Basic\): SHA256SUMS and the 2 files that it lists/);
      }
      const named = await client.run(["verify", "file", "--proof", "SHA256SUMS.tsr"]);
      assert.match(named.stdout, /^INVALID\nThe proof is genuine but belongs to another file/);
      await client.write("file", "changed");
      const { code, stdout } = await client.run(["verify", "SHA256SUMS.tsr"]);
      assert.equal(code, 1);
      assert.match(stdout, /^INVALID: 1 changed of 2 files that SHA256SUMS lists/);
    }));
}

Deno.test("a token of another authority may be one of the files of a proved list", () =>
  withToken("SHA-256", async (client, own) => {
    const foreign = await other.token(await digestBy(CONTENT, "SHA-256"));
    for (const [token, isOwn] of [[foreign, false], [own, true]] as const) {
      const list = await listWith(token);
      const hash = (await digestBy(utf8(list), "SHA-256")).toHex();
      await client.write("SHA256SUMS", list);
      await client.write("SHA256SUMS.countersign.json", home.attest(hash).bundle);
      await Deno.writeFile(join(client.folder, "file.tsr"), token);
      // Several files, as of a folder.
      const many = await client.run(["verify", "file", "file.tsr", "--verbose"]);
      assert.equal(many.code, 0, many.stdout);
      assert.match(many.stdout, /^VALID {5}file\.tsr is listed in SHA256SUMS/m);
      const one = await client.run(["verify", "file.tsr"]);
      assert.equal(one.code, 0, one.stdout);
      assert.match(one.stdout, isOwn ? /^file existed by/m : /^file\.tsr is listed in SHA256SUMS/m);
    }
  }));

Deno.test("a certificate without a saved proof is no token", () =>
  withToken("SHA-256", async (client, token) => {
    await Deno.writeFile(join(client.folder, "root.der"), authority.root.der);
    const { code, stderr } = await client.run(["verify", "root.der"]);
    assert.equal(code, 1);
    assert.match(stderr, /Cannot verify "root\.der": no proof is saved beside it/);
    await Deno.writeFile(join(client.folder, "token"), token);
    assert.equal((await client.run(["verify", "token"])).code, 0);
  }));

Deno.test("a file with only a token beside it is not verified or upgraded, and the message names the token", () =>
  withToken("SHA-256", async (client) => {
    for (const command of ["verify", "verify-proof", "upgrade"]) {
      const { code, stdout, stderr } = await client.run([command, "file"]);
      assert.equal(code, 1);
      const named = `no JSON proof is saved beside it, but "file\\.tsr" is there ` +
        `\\(countersign ${command === "upgrade" ? command : "verify"} file\\.tsr`;
      assert.match(stdout + stderr, new RegExp(named));
    }
    await Deno.remove(join(client.folder, "file.tsr"));
    const { stdout } = await client.run(["upgrade", "file"]);
    assert.match(stdout, /Cannot upgrade "file": no proof is saved beside it \(make one/);
  }));

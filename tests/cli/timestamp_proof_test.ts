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
import { encodeGranted } from "../../src/proof/timestamp/reply.ts";
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
    assert.match(stdout, /^INVALID\nfile is not proved: its time stamp has no valid signature/);
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

Deno.test("a hash on the command line is the one that is attested", () =>
  withToken("SHA-256", async (client) => {
    const run = (hash: string) => client.run(["verify-proof", "file.tsr", "--hash", hash]);
    assert.equal((await run((await digestBy(CONTENT, "SHA-256")).toHex())).code, 0);
    assert.equal((await run("ab".repeat(32))).code, 1);
  }));

Deno.test("a damaged token, and one of another authority without a proof, say what is wrong", () =>
  withToken("SHA-256", async (client, token) => {
    await Deno.writeFile(join(client.folder, "cut.tsr"), token.subarray(0, -1));
    const cut = await client.run(["verify", "cut.tsr"]);
    assert.equal(cut.code, 1);
    assert.match(cut.stderr, /"cut\.tsr": Cannot read time-stamp token|Cannot read .*cut\.tsr/);
    await Deno.writeFile(
      join(client.folder, "foreign.tsr"),
      await other.token(await digestBy(CONTENT, "SHA-256")),
    );
    const foreign = await client.run(["upgrade", "foreign.tsr"]);
    assert.equal(foreign.code, 1);
    assert.match(foreign.stdout, /the time-stamp token carries no proof of ours/);
  }));

/**
 * Keys and certificates for time stamps: what `tsa` makes, against openssl, and gateways with each kind of
 * key file, with fronts and without.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadTimestampIdentity } from "../../src/config/timestamp_identity.ts";
import { TIMESTAMP_SCHEMES } from "../../src/gateway/timestamping/timestamp_signer.ts";
import { Client, withClient } from "../cli/client_run.ts";
import { KEY_READING } from "../config/timestamp_files.ts";
import { valueOf } from "../http/metrics/page_samples.ts";
import { Deployment, eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";
import { runTool } from "./tools.ts";

const TOKEN = "t".repeat(32);

/** Runs openssl in `folder`; what it prints. */
async function openssl(folder: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runTool("openssl", args, { cwd: folder });
  assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
  return stdout + stderr;
}

const PURPOSE = ["-x509_strict", "-purpose", "timestampsign"];

for (const scheme of TIMESTAMP_SCHEMES) {
  Deno.test(`openssl accepts what tsa makes for ${scheme}`, () =>
    withClient(async (client) => {
      const { folder } = client;
      const run = (...args: string[]) => openssl(folder, ...args);
      await client.run(["tsa", "init", "--scheme", scheme]);
      const [leaf, root] = await Promise.all(
        ["tsa.pem", "tsa-root.pem"].map((file) => run("x509", "-text", "-noout", "-in", file)),
      );
      assert.match(leaf!, /Key Usage: critical\s+Digital Signature\n/);
      assert.match(leaf!, /Extended Key Usage: critical\s+Time Stamping\n/);
      assert.doesNotMatch(leaf!, /CA:TRUE/);
      assert.match(root!, /Basic Constraints: critical\s+CA:TRUE/);
      assert.match(root!, /Key Usage: critical\s+Certificate Sign\n/);
      const key = await run("pkey", "-in", "tsa.key", "-pubout");
      assert.equal(await run("x509", "-in", "tsa.pem", "-noout", "-pubkey"), key);
      await run("verify", ...PURPOSE, "-CAfile", "tsa-root.pem", "tsa.pem");
      const subject = ["--subject", "CN=Stamps,O=Example,C=DE"];
      await client.run(["tsa", "request", "--key", "tsa.key", ...subject, "--out", "tsa.csr"]);
      const request = await run("req", "-verify", "-text", "-noout", "-in", "tsa.csr");
      assert.match(request, /verify OK/);
      assert.match(request, /Subject: C ?= ?DE, O ?= ?Example, CN ?= ?Stamps\n/);

      // A certificate authority that copies what the request asks for.
      const name = ["-subj", "/O=Example/CN=Root", "-days", "30"];
      const authority = ["-newkey", "rsa:2048", "-noenc", "-keyout", "ca.key", "-out", "ca.pem"];
      await run("req", "-x509", ...authority, ...name);
      const issued = ["-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key"];
      await run("x509", ...issued, "-copy_extensions", "copyall", "-days", "20", "-out", "new.pem");
      await run("verify", "-purpose", "timestampsign", "-CAfile", "ca.pem", "new.pem");
      await client.write("tsa.pem", await client.read("new.pem") + await client.read("ca.pem"));
      const identity = await loadTimestampIdentity({
        keyFile: join(folder, "tsa.key"),
        certificatesFile: join(folder, "tsa.pem"),
      }, KEY_READING);
      assert.equal(identity.certificates.length, 2);
    }));
}

Deno.test("keys that openssl makes are read", () =>
  withClient(async (client) => {
    const kinds = [
      ["EC", "ec_paramgen_curve:P-256"],
      ["RSA", "rsa_keygen_bits:3072"],
      ["RSA", "rsa_keygen_bits:4096"],
    ] as const;
    for (const [i, [algorithm, option]] of kinds.entries()) {
      const file = `${i}.key`;
      const made = ["-algorithm", algorithm, "-pkeyopt", option, "-out", file];
      await openssl(client.folder, "genpkey", ...made);
      await Deno.chmod(join(client.folder, file), 0o600);
      const args = ["tsa", "request", "--key", file, "--subject", "CN=Stamps", "--out"];
      const { code, stderr } = await client.run([...args, `${i}.csr`]);
      assert.equal(code, 0, stderr);
      await openssl(client.folder, "req", "-verify", "-noout", "-in", `${i}.csr`);
    }
  }));

/** A gateway that is a time-stamp authority, and its client. */
class Stamping {
  readonly deployment: Deployment;

  constructor(deployment: Deployment) {
    this.deployment = deployment;
  }

  get folder(): string {
    return this.deployment.folder;
  }

  /** Adds the member to `network.json`, with what `tsa init` has made in the folder `net`. */
  async configure(): Promise<void> {
    const { code, stderr } = await new Client(this.folder).run(["tsa", "init", "--out", "net"]);
    assert.equal(code, 0, stderr);
    const file = join("net", "network.json");
    const timestamping = { key_file: "tsa.key", certificates_file: "tsa.pem" };
    const network = JSON.parse(await this.deployment.readFile(file));
    await this.deployment.writeFile(file, JSON.stringify({ ...network, timestamping }));
  }

  async write(name: string, content: string | object): Promise<void> {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Deno.remove(join(this.folder, name)).catch(() => {});
    await Deno.writeTextFile(join(this.folder, name), text, { mode: 0o600 });
  }

  /** Asks for a token of `text`; the status of the answer. */
  async ask(text: string): Promise<number> {
    await this.write("file", text);
    const query = ["-query", "-data", "file", "-sha256", "-cert", "-out", "file.tsq"];
    await openssl(this.folder, "ts", ...query);
    const { hostname, port } = this.deployment.address;
    const response = await fetch(`http://${hostname}:${port}/tsa`, {
      method: "POST",
      headers: { "Content-Type": "application/timestamp-query" },
      body: await Deno.readFile(join(this.folder, "file.tsq")),
    });
    await Deno.writeFile(join(this.folder, "file.tsr"), await response.bytes());
    return response.status;
  }

  /** Gets a token of `text`, which openssl verifies. */
  async stamp(text: string): Promise<void> {
    await eventually("a token", async () => await this.ask(text) === 200 || undefined);
    const trusted = ["-CAfile", join("net", "tsa-root.pem")];
    const verify = ["-verify", "-data", "file", "-in", "file.tsr", ...trusted];
    assert.match(await openssl(this.folder, "ts", ...verify), /Verification: OK/);
  }

  /** The answer to `path` of the operator's listener. */
  async operator(path: string): Promise<string> {
    const [, url] = /^ {2}operators: (\S+)$/m.exec(this.deployment.gateway.stdout)!;
    return await (await fetch(new URL(path, url))).text();
  }
}

Deno.test("fronts sign time stamps by a key at a signer, which is killed and comes back", async () => {
  await using deployment = await Deployment.create("ed25519");
  const site = new Stamping(deployment);
  await site.configure();
  const { folder } = site;
  await Deno.rename(join(folder, "net", "tsa.key"), join(folder, "real.key"));
  const spki = ["-in", "real.key", "-pubout", "-outform", "DER", "-out", "key.der"];
  await openssl(folder, "pkey", ...spki);
  await site.write("signer.token", TOKEN);
  await site.write("signer.json", {
    socket: "signer.sock",
    token_file: "signer.token",
    tsa_keys: [{ name: "example.org/tsa", key_file: "real.key" }],
  });
  await site.write(join("net", "tsa.key"), {
    signer: `unix:${join(folder, "signer.sock")}`,
    kind: "tsa",
    name: "example.org/tsa",
    scheme: "ecdsa-p256",
    public_key: (await Deno.readFile(join(folder, "key.der"))).toHex(),
    token_file: join(folder, "signer.token"),
  });
  const startSigner = async () =>
    (await Server.start(["signer", "signer.json"], /^Signer on (\S+)/m, { cwd: folder })).server;
  await Promise.all([0, 1, 2].map((index) => deployment.startWitness(index)));
  await deployment.startGateway("--fronts", "2", "--batch-max-age-ms", "50");
  // The gateway starts without its signer, and answers nothing wrong.
  await eventually("503", async () => await site.ask("early") === 503 || undefined);
  let signer = await startSigner();
  try {
    await site.stamp("first");
    await signer.kill();
    await eventually("503", async () => await site.ask("first") === 503 || undefined);
    assert.match(deployment.gateway.stderr, /Cannot sign with key example\.org\/tsa/);
    signer = await startSigner();
    await site.stamp("second");
    assert.match(
      signer.stderr,
      /Signed \d+ bytes of a time-stamp token with key example\.org\/tsa/,
    );
    assert.ok(!deployment.gateway.stderr.includes(TOKEN));
  } finally {
    await signer.kill();
  }
});

for (const fronts of ["0", "1"]) {
  Deno.test(`a gateway with ${fronts} fronts reads an encrypted key, and warns of certificates that expire`, async () => {
    await using deployment = await Deployment.create("ed25519");
    const site = new Stamping(deployment);
    await site.configure();
    const { folder } = site;
    const run = (...args: string[]) => openssl(folder, ...args);
    // Another certificate of the key, for 30 days, by another root.
    const requested = ["tsa", "request", "--key", "net/tsa.key", "--subject", "CN=Stamps"];
    await deployment.countersign(...requested, "--out", "a.csr");
    const authority = ["-newkey", "rsa:2048", "-noenc", "-keyout", "ca.key"];
    const root = join("net", "tsa-root.pem");
    await run("req", "-x509", ...authority, "-subj", "/CN=Root", "-out", root, "-days", "40");
    const issued = ["-req", "-in", "a.csr", "-CA", root, "-CAkey", "ca.key", "-days", "30"];
    const out = join("net", "tsa.pem");
    await run("x509", ...issued, "-copy_extensions", "copyall", "-out", out);
    const { stdout: identity } = await runTool("age-keygen", [], { cwd: folder });
    await site.write("id", /^AGE-SECRET-KEY-1\S+$/m.exec(identity)![0]);
    const [, recipient] = /public key: (age1\w+)/.exec(identity)!;
    const key = join("net", "tsa.key");
    const sealed = ["-a", "-r", recipient!, "-o", join("net", "tsa.key.age"), key];
    assert.equal((await runTool("age", sealed, { cwd: folder })).code, 0);
    await site.write(key, { age_file: "tsa.key.age", identity_file: "../id" });
    await Promise.all([0, 1, 2].map((index) => deployment.startWitness(index)));
    const args = ["--fronts", fronts, "--batch-max-age-ms", "50", "--operator-port", "0"];
    await deployment.startGateway(...args);
    await site.stamp("a text");
    const { warnings } = JSON.parse(await site.operator("/ready"));
    assert.equal(warnings[0].code, "tsa_certificate_expires");
    assert.match(warnings[0].detail, /CN=Stamps .* in 29 days/);
    assert.match(deployment.gateway.stderr, /CN=Stamps .* in 29 days/);
    const expires = "countersign_tsa_certificate_expires_timestamp_seconds";
    const days = (valueOf(await site.operator("/metrics"), expires)! - Date.now() / 1000) / 86_400;
    assert.ok(days > 29 && days <= 30, `${days}`);
    assert.equal(await deployment.stopGateway(), 0);
  });
}

Deno.test("a gateway does not start with the certificate of another key", async () => {
  await using deployment = await Deployment.create("ed25519");
  const site = new Stamping(deployment);
  await site.configure();
  assert.equal((await new Client(site.folder).run(["tsa", "init", "--out", "other"])).code, 0);
  const certificates = await deployment.readFile(join("other", "tsa.pem"));
  await deployment.writeFile(join("net", "tsa.pem"), certificates);
  for (const fronts of ["0", "1"]) {
    const config = ["--config", join("net", "network.json"), "--port", "0"];
    await using server = Server.launch(["serve", ...config, "--fronts", fronts], {
      cwd: site.folder,
    });
    assert.equal(await server.ended(), 1);
    assert.match(server.stderr, /is not of the key in "\S+tsa\.key"/);
  }
});

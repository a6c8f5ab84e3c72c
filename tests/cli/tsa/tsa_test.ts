import assert from "node:assert/strict";
import { join } from "node:path";
import { createPublicKey, X509Certificate } from "node:crypto";
import { Buffer } from "node:buffer";
import { equalBytes } from "../../../src/base/bytes.ts";
import { sealAge } from "../../../src/config/encrypted_key.ts";
import { loadTimestampIdentity } from "../../../src/config/timestamp_identity.ts";
import { isTimestampSignature } from "../../../src/config/timestamp_key.ts";
import { readTimestampSigner } from "../../../src/config/timestamp_key_file.ts";
import { TIMESTAMP_SCHEMES } from "../../../src/gateway/timestamping/timestamp_signer.ts";
import { parsePem } from "../../../src/proof/format/pem.ts";
import { nameAttributesOf, printableText } from "../../../src/proof/timestamp/asn1.ts";
import { readRoots } from "../../../src/proof/timestamp/certificate.ts";
import { checkSignerCertificate } from "../../../src/proof/timestamp/certificate_checks.ts";
import { findPath } from "../../../src/proof/timestamp/chain.ts";
import { readDer, TAG } from "../../../src/proof/timestamp/der.ts";
import { KEY_READING } from "../../config/timestamp_files.ts";
import { FakeClock } from "../../fake_clock.ts";
import { type Client, withClient } from "../client_run.ts";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { toTrustMaterial } from "@sigstore/verify";

/** Seconds of the clock. */
const NOW = 1_800_000_000;

async function modeOf(client: Client, name: string): Promise<number> {
  return ((await Deno.stat(join(client.folder, name))).mode ?? 0) & 0o777;
}

// tests/system/timestamp_keys_test.ts has RSA.
Deno.test("tsa init makes a key, its certificate, and a root", () =>
  withClient(async (client) => {
    client.clock = new FakeClock(NOW);
    const args = ["tsa", "init", "--out", "made"];
    const { code, json } = await client.runJson(args);
    assert.equal(code, 0);
    assert.equal(await modeOf(client, "made/tsa.key"), 0o600);
    const { keyFile, certificatesFile } = {
      keyFile: json.timestamping.key_file,
      certificatesFile: json.timestamping.certificates_file,
    };
    const identity = await loadTimestampIdentity({ keyFile, certificatesFile }, KEY_READING);
    assert.equal(identity.signer.scheme, "ecdsa-p256");
    const [leaf, root] = identity.certificates;
    const roots = readRoots(await Deno.readFile(json.root_file));
    assert.deepEqual(roots, [root]);
    for (const time of [NOW, NOW + 3_600 * 24 * 3_650]) {
      checkSignerCertificate(leaf, time);
      assert.equal((await findPath(leaf, [], roots, time)).length, 2);
    }
    assert.equal(json.not_after, leaf.notAfter);
    assert.ok(leaf.notBefore < NOW && leaf.notBefore > NOW - 86_400);
    const serials = identity.certificates.map(({ der }) =>
      new X509Certificate(Buffer.from(der)).serialNumber
    );
    for (const serial of serials) assert.match(serial, /^[0-7]?[0-9A-F]{24,31}$/);
    assert.notEqual(serials[0], serials[1]);
  }));

Deno.test("tsa init says what to put into network.json, and overwrites nothing", () =>
  withClient(async (client) => {
    const { stdout, stderr } = await client.run(["tsa", "init"]);
    const [, member] = /^ {2}("timestamping": .*)$/m.exec(stdout)!;
    assert.deepEqual(Object.keys(JSON.parse(`{${member}}`).timestamping), [
      "key_file",
      "certificates_file",
    ]);
    assert.match(stdout, /The root's key was not kept/);
    assert.match(stdout, /-o FILE\.tsr http:\S+\/tsa$/m);
    const elsewhere = ["--out", "elsewhere", "--gateway", "https://log.example/"];
    const named = await client.run(["tsa", "init", ...elsewhere]);
    assert.match(named.stdout, /-o FILE\.tsr https:\/\/log\.example\/tsa$/m);
    assert.match(stdout, /openssl ts -verify .* -CAfile \S+tsa-root\.pem$/m);
    const key = await client.read("tsa.key");
    assert.ok(!`${stdout}${stderr}`.includes(key.split("\n")[1]!));
    for (const name of ["tsa.key", "tsa.pem", "tsa-root.pem"]) {
      const again = await client.run(["tsa", "init"]);
      assert.equal(again.code, 1);
      assert.match(again.stderr, new RegExp(`${name}": it already exists\\. For another .* --out`));
      await Deno.remove(join(client.folder, name));
    }
    // The first two were removed, and the third stopped it before it made a key.
    assert.equal((await client.run(["tsa", "init"])).code, 0);
    assert.notEqual(await client.read("tsa.key"), key);
  }));

Deno.test("tsa init writes times until 2049 as UTCTime, and later ones as GeneralizedTime", () =>
  withClient(async (client) => {
    const tagsIn = async (folder: string) => {
      await client.run(["tsa", "init", "--out", folder]);
      const [leaf] = parsePem(await client.read(`${folder}/tsa.pem`));
      const [, , , , validity] = readDer(leaf!.bytes, "certificate").children[0]!.children;
      return validity!.children.map(({ tag }) => tag);
    };
    client.clock = new FakeClock(Date.UTC(2039, 11, 31) / 1000);
    assert.deepEqual(await tagsIn("a"), [TAG.utcTime, TAG.utcTime]);
    client.clock = new FakeClock(Date.UTC(2040, 0, 5) / 1000);
    assert.deepEqual(await tagsIn("b"), [TAG.utcTime, TAG.generalizedTime]);
  }));

/** The parts of the request in `pem`, as OpenSSL's `req -verify` checks them. */
function requestIn(pem: string) {
  const [{ label, bytes }] = parsePem(pem) as [{ label: string; bytes: Uint8Array<ArrayBuffer> }];
  assert.equal(label, "CERTIFICATE REQUEST");
  const [info, , signature] = readDer(bytes, "request").children;
  const [, subject, spki] = info!.children;
  const attributes = nameAttributesOf(subject!, "subject")
    .map(({ type, value }) => [type, printableText(value, 64)]);
  return {
    info: info!.bytes,
    subject: attributes,
    publicKey: spki!.bytes,
    signature: signature!.contents.slice(1),
  };
}

Deno.test("tsa request is signed by the key that it names, new or not", () =>
  withClient(async (client) => {
    const subject = ["--subject", "CN=Stamps\\, by us,O=Exämple,C=DE"];
    for (const scheme of TIMESTAMP_SCHEMES) {
      const file = `${scheme}.key`;
      const args = ["tsa", "request", "--key", file, ...subject];
      const made = await client.run([...args, "--new", "--scheme", scheme]);
      assert.equal(made.code, 0, made.stderr);
      assert.match(made.stderr, /Private key in \S+: keep it secret/);
      assert.equal(await modeOf(client, file), 0o600);
      const signer = await readTimestampSigner(join(client.folder, file), KEY_READING);
      assert.equal(signer.scheme, scheme);
      const again = await client.runJson(args);
      for (const pem of [made.stdout, again.json.request]) {
        const { info, publicKey, signature, subject } = requestIn(pem);
        assert.ok(equalBytes(publicKey, signer.publicKey));
        assert.ok(await isTimestampSignature(signer, info.slice(), signature));
        assert.deepEqual(subject, [
          ["2.5.4.6", "DE"],
          ["2.5.4.10", "Exämple"],
          ["2.5.4.3", "Stamps, by us"],
        ]);
      }
    }
  }));

Deno.test("tsa request writes a file, and reads an encrypted key", () =>
  withClient(async (client) => {
    const args = ["tsa", "request", "--subject", "CN=Stamps"];
    await client.run([...args, "--new", "--key", "plain.key", "--out", "one.csr"]);
    const { publicKey } = requestIn(await client.read("one.csr"));
    assert.equal(
      createPublicKey({ key: Buffer.from(publicKey), format: "der", type: "spki" })
        .asymmetricKeyType,
      "ec",
    );
    const again = await client.run([...args, "--key", "plain.key", "--out", "one.csr"]);
    assert.match(again.stderr, /one\.csr": it already exists\. Name another file with --out/);
    const made = await client.run([...args, "--new", "--key", "plain.key"]);
    assert.match(made.stderr, /plain\.key": it already exists\. To use this key, leave out --new/);
    const absent = await client.run([...args, "--key", "absent.key"]);
    assert.match(absent.stderr, /absent\.key": there is no such file\. To make the key, add --new/);
    const pem = await client.read("plain.key");
    await client.write("key.age", await sealAge(pem, { passphrase: "p", scryptWorkFactor: 10 }));
    for (
      const [name, text] of Object.entries({
        pass: "p\n",
        "tsa.key": '{"age_file":"key.age","passphrase_file":"pass"}',
      })
    ) {
      await Deno.writeTextFile(join(client.folder, name), text, { mode: 0o600 });
    }
    const { json } = await client.runJson([...args, "--key", "tsa.key"]);
    assert.ok(equalBytes(requestIn(json.request).publicKey, publicKey));
  }));

Deno.test("tsa request refuses other keys and subjects, and makes no key then", () =>
  withClient(async (client) => {
    const run = async (...args: string[]) => {
      const { code, stderr } = await client.run(["tsa", "request", ...args]);
      assert.notEqual(code, 0);
      return stderr;
    };
    const wrong = [
      "",
      "CN",
      "O=Example",
      "CN=a,X=b",
      "CN=a,,O=b",
      "CN=a\\",
      "CN=",
      "CN=a,C=Germany",
    ];
    const long = `CN=${"a".repeat(65)}`;
    for (
      const subject of [...wrong, long, "CN=a\nb", "CN=a,O=b,", "CN=a\\2Cb", "CN=a+O=b", 'CN="a"']
    ) {
      const stderr = await run("--new", "--key", "new.key", "--subject", subject);
      assert.match(stderr, /Cannot use subject/, subject);
    }
    await assert.rejects(Deno.stat(join(client.folder, "new.key")));
    const good = ["--subject", "CN=Stamps"];
    assert.match(await run("--key", "absent.key", ...good), /there is no such file/);
    assert.match(
      await run("--key", "absent.key", "--scheme", "rsa-3072", ...good),
      /--scheme is for a new key/,
    );
    await client.run(["tsa", "request", "--new", "--key", "new.key", ...good]);
    assert.match(await run("--new", "--key", "new.key", ...good), /new\.key": it already exists/);
    const reference = {
      signer: "unix:/s",
      kind: "tsa",
      name: "a/tsa",
      scheme: "ecdsa-p256",
      public_key: "00",
      token_file: "t",
    };
    await Deno.writeTextFile(join(client.folder, "far.key"), JSON.stringify(reference), {
      mode: 0o600,
    });
    assert.match(
      await run("--key", "far.key", ...good),
      /at a signer, which signs only time stamps/,
    );
  }));

Deno.test("tsa trusted-root has the whole chain, and the time for which it is valid", () =>
  withClient(async (client) => {
    client.clock = new FakeClock(NOW);
    const made = await client.runJson(["tsa", "init"]);
    const args = ["tsa", "trusted-root", "--certificates", "tsa.pem"];
    const wrong = await client.run([...args, "--uri", "log.example"]);
    assert.match(wrong.stderr, /it is not an http or https URL, in "--uri"/);
    const uri = "https://log.example/tsa";
    const { json } = await client.run([...args, "--uri", uri]);
    const [authority] = json.timestampAuthorities;
    assert.equal(authority.uri, uri);
    assert.match(authority.subject.commonName, /^Trial time stamps [0-9a-f]{8}$/);
    assert.equal(authority.subject.organization, "Countersign trial");
    const certificates = parsePem(await client.read("tsa.pem")).map(({ bytes }) =>
      bytes.toBase64()
    );
    assert.deepEqual(
      authority.certChain.certificates.map(({ rawBytes }: { rawBytes: string }) => rawBytes),
      certificates,
    );
    assert.equal(Date.parse(authority.validFor.end) / 1000, made.json.not_after);
    // As Sigstore's clients read it.
    const { timestampAuthorities } = toTrustMaterial(TrustedRoot.fromJSON(json));
    const [{ certChain: [leaf, root], validFor }] = timestampAuthorities as [
      typeof timestampAuthorities[0],
    ];
    assert.ok(leaf!.verify(root) && root!.verify() && root!.isCA && !leaf!.isCA);
    assert.deepEqual([validFor.start, validFor.end], [leaf!.notBefore, leaf!.notAfter]);
    assert.ok(!("uri" in (await client.run(args)).json.timestampAuthorities[0]));
    assert.match((await client.run([...args, "--uri", "log.example"])).stderr, /URL/);
    const [first] = (await client.read("tsa.pem")).split(/(?<=END CERTIFICATE-----\n)/);
    await client.write("leaf.pem", first);
    const { code, stderr } = await client.run([...args.slice(0, 3), "leaf.pem"]);
    assert.equal(code, 1);
    assert.match(stderr, /is not that of a root. Add the certificates of its issuers/);
  }));

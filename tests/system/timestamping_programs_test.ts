/**
 * The commands of `docs/timestamping.md`, as they stand there, against a running authority: programs of
 * others accept its tokens, and the tokens in what they signed carry their proofs.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import { SignPdf } from "@signpdf/signpdf";
import { Signer } from "@signpdf/utils";
import { type Bytes, hexOf, utf8 } from "../../src/base/bytes.ts";
import { publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { tokenIn } from "../../src/proof/timestamp/attested_token.ts";
import { markedBlock, markedNames } from "../docs/marked_blocks.ts";
import { digestBy, imprintOfContent, requestOf } from "../gateway/timestamping/fixture.ts";
import { eventually } from "../scenarios/deployment.ts";
import { QUERY, SCHEMES, TimestampingGateway } from "./timestamping.ts";
import { runTool, type ToolResult } from "./tools.ts";

const DOCUMENT = "docs/timestamping.md";
const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const RELEASE = utf8("a release\n");

/** Runs the block `name` of the document in the gateway's folder, with its address. */
async function runBlock(gateway: TimestampingGateway, name: string): Promise<ToolResult> {
  const block = (await markedBlock(DOCUMENT, name))
    .replaceAll("http://127.0.0.1:8080", gateway.url);
  const countersign = `countersign() { '${Deno.execPath()}' run -A '${MAIN}' "$@"; }`;
  const script = `${countersign}\n${block}`;
  const result = await runTool("bash", ["-euo", "pipefail", "-c", script], { cwd: gateway.folder });
  assert.equal(result.code, 0, `${name}: ${result.stdout}${result.stderr}`);
  return result;
}

/** A certificate of a publisher, with its key, in `me.pem`, `me.key` and `keys.p12`. */
async function makePublisher(gateway: TimestampingGateway): Promise<void> {
  await gateway.succeed(
    "openssl",
    ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout me.key -out me.pem"
      .split(
        " ",
      ),
    ..."-subj /CN=Publisher -days 30 -addext keyUsage=digitalSignature".split(" "),
    ..."-addext extendedKeyUsage=codeSigning".split(" "),
  );
  await gateway.succeed(
    "openssl",
    ..."pkcs12 -export -in me.pem -inkey me.key -name me -passout pass:changeit -out keys.p12"
      .split(
        " ",
      ),
  );
}

/** The smallest program that Windows' format allows: a header and one section. */
function program(): Bytes {
  const header = { dos: 64, coff: 68, optional: 88, section: 88 + 224 };
  const file = new Uint8Array(1024);
  const view = new DataView(file.buffer);
  const set16 = (at: number, value: number) => view.setUint16(at, value, true);
  const set32 = (at: number, value: number) => view.setUint32(at, value, true);
  set16(0, 0x5a4d);
  set32(60, header.dos);
  set32(header.dos, 0x4550);
  set16(header.coff, 0x14c);
  set16(header.coff + 2, 1);
  set16(header.coff + 16, 224);
  set16(header.coff + 18, 0x102);
  set16(header.optional, 0x10b);
  // Entry point, base of code, image base, alignments, sizes.
  for (const [at, value] of [[16, 4096], [20, 4096], [28, 0x400000], [32, 4096], [36, 512]]) {
    set32(header.optional + at!, value!);
  }
  set16(header.optional + 40, 4);
  set16(header.optional + 48, 4);
  set32(header.optional + 56, 8192);
  set32(header.optional + 60, 512);
  set16(header.optional + 68, 3);
  set32(header.optional + 92, 16);
  file.set(utf8(".text"), header.section);
  for (const [at, value] of [[8, 1], [12, 4096], [16, 512], [20, 512], [36, 0x60000020]]) {
    set32(header.section + at!, value!);
  }
  file[512] = 0xc3;
  return file;
}

/** A PDF of one empty page, with room for a document time stamp. */
function document(): string {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [4 0 R] >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] /Annots [4 0 R] >>",
    "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Stamp) /Rect [0 0 0 0] /F 132 /P 3 0 R /V 5 0 R >>",
    "<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161 " +
    "/ByteRange [0 /********** /********** /**********] " +
    `/Contents <${"00".repeat(8_192)}> >>`,
  ];
  let text = "%PDF-1.7\n";
  const offsets = objects.map((object, i) => {
    const offset = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = text.length;
  return `${text}xref\n0 6\n0000000000 65535 f \n${offsets.join("")}` +
    `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
}

/** Signs a PDF with a token of all bytes outside the signature. */
class DocumentStamper extends Signer {
  readonly #url: string;
  covered: Bytes = new Uint8Array();

  constructor(url: string) {
    super();
    this.#url = url;
  }

  override async sign(covered: Buffer): Promise<Buffer> {
    this.covered = new Uint8Array(covered);
    const body = requestOf(await imprintOfContent(this.covered));
    const response = await fetch(this.#url, {
      method: "POST",
      headers: { "Content-Type": QUERY },
      body,
    });
    return Buffer.from(tokenIn(new Uint8Array(await response.arrayBuffer())));
  }
}

for (const scheme of SCHEMES) {
  Deno.test(`programs of others take our tokens by ${scheme}, as docs/timestamping.md says`, async (t) => {
    await using gateway = await TimestampingGateway.start({ scheme });
    await makePublisher(gateway);
    await gateway.write("network.public.json", publicNetworkJson(gateway.network));
    await gateway.write("release.tar", RELEASE);
    const read = (name: string) => Deno.readFile(gateway.path(name));
    const names = await markedNames(DOCUMENT);
    assert.deepEqual(names, [
      "openssl",
      "jarsigner",
      "osslsigncode",
      "pdf",
      "trusted-root",
      "extract",
      "verify-proof",
    ]);

    await t.step("openssl", async () => {
      const { stdout, stderr } = await runBlock(gateway, "openssl");
      assert.match(stdout + stderr, /Verification: OK/);
      assert.match(stdout, /^Accuracy: 0x3C seconds/m);
      assert.match(stdout, /^Ordering: no$/m);
      await gateway.requireValid(await read("release.tar.tsr"), RELEASE);
    });

    await t.step("jarsigner", async () => {
      await gateway.write("claim.txt", "a claim\n");
      await gateway.succeed("jar", "cf", "app.jar", "claim.txt");
      const { stdout } = await runBlock(gateway, "jarsigner");
      assert.match(stdout, /^jar verified\.$/m);
      assert.match(stdout, /Timestamped by "CN=Trial time stamps [0-9a-f]+, O=Countersign trial"/);
      // Without the root of the authority.
      await gateway.succeed(
        "keytool",
        ..."-delete -alias tsa -keystore trust.p12 -storepass changeit".split(" "),
      );
      const strict = "-verify -strict -keystore trust.p12 -storepass changeit app.jar".split(" ");
      const { code, stdout: refused } = await gateway.run("jarsigner", ...strict);
      assert.notEqual(code, 0);
      assert.match(refused, /TSA certificate chain is invalid/);
    });

    await t.step("osslsigncode", async () => {
      await gateway.write("app.exe", program());
      const { stdout, stderr } = await runBlock(gateway, "osslsigncode");
      assert.match(stdout + stderr, /Timestamp Server Signature verification: ok/);
      const wrong = await gateway.run(
        "osslsigncode",
        ..."verify -CAfile me.pem -TSA-CAfile me.pem -in signed.exe".split(" "),
      );
      assert.doesNotMatch(wrong.stdout + wrong.stderr, /Server Signature verification: ok/);
    });

    await t.step("a PDF signer", async () => {
      const stamper = new DocumentStamper(gateway.tsa);
      const pdf = await new SignPdf().sign(Buffer.from(document(), "latin1"), stamper);
      await gateway.write("stamped.pdf", new Uint8Array(pdf));
      const { stdout, stderr } = await runBlock(gateway, "pdf");
      assert.match(stdout + stderr, /Verification: OK/);
      assert.deepEqual(await read("covered"), stamper.covered);
      const shown = await gateway.succeed("pdfsig", "stamped.pdf");
      assert.match(shown, /Signer Certificate Common Name: Trial time stamps/);
      assert.match(shown, /Total document signed/);
    });

    await t.step("the tokens in signed files", async () => {
      const { stdout } = await runBlock(gateway, "extract");
      assert.equal(stdout.match(/^VALID \((Basic|Batched)\)$/gm)?.length, 2);
      for (const name of ["jar-token.tsr", "exe-token.tsr"]) {
        await gateway.requireAttested(await read(name));
      }
    });

    await t.step("our verifier", async () => {
      const hash = hexOf(await digestBy(RELEASE, "SHA-256"));
      await eventually("the hash is in the log", async () => {
        const job = await (await fetch(`${gateway.url}/v1/attestations/${hash}`)).json();
        return job.progress === "batched" ? true : undefined;
      });
      const { stdout, stderr } = await runBlock(gateway, "verify-proof");
      assert.match(stdout, /^VALID \(Basic\)$/m);
      assert.match(stdout, /^authority: CN=Trial time stamps [0-9a-f]+, its root was given$/m);
      assert.match(stdout + stderr, /Verification: OK/);
      const { proof } = await gateway.requireValid(await read("release.tar.tsr"), RELEASE);
      assert.notEqual(proof?.bundle.batch_inclusion, null);
    });

    await t.step("Sigstore's trusted root", () => runBlock(gateway, "trusted-root").then(() => {}));
  });
}

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { join } from "node:path";
import { type Bytes, bytesOfBase64Url, utf8 } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { sealAge } from "../../src/config/encrypted_key.ts";
import { readAnySigner } from "../../src/config/key_file.ts";
import {
  isTimestampSignature,
  newTimestampKey,
  type TimestampKey,
} from "../../src/config/timestamp_key.ts";
import { readTimestampSigner } from "../../src/config/timestamp_key_file.ts";
import {
  TIMESTAMP_SCHEMES,
  type TimestampSigner,
} from "../../src/gateway/timestamping/timestamp_signer.ts";
import { encodePem } from "../../src/proof/format/pem.ts";
import { encodeInteger, encodeObjectIdentifier } from "../../src/proof/timestamp/asn1.ts";
import { encodeDer, readDer, TAG } from "../../src/proof/timestamp/der.ts";
import { signerApp } from "../../src/http/signer/signer_app.ts";
import { newWitnessKey } from "../../src/server/gateway/new_keys.ts";
import { bls } from "../schemes.ts";
import { inFolder } from "../server/captured_io.ts";
import { KEY_READING, SIGNED_ATTRIBUTES, timestampKey } from "./timestamp_files.ts";

const MESSAGE = utf8("a text");
const TOKEN = "t".repeat(32);

/** The key in a file with `text`. */
async function read(text: string) {
  return await inFolder(async (folder) => {
    const file = join(folder, "tsa.key");
    await Deno.writeTextFile(file, text, { mode: 0o600 });
    return await readTimestampSigner(file, KEY_READING);
  });
}

async function refuses(text: string, message: RegExp): Promise<void> {
  await assert.rejects(read(text), (error) => {
    assert.ok(error instanceof CountersignError);
    assert.equal(error.code, "invalid_key");
    assert.match(error.message, message);
    assert.match(error.message, /tsa\.key/);
    for (const line of text.split("\n").filter((line) => line.length > 40)) {
      assert.ok(!error.message.includes(line));
    }
    return true;
  });
}

for (const scheme of TIMESTAMP_SCHEMES) {
  Deno.test(`a key file of ${scheme} signs as CMS has it`, async () => {
    const { pem } = await timestampKey(scheme);
    const signer = await read(pem);
    assert.equal(signer.scheme, scheme);
    const key = createPublicKey({
      key: Buffer.from(signer.publicKey),
      format: "der",
      type: "spki",
    });
    for (let i = 0; i < (scheme === "ecdsa-p256" ? 64 : 2); i++) {
      const message = Uint8Array.of(i);
      const signature = await signer.sign(message);
      assert.ok(verify("sha256", message, key, signature));
      assert.ok(await isTimestampSignature(signer, message, signature));
      assert.ok(!await isTimestampSignature(signer, MESSAGE, signature));
    }
  });
}

Deno.test("a key without its public half is read", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { d = "" } = privateKey.export({ format: "jwk" });
  const secret = bytesOfBase64Url(d) ?? assert.fail();
  // RFC 5915 section 3, without publicKey.
  const key = encodeDer(TAG.sequence, encodeInteger(1), encodeDer(TAG.octetString, secret));
  const algorithm = ["1.2.840.10045.2.1", "1.2.840.10045.3.1.7"].map(encodeObjectIdentifier);
  const bytes = encodeDer(
    TAG.sequence,
    encodeInteger(0),
    encodeDer(TAG.sequence, ...algorithm),
    encodeDer(TAG.octetString, key),
  );
  const signer = await read(encodePem({ label: "PRIVATE KEY", bytes }));
  const publicKey = createPublicKey(privateKey);
  assert.ok(verify("sha256", MESSAGE, publicKey, await signer.sign(MESSAGE)));
});

Deno.test("keys of other kinds and forms are refused with what to do", async () => {
  const pkcs8 = { type: "pkcs8", format: "pem" } as const;
  const small = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  await refuses(
    small.export(pkcs8) as string,
    /RSA with 2048 bits\. .* RSA with 3072 to 4096 bits/,
  );
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey;
  await refuses(p384.export(pkcs8) as string, /secp384r1\. .*tsa request --new/);
  const ed25519 = generateKeyPairSync("ed25519").privateKey;
  await refuses(ed25519.export(pkcs8) as string, /ed25519\. .*ECDSA P-256/);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await refuses(
    privateKey.export({ type: "sec1", format: "pem" }) as string,
    /"EC PRIVATE KEY", not PKCS#8\. Convert it: openssl pkcs8 -topk8 -nocrypt/,
  );
  await refuses(
    privateKey.export({ ...pkcs8, cipher: "aes-256-cbc", passphrase: "secret" }) as string,
    /encrypted by PKCS#8\. .*age_file/,
  );
  const { pem } = await timestampKey();
  await refuses(await sealAge(pem, { passphrase: "p", scryptWorkFactor: 10 }), /with age_file/);
  await refuses(pem + pem, /more than one private key/);
  await refuses(pem.replaceAll("PRIVATE KEY", "CERTIFICATE"), /no block "PRIVATE KEY"/);
  await refuses(pem.replace("\nM", "\nN"), /damaged/);
  await refuses(pem.replace("-----END", "----END"), /damaged/);
  const witness = newWitnessKey("example.org/w1", "ed25519", bls).secretLine;
  await refuses(witness, /no key of a time-stamp authority.*tsa init/);
});

Deno.test("the key of an authority is refused where a witness's or log's is needed", () =>
  inFolder(async (folder) => {
    const file = join(folder, "tsa.key");
    await Deno.writeTextFile(file, (await timestampKey()).pem, { mode: 0o600 });
    await assert.rejects(readAnySigner(file, KEY_READING), {
      code: "invalid_key",
    });
  }));

Deno.test("a key file that others may read is refused", () =>
  inFolder(async (folder) => {
    const file = join(folder, "tsa.key");
    await Deno.writeTextFile(file, (await timestampKey()).pem, { mode: 0o600 });
    await Deno.chmod(file, 0o640);
    await assert.rejects(readTimestampSigner(file, KEY_READING), {
      code: "file_failed",
      message: /mode 0640 gives others access\. Run: chmod 600/,
    });
  }));

Deno.test("an encrypted key is read by its age file", () =>
  inFolder(async (folder) => {
    const write = (name: string, text: string) =>
      Deno.writeTextFile(join(folder, name), text, { mode: 0o600 });
    const { pem, signer } = await timestampKey();
    await write("tsa.key.age", await sealAge(pem, { passphrase: "p", scryptWorkFactor: 10 }));
    await write("passphrase", "p\n");
    await write("tsa.key", '{"age_file":"tsa.key.age","passphrase_file":"passphrase"}');
    const read = await readTimestampSigner(join(folder, "tsa.key"), KEY_READING);
    assert.deepEqual(read.publicKey, signer.publicKey);
  }));

type Handler = (request: Request) => Response | Promise<Response>;

const ATTRIBUTES = readDer(SIGNED_ATTRIBUTES, "attributes").children;
const [CONTENT_TYPE, DIGEST] = ATTRIBUTES.map(({ bytes }) => bytes) as [Bytes, Bytes];

function attribute(type: string, ...values: readonly Bytes[]): Bytes {
  return encodeDer(TAG.sequence, encodeObjectIdentifier(type), encodeDer(TAG.set, ...values));
}

const TST_INFO = encodeObjectIdentifier("1.2.840.113549.1.9.16.1.4");
const DATA = encodeObjectIdentifier("1.2.840.113549.1.7.1");
const CONTENT = "1.2.840.113549.1.9.3";

/** Texts that are not the signed attributes of a time-stamp token. */
const OTHER_TEXTS: Readonly<Record<string, Bytes>> = {
  "another content": encodeDer(TAG.set, attribute(CONTENT, DATA), DIGEST),
  "no content type": encodeDer(TAG.set, DIGEST),
  "two content types": encodeDer(TAG.set, CONTENT_TYPE, attribute(CONTENT, DATA)),
  "two values": encodeDer(TAG.set, attribute(CONTENT, TST_INFO, DATA), DIGEST),
  // signingTime.
  "another attribute": encodeDer(
    TAG.set,
    CONTENT_TYPE,
    attribute("1.2.840.113549.1.9.5", encodeDer(TAG.utcTime, utf8("260101000000Z"))),
    DIGEST,
  ),
  "a sequence": encodeDer(TAG.sequence, CONTENT_TYPE, DIGEST),
  "no DER": SIGNED_ATTRIBUTES.slice(0, -1),
  "a text of a witness": utf8("cosignature/v1\n"),
  "nothing": new Uint8Array(),
};

/** Serves `handler` on a socket, and gives the key that a file there says `handler` has. */
async function withRemote(
  handler: Handler,
  members: object,
  use: (signer: TimestampSigner) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const stop = new AbortController();
    const socket = join(folder, "s.sock");
    const server = Deno.serve({ path: socket, signal: stop.signal, onListen: () => {} }, handler);
    await Deno.writeTextFile(join(folder, "token"), TOKEN, { mode: 0o600 });
    const { signer } = await timestampKey();
    const reference = {
      signer: `unix:${socket}`,
      kind: "tsa",
      name: "example.org/tsa",
      scheme: signer.scheme,
      public_key: signer.publicKey.toHex(),
      token_file: "token",
      ...members,
    };
    const file = join(folder, "tsa.key");
    await Deno.writeTextFile(file, JSON.stringify(reference), { mode: 0o600 });
    try {
      const remote = await readTimestampSigner(file, KEY_READING);
      await use(remote);
      remote[Symbol.dispose]?.();
    } finally {
      stop.abort();
      await server.finished;
    }
  });
}

const served = (signer: TimestampKey) =>
  signerApp({
    keys: [{ kind: "tsa", name: "example.org/tsa", signer }],
    token: TOKEN,
    report: () => {},
  });

Deno.test("a signer signs the attributes of time-stamp tokens, and no other text", async () => {
  const { signer } = await timestampKey();
  await withRemote(served(signer), {}, async (remote) => {
    const signatures = await Promise.all(
      Array.from({ length: 40 }, () => remote.sign(SIGNED_ATTRIBUTES)),
    );
    for (const signature of signatures) {
      assert.ok(await isTimestampSignature(signer, SIGNED_ATTRIBUTES, signature));
    }
    for (const [what, text] of Object.entries(OTHER_TEXTS)) {
      await assert.rejects(remote.sign(text), { code: "signer_unavailable" }, what);
    }
  });
});

Deno.test("what waits for a signer fails with the first request that fails", async () => {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  const hanging = async () => {
    if (++asked === 16) all.resolve();
    await all.promise;
    return new Response(null, { status: 503 });
  };
  await withRemote(hanging, {}, async (remote) => {
    const signs = Array.from({ length: 40 }, () => remote.sign(SIGNED_ATTRIBUTES));
    for (const sign of signs) await assert.rejects(sign, { code: "signer_unavailable" });
    assert.equal(asked, 16);
    await assert.rejects(remote.sign(SIGNED_ATTRIBUTES), { code: "signer_unavailable" });
    assert.equal(asked, 17);
  });
});

Deno.test("a signature that does not verify is refused", async () => {
  const { signer } = await newTimestampKey("ecdsa-p256");
  const answers: [string, Handler][] = [
    ["another key's", served(signer)],
    ["no DER", () => Response.json({ signature: "00".repeat(70) })],
    ["empty", () => Response.json({ signature: "" })],
    ["too long", () => Response.json({ signature: "00".repeat(513) })],
    ["raw", () => Response.json({ signature: "11".repeat(64) })],
  ];
  for (const [what, handler] of answers) {
    await withRemote(handler, {}, async (remote) => {
      await assert.rejects(remote.sign(SIGNED_ATTRIBUTES), { code: "signer_unavailable" }, what);
    });
  }
});

Deno.test("a reference whose public key or scheme is wrong is refused", async () => {
  const { signer } = await timestampKey("rsa-3072");
  const cases: [object, RegExp][] = [
    [{ scheme: "rsa-3072" }, /its public_key is not of the scheme rsa-3072/],
    [{ public_key: signer.publicKey.toHex() }, /its public_key is not of the scheme ecdsa-p256/],
    [{ public_key: "00" }, /not a SubjectPublicKeyInfo in DER/],
    [{ public_key: "0" }, /SubjectPublicKeyInfo \(DER\) in lowercase hex/],
    [{ scheme: "ed25519" }, /scheme: it must be one of ecdsa-p256, rsa-3072/],
    [{ kind: "witness" }, /kind: it must be one of tsa/],
    [{ name: "a b" }, /name: it must be of A-Z/],
  ];
  for (const [members, message] of cases) {
    await assert.rejects(
      withRemote(() => new Response(), members, () => Promise.resolve()),
      { message },
    );
  }
});

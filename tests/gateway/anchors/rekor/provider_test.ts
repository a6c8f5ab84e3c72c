import { initializeTLog, rekorHandler } from "@sigstore/mock";
import { bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { toSignedEntity, toTrustMaterial, Verifier } from "@sigstore/verify";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import crypto from "node:crypto";
import { type Bytes, textOf, utf8 } from "../../../../src/base/bytes.ts";
import { CountersignError } from "../../../../src/base/errors.ts";
import { object } from "../../../../src/proof/format/schema.ts";
import { encodePem, parsePem } from "../../../../src/proof/format/pem.ts";
import type { AnchorProof } from "../../../../src/proof/format/records.ts";
import { parseStrictJson } from "../../../../src/proof/format/strict_json.ts";
import type { AnchorService } from "../../../../src/gateway/anchors/ports.ts";
import { rekor } from "../../../../src/gateway/anchors/rekor/provider.ts";
import { encodeEntryBody, type EntryVersion } from "../../../../src/gateway/anchors/rekor/entry.ts";
import { decodeSpki } from "../../../../src/gateway/anchors/rekor/keys.ts";
import { FetchAnchorHttp } from "../../../../src/http/outgoing/anchor_http.ts";
import { FakeClock } from "../../../fake_clock.ts";
import { type Handler, patience, served } from "../../../http/outgoing/fixture.ts";
import {
  ARTIFACT,
  DIGEST,
  firstLog,
  type Lie,
  LOG_TIME,
  ORIGIN,
  recordOf,
  secondLog,
  submitterPem,
  TestRekorLog,
} from "./test_log.ts";

const NOW = 1_800_000_000;
const KEY = await submitterPem();

/** The service of an entry with these members, which may name these files. */
async function serviceOf(
  members: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string | Bytes>> = {},
): Promise<AnchorService> {
  const entry = { key_file: "key.pem", ...members };
  const value = parseStrictJson(JSON.stringify(entry), "malformed_json");
  const where = { where: "anchors[0]", code: "malformed_configuration" } as const;
  return await rekor.configure(object(rekor.members).parse(value, where), {
    http: new FetchAnchorHttp({ insecure: false }),
    clock: new FakeClock(NOW),
    insecure: false,
    readFile: (path) => {
      const file = { "key.pem": KEY, ...files }[path]!;
      return Promise.resolve(typeof file === "string" ? utf8(file) : file);
    },
  });
}

/** Answers as a log does, with a record of what was sent; `lie` is told of it. */
function answering(log: TestRekorLog, lie: Lie = {}): Handler {
  return async (request) => {
    assert.equal(request.method, "POST");
    assert.equal(request.headers.get("Content-Type"), "application/json");
    assert.equal(request.headers.get("Accept"), "application/json");
    assert.equal(new URL(request.url).pathname, "/rekor/api/v2/log/entries");
    const { hashedRekordRequestV002: { digest, signature } } = await request.json();
    assert.equal(signature.verifier.keyDetails, "PKIX_ECDSA_P256_SHA_256");
    const body = encodeEntryBody(log.version, {
      digest: Uint8Array.fromBase64(digest),
      signature: Uint8Array.fromBase64(signature.content),
      publicKey:
        decodeSpki(Uint8Array.fromBase64(signature.verifier.publicKey.rawBytes))!.publicKey,
    });
    return Response.json(log.answer(log.entry(body, lie)), { status: 201 });
  };
}

function verdictOf(answer: AnchorProof, roots: readonly Bytes[], digest = DIGEST) {
  return rekor.verify({ ...answer, digest, roots });
}

/** By Sigstore's own verifier, to which the bundle, the artifact and the key are given. */
function verifyBySigstore({ proof }: AnchorProof, root: Bytes, artifact = ARTIFACT): void {
  const [bundle, key] = rekor.files(DIGEST, proof);
  const parsed = bundleFromJSON(JSON.parse(textOf(bundle!.bytes)));
  const rawBytes = Buffer.from(parsePem(textOf(key!.bytes))[0]!.bytes);
  const hint = crypto.createHash("sha256").update(rawBytes).digest("base64");
  const material = toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(textOf(root))), {
    [hint]: { rawBytes, keyDetails: 5 },
  });
  const thresholds = { ctlogThreshold: 0, timestampThreshold: 0 };
  const entity = toSignedEntity(parsed, Buffer.from(artifact));
  new Verifier(material, thresholds).verify(entity);
}

for (const algorithm of ["ed25519", "p256"] as const) {
  Deno.test(`a log of version 2 with an ${algorithm} key logs a digest`, async () => {
    const log = new TestRekorLog({ version: "0.0.2", algorithm });
    await served(answering(log), async (url) => {
      const service = await serviceOf({ url: `${url}/rekor`, trusted_root_file: "root" }, {
        root: log.trustedRoot(),
      });
      const answer = await service.anchor(DIGEST, patience());
      assert.deepEqual([answer.status, answer.timestamp], ["confirmed", NOW]);
      const verified = { status: "verified", source: `Rekor log ${ORIGIN}, entry 6` };
      assert.deepEqual(await verdictOf(answer, [log.trustedRoot()]), verified);
      assert.deepEqual(await verdictOf(answer, [log.pem()]), verified);
      const { status } = await verdictOf(answer, [log.pem()], DIGEST.map((byte) => byte ^ 1));
      assert.equal(status, "failed");
      // Each submission is an entry of its own, also of the same digest.
      assert.notDeepEqual((await service.anchor(DIGEST, patience())).proof, answer.proof);
    });
  });
}

Deno.test("Sigstore's verifier accepts our bundle of version 2 and no changed one", async () => {
  await served(answering(secondLog), async (url) => {
    const answer = await (await serviceOf({ url: `${url}/rekor` })).anchor(DIGEST, patience());
    verifyBySigstore(answer, secondLog.trustedRoot());
    assert.throws(() => verifyBySigstore(answer, secondLog.trustedRoot(), utf8("another")));
    const other = new TestRekorLog({ version: "0.0.2", algorithm: "ed25519", seed: 12 });
    assert.throws(() => verifyBySigstore(answer, other.trustedRoot()));
  });
});

/** Node takes no digest for the key's own; Deno's `node:crypto` has none, and Sigstore names none. */
async function withDefaultDigest(use: () => Promise<void> | void): Promise<void> {
  const { verify } = crypto;
  crypto.verify =
    ((algorithm: string, ...rest: [Buffer, crypto.KeyObject, Buffer]) =>
      verify(algorithm ?? "sha256", ...rest)) as typeof verify;
  try {
    await use();
  } finally {
    crypto.verify = verify;
  }
}

Deno.test("Sigstore's mock of a log of version 1 logs a digest and signs the time", async () => {
  const keyPair = crypto.generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const spki = new Uint8Array(keyPair.publicKey.export({ format: "der", type: "spki" }));
  let handle: Handler = () => new Response();
  await served((request, port) => handle(request, port), async (url) => {
    const log = await initializeTLog(url, keyPair, new Date(LOG_TIME * 1000));
    const { path, fn } = rekorHandler(log);
    handle = async (request) => {
      assert.equal(new URL(request.url).pathname, path);
      const { statusCode: status, response, contentType = "" } = await fn(await request.text());
      return new Response(response as string, {
        status,
        headers: { "Content-Type": `${contentType}; charset=utf-8` },
      });
    };
    const key = encodePem({ label: "PUBLIC KEY", bytes: spki });
    const root = utf8(`Origin: ${new URL(url).host}\n${key}`);
    const members = { url, api_version: 1, trusted_root_file: "root.pem" };
    const service = await serviceOf(members, { "root.pem": root });
    const answer = await service.anchor(DIGEST, patience());
    assert.deepEqual([answer.status, answer.timestamp], ["confirmed", LOG_TIME]);
    const verdict = await verdictOf(answer, [root]);
    assert.deepEqual(verdict.status === "verified" && verdict.notAfter, LOG_TIME);
    const keyId = { keyId: crypto.hash("sha256", spki, "base64") };
    const publicKey = { rawBytes: spki.toBase64(), keyDetails: "PKIX_ECDSA_P256_SHA_256" };
    const validFor = { start: "2021-01-12T11:53:27Z" };
    const trustedRoot = utf8(JSON.stringify({
      tlogs: [{ baseUrl: url, publicKey: { ...publicKey, validFor }, logId: keyId }],
    }));
    assert.equal((await verdictOf(answer, [trustedRoot])).status, "verified");
    await withDefaultDigest(() => {
      verifyBySigstore(answer, trustedRoot);
      assert.throws(() => verifyBySigstore(answer, firstLog.trustedRoot()));
    });
  });
});

Deno.test("anchor() refuses any other answer, or reports the log as unreachable", async () => {
  const entryOf = (digest: Bytes, lie: Lie = {}) =>
    Response.json(
      secondLog.answer(secondLog.entry(encodeEntryBody("0.0.2", recordOf(digest)), lie)),
      { status: 201 },
    );
  const json = { "Content-Type": "application/json" };
  const anotherKey = new TestRekorLog({ version: "0.0.2", algorithm: "ed25519", seed: 12 });
  const body = encodeEntryBody("0.0.2", recordOf());
  const cases: readonly (readonly [string, () => Response, string])[] = [
    ["a failure", () => new Response("", { status: 500 }), "anchor_unreachable"],
    ["a limit", () => Response.json({}, { status: 429 }), "anchor_unreachable"],
    ["a refusal", () => Response.json({ message: "no" }, { status: 400 }), "anchor_refused"],
    ["a conflict", () => Response.json({}, { status: 409 }), "anchor_refused"],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/"), "anchor_unreachable"],
    ["a page", () => {
      return new Response(entryOf(DIGEST).body, { headers: { "Content-Type": "text/html" } });
    }, "anchor_refused"],
    ["no JSON", () => new Response("{", { status: 201, headers: json }), "anchor_refused"],
    ["no UTF-8", () => new Response(Uint8Array.of(0xff), { headers: json }), "anchor_refused"],
    ["nothing", () => new Response("", { headers: json }), "anchor_refused"],
    ["too much", () => {
      const entry = secondLog.answer(secondLog.entry(body));
      return Response.json({ ...entry, more: "a".repeat(40_000) }, { status: 201 });
    }, "anchor_refused"],
    ["far too much", () => Response.json({ a: "a".repeat(2_000_000) }), "anchor_unreachable"],
    ["no entry", () => Response.json({}), "anchor_refused"],
    ["another digest", () => entryOf(DIGEST.map((byte) => byte ^ 1)), "anchor_refused"],
    ["another root", () => entryOf(DIGEST, { root: DIGEST }), "anchor_refused"],
    ["another log", () => {
      return Response.json(anotherKey.answer(anotherKey.entry(body)), { status: 201 });
    }, "anchor_refused"],
    ["another version", () => {
      const entry = { ...secondLog.entry(encodeEntryBody("0.0.1", recordOf())) };
      return Response.json(secondLog.answer(entry), { status: 201 });
    }, "anchor_refused"],
  ];
  for (const [what, answer, code] of cases) {
    await served(answer, async (url) => {
      const files = { root: secondLog.trustedRoot() };
      const service = await serviceOf({ url, trusted_root_file: "root" }, files);
      await assert.rejects(service.anchor(DIGEST, patience()), (error) => {
        return error instanceof CountersignError && error.code === code;
      }, what);
    });
  }
  await served(() => entryOf(DIGEST), async (url) => {
    const files = { root: secondLog.trustedRoot() };
    const service = await serviceOf({ url, trusted_root_file: "root" }, files);
    assert.equal((await service.anchor(DIGEST, patience())).status, "confirmed");
  });
});

Deno.test("anchor() reports an unreachable log and stops on an abort", async () => {
  const service = await serviceOf({ url: "http://127.0.0.1:1" });
  await assert.rejects(service.anchor(DIGEST, patience()), { code: "anchor_unreachable" });
  await served(async (request) => {
    await request.arrayBuffer();
    return Response.json({});
  }, async (url) => {
    const service = await serviceOf({ url });
    await assert.rejects(service.anchor(DIGEST, AbortSignal.abort()), {
      code: "anchor_unreachable",
    });
  });
});

Deno.test("configure() refuses a wrong log, version, key or trusted root", async () => {
  const url = "https://rekor.test";
  const pkcs8 = (type: "ec" | "rsa", options: object, key: "pkcs8" | "sec1" = "pkcs8") =>
    // deno-lint-ignore no-explicit-any -- node:crypto has an overload for each type of key.
    (crypto.generateKeyPairSync as any)(type, options).privateKey
      .export({ format: "pem", type: key }) as string;
  const p384 = pkcs8("ec", { namedCurve: "P-384" });
  const sec1 = pkcs8("ec", { namedCurve: "P-256" }, "sec1");
  const cases: readonly (readonly [string, object, Record<string, string>?])[] = [
    ["http beyond loopback", { url: "http://rekor.test" }],
    ["another version", { url, api_version: 3 }],
    ["two keys", { url }, { "key.pem": KEY + KEY }],
    ["no key", { url }, { "key.pem": "" }],
    ["a public key", { url }, { "key.pem": KEY.replaceAll("PRIVATE", "PUBLIC") }],
    ["half a key", { url }, { "key.pem": KEY.slice(0, -40) }],
    ["a key of another curve", { url }, { "key.pem": p384 }],
    ["a key of RSA", { url }, { "key.pem": pkcs8("rsa", { modulusLength: 2048 }) }],
    ["a key of another encoding", { url }, { "key.pem": sec1 }],
    ["no root", { url, trusted_root_file: "root" }, { root: "{}" }],
  ];
  for (const [what, members, files] of cases) {
    await assert.rejects(serviceOf({ ...members }, files ?? {}), (error) => {
      assert.ok(error instanceof CountersignError, what);
      assert.equal(error.code, "invalid_configuration", what);
      // No part of a key is in a message or in its cause. Stacks hold paths, which may look like one.
      const shown = Deno.inspect(error).replaceAll(/^ +at .*$/gm, "");
      assert.doesNotMatch(shown, /[A-Za-z0-9+/]{40}/, what);
      return true;
    }, what);
  }
  await assert.rejects(serviceOf({ url, api_version: "2" }), { code: "malformed_configuration" });
  const made = pkcs8("ec", { namedCurve: "P-256" });
  const key_file = "openssl.pem";
  assert.ok(await serviceOf({ url, key_file, api_version: 1 }, { [key_file]: made }));
});

Deno.test("files() returns a bundle and a key with one command", () => {
  for (const log of [firstLog, secondLog]) {
    const version: EntryVersion = log.version;
    const proof = log.proof();
    const [bundle, key] = rekor.files(DIGEST, proof);
    assert.deepEqual(JSON.parse(textOf(bundle!.bytes)), JSON.parse(JSON.stringify(proof)), version);
    assert.match(bundle!.command!, /--key FILE\.pub --bundle FILE CHECKPOINT$/);
    assert.equal(key!.extension, `${bundle!.extension}.pub`);
    const spki = crypto.createPublicKey(textOf(key!.bytes)).export({ format: "der", type: "spki" });
    const { publicKey } = recordOf();
    assert.deepEqual(decodeSpki(new Uint8Array(spki)), { algorithm: "p256", publicKey });
  }
});

/**
 * Time-stamp authorities as a gateway asks them, over HTTP on loopback, and their proofs as a
 * verifier reads them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { TimeStampReq, TimeStampResp } from "pkijs";
import { type Bytes, utf8 } from "../../../../src/base/bytes.ts";
import type { AnchorContext, AnchorService } from "../../../../src/gateway/anchors/ports.ts";
import { rfc3161 } from "../../../../src/gateway/anchors/rfc3161/provider.ts";
import { systemClock } from "../../../../src/base/clock.ts";
import { CountersignError, type ErrorCode } from "../../../../src/base/errors.ts";
import { object } from "../../../../src/proof/format/schema.ts";
import { type JsonValue, parseStrictJson } from "../../../../src/proof/format/strict_json.ts";
import { FetchAnchorHttp } from "../../../../src/http/outgoing/anchor_http.ts";
import { served } from "../../../http/outgoing/fixture.ts";
import * as der from "../../../proof/timestamp/der.ts";
import {
  assertFailed,
  authority,
  DIGEST,
  proofOf,
  verdictOn,
} from "../../../proof/timestamp/fixture.ts";
import {
  GEN_TIME,
  POLICY,
  replyOf,
  TestAuthority,
} from "../../../proof/timestamp/test_authority.ts";
import { pemOf } from "../../../proof/timestamp/test_certificates.ts";

const QUERY_TYPE = "application/timestamp-query";
const REPLY_TYPE = "application/timestamp-reply";

function context(files: Readonly<Record<string, Bytes>> = {}, insecure = false): AnchorContext {
  return {
    http: new FetchAnchorHttp({ insecure }),
    clock: systemClock,
    insecure,
    readFile(path) {
      const bytes = files[path];
      if (bytes) return Promise.resolve(bytes);
      return Promise.reject(new CountersignError("file_failed", `Cannot read ${path}: no file`));
    },
  };
}

/** The service of an entry with `members`. */
async function configured(
  members: Readonly<Record<string, unknown>>,
  files?: Readonly<Record<string, Bytes>>,
  insecure?: boolean,
): Promise<AnchorService> {
  const value = parseStrictJson(JSON.stringify(members), "malformed_configuration");
  const where = { where: "anchors", code: "malformed_configuration" } as const;
  const entry = object(rfc3161.members).parse(value, where);
  return await rfc3161.configure(entry, context(files, insecure));
}

function refusedWith(code: ErrorCode, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof CountersignError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };
}

/** Anchors with the service of `members`, at an authority that answers with `respond`. */
async function anchoredBy(
  respond: (request: Request) => Response | Promise<Response>,
  members: Readonly<Record<string, unknown>> = {},
  files?: Readonly<Record<string, Bytes>>,
) {
  let result: Awaited<ReturnType<AnchorService["anchor"]>> | undefined;
  await served(respond, async (url) => {
    const service = await configured({ url: `${url}/tsr`, ...members }, files);
    result = await service.anchor(DIGEST, AbortSignal.timeout(60_000));
  });
  assert.ok(result);
  return result;
}

function replied(reply: Bytes, contentType = REPLY_TYPE): Response {
  return new Response(reply, { headers: { "content-type": contentType } });
}

async function bodyOf(request: Request): Promise<Bytes> {
  return new Uint8Array(await request.arrayBuffer());
}

for (
  const [kind, hash] of [
    ["P-256", "SHA-256"],
    ["P-256", "SHA-512"],
    ["P-384", "SHA-384"],
    ["P-521", "SHA-512"],
    ["RSA", "SHA-256"],
    ["RSA", "SHA-512"],
    ["RSA-PSS", "SHA-256"],
  ] as const
) {
  Deno.test(`an authority with ${kind} and ${hash} anchors, and its token verifies`, async () => {
    const made = await TestAuthority.create(kind, hash);
    const roots = pemOf(made.root);
    const anchor = await anchoredBy(
      async (request) => {
        assert.equal(request.method, "POST");
        assert.equal(new URL(request.url).pathname, "/tsr");
        assert.equal(request.headers.get("content-type"), QUERY_TYPE);
        return replied(await made.reply(await bodyOf(request)), `${REPLY_TYPE}; v=1`);
      },
      { policy: POLICY, roots_file: "roots.pem" },
      { "roots.pem": roots },
    );
    assert.deepEqual([anchor.status, anchor.timestamp], ["confirmed", GEN_TIME]);
    const verdict = await rfc3161.verify({ ...anchor, digest: DIGEST, roots: [roots] });
    const source = "RFC 3161 token of CN=Stamps";
    assert.deepEqual(verdict, { status: "verified", notAfter: GEN_TIME, source });
  });
}

Deno.test("a request has the digest, asks for certificates and never repeats its nonce", async () => {
  const nonces = new Set<bigint>();
  for (const members of [{}, { policy: POLICY }]) {
    await anchoredBy(async (request) => {
      const body = await bodyOf(request);
      const query = TimeStampReq.fromBER(body);
      const { algorithmId } = query.messageImprint.hashAlgorithm;
      assert.deepEqual(
        [query.version, algorithmId, query.certReq, query.reqPolicy],
        [1, "2.16.840.1.101.3.4.2.1", true, members.policy],
      );
      const { valueHexView } = query.messageImprint.hashedMessage.valueBlock;
      assert.deepEqual(new Uint8Array(valueHexView), DIGEST);
      assert.ok(query.nonce && query.nonce.toBigInt() >= 0n);
      nonces.add(query.nonce.toBigInt());
      return replied(await authority.reply(body));
    }, members);
  }
  assert.equal(nonces.size, 2);
});

Deno.test("anchor() refuses an answer that is not a token for its request", async () => {
  const token = await authority.token(DIGEST);
  const answers: readonly (readonly [
    answer: (request: Bytes) => Response | Promise<Response>,
    code: ErrorCode,
    message: RegExp,
  ])[] = [
    [() => new Response("", { status: 500 }), "anchor_unreachable", /status 500/],
    [() => new Response("", { status: 408 }), "anchor_unreachable", /status 408/],
    [() => new Response("", { status: 429 }), "anchor_unreachable", /status 429/],
    [() => new Response("", { status: 404 }), "anchor_refused", /status 404/],
    [
      () => new Response(null, { status: 302, headers: { location: "/" } }),
      "anchor_unreachable",
      /redirects are not followed/,
    ],
    [
      async (body) => replied(await authority.reply(body), "application/octet-stream"),
      "anchor_refused",
      /is not application\/timestamp-reply/,
    ],
    [() => replied(new Uint8Array(65_537)), "anchor_refused", /larger than 65536 bytes/],
    [() => replied(utf8("no reply")), "anchor_refused", /time-stamp reply/],
    [() => replied(token), "anchor_refused", /time-stamp reply/],
    [() => replied(replyOf(0, [])), "anchor_refused", /it has no token/],
    [
      () => replied(replyOf(0, [], token)),
      "anchor_refused",
      /it has no nonce/,
    ],
    [
      async (body) => replied(await authority.reply(body, { info: { nonce: der.integer(5) } })),
      "anchor_refused",
      /its nonce is not that of the request/,
    ],
    [
      async (body) => {
        const policy = der.objectId("1.2.3");
        return replied(await authority.reply(body, { info: { policy } }));
      },
      "anchor_refused",
      /its policy is 1\.2\.3, not 1\.3\.6\.1\.4\.1\.57264\.2/,
    ],
    [
      async (body) => replied(new Uint8Array([...await authority.reply(body), 0])),
      "anchor_refused",
      /bytes follow the DER value/,
    ],
    [
      () =>
        replied(replyOf(2, [
          der.sequence(der.text("try\u001b[2J later"), der.text("é")),
          // timeNotAvailable and systemFailure.
          der.bits(Uint8Array.of(0, 0x02, 0, 0x40), 6),
        ])),
      "anchor_refused",
      /answered rejection, timeNotAvailable, systemFailure, try\?\[2J later, é$/,
    ],
    [() => replied(replyOf(3, [])), "anchor_refused", /answered waiting$/],
    [() => replied(replyOf(2, [], token)), "anchor_refused", /answered rejection$/],
  ];
  for (const [answer, code, message] of answers) {
    const asked = anchoredBy(async (request) => await answer(await bodyOf(request)), {
      policy: POLICY,
    });
    await assert.rejects(asked, refusedWith(code, message));
  }
});

Deno.test("anchor() accepts status grantedWithMods", async () => {
  const anchor = await anchoredBy(async (request) => {
    const [status, token] = partsOf(await authority.reply(await bodyOf(request)));
    assert.equal(status, 0);
    return replied(replyOf(1, [], token));
  });
  assert.equal(anchor.timestamp, GEN_TIME);
});

function partsOf(reply: Bytes): readonly [number, Bytes] {
  const { status, timeStampToken } = TimeStampResp.fromBER(reply);
  return [status.status, new Uint8Array(timeStampToken!.toSchema().toBER())];
}

Deno.test("anchor() with roots refuses a token that no root vouches for", async () => {
  const other = await TestAuthority.create("P-384", "SHA-384");
  const respond = async (request: Request) => replied(await other.reply(await bodyOf(request)));
  const files = { "own.pem": pemOf(other.signer), "roots.pem": pemOf(other.root) };
  assert.equal((await anchoredBy(respond)).status, "confirmed");
  assert.equal((await anchoredBy(respond, { roots_file: "roots.pem" }, files)).status, "confirmed");
  await assert.rejects(
    anchoredBy(respond, { roots_file: "own.pem" }, files),
    refusedWith("anchor_refused", /no issuer leads to a root/),
  );
});

Deno.test("anchor() reports an authority that is absent or late as unreachable", async () => {
  let closed = "";
  await served(() => new Response(), (url) => {
    closed = url;
    return Promise.resolve();
  });
  const service = await configured({ url: closed });
  await assert.rejects(
    service.anchor(DIGEST, AbortSignal.timeout(60_000)),
    refusedWith("anchor_unreachable", /./),
  );
  await assert.rejects(
    service.anchor(DIGEST, AbortSignal.abort()),
    refusedWith("anchor_unreachable", /./),
  );
});

Deno.test("configure() refuses an entry that cannot work", async () => {
  const url = "https://tsa.example/tsr";
  const garbled = pemOf(authority.root).slice();
  garbled[60]! ^= 1;
  const files = { "empty.pem": utf8("no certificate"), "bad.pem": garbled };
  const entries: readonly (readonly [Record<string, unknown>, ErrorCode, RegExp])[] = [
    [{ url: "ftp://tsa.example" }, "invalid_configuration", /not an http or https URL/],
    [{ url: "http://tsa.example" }, "invalid_configuration", /use https/],
    [{ url: "https://a:b@tsa.example" }, "invalid_configuration", /credentials/],
    [{ url: 5 }, "malformed_configuration", /anchors\.url: expected text/],
    [{ url, policy: "1.2.x" }, "invalid_configuration", /not a dotted object identifier/],
    [{ url, policy: "1.2.03" }, "invalid_configuration", /not a dotted object identifier/],
    [{ url, policy: "1.40.3" }, "invalid_configuration", /not a dotted object identifier/],
    [{ url, policy: "" }, "invalid_configuration", /not a dotted object identifier/],
    [{ url, policy: 1.2 }, "malformed_configuration", /anchors\.policy: expected text/],
    [{ url, roots_file: "none.pem" }, "file_failed", /none\.pem/],
    [{ url, roots_file: "empty.pem" }, "invalid_configuration", /no certificate in PEM or DER/],
    [{ url, roots_file: "bad.pem" }, "invalid_configuration", /./],
  ];
  for (const [members, code, message] of entries) {
    await assert.rejects(configured(members, files), refusedWith(code, message));
  }
  await configured({ url, policy: POLICY });
  await configured({ url: "http://tsa.example" }, {}, true);
});

Deno.test("a proof is one token in base64, and its timestamp is the token's time", async () => {
  const token = await authority.token(DIGEST);
  const text = token.toBase64();
  const read = (members: unknown): JsonValue =>
    parseStrictJson(JSON.stringify(members), "malformed_bundle");
  assert.equal((await verdictOn(token)).status, "verified");
  for (
    const members of [
      {},
      { token: text, more: 1 },
      { token: `${text}\n` },
      { token: text.slice(0, -4) },
      { token: "" },
      { token: 5 },
      { token: new Uint8Array(65_537).toBase64() },
      [text],
      text,
      null,
    ]
  ) assertFailed(await verdictOn(token, { proof: read(members) }), /^Cannot read /);
  assertFailed(
    await verdictOn(token, { timestamp: GEN_TIME + 1 }),
    /token is of 1795262400, the anchor is confirmed at 1795262401/,
  );
  assertFailed(await verdictOn(token, { status: "pending" }), /the anchor is pending/);
  assertFailed(await verdictOn(token, { digest: new Uint8Array(32) }), /for another digest/);
});

Deno.test("readRoots() reads PEM or DER, and verify() needs a root", async () => {
  const token = await authority.token(DIGEST);
  const other = await TestAuthority.create("P-384", "SHA-384");
  const status = async (...roots: readonly Bytes[]) => (await verdictOn(token, { roots })).status;
  assert.equal(await status(), "not_checked");
  assert.equal(await status(authority.root.der), "verified");
  assert.equal(await status(pemOf(other.signer, authority.root, other.intermediate)), "verified");
  assert.equal(await status(pemOf(other.signer), authority.root.der), "verified");
  const crlf = utf8(new TextDecoder().decode(pemOf(authority.root)).replaceAll("\n", "\r\n"));
  assert.equal(await status(crlf), "verified");
  assert.equal(await status(pemOf(other.signer)), "failed");
  for (
    const file of [
      utf8(""),
      utf8("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n"),
      Uint8Array.of(0xff),
      new Uint8Array([...pemOf(authority.root), ...new Uint8Array(4 * 1024 * 1024).fill(0x0a)]),
      authority.root.der.slice(0, -1),
      pemOf({ ...authority.root, der: DIGEST }),
    ]
  ) assert.equal(await status(authority.root.der, file), "not_checked");
  // What contradicts itself needs no root to fail.
  assertFailed(await verdictOn(token, { digest: new Uint8Array(32), roots: [] }), /./);
});

Deno.test("files() returns a reply with the token", async () => {
  const token = await authority.token(DIGEST);
  const [file, ...others] = rfc3161.files(DIGEST, proofOf(token));
  assert.deepEqual([file?.extension, others.length], [".tsr", 0]);
  assert.deepEqual(file && partsOf(file.bytes), [0, token]);
  assert.deepEqual(file?.bytes, replyOf(0, [], token));
});

/**
 * The time-stamp authority over HTTP, in front of a real gateway: tokens, rejections, and requests that
 * are no time-stamp requests.
 *
 * @module
 */

import assert from "node:assert/strict";
import { TimeStampResp } from "pkijs";
import { type Bytes, concat, hexOf, utf8 } from "../../src/base/bytes.ts";
import { systemClock, unixSeconds } from "../../src/base/clock.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { TimestampAuthority } from "../../src/gateway/timestamping/timestamp_authority.ts";
import type { GatewayAppOptions } from "../../src/http/gateway/gateway_app.ts";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { TIMESTAMP_BODY_LIMIT } from "../../src/http/limits.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { loadCompiledKernels } from "../../src/proof/crypto/compiled_kernels.ts";
import { parsePem } from "../../src/proof/format/pem.ts";
import { parseTimestamp } from "../../src/proof/timestamp/attested_token.ts";
import { verifyTimestamp } from "../../src/proof/timestamp/verify_timestamp.ts";
import { TIMESTAMP_WAIT_SECONDS } from "../../src/http/limits.ts";
import {
  digestBy,
  identityOf,
  imprintOfContent,
  requestOf,
  rootOf,
} from "../gateway/timestamping/fixture.ts";
import * as der from "../proof/timestamp/der.ts";
import { imprintOf, TestAuthority } from "../proof/timestamp/test_authority.ts";
import { hashAlgorithm } from "../proof/timestamp/test_keys.ts";
import {
  AppClient,
  assertProblem,
  type GatewayServer,
  verifier,
  withGateway,
} from "./gateway_server.ts";

const QUERY = "application/timestamp-query";
// As a gateway has them: methods of an object.
const kernels = await loadCompiledKernels();
const test = await TestAuthority.create();
const identity = identityOf(test);
const timestamps = new TimestampAuthority({ identity, kernels, clock: systemClock });
const CONTENT = utf8("a release");

/** A client of a gateway that is also a time-stamp authority. */
async function withAuthority(
  run: (client: AppClient, server: GatewayServer) => Promise<void>,
  rules: Partial<GatewayAppOptions> = {},
): Promise<void> {
  await withGateway(async (server) => {
    await run(new AppClient(server.gateway, undefined, { timestamps, ...rules }), server);
  });
}

function ask(client: AppClient, body: BodyInit, path = "/tsa"): Promise<Response> {
  return client.send("POST", path, { body, headers: { "Content-Type": QUERY } });
}

async function bytesOf(response: Response): Promise<Bytes> {
  assert.equal(response.headers.get("Content-Type"), "application/timestamp-reply");
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  return new Uint8Array(await response.arrayBuffer());
}

for (const hash of ["SHA-256", "SHA-384", "SHA-512"] as const) {
  Deno.test(`a token of ${hash} is of what the witnesses attested`, async () => {
    await withAuthority(async (client, { network: { network } }) => {
      const begin = unixSeconds(systemClock);
      const response = await ask(client, requestOf(await imprintOfContent(CONTENT, hash)));
      assert.equal(response.status, 200);
      const token = parseTimestamp(await bytesOf(response));
      const verdict = await verifyTimestamp(verifier, { network, peers: [] }, token, {
        digest: await digestBy(CONTENT, hash),
        roots: [rootOf(test)],
      });
      assert.deepEqual([verdict.valid, verdict.reason, verdict.field], [
        true,
        undefined,
        undefined,
      ]);
      assert.ok(verdict.info.genTime >= begin && verdict.info.genTime <= begin + 60);
    });
  });
}

Deno.test("the token of a SHA-256 imprint is of the entry of the file's own hash", async () => {
  await withAuthority(async (client, { network: { network } }) => {
    const hash = hexOf(await digestBy(CONTENT, "SHA-256"));
    const job = await client.post("/v1/attestations", { hash }, { Prefer: "wait=10" });
    const { signed_attestation: { attestation } } = await job.json();
    const tokens = await Promise.all(
      [1, 2].map(async () =>
        parseTimestamp(await bytesOf(await ask(client, requestOf(await imprintOfContent(CONTENT)))))
      ),
    );
    const verdicts = await Promise.all(
      tokens.map((token) => verifyTimestamp(verifier, { network, peers: [] }, token)),
    );
    for (const { valid, proof, info } of verdicts) {
      assert.ok(valid);
      assert.deepEqual(proof!.bundle.signed_attestation.attestation, attestation);
      assert.equal(info.genTime, attestation.timestamp);
    }
    assert.notDeepEqual(tokens[0]!.info.serial, tokens[1]!.info.serial);
  });
});

Deno.test("Sigstore's clients get the statuses that they accept", async () => {
  await withAuthority(async (client) => {
    const path = "/api/v1/timestamp";
    const granted = await ask(client, requestOf(await imprintOfContent(CONTENT)), path);
    assert.equal(granted.status, 201);
    assert.ok(parseTimestamp(await bytesOf(granted)).proof);
    const rejected = await ask(client, requestOf(await imprintOfContent(CONTENT, "SHA-1")), path);
    assert.equal(rejected.status, 400);
    assert.equal(TimeStampResp.fromBER(await bytesOf(rejected)).status.status, 2);
    const chain = await client.get(`${path}/certchain`);
    assert.equal(chain.headers.get("Content-Type"), "application/pem-certificate-chain");
    assert.deepEqual(
      parsePem(await chain.text()).map(({ bytes }) => bytes),
      identity.certificates.map(({ der }) => der),
    );
  });
});

Deno.test("Sigstore's route takes the JSON of its JavaScript client", async () => {
  await withAuthority(async (client, { network: { network } }) => {
    const digest = await digestBy(CONTENT, "SHA-512");
    const request = { artifactHash: digest.toBase64(), hashAlgorithm: "sha512", future: 1 };
    const path = "/api/v1/timestamp";
    const token = async (members: Record<string, unknown>) => {
      const response = await client.post(path, { ...request, ...members });
      assert.equal(response.status, 201);
      return parseTimestamp(await bytesOf(response));
    };
    const certified = await token({ certificates: true, nonce: 300 });
    const trust = { network, peers: [] };
    const verdict = await verifyTimestamp(verifier, trust, certified, { digest });
    assert.ok(verdict.valid);
    assert.equal(hexOf(certified.info.nonce!), "012c");
    assert.deepEqual((await token({ tsaPolicyOID: identity.policy })).certificates, []);

    const rejected = { tsaPolicyOID: "1.2.3", artifactHash: digest.slice(1).toBase64() };
    for (const [name, value] of Object.entries(rejected)) {
      const response = await client.post(path, { ...request, [name]: value });
      assert.equal(response.status, 400);
      assert.equal(TimeStampResp.fromBER(await bytesOf(response)).status.status, 2);
    }
    const malformed = { artifactHash: "?", hashAlgorithm: "sha1", nonce: -1, tsaPolicyOID: "3" };
    for (const [name, value] of Object.entries(malformed)) {
      await assertProblem(
        await client.post(path, { ...request, [name]: value }),
        "malformed_request",
      );
    }
    await assertProblem(await client.post(path, "{"), "malformed_json");
    await assertProblem(await client.post("/tsa", request), "unsupported_media_type");
  });
});

/** Damaged and hostile requests, each with the bit of PKIFailureInfo that rejects it. */
const REJECTED: readonly (readonly [what: string, bit: number, body: Bytes])[] = [
  ["an empty body", 5, new Uint8Array()],
  ["JSON", 5, utf8('{"hash":"00"}')],
  ["base64", 5, utf8(requestOf(await imprintOfContent(CONTENT)).toBase64())],
  ["a request that is cut", 5, requestOf(await imprintOfContent(CONTENT)).slice(0, -1)],
  ["a byte after it", 5, concat(requestOf(await imprintOfContent(CONTENT)), Uint8Array.of(0))],
  ["an indefinite length", 5, concat(Uint8Array.of(0x30, 0x80), await imprintOfContent(CONTENT))],
  ["a length of four bytes", 5, Uint8Array.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff)],
  ["4,000 nested sequences", 5, nested(1_300)],
  ["4,000 empty values", 5, der.sequence(new Uint8Array(4_000).fill(0x05))],
  [
    "a negative version",
    2,
    der.sequence(der.value(0x02, Uint8Array.of(0xff)), await imprintOfContent(CONTENT)),
  ],
  ["a version of 40 bits", 5, requestOf(await imprintOfContent(CONTENT), { version: 2 ** 40 })],
  ["version 0", 2, requestOf(await imprintOfContent(CONTENT), { version: 0 })],
  ["SHA-1", 0, requestOf(await imprintOfContent(CONTENT, "SHA-1"))],
  [
    "an unknown hash function",
    0,
    requestOf(der.sequence(der.sequence(der.objectId("1.2.3")), der.octets(CONTENT))),
  ],
  [
    "parameters of its hash function",
    0,
    requestOf(
      imprintOf(
        new Uint8Array(32),
        der.sequence(der.objectId("2.16.840.1.101.3.4.2.1"), der.integer(1)),
      ),
    ),
  ],
  ["an empty digest", 5, requestOf(imprintOf(new Uint8Array()))],
  ["a digest of 31 bytes", 5, requestOf(imprintOf(new Uint8Array(31)))],
  ["a digest of 3,900 bytes", 5, requestOf(imprintOf(new Uint8Array(3_900)))],
  [
    "a SHA-256 digest named SHA-512",
    5,
    requestOf(imprintOf(new Uint8Array(32), hashAlgorithm("SHA-512"))),
  ],
  ["an unknown policy", 15, requestOf(await imprintOfContent(CONTENT), { policy: "1.2.3" })],
  ["an extension", 16, requestOf(await imprintOfContent(CONTENT), { extensions: der.sequence() })],
  [
    "an object identifier that never ends",
    5,
    der.sequence(
      der.integer(1),
      await imprintOfContent(CONTENT),
      der.value(0x06, new Uint8Array(80).fill(0xff)),
    ),
  ],
  [
    "a nonce that is not the shortest",
    5,
    der.sequence(
      der.integer(1),
      await imprintOfContent(CONTENT),
      der.value(0x02, Uint8Array.of(0, 1)),
    ),
  ],
  [
    "an empty nonce",
    5,
    der.sequence(der.integer(1), await imprintOfContent(CONTENT), der.value(0x02)),
  ],
  [
    "certReq before the nonce",
    5,
    der.sequence(
      der.integer(1),
      await imprintOfContent(CONTENT),
      der.boolean(true),
      der.integer(5),
    ),
  ],
  [
    "certReq twice",
    5,
    der.sequence(
      der.integer(1),
      await imprintOfContent(CONTENT),
      der.boolean(true),
      der.boolean(true),
    ),
  ],
  [
    "certReq of 2",
    5,
    der.sequence(
      der.integer(1),
      await imprintOfContent(CONTENT),
      der.value(0x01, Uint8Array.of(2)),
    ),
  ],
  ["a reply", 5, der.sequence(der.sequence(der.integer(0)))],
  ["a certificate", 5, test.root.der],
];

/** As many sequences, each in the one before. */
function nested(depth: number): Bytes {
  let value: Bytes = der.none();
  for (let i = 0; i < depth && value.length < TIMESTAMP_BODY_LIMIT - 8; i++) {
    value = der.sequence(value);
  }
  return value;
}

Deno.test("damaged and hostile requests are rejected, and leave no entry", async () => {
  await withAuthority(async (client, server) => {
    for (const [what, bit, body] of REJECTED) {
      const response = await ask(client, body);
      assert.equal(response.status, 200, what);
      const { status, timeStampToken } = TimeStampResp.fromBER(await bytesOf(response));
      assert.equal(timeStampToken, undefined, what);
      const bits = status.failInfo!.valueBlock.valueHexView;
      assert.equal(bits[bit >> 3]! & 0x80 >> (bit & 7), 0x80 >> (bit & 7), what);
    }
    assert.equal((await server.get("/v1/status")).status, 200);
    const [job] = await Promise.all([
      server.post("/v1/attestations", { hash: "ab".repeat(32) }, { Prefer: "wait=10" }),
    ]);
    assert.equal((await job!.json()).signed_attestation.attestation.sequence, 0);
    assert.deepEqual(client.reported, []);
  });
});

Deno.test("a large nonce is repeated", async () => {
  await withAuthority(async (client) => {
    const nonce = 2n ** 8_000n - 1n;
    const { info } = parseTimestamp(
      await bytesOf(await ask(client, requestOf(await imprintOfContent(CONTENT), { nonce }))),
    );
    assert.equal(BigInt(`0x${hexOf(info.nonce!)}`), nonce);
  });
});

Deno.test("what is no time-stamp request is refused by HTTP", async () => {
  await withAuthority(async (client) => {
    const body = requestOf(await imprintOfContent(CONTENT));
    const post = (headers: Record<string, string>, content: BodyInit = body) =>
      client.send("POST", "/tsa", { body: content, headers });
    await assertProblem(await client.get("/tsa"), "method_not_allowed");
    const form = "application/x-www-form-urlencoded";
    await assertProblem(await post({ "Content-Type": form }), "unsupported_media_type");
    await assertProblem(
      await post({ "Content-Type": QUERY, "Content-Encoding": "gzip" }),
      "unsupported_media_type",
    );
    await assertProblem(
      await post({ "Content-Type": QUERY }, new Uint8Array(TIMESTAMP_BODY_LIMIT + 1)),
      "body_too_large",
    );
    assert.equal((await post({ "Content-Type": `${QUERY}; charset=binary` })).status, 200);
  });
});

Deno.test("a gateway that is no authority has none of its routes", async () => {
  await withGateway(async (server) => {
    const document = await server.document();
    assert.ok(!JSON.stringify(document).includes("timestamp-query"));
    for (const path of ["/tsa", "/api/v1/timestamp"]) {
      const response = await server.send("POST", path, {
        body: "",
        headers: { "Content-Type": QUERY },
      });
      await assertProblem(response, "route_not_found");
    }
  });
});

Deno.test("without enough witnesses there is no token, and the hash gets one later", async () => {
  await withAuthority(async (client, server) => {
    server.takeDown(2);
    const body = requestOf(await imprintOfContent(CONTENT));
    const response = await ask(client, body);
    assert.equal(response.headers.get("Retry-After"), "30");
    await assertProblem(response, "witnesses_unavailable");
    server.takeDown(0);
    const hash = hexOf(await digestBy(CONTENT, "SHA-256"));
    await server.get(`/v1/attestations/${hash}`, { Prefer: `wait=${2 * TIMESTAMP_WAIT_SECONDS}` });
    assert.ok(parseTimestamp(await bytesOf(await ask(client, body))).proof);
  });
});

Deno.test("a signer that is away is 503, and the hash is attested", async () => {
  const away = new TimestampAuthority({
    identity: {
      ...identity,
      signer: {
        ...identity.signer,
        sign: () => Promise.reject(new CountersignError("signer_unavailable", "Cannot sign: away")),
      },
    },
    kernels,
    clock: systemClock,
  });
  await withAuthority(async (client, server) => {
    const response = await ask(client, requestOf(await imprintOfContent(CONTENT)));
    await assertProblem(response, "signer_unavailable");
    const hash = hexOf(await digestBy(CONTENT, "SHA-256"));
    assert.equal((await server.get(`/v1/bundle/${hash}`)).status, 200);
  }, { timestamps: away });
});

Deno.test("a client with a small budget gets a token, and the next one when Retry-After says", async () => {
  const clock = new FakeClock();
  const reads = { perSecond: 1, burst: 4 };
  const limits = new RateLimits({ ...DEFAULT_CLIENT_LIMITS, reads }, clock, assert.fail);
  await withAuthority(async (client) => {
    // Costs reads too.
    await client.document();
    await clock.advance(1_000_000);
    const body = requestOf(await imprintOfContent(CONTENT));
    assert.ok(parseTimestamp(await bytesOf(await ask(client, body))).proof);
    const refused = await ask(client, body);
    await assertProblem(refused, "rate_limited");
    await clock.advance(1000 * Number(refused.headers.get("Retry-After")));
    const again = await ask(client, body);
    await assertProblem(again, "rate_limited");
    await clock.advance(1000 * Number(again.headers.get("Retry-After")));
    assert.ok(parseTimestamp(await bytesOf(await ask(client, body))).proof);
  }, { limits });
});

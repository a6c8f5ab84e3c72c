/**
 * A running time-stamp authority in the forms that a gateway has: killed before it answers, with fronts,
 * behind nginx, with API keys, tokens, limits, and after a succession.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { type Bytes, hexOf, utf8 } from "../../src/base/bytes.ts";
import { TokenSupply } from "../../src/cli/token_supply.ts";
import { TimestampKey } from "../../src/config/timestamp_key.ts";
import { TIMESTAMP_BODY_LIMIT } from "../../src/http/limits.ts";
import { TOKEN_READS } from "../../src/http/work_cost.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { parseTimestamp } from "../../src/proof/timestamp/attested_token.ts";
import { verifyTimestamp } from "../../src/proof/timestamp/verify_timestamp.ts";
import { Client } from "../cli/client_run.ts";
import { withIssuer } from "../cli/served_issuer.ts";
import { digestBy, imprintOfContent, requestOf } from "../gateway/timestamping/fixture.ts";
import { eventually } from "../scenarios/deployment.ts";
import { run } from "../scenarios/program.ts";
import { SuccessionSite } from "../scenarios/succession_site.ts";
import { bls, nativeCrypto } from "../schemes.ts";
import { FrontProxy } from "./front_proxy.ts";
import { exchange, pause, RawConnection, requestText } from "./raw_connection.ts";
import { QUERY, TimestampingGateway } from "./timestamping.ts";

const SOCKETS = /^ {2}sockets: +ws:\/\/127\.0\.0\.1:([0-9]+)$/m;
const KEY_NAME = "example.org/tsa";
const TYPE = `Content-Type: ${QUERY}`;
const CERTCHAIN = "/api/v1/timestamp/certchain";

const hashOf = async (content: Bytes) => hexOf(await digestBy(content, "SHA-256"));
const latin1 = (bytes: Bytes) => String.fromCharCode(...bytes);

/** A signer of the authority's key that can keep its answers to itself. */
class HoldingSigner implements AsyncDisposable {
  /** Requests that wait. */
  held = 0;
  #release: PromiseWithResolvers<void> | undefined;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(key: TimestampKey) {
    const onListen = () => {};
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, async (request) => {
      const message = await request.bytes();
      if (this.#release !== undefined) {
        this.held++;
        await this.#release.promise;
      }
      return Response.json({ signature: hexOf(await key.sign(message)) });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  hold(): void {
    this.#release = Promise.withResolvers();
  }

  release(): void {
    this.#release?.resolve();
    this.#release = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
    await this.#server.shutdown();
  }
}

for (const fronts of [0, 2]) {
  Deno.test(`a gateway with ${fronts} fronts, killed before it answers, gives the same entry later`, async () => {
    let signer: HoldingSigner | undefined;
    await using gateway = await TimestampingGateway.start({
      fronts,
      args: ["--batch-max-age-ms", "50"],
      prepare: async (made) => {
        const file = made.path("tsa.key");
        const key = await TimestampKey.of(await Deno.readTextFile(file), file);
        signer = new HoldingSigner(key);
        await Deno.remove(file);
        const token = made.path("signer.token");
        await Deno.writeTextFile(token, "t".repeat(32), { mode: 0o600 });
        const reference = {
          signer: signer.url,
          kind: "tsa",
          name: KEY_NAME,
          scheme: key.scheme,
          public_key: hexOf(key.publicKey),
          token_file: token,
        };
        await Deno.writeTextFile(file, JSON.stringify(reference), { mode: 0o600 });
      },
    });
    await using _signer = signer!;
    const contents = (name: string) =>
      Array.from({ length: 4 }, (_, i) => utf8(`${name} ${i} of ${gateway.folder}`));
    const granted = await Promise.all(
      contents("answered").map(async (content) => {
        const { proof } = await gateway.requireValid(await gateway.token(content), content);
        return proof!.bundle.signed_attestation.attestation;
      }),
    );

    // Confirmed, and without a token: the key does not answer.
    signer!.hold();
    const unanswered = contents("unanswered");
    const asked = unanswered.map((content) =>
      gateway.ask(content).then(async (response) => {
        await response.body?.cancel();
        return response.status;
      }, () => undefined)
    );
    await eventually(
      "all wait for the key",
      () => Promise.resolve(signer!.held >= unanswered.length ? true : undefined),
    );
    const attested = await Promise.all(unanswered.map(async (content) => {
      const response = await fetch(`${gateway.url}/v1/bundle/${await hashOf(content)}`);
      return (await response.json()).signed_attestation.attestation;
    }));
    await gateway.server.kill();
    // A slow machine may have given up on the signer before.
    for (const status of await Promise.all(asked)) assert.ok([undefined, 503].includes(status));

    signer!.release();
    await gateway.serve();
    for (const [i, content] of unanswered.entries()) {
      const { info, proof } = await gateway.requireValid(await gateway.token(content), content);
      assert.deepEqual(proof!.bundle.signed_attestation.attestation, attested[i]);
      assert.equal(info.genTime, attested[i].timestamp);
    }
    for (const attestation of [...granted, ...attested]) {
      const { signed_attestation: kept } = await gateway.batchedBundle(attestation.hash);
      assert.deepEqual(kept.attestation, attestation);
    }
  });
}

/** What a client may send that is no plain POST, and what it gets; `through` nginx as without it. */
async function rawRequests(gateway: TimestampingGateway, port: number): Promise<void> {
  const request = requestOf(await imprintOfContent(utf8(`raw at ${port}`)));
  const body = latin1(request);
  const length = `Content-Length: ${request.length}`;
  const chunked = "Transfer-Encoding: chunked";
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const zeros = "\0".repeat(TIMESTAMP_BODY_LIMIT);
  const cases: readonly (readonly [what: string, status: number, text: string])[] = [
    ["a body", 200, requestText("POST /tsa", [TYPE, length], body)],
    [
      "a chunked body",
      200,
      requestText("POST /tsa", [TYPE, chunked], `${[...body].map(chunk).join("")}0\r\n\r\n`),
    ],
    [
      "a type with parameters in capitals",
      200,
      requestText("POST /tsa", [`${TYPE.toUpperCase()}; charset=binary`, length], body),
    ],
    ["two types", 415, requestText("POST /tsa", [TYPE, "Content-Type: text/plain", length], body)],
    ["no type", 200, requestText("POST /tsa", [length], body)],
    ["an empty body", 200, requestText("POST /tsa", [TYPE, "Content-Length: 0"])],
    [
      "a body that is too long",
      413,
      requestText("POST /tsa", [TYPE, `Content-Length: ${zeros.length + 1}`], `${zeros}\0`),
    ],
    [
      "a chunked body that is too long",
      413,
      requestText("POST /tsa", [TYPE, chunked], `${chunk(zeros)}${chunk("\0")}0\r\n\r\n`),
    ],
    ["GET", 405, requestText("GET /tsa")],
    ["HEAD", 405, requestText("HEAD /tsa")],
    ["PUT", 405, requestText("PUT /tsa", [TYPE, length], body)],
    ["HEAD of the certificates", 200, requestText(`HEAD ${CERTCHAIN}`)],
    ["a path with a slash", 404, requestText("POST /tsa/", [TYPE, length], body)],
    [
      "a preflight",
      204,
      requestText("OPTIONS /tsa", [
        "Origin: https://page.example",
        "Access-Control-Request-Method: POST",
      ]),
    ],
  ];
  for (const [what, status, text] of cases) {
    const answer = await exchange(port, text);
    assert.equal(answer.status, status, `${what}: ${answer.received}`);
  }
  // A byte at a time, and a body that is cut off.
  const slow = await RawConnection.open(port);
  for (const character of requestText("POST /tsa", [TYPE, length], body)) {
    slow.write(character);
    await pause(1);
  }
  await slow.until((received) => received.includes("\r\n\r\n"));
  assert.equal(slow.status, 200, slow.received);
  await slow.close();
  const content = utf8(`cut at ${port}`);
  const whole = latin1(requestOf(await imprintOfContent(content)));
  const cut = await RawConnection.open(port);
  cut.write(requestText("POST /tsa", [TYPE, `Content-Length: ${whole.length + 1}`], whole));
  await pause(50);
  await cut.close();
  const job = await fetch(`${gateway.url}/v1/attestations/${await hashOf(content)}`);
  await job.body?.cancel();
  assert.equal(job.status, 404, "a request that did not end has no effect");
}

Deno.test("two fronts of an authority answer raw requests, also behind nginx", async () => {
  await using gateway = await TimestampingGateway.start({
    fronts: 2,
    args: ["--event-sockets-port", "0"],
  });
  const [, sockets] = SOCKETS.exec(gateway.server.stdout) ?? [];
  assert.ok(gateway.server.stdout.includes(`\n  tsa:       ${gateway.tsa}\n`));
  await using proxy = await FrontProxy.start(gateway.port, Number(sockets));
  for (const port of [gateway.port, proxy.port]) {
    await rawRequests(gateway, port);
    // On new connections, so that both fronts get some.
    const contents = Array.from({ length: 16 }, (_, i) => utf8(`file ${i} at ${port}`));
    await Promise.all(contents.map(async (content) => {
      const request = latin1(requestOf(await imprintOfContent(content)));
      const text = requestText("POST /tsa", [TYPE, `Content-Length: ${request.length}`], request);
      const { status, received } = await exchange(port, text);
      assert.equal(status, 200);
      const reply = received.slice(received.indexOf("\r\n\r\n") + 4);
      const bytes = Uint8Array.from(reply, (character) => character.charCodeAt(0));
      await gateway.requireValid(bytes, content);
    }));
  }
});

for (const routes of ["submissions", "all"] as const) {
  Deno.test(`an authority with API keys for ${routes} requires one for tokens`, async () => {
    let key = "";
    await using gateway = await TimestampingGateway.start({
      prepare: async ({ served, folder }) => {
        await served.configure({ api_keys: { file: "api-keys.json", routes } });
        const file = join(served.folder, "api-keys.json");
        key = (await run(["api-key", "new", "alice", "--file", file], { cwd: folder })).stdout
          .trim();
      },
    });
    const body = requestOf(await imprintOfContent(utf8("a release")));
    for (const path of ["/tsa", "/api/v1/timestamp"]) {
      const statusOf = async (headers: Readonly<Record<string, string>>) => {
        const response = await gateway.post(body, { path, headers });
        await response.body?.cancel();
        return response.status;
      };
      assert.equal(await statusOf({}), 401);
      assert.equal(await statusOf({ Authorization: "Bearer nothing" }), 401);
      assert.equal(
        await statusOf({ Authorization: `Bearer ${key}` }),
        path === "/tsa" ? 200 : 201,
      );
    }
    const chain = await fetch(gateway.url + CERTCHAIN);
    await chain.body?.cancel();
    assert.equal(chain.status, routes === "all" ? 401 : 200);
  });
}

Deno.test("an authority that takes tokens redeems one for each new imprint", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await withIssuer(folder, async (issuerUrl, issuers) => {
      await using gateway = await TimestampingGateway.start({
        members: { admission: { mode: "token_required", issuers } },
      });
      const client = new Client(gateway.folder);
      client.gateway = gateway.url;
      const fetched = await client.run(["token", "--count", "2", "--issuer", issuerUrl]);
      assert.equal(fetched.code, 0, fetched.stderr);
      const supply: TokenSupply = client.supply(gateway.network.id);
      const [first, second] = await supply.take(2);
      const ask = async (content: string, token?: string) => {
        const body = requestOf(await imprintOfContent(utf8(content)));
        const headers = token === undefined
          ? {}
          : { Authorization: `PrivateToken token="${token}"` };
        const response = await gateway.post(body, { headers });
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (response.status === 200) await gateway.requireValid(bytes, utf8(content));
        return response;
      };
      const refused = await ask("one");
      assert.equal(refused.status, 401);
      assert.match(refused.headers.get("WWW-Authenticate")!, /^PrivateToken challenge=/);
      assert.equal((await ask("one", first!.token)).status, 200);
      // A known imprint needs none, and keeps the one that it is given.
      assert.equal((await ask("one")).status, 200);
      assert.equal((await ask("two", first!.token)).status, 403);
      assert.equal((await ask("one", second!.token)).status, 200);
      assert.equal((await ask("two", second!.token)).status, 200);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Limits of which clients only use up `limited`, with one more each second. */
function littleOf(limited: "new_attestations" | "reads", burst: number) {
  const much = { per_second: 100_000, burst: 100_000 };
  return { new_attestations: much, reads: much, [limited]: { per_second: 1, burst } };
}

/** Asks for a token; the seconds to wait if it is refused. */
async function retryAfter(gateway: TimestampingGateway, content: string): Promise<number> {
  const response = await gateway.ask(utf8(content));
  await response.body?.cancel();
  if (response.status === 200) return 0;
  assert.equal(response.status, 429);
  return Number(response.headers.get("Retry-After"));
}

/** Requests until one is refused: a slow machine refills the budget meanwhile. */
const TRIES = 1_000;

Deno.test("each new imprint costs new_attestations, and no other", async () => {
  await using gateway = await TimestampingGateway.start({
    members: { limits: littleOf("new_attestations", 4) },
  });
  assert.equal(await retryAfter(gateway, "first"), 0);
  let seconds = 0;
  for (let i = 0; i < TRIES && seconds === 0; i++) seconds = await retryAfter(gateway, `new ${i}`);
  assert.ok(seconds > 0);
  assert.equal(await retryAfter(gateway, "first"), 0);
});

Deno.test("each token costs reads for its signature, most by RSA", async () => {
  await using gateway = await TimestampingGateway.start({
    scheme: "rsa-3072",
    members: { limits: littleOf("reads", TOKEN_READS["rsa-3072"]) },
  });
  let seconds = 0;
  // They take more than a minute to come back; without them an answer costs one or two.
  for (let i = 0; i < TRIES && seconds < 10; i++) seconds = await retryAfter(gateway, "first");
  assert.ok(seconds >= 10);
});

Deno.test("tokens after a succession carry it: who pinned the first configuration verifies them", async () => {
  await using site = await SuccessionSite.create("ed25519", 0, "--batch-max-age-ms", "100");
  const made = await site.countersign("tsa", "init", "--out", "net");
  assert.equal(made.code, 0, made.stderr);
  await site.configure({
    timestamping: { key_file: "tsa.key", certificates_file: "tsa.pem" },
  });
  const publicText = await Deno.readTextFile(join(site.folder, "net", "network.public.json"));
  const trust = { network: parseNetwork(publicText, bls), peers: [] };
  await Promise.all(["w1", "w2", "w3"].map((id) => site.startWitness(id)));
  await site.prepare({ witnesses: ["w4", "w5", "w6"], threshold: 3, rotatesLogKey: true });
  await Promise.all(["w4", "w5", "w6"].map((id) => site.startWitness(id)));
  await site.startGateway();
  const ask = (content: Bytes) =>
    eventually("a token", async () => {
      const response = await fetch(`${site.url}/tsa`, {
        method: "POST",
        headers: { "Content-Type": QUERY },
        body: requestOf(await imprintOfContent(content)),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return response.status === 200 ? parseTimestamp(bytes) : undefined;
    });
  const contents = [utf8("before"), utf8("after")] as const;
  const tokens = [await ask(contents[0])];
  await site.install(await site.document(await site.size()));
  await eventually("epoch 1", async () => await site.epoch() === 1 ? true : undefined);
  tokens.push(await ask(contents[1]), await ask(contents[0]));
  const found = await Promise.all(tokens.map(async (token, i) => {
    const digest = await digestBy(contents[i % 2]!, "SHA-256");
    const verdict = await verifyTimestamp(nativeCrypto, trust, token, { digest });
    assert.ok(verdict.valid, JSON.stringify(verdict));
    const { succession, signed_attestation: signed } = verdict.proof!.bundle;
    const signers = "signatures" in signed ? signed.signatures : [];
    assert.ok(signers.length > 0);
    return [succession !== undefined, signers.every(({ witness_id }) => witness_id.at(-1)! >= "4")];
  }));
  assert.deepEqual(found[0], [false, false]);
  assert.deepEqual(found[1], [true, true]);
  // The old entry is of the old witnesses.
  assert.equal(found[2]![1], false);
  assert.equal(tokens[2]!.info.genTime, tokens[0]!.info.genTime);
});

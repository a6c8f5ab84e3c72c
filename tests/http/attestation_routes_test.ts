import assert from "node:assert/strict";
import { hasCode } from "../../src/base/errors.ts";
import { EXTERNAL_ANCHORS } from "../../src/proof/format/external_anchor.ts";
import { JOB_SNAPSHOT } from "../../src/proof/format/job_snapshot.ts";
import { list } from "../../src/proof/format/schema.ts";
import { verifySignedAttestation } from "../../src/proof/verify/attestation.ts";
import { memoryStore, TestNetwork, until } from "../gateway/fixture.ts";
import {
  AppClient,
  assertProblem,
  bodyOf,
  GatewayServer,
  randomHashes,
  RefusingService,
  verifier,
  withGateway,
} from "./gateway_server.ts";

const UNKNOWN = "00".repeat(32);

Deno.test("POST /v1/attestations creates a job and returns it again", async () => {
  await withGateway(async (server) => {
    const [hash] = randomHashes(1);
    const first = await server.post("/v1/attestations", { hash }, { Prefer: "wait=10" });
    assert.equal(first.headers.get("Preference-Applied"), "wait=10");
    assert.equal(first.headers.get("Location"), null);
    assert.equal(first.headers.get("Cache-Control"), "no-store");
    const job = await bodyOf(first, JOB_SNAPSHOT);
    assert.ok(job.status === "confirmed");
    const { network } = server.network;
    const signed = job.signed_attestation!;
    assert.equal((await verifySignedAttestation(verifier, network, signed)).valid, true);
    assert.deepEqual(
      { hash: signed.attestation.hash, sequence: signed.attestation.sequence },
      { hash, sequence: 0 },
    );

    for (
      const body of [{ hash, issuer_token: null }, { hash, issuer_token: "é" }, { hash, x: 1 }]
    ) {
      const again = await bodyOf(await server.post("/v1/attestations", body), JOB_SNAPSHOT);
      assert.ok(again.status === "confirmed");
      assert.deepEqual(again.signed_attestation, signed);
    }
    assert.deepEqual(server.reported, []);
  });
});

Deno.test("Preference-Applied is set on held answers, and pages may read it", async () => {
  await withGateway(async (server) => {
    const single = (hash: string, prefer: string) =>
      server.post("/v1/attestations", { hash }, { Prefer: prefer });
    const bulk = (hashes: readonly string[], prefer: string) =>
      server.post("/v1/attestations/batch", { hashes }, { Prefer: prefer });
    const read = (hash: string, prefer: string) =>
      server.get(`/v1/attestations/${hash}`, { Prefer: prefer });
    const assertApplied = async (response: Response, applied: string | null) => {
      assert.equal(response.headers.get("Preference-Applied"), applied);
      const exposed = response.headers.get("Access-Control-Expose-Headers")?.split(", ") ?? [];
      assert.equal(exposed.includes("Preference-Applied"), applied !== null);
      assert.equal(exposed.includes("Location"), response.status === 202);
      await response.body?.cancel();
    };
    const [hash, other] = randomHashes(2) as [string, string];
    await assertApplied(await single(hash, "wait=10"), "wait=10");
    await assertApplied(await bulk([hash, other], "wait=10"), "wait=10");
    // What is terminal at once is not waited for.
    await assertApplied(await single(hash, "wait=10"), null);
    await assertApplied(await bulk([hash, other, hash], "wait=10"), null);
    await assertApplied(await read(hash, "wait=10"), null);
    server.takeDown(2);
    const [late] = randomHashes(1) as [string];
    for (const wait of [0, 1]) {
      const applied = wait === 0 ? null : "wait=1";
      for (
        const response of [
          await single(late, `wait=${wait}`),
          await bulk([hash, late], `wait=${wait}`),
          await read(late, `wait=${wait}`),
        ]
      ) await assertApplied(response, applied);
    }
    await assertApplied(await single(late, "respond-async"), null);
  });
});

Deno.test("a job without enough witnesses is 202 and is confirmed when they return", async () => {
  await withGateway(async (server) => {
    server.takeDown(2);
    const [hash] = randomHashes(1);
    const response = await server.post("/v1/attestations", { hash });
    assert.equal(response.headers.get("Location"), `attestations/${hash}`);
    assert.equal(response.headers.get("Preference-Applied"), null);
    const job = await bodyOf(response, JOB_SNAPSHOT, 202);
    assert.ok(job.status === "pending" || job.status === "retryable");

    // Not before its witnesses were asked.
    await until(async () => {
      const seen = await bodyOf(await server.get(`/v1/attestations/${hash}`), JOB_SNAPSHOT);
      return seen.status === "retryable";
    });
    const start = performance.now();
    const held = await server.get(`/v1/attestations/${hash}`, { Prefer: "wait=1" });
    assert.ok(performance.now() - start >= 900);
    assert.equal(held.headers.get("Preference-Applied"), "wait=1");
    const waiting = await bodyOf(held, JOB_SNAPSHOT);
    assert.ok(waiting.status === "retryable");
    assert.equal(waiting.last_error?.code, "threshold_not_met");
    for (const path of [`/v1/bundle/${hash}`, `/v1/proof/${hash}`]) {
      await assertProblem(await server.get(path), "not_confirmed");
    }
    assert.deepEqual(await bodyOf(await server.get(`/v1/anchors/${hash}`), EXTERNAL_ANCHORS), []);

    server.takeDown(0);
    const back = await server.get(`/v1/attestations/${hash}`, { Prefer: "wait=30" });
    assert.equal((await bodyOf(back, JOB_SNAPSHOT)).status, "confirmed");
  });
});

Deno.test("GET /v1/attestations/{hash} returns any known job, on and off the hot path", async () => {
  await withGateway(async (server) => {
    const [hash] = await server.batch(1);
    for (const path of [`/v1/attestations/${hash}`, `/v1/attestations/${hash}?x=1`]) {
      const job = await bodyOf(await server.get(path), JOB_SNAPSHOT);
      assert.ok(job.status === "confirmed" && job.progress === "batched");
      assert.equal(job.batch_id, 1);
      const head = await server.send("HEAD", path);
      assert.equal(head.status, 200);
      assert.equal(await head.text(), "");
    }
    for (const path of ["/v1/attestations/", "/v1/bundle/", "/v1/proof/", "/v1/anchors/"]) {
      await assertProblem(await server.get(path + UNKNOWN), "hash_unknown");
      for (const bad of [UNKNOWN.slice(1), `${UNKNOWN}0`, hash!.toUpperCase(), "x".repeat(64)]) {
        await assertProblem(await server.get(path + bad), "malformed_hash");
      }
    }
  });
});

Deno.test("POST /v1/attestations refuses malformed bodies, types and sizes", async () => {
  await withGateway(async (server) => {
    const hash = UNKNOWN;
    const path = "/v1/attestations";
    await assertProblem(await server.post(path, "{"), "malformed_json");
    await assertProblem(await server.post(path, ""), "malformed_json");
    await assertProblem(await server.post(path, Uint8Array.of(0x22, 0xff, 0x22)), "malformed_json");
    await assertProblem(
      await server.post(path, `{"hash":"${hash}","hash":"${hash}"}`),
      "malformed_json",
    );
    await assertProblem(await server.post(path, [hash]), "malformed_request");
    await assertProblem(await server.post(path, { hash, issuer_token: 1 }), "malformed_request");
    await assertProblem(await server.post(path, { hash: "A".repeat(64) }), "malformed_hash");
    await assertProblem(await server.post(path, { hash: 1 }), "malformed_hash");
    await assertProblem(await server.post(path, {}), "malformed_hash");
    for (
      const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""]
    ) {
      await assertProblem(
        await server.post(path, { hash }, { "Content-Type": type }),
        "unsupported_media_type",
      );
    }
    for (const coding of ["gzip", "br"]) {
      const encoded = await server.post(path, { hash }, { "Content-Encoding": coding });
      assert.equal(encoded.headers.get("Accept-Encoding"), "identity");
      await assertProblem(encoded, "unsupported_media_type");
    }
    for (
      const type of ["application/json; charset=utf-8", "Application/JSON", "application/json ;x"]
    ) {
      const response = await server.post(path, { hash }, { "Content-Type": type });
      assert.ok(response.ok, type);
    }
    // fetch() sets no content type for a stream.
    const untyped = await server.send("POST", path, {
      body: new Blob([`{"hash":"${hash}"}`]).stream(),
    });
    assert.ok(untyped.ok);
    const { length } = `{"hash":"${hash}","x":""}`;
    const largest = JSON.stringify({ hash, x: "x".repeat(64 * 1024 - length) });
    assert.ok((await server.post(path, largest)).ok);
    await assertProblem(await server.post(path, `${largest} `), "body_too_large");
  });
});

Deno.test("POST /v1/attestations/batch returns jobs in the order of the hashes", async () => {
  await withGateway(async (server) => {
    const hashes = randomHashes(3);
    const body = { hashes: [...hashes, hashes[1]!], issuer_tokens: [null, "a", "b", null] };
    const response = await server.post("/v1/attestations/batch", body, { Prefer: "wait=10" });
    assert.equal(response.headers.get("Preference-Applied"), "wait=10");
    const jobs = await bodyOf(response, list(JOB_SNAPSHOT));
    assert.deepEqual(jobs.map((job) => job.hash), body.hashes);
    const sequences = jobs.map((job) => job.signed_attestation?.attestation.sequence);
    assert.deepEqual(sequences, [0, 1, 2, 1]);

    server.takeDown(2);
    const [waiting] = randomHashes(1);
    const mixed = await server.post("/v1/attestations/batch", { hashes: [hashes[0], waiting] });
    assert.equal(mixed.headers.get("Location"), waiting);
    const [done, pending] = await bodyOf(mixed, list(JOB_SNAPSHOT), 202);
    assert.equal(done!.status, "confirmed");
    assert.equal(pending!.progress, "unconfirmed");
  });
});

Deno.test("POST /v1/attestations/batch accepts 1 to 1,000 valid hashes", async () => {
  await withGateway(async (server) => {
    const path = "/v1/attestations/batch";
    const hashes = randomHashes(1001);
    const most = await server.post(path, { hashes: hashes.slice(0, 1000) }, { Prefer: "wait=20" });
    assert.equal((await bodyOf(most, list(JOB_SNAPSHOT))).length, 1000);
    await assertProblem(await server.post(path, { hashes }), "malformed_request");
    await assertProblem(await server.post(path, { hashes: [] }), "malformed_request");
    await assertProblem(await server.post(path, {}), "malformed_request");
    await assertProblem(await server.post(path, hashes), "malformed_request");
    const [hash] = hashes;
    for (const issuer_tokens of [[], [null, null], [1], "x", {}]) {
      await assertProblem(
        await server.post(path, { hashes: [hash], issuer_tokens }),
        "malformed_request",
      );
    }
    assert.ok((await server.post(path, { hashes: [hash], issuer_tokens: null })).ok);
    const wrong = await server.post(path, { hashes: [hash, hash, hash!.toUpperCase(), "x"] });
    assert.match((await wrong.clone().json()).detail, /hashes\[2\]/);
    await assertProblem(wrong, "malformed_hash");
    const { length } = JSON.stringify({ hashes: [hash], x: "" });
    const largest = JSON.stringify({ hashes: [hash], x: "x".repeat(1024 * 1024 - length) });
    assert.ok((await server.post(path, largest)).ok);
    await assertProblem(await server.post(path, `${largest} `), "body_too_large");
    await assertProblem(await server.get(path), "method_not_allowed");
  });
});

Deno.test("a temporary failure of the service is a 503 with Retry-After", async () => {
  for (
    const code of ["overloaded", "shutting_down", "store_rolled_back", "storage_failed"] as const
  ) {
    const client = new AppClient(new RefusingService(code));
    for (const path of ["/v1/attestations", "/v1/attestations/batch"]) {
      const response = await client.post(path, { hash: UNKNOWN, hashes: [UNKNOWN] });
      assert.match(response.headers.get("Retry-After") ?? "", /^[1-9][0-9]*$/);
      await assertProblem(response, code);
    }
    // Faults for the operator are reported; overload is not.
    assert.equal(client.reported.length, code === "storage_failed" ? 2 : 0);
    assert.ok(client.reported.every((error) => hasCode(error, code)));
  }
});

Deno.test("an unexpected error is `internal` and reveals nothing", async () => {
  for (const thrown of [new TypeError("/secret/path"), "/secret/path", undefined]) {
    const client = new AppClient(new RefusingService({ thrown }));
    for (const path of [`/v1/attestations/${UNKNOWN}`, `/v1/bundle/${UNKNOWN}`, "/v1/log/sth"]) {
      const response = await client.get(path);
      assert.ok(!(await response.clone().text()).includes("secret"));
      await assertProblem(response, "internal");
    }
    assert.deepEqual(client.reported, [thrown, thrown, thrown]);
  }
});

Deno.test("a held answer is sent when the gateway stops", async () => {
  const network = new TestNetwork();
  const { gateway } = await network.start(await memoryStore());
  const server = new GatewayServer(network, gateway);
  server.takeDown(3);
  const [hash] = randomHashes(1);
  const answer = server.post("/v1/attestations", { hash }, { Prefer: "wait=30" });
  await until(async () =>
    await gateway.eventLog.sequenceOf(Uint8Array.fromHex(hash!).toHex()) !== undefined
  );
  await gateway.stop();
  const job = await bodyOf(await answer, JOB_SNAPSHOT, 202);
  assert.equal(job.progress, "unconfirmed");
});

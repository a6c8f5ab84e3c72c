import assert from "node:assert/strict";
import { ERROR_CODES } from "../../src/errors.ts";
import {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseSignedTreeHead,
} from "../../src/format/bundle.ts";
import { parseNetwork } from "../../src/format/network.ts";
import type { JsonObject, JsonValue } from "../../src/format/strict_json.ts";
import { STATUS } from "../../src/http/problem.ts";
import * as examples from "../../src/http/schema/examples.ts";
import { verifyBundle } from "../../src/verify/bundle.ts";
import { verifyConsistencyProof, verifyInclusionProof } from "../../src/verify/log_proofs.ts";
import { verifyCheckpoint } from "../../src/verify/note.ts";
import { verifySignedTreeHead } from "../../src/verify/tree_head.ts";
import { TestNetwork as SeededNetwork } from "../verify/fixture.ts";
import type { ApiDocument } from "./api_document.ts";
import {
  AppClient,
  randomHashes,
  RefusingService,
  verifier,
  withGateway,
} from "./gateway_server.ts";

const UNKNOWN = "00".repeat(32);

/** Every schema of the document, each with where it stands. */
function schemasOf(document: ApiDocument): [at: string, schema: JsonObject][] {
  const found: [string, JsonObject][] = [];
  const isObject = (value: JsonValue | undefined): value is JsonObject =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const addSchema = (at: string, schema: JsonValue | undefined) => {
    if (typeof schema === "boolean" || !isObject(schema)) {
      assert.equal(schema, false, `${at} is no schema`);
      return;
    }
    found.push([at, schema]);
    for (const keyword of ["anyOf", "allOf", "oneOf"]) {
      const parts = schema[keyword];
      if (Array.isArray(parts)) {
        parts.forEach((part, i) => addSchema(`${at}.${keyword}[${i}]`, part));
      }
    }
    for (const keyword of ["items", "additionalProperties", "not"]) {
      if (keyword in schema) addSchema(`${at}.${keyword}`, schema[keyword]);
    }
    for (const [name, part] of Object.entries(schema["properties"] ?? {})) {
      addSchema(`${at}.${name}`, part);
    }
  };
  const walk = (at: string, value: JsonValue | undefined) => {
    if (Array.isArray(value)) return value.forEach((item, i) => walk(`${at}[${i}]`, item));
    if (!isObject(value)) return;
    for (const [name, part] of Object.entries(value)) {
      if (name === "schema") addSchema(`${at}.schema`, part);
      else if (name !== "example") walk(`${at}.${name}`, part);
    }
  };
  walk("paths", document.value["paths"]);
  const { schemas } = document.value["components"] as { schemas: JsonObject };
  for (const [name, schema] of Object.entries(schemas)) addSchema(name, schema);
  return found;
}

async function servedDocument(): Promise<ApiDocument> {
  return await new AppClient(new RefusingService("internal")).document();
}

Deno.test("no schema of the document is empty, and none refers outside", async () => {
  const document = await servedDocument();
  assert.equal(document.value["openapi"], "3.1.0");
  const schemas = schemasOf(document);
  assert.ok(schemas.length > 300);
  for (const [at, schema] of schemas) {
    const says = ["type", "$ref", "anyOf", "allOf", "oneOf", "enum", "const"];
    assert.ok(says.some((keyword) => keyword in schema), `${at} says nothing`);
    if ("$ref" in schema) document.resolve(schema["$ref"] as string);
  }
  const text = JSON.stringify(document.value);
  assert.ok(!text.includes("externalDocs"));
  assert.deepEqual(document.value["servers"], [{ url: "/" }]);
});

Deno.test("every example of the document is valid, and a damaged one is not", async () => {
  const document = await servedDocument();
  const withExample = schemasOf(document).filter(([, schema]) => "example" in schema);
  assert.ok(withExample.length > 50);
  for (const [at, schema] of withExample) {
    assert.equal(document.faultOf(schema["example"]!, schema), undefined, at);
  }
  for (const [at, schema] of withExample) {
    if (at !== "JsonValue") assert.ok(document.faultOf([schema["example"]!, null], schema), at);
  }
});

Deno.test("the examples verify under the network that is the example of one", async () => {
  const network = parseNetwork(JSON.stringify(examples.NETWORK));
  const peer = new SeededNetwork("peer.example/log").configuration;
  const bundle = parseBundle(JSON.stringify(examples.PROOF_BUNDLE));
  const verdict = await verifyBundle(verifier, { network, peers: [peer] }, bundle, {
    hash: examples.HASH,
  });
  assert.equal(verdict.level, "federated");
  for (const sth of [examples.FIRST_STH, examples.SECOND_STH]) {
    const parsed = parseSignedTreeHead(JSON.stringify(sth));
    assert.equal((await verifySignedTreeHead(verifier, network, parsed)).valid, true);
  }
  const consistency = parseConsistencyProof(JSON.stringify(examples.CONSISTENCY_PROOF));
  const grown = await verifyConsistencyProof(verifier, network, consistency, {
    first: 2,
    second: 3,
  });
  assert.equal(grown.valid, true);
  const inclusion = parseInclusionProof(JSON.stringify(examples.INCLUSION_PROOF));
  const included = await verifyInclusionProof(verifier, network, inclusion, {
    hash: examples.HASH,
  });
  assert.equal(included.valid, true);
  assert.equal((await verifyCheckpoint(verifier, network, examples.CHECKPOINT)).valid, true);
});

Deno.test("every operation is named, described and tells its problems by code", async () => {
  const document = await servedDocument();
  const tags = (document.value["tags"] as { name: string }[]).map(({ name }) => name);
  const ids = document.operations.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const operation of document.operations) {
    const { tags: [tag], summary } = operation.value as { tags: string[]; summary: string };
    assert.ok(tags.includes(tag!), operation.id);
    assert.ok(summary.length > 0);
    for (const [status, response] of Object.entries(document.responses(operation))) {
      assert.ok(response["description"]);
      for (const code of codesOf(response)) assert.equal(String(STATUS[code]), status);
    }
  }
  const described = (id: string) =>
    document.operations.find((operation) => operation.id === id)?.value["description"] as string;
  assert.match(described("verifyAttestation"), /not authoritative/);
  assert.match(described("getNetwork"), /not a trust decision/);
});

Deno.test("every operation answers with every status and code that is documented", async () => {
  const seen = new Set<string>();
  await withGateway(async (server) => {
    const { network } = server;
    await server.get("/checkpoint");
    await server.get("/v1/log/sth");
    const [batched] = await server.batch(2);
    const job = await (await server.get(`/v1/attestations/${batched}`)).json();
    await server.post("/v1/verify", job.signed_attestation);
    await server.post("/v1/attestations", { hash: batched });
    await server.post("/v1/attestations/batch", { hashes: [batched] });
    for (const path of ["/v1/attestations", "/v1/attestations/batch", "/v1/verify"]) {
      await server.post(path, "{");
      await server.post(path, []);
      await server.post(path, { hash: "", hashes: [""] });
      await server.post(path, {}, { "Content-Type": "text/plain" });
      await server.post(path, " ".repeat(1024 * 1024 + 1));
    }
    for (
      const path of [
        ...["/health", "/v1/config", "/v1/network", "/v1/status", "/openapi.json", "/policy"],
        ...["/checkpoint", "/v1/log/sth", "/v1/log/sth/2", "/v1/log/sth/1", "/v1/log/sth/x"],
        ...[
          "/v1/batches",
          "/v1/batches?limit=x",
          "/v1/batches/2",
          "/v1/batches/1",
          "/v1/batches/x",
        ],
        ...["/tile/0/000.p/2", "/tile/0/000", "/tile/entries/000.p/2", "/tile/entries/000"],
        "/v1/log/consistency?first=2&second=2",
        "/v1/log/consistency?first=1&second=2",
        "/v1/log/consistency?first=2&second=1",
        ...[batched, UNKNOWN, "x"].map((hash) => `/v1/log/proof?hash=${hash}&tree_size=2`),
        ...["", 1].map((size) => `/v1/log/proof?hash=${batched}&tree_size=${size}`),
      ]
    ) {
      const etag = (await server.get(path)).headers.get("ETag");
      if (etag !== null) await server.get(path, { "If-None-Match": etag });
    }
    network.witnesses.forEach((witness) => witness.down = true);
    const [waiting] = randomHashes(1);
    await server.post("/v1/attestations", { hash: waiting });
    await server.post("/v1/attestations/batch", { hashes: [waiting] });
    await server.get(`/v1/log/proof?hash=${waiting}&tree_size=2`);
    for (const hash of [batched, waiting, UNKNOWN, "x"]) {
      for (const name of ["attestations", "bundle", "proof", "anchors"]) {
        await server.get(`/v1/${name}/${hash}`);
      }
    }
    for (const entry of (await server.document()).seen) seen.add(entry);
  });
  for (const code of ["overloaded", "store_rolled_back", "storage_failed"] as const) {
    const client = new AppClient(new RefusingService(code, "storage_failed"));
    await client.post("/v1/attestations", { hash: UNKNOWN });
    await client.post("/v1/attestations/batch", { hashes: [UNKNOWN] });
    await client.get("/health");
    for (const entry of (await client.document()).seen) seen.add(entry);
  }
  const document = await servedDocument();
  const documented = document.operations.flatMap((operation) =>
    Object.entries(document.responses(operation)).flatMap(([status, response]) => {
      const codes = codesOf(response);
      const isAnswer = codes.length === 0 || Object.keys(response["content"] ?? {}).length > 1;
      return [...(isAnswer ? ["ok"] : []), ...codes].map((code) =>
        `${operation.id} ${status} ${code}`
      );
    })
  );
  // What any operation may answer when the process is at fault is not provoked one by one.
  // Any operation may be refused for want of room; those that accept are, for reasons of their own.
  const unprovoked = / (internal|shutting_down)$|^(?!submit).* overloaded$/;
  const provokable = documented.filter((entry) => !unprovoked.test(entry));
  assert.deepEqual(provokable.filter((entry) => !seen.has(entry)), []);
});

Deno.test("an answer that the document does not have is found", async () => {
  const document = await servedDocument();
  const health = (body: unknown, status = 200) => Response.json(body, { status });
  await document.check("GET", "/health", health({ status: "ok" }));
  await assert.rejects(document.check("GET", "/health", health({ status: "fine" })));
  await assert.rejects(document.check("GET", "/health", health({ status: "ok", x: 1 })));
  await assert.rejects(document.check("GET", "/health", health({ status: "ok" }, 201)));
  await assert.rejects(document.check("GET", "/healthy", health({ status: "ok" })));
});

/** The problem codes of a documented response. */
function codesOf(response: JsonObject): (typeof ERROR_CODES)[number][] {
  const content = response["content"] as Record<string, { schema: JsonObject }> | undefined;
  const schema = content?.["application/problem+json"]?.schema;
  if (schema === undefined) return [];
  const [, refined] = schema["allOf"] as { properties: { code: { enum: string[] } } }[];
  return refined!.properties.code.enum.map((code) => ERROR_CODES.find((known) => known === code)!);
}

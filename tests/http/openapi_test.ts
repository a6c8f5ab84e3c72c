import assert from "node:assert/strict";
import type { ErrorCode } from "../../src/base/errors.ts";
import {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseSignedTreeHead,
} from "../../src/proof/format/bundle.ts";
import { parseContradiction } from "../../src/proof/format/federation.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import type { JsonObject, JsonValue } from "../../src/proof/format/strict_json.ts";
import { CACHE_CONTROL } from "../../src/http/answer.ts";
import { PUBLIC_PATHS } from "../../src/http/endpoint.ts";
import { STATUS } from "../../src/http/problem.ts";
import * as examples from "../../src/http/schema/examples.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { verifyContradiction } from "../../src/proof/verify/contradiction.ts";
import { verifyConsistencyProof, verifyInclusionProof } from "../../src/proof/verify/log_proofs.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { verifySignedTreeHead } from "../../src/proof/verify/tree_head.ts";
import { TestNetwork as SeededNetwork } from "../proof/verify/fixture.ts";
import { type ApiDocument, codesOf, type DocumentedResponse } from "./api_document.ts";
import { type Exchange, exchangeOf } from "./exchange_check.ts";
import { AppClient, RefusingService, verifier } from "./gateway_server.ts";

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

Deno.test("schemas of the document are not empty and have no external references", async () => {
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
  assert.deepEqual(document.value["servers"], [{ url: "." }]);
});

Deno.test("no schema contains itself", async () => {
  const document = await servedDocument();
  const { schemas } = document.value["components"] as { schemas: JsonObject };
  const refsOf = (value: unknown): string[] =>
    [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) =>
      name!
    );
  const finished = new Set<string>();
  const visit = (name: string, within: readonly string[]): void => {
    assert.ok(!within.includes(name), `${name} contains itself`);
    if (finished.has(name)) return;
    for (const inner of refsOf(schemas[name])) visit(inner, [...within, name]);
    finished.add(name);
  };
  for (const name of Object.keys(schemas)) visit(name, []);
});

Deno.test("operations need no credentials or an API key, and the licence is named", async () => {
  const { value, operations } = await servedDocument();
  assert.deepEqual(value["security"], [{}, { ApiKey: [] }]);
  const isPublic = ({ value }: { value: JsonObject }) => JSON.stringify(value["security"]) === "[]";
  assert.deepEqual(
    operations.filter(isPublic).map(({ path }) => path).toSorted(),
    [...PUBLIC_PATHS].toSorted().filter((path) => operations.some((one) => one.path === path)),
  );
  const { license } = value["info"] as { license: JsonObject };
  assert.equal(license["identifier"], "Apache-2.0");
});

Deno.test("every example of the document is valid, and damaged examples are not", async () => {
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

/** Whether a schema has an example, or is made of parts that have one or need none. */
function isShown(document: ApiDocument, schema: JsonObject): boolean {
  if (["example", "enum", "const"].some((keyword) => keyword in schema)) return true;
  if ("$ref" in schema) return isShown(document, document.resolve(schema["$ref"] as string));
  const parts = (schema["anyOf"] ?? schema["allOf"]) as JsonObject[] | undefined;
  if (parts !== undefined) return parts.some((part) => isShown(document, part));
  if ("items" in schema) return isShown(document, schema["items"] as JsonObject);
  const members = Object.values((schema["properties"] ?? {}) as Record<string, JsonObject>);
  return members.length > 0 && members.every((member) => isShown(document, member));
}

Deno.test("every parameter, header, body and answer has an example", async () => {
  const document = await servedDocument();
  const bare = document.operations.flatMap((operation) => {
    const { id, value } = operation;
    const { content = {} } = (value["requestBody"] ?? {}) as unknown as DocumentedResponse;
    const answers = Object.values(document.responses(operation));
    return [
      ...document.parameters(operation).map(({ name, schema }) => [name, schema] as const),
      ...Object.entries(content).map(([type, { schema }]) => [type, schema] as const),
      ...answers.flatMap(({ headers = {}, content = {} }) =>
        Object.entries({ ...headers, ...content }).map(([name, { schema }]) =>
          [name, schema] as const
        )
      ),
    ].filter(([, schema]) => !isShown(document, schema)).map(([name]) => `${id} ${name}`);
  });
  // Bytes have no text, and a document is its own example.
  assert.deepEqual(bare.toSorted(), [
    "getBundle application/cose",
    "getConsistencyProof application/cose",
    "getEntries application/octet-stream",
    "getOpenApi application/json",
    "getTile application/octet-stream",
  ]);
});

Deno.test("every parameter and answer has a description", async () => {
  const document = await servedDocument();
  for (const operation of document.operations) {
    const parts = [
      ...document.parameters(operation),
      ...Object.values(document.responses(operation)),
    ];
    for (const part of parts) {
      assert.ok(part.description, `${operation.id} ${JSON.stringify(part)}`);
    }
  }
});

Deno.test("the examples verify under the example network", async () => {
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
  const evidence = parseContradiction(JSON.stringify(examples.CONTRADICTION), "malformed_bundle");
  assert.equal((await verifyContradiction(verifier, peer, evidence)).valid, true);
  assert.equal((await verifyCheckpoint(verifier, network, examples.CHECKPOINT)).valid, true);
});

Deno.test("every operation has a name, a summary and its problem codes", async () => {
  const document = await servedDocument();
  const tags = (document.value["tags"] as { name: string }[]).map(({ name }) => name);
  const ids = document.operations.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const operation of document.operations) {
    const { tags: [tag], summary } = operation.value as { tags: string[]; summary: string };
    assert.ok(tags.includes(tag!), operation.id);
    assert.ok(summary.length > 0);
    for (const [status, response] of Object.entries(document.responses(operation))) {
      assert.ok(response.description);
      for (const code of codesOf(response)) assert.equal(String(STATUS[code]), status);
    }
  }
  const described = (id: string) =>
    document.operations.find((operation) => operation.id === id)?.value["description"] as string;
  assert.match(described("verifyAttestation"), /gateway.s opinion/);
  assert.match(described("getNetwork"), /not a trust decision/);
});

Deno.test("faultOfExchange() detects undocumented exchanges", async () => {
  const document = await servedDocument();
  const common = { "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff" };
  const ok = { ...common, "Cache-Control": "no-store" };
  const exchange = async (
    path: string,
    { body = { status: "ok" } as unknown, status = 200, headers = ok as Record<string, string> },
    sent: { method: string; body?: string } = { method: "GET" },
  ) => {
    const response = Response.json(body, { status, headers });
    const type = { "Content-Type": "application/json" };
    return await exchangeOf(sent.method, path, { ...sent, headers: type }, response);
  };
  const good = await exchange("/health", {});
  document.check(good);
  const query = "/v1/log/consistency?first=1&second=2";
  const verified = { valid: true, verified_signatures: 2, required_signatures: 2 };
  const problem = problemWith("malformed_hash");
  const problems = { ...ok, "Content-Type": "application/problem+json" };
  const wrong: Record<string, Exchange> = {
    "a value": await exchange("/health", { body: { status: "fine" } }),
    "a further member": await exchange("/health", { body: { status: "ok", x: 1 } }),
    "a missing member": await exchange("/health", { body: {} }),
    "a status": await exchange("/health", { status: 201 }),
    "a path": await exchange("/healthy", {}),
    "a method": await exchange("/health", {}, { method: "POST" }),
    "a header's value": await exchange("/health", {
      headers: { ...ok, "Cache-Control": "public" },
    }),
    "a header that is missing": await exchange("/health", { headers: common }),
    "a common header that is missing": await exchange("/health", {
      headers: { "Cache-Control": "no-store" },
    }),
    "a further header": await exchange("/health", { headers: { ...ok, "X-Powered-By": "us" } }),
    "a media type": await exchange("/health", { headers: { ...ok, "Content-Type": "text/json" } }),
    "a parameter that is accepted": await exchange(`${query}x`, {
      body: examples.CONSISTENCY_PROOF,
      headers: {
        ...common,
        "Cache-Control": CACHE_CONTROL.revalidate,
        "ETag": `"${"0".repeat(32)}"`,
      },
    }),
    "a body that is accepted": await exchange("/v1/verify", { body: verified }, {
      method: "POST",
      body: "{}",
    }),
    "a body that is refused": await exchange(
      "/v1/attestations",
      { body: problem, status: 400, headers: problems },
      { method: "POST", body: JSON.stringify({ hash: UNKNOWN }) },
    ),
  };
  for (const [what, bad] of Object.entries(wrong)) {
    assert.throws(() => document.check(bad), assert.AssertionError, what);
  }
  // The same with what is right in place of what is wrong.
  document.check(
    await exchange(query, {
      body: examples.CONSISTENCY_PROOF,
      headers: {
        ...common,
        "Cache-Control": CACHE_CONTROL.revalidate,
        "ETag": `"${"0".repeat(32)}"`,
      },
    }),
  );
  document.check(
    await exchange(
      "/v1/attestations",
      { body: problem, status: 400, headers: problems },
      { method: "POST", body: '{"hash":"x"}' },
    ),
  );
});

function problemWith(code: ErrorCode) {
  return {
    type: `urn:countersign:problem:${code}`,
    title: "A title",
    status: STATUS[code],
    detail: "A detail",
    code,
    request_id: "0123456789abcdef",
  };
}

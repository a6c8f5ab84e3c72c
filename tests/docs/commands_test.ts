/** The shapes of JSON in docs/commands.md, held against what the commands print. */

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Client, withClient } from "../cli/client_run.ts";
import { StubGateway } from "../cli/stub_gateway.ts";
import { digestOf, TestLog, TestNetwork } from "../proof/verify/fixture.ts";

/** Members of an object by name; those of the objects in a list, if they are documented. */
type Shape = Map<string, { readonly isOptional: boolean; readonly inner?: Shape }>;

const TEXT = await Deno.readTextFile(new URL("../../docs/commands.md", import.meta.url));

/** Parses `{"name"?, "name": [{...}]}` at the position of `at`. */
function parseShape(text: string, at = { position: 0 }): Shape {
  const shape: Shape = new Map();
  at.position++;
  for (;;) {
    const rest = text.slice(at.position);
    const [whole, name, optional, list] = /^[\s,]*"(\w+)"(\?)?(: \[)?/.exec(rest) ?? [];
    if (whole === undefined) break;
    at.position += whole.length;
    const inner = list === undefined ? undefined : parseShape(text, at);
    if (list !== undefined) at.position++;
    shape.set(name!, { isOptional: optional !== undefined, ...(inner !== undefined && { inner }) });
  }
  assert.equal(text[at.position], "}", text.slice(at.position));
  at.position++;
  return shape;
}

/** The documented shape that follows `lead` in the list of shapes. */
function shapeAfter(lead: string): Shape {
  const start = TEXT.indexOf(lead, TEXT.indexOf("## JSON"));
  assert.ok(start >= 0, lead);
  return parseShape(TEXT.slice(TEXT.indexOf("{", start)));
}

// deno-lint-ignore no-explicit-any
function checkShape(value: any, shape: Shape, where: string): void {
  const documented = [...shape];
  assert.deepEqual(Object.keys(value).filter((name) => !shape.has(name)), [], `${where}: extra`);
  const lacking = documented.filter(([name, { isOptional }]) => !isOptional && !(name in value));
  assert.deepEqual(lacking.map(([name]) => name), [], `${where}: missing`);
  for (const [name, { inner }] of documented) {
    if (inner === undefined || !(name in value)) continue;
    for (const one of value[name]) checkShape(one, inner, `${where} ${name}`);
  }
}

const network = new TestNetwork("net.example/shapes");
const HASH = digestOf("content");
const LIST = `${HASH}  files/content\n`;

/** A user with a pinned network, a file that is in the log, its proofs, and a file without one. */
async function withProofs(use: (client: Client) => Promise<void>): Promise<void> {
  const log = new TestLog(network);
  log.addRound([HASH, digestOf(LIST)], { timestamp: 1_766_275_200 });
  await using gateway = new StubGateway(log, [2]);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await client.trust.savePin(network.configuration);
    await mkdir(join(client.folder, "files"));
    await client.write("files/content", "content");
    await client.write("files/content.countersign.json", log.bundle(0));
    await client.write("files/unproved", "unproved");
    await client.write("changed", "changed");
    await client.write("changed.countersign.json", gateway.bundle(0));
    await client.write("list", LIST);
    await client.write("list.countersign.json", gateway.bundle(1));
    await client.write("attestation.json", log.bundle(0).signed_attestation);
    await use(client);
  });
}

const BUNDLE = "`verify` and `verify-proof` of one bundle";
const ATTESTATION = "`verify` of one signed attestation";
const MANY = "`verify` of a folder or of several files";
const CHECKED: readonly (readonly [lead: string, args: readonly string[]])[] = [
  [BUNDLE, ["verify", "files/content"]],
  [BUNDLE, ["verify", "changed"]],
  [BUNDLE, ["verify", "list"]],
  [BUNDLE, ["verify-proof", "files/content"]],
  [ATTESTATION, ["verify", "attestation.json"]],
  [MANY, ["verify", "files"]],
  [MANY, ["verify", "files/content", "changed"]],
  ["`upgrade`", ["upgrade", "files"]],
  ["`stamp`", ["stamp", "files/content", "--save"]],
  ["`stamp`", ["stamp", "files/content", "no/such/file"]],
  ["`api-key new`", ["api-key", "new", "a", "--file", "keys.json"]],
  ["`api-key new`", [
    "api-key",
    "new",
    "b",
    "--file",
    "keys.json",
    "--days",
    "1",
    "--per-second",
    "1",
    "--burst",
    "2",
    "--reads-per-second",
    "3",
    "--reads-burst",
    "4",
  ]],
  ["`api-key list`", ["api-key", "list", "--file", "keys.json"]],
  ["`api-key revoke`", ["api-key", "revoke", "a", "--file", "keys.json"]],
];

Deno.test("each command prints the JSON that docs/commands.md promises", () =>
  withProofs(async (client) => {
    for (const [lead, args] of CHECKED) {
      const { json, stderr } = await client.runJson(args);
      assert.ok(json, `${args.join(" ")}: ${stderr}`);
      checkShape(json, shapeAfter(lead), args.join(" "));
    }
    const failed = await client.runJson(["verify", "no/such/file"]);
    assert.deepEqual(Object.keys(failed.json), ["error"]);
    assert.deepEqual(Object.keys(failed.json.error).toSorted(), ["code", "message"]);
  }));

Deno.test("a shape that differs is noticed", () => {
  const shape = parseShape('{"a", "b"?, "c": [{"d"}]}');
  checkShape({ a: 1, c: [{ d: 1 }] }, shape, "ok");
  for (const wrong of [{ c: [] }, { a: 1, c: [{}] }, { a: 1, c: [], e: 1 }]) {
    assert.throws(() => checkShape(wrong, shape, "wrong"));
  }
});

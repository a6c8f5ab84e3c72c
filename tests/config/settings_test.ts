import assert from "node:assert/strict";
import {
  inPart,
  oneOrMore,
  optionalSecret,
  parseFile,
  path,
  secret,
  settings,
  url,
  withMember,
  words,
} from "../../src/config/settings.ts";
import { hex, list, type Schema } from "../../src/proof/format/schema.ts";

const FILE = "/etc/countersign/file.json";

function read<T>(schema: Schema<T>, value: unknown, insecure = false): T {
  return parseFile(schema, JSON.stringify(value), FILE, { insecure });
}

function refuses(schema: Schema<unknown>, value: unknown, message: RegExp, code = "invalid"): void {
  assert.throws(() => read(schema, value), { code: `${code}_configuration`, message });
}

Deno.test("a secret is in a file or in a variable, and never in both", () => {
  const schema = settings({ token: secret("the token"), old_token: optionalSecret("the old one") });
  assert.deepEqual(read(schema, { token_file: "a.token" }), {
    token: { kind: "file", path: "/etc/countersign/a.token" },
  });
  const [token_env, old_token_env] = ["COUNTERSIGN_TOKEN_A", "COUNTERSIGN_TOKEN_B"];
  assert.deepEqual(read(schema, { token_env, old_token_env }), {
    token: { kind: "environment", name: token_env },
    oldToken: { kind: "environment", name: old_token_env },
  });
  refuses(schema, {}, /it needs token_file or token_env/);
  refuses(schema, { token_env, old_token_file: "b", old_token_env }, /has both old_token_file and/);
  refuses(schema, { token_env: "HOME" }, /file\.json\.token_env: it must be COUNTERSIGN_TOKEN_/);
  refuses(schema, { token: "a" }, /unknown member "token"/, "malformed");
});

Deno.test("withMember() decides by one member which others an object has", () => {
  const [folder, bucket] = [settings({ folder: path("") }), settings({ bucket: words("") })];
  const schema = withMember("bucket", bucket, folder);
  assert.deepEqual(read(schema, { bucket: "b" }), { bucket: "b" });
  assert.deepEqual(read(schema, { folder: "f" }), { folder: "/etc/countersign/f" });
  refuses(schema, { bucket: "b", folder: "f" }, /unknown member "folder"/, "malformed");
  refuses(schema, {}, /member folder is missing/, "malformed");
});

Deno.test("inPart() names the part of a file in each error about it", () => {
  const part = inPart("log", "origin", settings({ origin: words(""), hash: hex(1, "") }));
  const schema = settings({ logs: list(part) });
  refuses(
    schema,
    { logs: [{ origin: "o", hash: "x" }] },
    /logs\[0\]\.hash: .*, in log "o"/,
    "malformed",
  );
  refuses(schema, { logs: [{ origin: "", hash: "ab" }] }, /origin: it is empty, in log ""/);
  refuses(schema, { logs: [{ origin: 1 }] }, /origin: expected text$/, "malformed");
});

Deno.test("oneOrMore() reads a value, or a list of several different ones", () => {
  const schema = settings({ urls: oneOrMore(url("")) });
  const [a, b] = ["https://a.example", "https://b.example"];
  assert.deepEqual(read(schema, { urls: a }).urls, [a]);
  assert.deepEqual(read(schema, { urls: [a, b] }).urls, [a, b]);
  for (const urls of [[], [a], [a, a]]) refuses(schema, { urls }, /two entries or more, each once/);
  refuses(schema, { urls: "http://a.example" }, /http is allowed only on loopback/);
  assert.ok(read(schema, { urls: "http://a.example" }, true));
});

Deno.test("parseFile() freezes what it reads, byte arrays apart", () => {
  const bytes = words("").convert((text) => new TextEncoder().encode(text));
  const found = read(settings({ list: list(settings({ bytes })) }), { list: [{ bytes: "ab" }] });
  assert.ok(Object.isFrozen(found.list[0]));
  assert.equal(found.list[0]!.bytes.length, 2);
});

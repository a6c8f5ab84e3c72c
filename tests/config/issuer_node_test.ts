import assert from "node:assert/strict";
import { join } from "node:path";
import { base64UrlOf } from "../../src/base/bytes.ts";
import { readIssuerKeyFile } from "../../src/config/issuer_key_file.ts";
import { parseIssuerNode } from "../../src/config/issuer_node.ts";
import { inFolder } from "../server/captured_io.ts";
import { PRIVATE_KEY, TYPE_2_VECTORS } from "../gateway/tokens/published_vectors.ts";

const NODE = {
  name: "issuer.example",
  url: "https://issuer.example",
  rotation: { lifetime_seconds: 3600, overlap_seconds: 600 },
  api_keys: [{ name: "a", sha256: "ab".repeat(32), per_day: 5 }],
  work: { bits: 20 },
};

const parse = (members: unknown) => parseIssuerNode(JSON.stringify(members), "/i/issuer.json");

Deno.test("parseIssuerNode() returns the members, frozen", () => {
  const node = parse(NODE);
  assert.deepEqual(node, {
    name: "issuer.example",
    url: "https://issuer.example/",
    rotation: { lifetimeSeconds: 3600, overlapSeconds: 600 },
    apiKeys: [{ name: "a", sha256: "ab".repeat(32), perDay: 5 }],
    work: { bits: 20 },
  });
  assert.ok(Object.isFrozen(node) && Object.isFrozen(node.apiKeys[0]));
  const { work: _, url: __, ...bare } = NODE;
  assert.equal(parse(bare).work, undefined);
  assert.equal(parse({ ...NODE, api_keys: [] }).apiKeys.length, 0);
});

Deno.test("an unusable issuer is refused", () => {
  const { work: _, ...withoutWork } = NODE;
  const [key] = NODE.api_keys;
  const wrong: unknown[] = [
    { ...NODE, name: "" },
    { ...NODE, name: "é" },
    { ...NODE, name: "My issuer" },
    { ...NODE, name: "https://issuer.example" },
    { ...NODE, url: "ftp://issuer.example" },
    { ...NODE, url: "https://user:pass@issuer.example" },
    { ...NODE, rotation: { lifetime_seconds: 3600, overlap_seconds: 0 } },
    { ...NODE, rotation: { lifetime_seconds: 600, overlap_seconds: 601 } },
    { ...withoutWork, api_keys: [] },
    { ...NODE, api_keys: [key, key] },
    { ...NODE, api_keys: [{ ...key, name: "" }] },
    { ...NODE, api_keys: [{ ...key, per_day: 0 }] },
    { ...NODE, work: { bits: 0 } },
    { ...NODE, work: { bits: 27 } },
  ];
  for (const one of wrong) {
    assert.throws(() => parse(one), { code: "invalid_configuration" }, JSON.stringify(one));
  }
  const malformed: unknown[] = [
    [],
    { ...NODE, more: 1 },
    { ...NODE, rotation: { lifetime_seconds: 3600 } },
    { ...NODE, api_keys: [{ ...key, key: "in clear" }] },
    { ...NODE, api_keys: [{ ...key, sha256: "AB".repeat(32) }] },
    { ...NODE, work: {} },
  ];
  for (const one of malformed) {
    assert.throws(() => parse(one), { code: "malformed_configuration" }, JSON.stringify(one));
  }
});

Deno.test("readIssuerKeyFile() reads a key that only its owner can read", () =>
  inFolder(async (folder) => {
    const path = join(folder, "key.json");
    const members = {
      private_key: base64UrlOf(PRIVATE_KEY),
      not_before: 10,
      not_after: 20,
    };
    const read = async (value: unknown, mode = 0o600) => {
      await Deno.writeTextFile(path, JSON.stringify(value));
      await Deno.chmod(path, mode);
      return await readIssuerKeyFile(path);
    };
    const { tokenKey, notBefore, notAfter } = await read(members);
    assert.equal(tokenKey.toHex(), TYPE_2_VECTORS.pkS);
    assert.deepEqual([notBefore, notAfter], [10, 20]);
    await assert.rejects(read(members, 0o640), { code: "file_failed" });
    const wrong: unknown[] = [
      { ...members, private_key: `${members.private_key}!` },
      { ...members, private_key: base64UrlOf(new Uint8Array(48)) },
      { ...members, not_after: 10 },
      { ...members, more: 1 },
      {},
    ];
    for (const one of wrong) {
      await assert.rejects(
        read(one),
        (error: Error & { code?: string }) =>
          error.code === "invalid_key" && !error.message.includes(members.private_key),
      );
    }
    await assert.rejects(readIssuerKeyFile(join(folder, "none")), {
      code: "configuration_missing",
    });
  }));

import assert from "node:assert/strict";
import { encodeApiKeys, MAX_API_KEYS, parseApiKeys } from "../../src/config/api_keys.ts";
import { parseOperatorNetwork } from "../../src/config/operator_network.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { bls } from "../schemes.ts";

const SHA256 = "ab".repeat(32);
const RATE = { per_second: 3, burst: 7 };

Deno.test("a file of keys is read, and written as it was read", () => {
  const keys = [
    { name: "alice", sha256: SHA256, not_after: 5, new_attestations: RATE, reads: RATE },
    { name: "Ci-2.x_y", sha256: "00".repeat(32) },
  ];
  const parsed = parseApiKeys(JSON.stringify({ keys }), "file");
  const rate = { perSecond: 3, burst: 7 };
  assert.deepEqual(parsed, [
    { name: "alice", sha256: SHA256, notAfter: 5, rates: { new_attestations: rate, reads: rate } },
    { name: "Ci-2.x_y", sha256: "00".repeat(32), rates: {} },
  ]);
  assert.deepEqual(JSON.parse(encodeApiKeys(parsed)), { keys });
  assert.deepEqual(parseApiKeys('{"keys":[]}', "file"), []);
});

Deno.test("keys that cannot be used are refused, and the message has no digest", () => {
  const key = { name: "a", sha256: SHA256 };
  const many = Array.from({ length: MAX_API_KEYS + 1 }, (_, i) => ({
    name: `k${i}`,
    sha256: i.toString(16).padStart(64, "0"),
  }));
  const refused: readonly [string, unknown][] = [
    ["malformed_configuration", {}],
    ["malformed_configuration", { keys: {} }],
    ["malformed_configuration", { keys: [{ name: "a" }] }],
    ["malformed_configuration", { keys: [{ ...key, sha256: SHA256.toUpperCase() }] }],
    ["malformed_configuration", { keys: [{ ...key, key: "secret" }] }],
    ["malformed_configuration", { keys: [{ ...key, not_after: "x" }] }],
    ["malformed_configuration", { keys: [{ ...key, reads: { burst: 1 } }] }],
    ["malformed_configuration", { keys: [key], other: 1 }],
    ["invalid_configuration", { keys: [{ ...key, reads: { per_second: 0, burst: 1 } }] }],
    ["invalid_configuration", { keys: [{ ...key, name: "" }] }],
    ["invalid_configuration", { keys: [{ ...key, name: "a b" }] }],
    ["invalid_configuration", { keys: [{ ...key, name: "a".repeat(65) }] }],
    ["invalid_configuration", { keys: [key, { ...key, sha256: "00".repeat(32) }] }],
    ["invalid_configuration", { keys: [key, { ...key, name: "b" }] }],
    ["invalid_configuration", { keys: many }],
  ];
  for (const [code, value] of refused) {
    assert.throws(
      () => parseApiKeys(JSON.stringify(value), "file"),
      (error: Error & { code: string }) => {
        assert.equal(error.code, code, JSON.stringify(value).slice(0, 200));
        assert.ok(!error.message.includes(SHA256));
        return true;
      },
    );
  }
});

Deno.test("api_keys names a file and the routes, and excludes tokens", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const out = `${folder}/net`;
    const plan = { witnesses: 1, threshold: 1, kind: "embedded", basePort: 0 } as const;
    await createNetwork({ ...plan, id: "keys.test", scheme: "ed25519", out }, bls);
    const file = `${out}/network.json`;
    const members = JSON.parse(await Deno.readTextFile(file));
    const parse = (more: unknown) =>
      parseOperatorNetwork(JSON.stringify({ ...members, ...more as object }), file, { bls });
    assert.equal(parse({}).apiKeys, undefined);
    const apiKeys = { file: "keys.json", routes: "all" };
    assert.deepEqual(parse({ api_keys: apiKeys }).apiKeys, {
      file: `${out}/keys.json`,
      routes: "all",
    });
    for (const wrong of [{ ...apiKeys, routes: "some" }, { ...apiKeys, x: 1 }, { routes: "all" }]) {
      assert.throws(() => parse({ api_keys: wrong }));
    }
    const admission = {
      mode: "token_optional",
      issuers: [{ name: "i.example", url: "https://i.example", follow: true }],
    };
    assert.ok(parse({ admission }).admission);
    assert.throws(() => parse({ admission, api_keys: apiKeys }), { code: "invalid_configuration" });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

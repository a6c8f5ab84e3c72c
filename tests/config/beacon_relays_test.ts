import assert from "node:assert/strict";
import { BEACON_AGE, BEACON_RELAYS, type BeaconRelays } from "../../src/config/beacon_relays.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";

const CODE = "malformed_configuration";

const context = { where: "file", code: CODE } as const;
const valueOf = (beacon: unknown) => parseStrictJson(JSON.stringify(beacon), CODE);

function relaysOf(beacon: unknown, insecure = false): BeaconRelays {
  return BEACON_RELAYS.parse(valueOf(beacon), { ...context, insecure });
}

function ageOf(beacon: unknown): number {
  return BEACON_AGE.parse(valueOf(beacon), context).maxAgeSeconds;
}

Deno.test("relays keep their order, and the default maximum age of a beacon is 30 s", () => {
  const relays = ["https://b.example/drand", "http://127.0.0.1:8100", "https://a.example"];
  assert.deepEqual(relaysOf({ relays }), { relays, maxAgeSeconds: 30 });
  for (const age of [6, 86_400]) {
    assert.deepEqual(relaysOf({ relays, max_age_seconds: age }), { relays, maxAgeSeconds: age });
  }
  assert.deepEqual(relaysOf({ relays: ["http://a.example"] }, true).relays, ["http://a.example"]);
  const many = Array.from({ length: 16 }, (_, i) => `https://r${i}.example`);
  assert.equal(relaysOf({ relays: many }).relays.length, 16);
});

Deno.test("unusable relays are refused", () => {
  const url = "https://a.example";
  const many = Array.from({ length: 17 }, (_, i) => `https://r${i}.example`);
  const refused: [string, unknown][] = [
    ["invalid_configuration", { relays: [] }],
    ["invalid_configuration", { relays: many }],
    ["invalid_configuration", { relays: [url, `${url}/`] }],
    ["invalid_configuration", { relays: ["http://a.example"] }],
    ["invalid_configuration", { relays: ["https://user:secret@a.example"] }],
    ["invalid_configuration", { relays: ["a.example"] }],
    ["invalid_configuration", { relays: [url], max_age_seconds: 5 }],
    ["invalid_configuration", { relays: [url], max_age_seconds: 86_401 }],
    ["malformed_configuration", { relays: [url], max_age_seconds: "30" }],
    ["malformed_configuration", { relays: [url], chain_hash: "00" }],
    ["malformed_configuration", { relays: url }],
    ["malformed_configuration", { relays: [7] }],
    ["malformed_configuration", {}],
    ["malformed_configuration", null],
    ["malformed_configuration", [url]],
  ];
  for (const [code, beacon] of refused) {
    assert.throws(() => relaysOf(beacon), { code }, JSON.stringify(beacon));
  }
});

Deno.test("a witness has a maximum age of beacons", () => {
  assert.equal(ageOf({ max_age_seconds: 6 }), 6);
  for (
    const [code, beacon] of [
      ["invalid_configuration", { max_age_seconds: 5 }],
      ["malformed_configuration", { max_age_seconds: 30, relays: [] }],
      ["malformed_configuration", {}],
    ] as const
  ) assert.throws(() => ageOf(beacon), { code });
});

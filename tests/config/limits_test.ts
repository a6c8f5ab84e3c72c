import assert from "node:assert/strict";
import { CLIENT_LIMITS, DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { orOff } from "../../src/config/settings.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";

const CODE = "malformed_configuration";

function limitsOf(limits: unknown) {
  const value = parseStrictJson(JSON.stringify(limits), CODE);
  return orOff(CLIENT_LIMITS).parse(value, { where: "file", code: CODE });
}

Deno.test("limits are off, or merged with the default", () => {
  assert.equal(limitsOf("off"), "off");
  assert.deepEqual(limitsOf({}), DEFAULT_CLIENT_LIMITS);
  const rate = { per_second: 1, burst: 1_000_000 };
  const read = { perSecond: 1, burst: 1_000_000 };
  assert.deepEqual(limitsOf({ reads: rate }), { ...DEFAULT_CLIENT_LIMITS, reads: read });
  assert.deepEqual(
    limitsOf({
      new_attestations: rate,
      reads: rate,
      operator: rate,
      event_streams: { ...rate, open: 3 },
      trusted_proxies: ["127.0.0.1", "2001:db8::/32"],
      trusted_networks: ["2001:db8::/32"],
    }),
    {
      newAttestations: read,
      reads: read,
      operator: read,
      eventStreams: { ...read, open: 3 },
      trustedProxies: [
        { first: [0, 0, 0xffff, 0x7f00_0001], bits: 128 },
        { first: [0x2001_0db8, 0, 0, 0], bits: 32 },
      ],
      trustedNetworks: [{ first: [0x2001_0db8, 0, 0, 0], bits: 32 }],
    },
  );
  assert.deepEqual(DEFAULT_CLIENT_LIMITS.trustedNetworks, [
    { first: [0, 0, 0xffff, 0x7f00_0000], bits: 104 },
    { first: [0, 0, 0, 1], bits: 128 },
  ]);
});

Deno.test("empty and excessive limits are refused", () => {
  const rate = { per_second: 1, burst: 1 };
  const refused: readonly [string, unknown][] = [
    ["invalid_configuration", { reads: { per_second: 0, burst: 1 } }],
    ["invalid_configuration", { reads: { per_second: 1, burst: 0 } }],
    ["invalid_configuration", { reads: { per_second: 1_000_001, burst: 1 } }],
    ["invalid_configuration", { event_streams: { ...rate, open: 0 } }],
    ["invalid_configuration", { trusted_proxies: ["10.0.0.1/8"] }],
    ["invalid_configuration", { trusted_proxies: ["proxy.example"] }],
    ["invalid_configuration", { trusted_proxies: new Array(65).fill("10.0.0.1") }],
    ["invalid_configuration", { trusted_networks: ["localhost"] }],
    ["malformed_configuration", { reads: { per_second: 1 } }],
    ["malformed_configuration", { reads: { ...rate, open: 1 } }],
    ["malformed_configuration", { reads: { per_second: 0.5, burst: 1 } }],
    ["malformed_configuration", { reads: "off" }],
    ["malformed_configuration", { event_streams: rate }],
    ["malformed_configuration", { writes: rate }],
    ["malformed_configuration", { trusted_proxies: "10.0.0.1" }],
    ["malformed_configuration", "on"],
    ["malformed_configuration", null],
    ["malformed_configuration", false],
  ];
  for (const [code, limits] of refused) {
    assert.throws(() => limitsOf(limits), { code }, JSON.stringify(limits));
  }
});

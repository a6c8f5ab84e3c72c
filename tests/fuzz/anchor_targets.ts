/**
 * External anchors in bundles, of any provider, and operators' entries for anchor services.
 *
 * @module
 */

import assert from "node:assert/strict";
import { verifyAnchors } from "../../src/gateway/anchors/providers.ts";
import { ANCHORS } from "../../src/config/anchor_services.ts";
import { parseExternalAnchors } from "../../src/proof/format/external_anchor.ts";
import type { JsonValue } from "../../src/proof/format/strict_json.ts";
import { REKOR_ROOT, rekorAnchor } from "../cli/anchor_fixture.ts";
import { makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { ofText, type Target } from "./engine.ts";
import { plain } from "./format_targets.ts";

const log = makeLog(new TestNetwork("net.example/anchors"));
const anchor = rekorAnchor(log, { from: 12, size: 16 });
const unlike = [
  anchor,
  { ...anchor, provider: "rfc3161", proof: { token: "MIIB" } },
  { ...anchor, provider: "opentimestamps", proof: { ots: "AE9w" } },
  { ...anchor, provider: "notary", status: "pending", proof: null },
];
const roots = new Map([["rekor", [REKOR_ROOT]]]);

const services = {
  anchors: [
    { provider: "rfc3161", mode: "required", url: "https://tsa.example/", max_delay_seconds: 90 },
    { provider: "opentimestamps", mode: "off", calendars: [], interval_seconds: 0 },
    { provider: "rekor", name: "log", mode: "best_effort", url: "https://a/", key_file: "k" },
  ],
};

export const ANCHOR_TARGETS: readonly Target[] = [
  {
    name: "parseExternalAnchors",
    covers: [
      "proof/format/external_anchor.ts#parseExternalAnchors",
    ],
    codes: ["gateway_refused"],
    seeds: [unlike, []].map((anchors) => JSON.stringify(anchors)),
    read: ofText((text) => {
      const read = parseExternalAnchors(text, "gateway_refused");
      assert.deepEqual(plain(read as unknown as JsonValue), JSON.parse(text));
    }),
  },
  {
    name: "verifyAnchors",
    covers: ["gateway/anchors/providers.ts#verifyAnchors"],
    codes: ["gateway_refused"],
    seeds: unlike.map((one) => JSON.stringify([one])),
    read: ofText(async (text) => {
      const anchors = parseExternalAnchors(text, "gateway_refused");
      const bindings = anchors.map(({ provider }) => ({ provider, bound: true }));
      const findings = await verifyAnchors(anchors, bindings, roots);
      assert.equal(findings.length, anchors.length);
      for (const [i, { status }] of findings.entries()) {
        if (status !== "verified") continue;
        // The verifier checks digest, proof and time. The other members are unsigned.
        const { provider, digest, timestamp } = anchors[i]!;
        assert.deepEqual([provider, digest, timestamp], [
          anchor.provider,
          anchor.digest,
          anchor.timestamp,
        ]);
      }
    }),
  },
  {
    name: "the member anchors",
    covers: [],
    codes: ["malformed_configuration", "invalid_configuration"],
    seeds: [JSON.stringify(services.anchors), "[]"],
    read: ofText((text) => {
      const code = "malformed_configuration";
      const entries = ANCHORS.parseText(text, { where: "anchors", code });
      assert.equal(new Set(entries.map(({ name }) => name)).size, entries.length);
      assert.equal(entries.length, JSON.parse(text).length);
    }),
  },
];

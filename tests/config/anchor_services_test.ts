import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ANCHORS, type AnchorServiceEntry, anchorsOf } from "../../src/config/anchor_services.ts";
import { object } from "../../src/proof/format/schema.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { AnchorContext, AnchorProvider } from "../../src/gateway/anchors/ports.ts";
import { fakeProvider, FakeService } from "../gateway/anchors/fake_service.ts";
import { withCode } from "../witness/fixture.ts";

const CODE = "malformed_configuration";
const context: AnchorContext = {
  http: { request: () => Promise.reject(new Error("nothing is asked")) },
  clock: systemClock,
  insecure: false,
  readFile: () => Promise.reject(new Error("names no file")),
};

/** Creates services, and fails if the entry requests it. */
const provider: AnchorProvider<typeof fakeProvider.members> = {
  ...fakeProvider,
  configure({ service }) {
    if (service === "broken") return Promise.reject(new Error("broken"));
    return Promise.resolve(new FakeService(service, systemClock));
  },
};
const patient: AnchorProvider<typeof fakeProvider.members> = {
  ...provider,
  name: "patient",
  defaultIntervalSeconds: 7_200,
};

function read(anchors: unknown): readonly AnchorServiceEntry[] {
  const value = parseStrictJson(JSON.stringify(anchors), CODE);
  return anchorsOf([provider, patient]).parse(value, { where: "anchors", code: CODE });
}

const plain = { provider: "fake", mode: "best_effort", service: "a" };

Deno.test("a configuration without anchors has none", () => {
  assert.deepEqual(read([]), []);
});

Deno.test("entries become services, with the provider's defaults", async () => {
  const entries = read([
    plain,
    { ...plain, name: "second", mode: "required", interval_seconds: 0, max_delay_seconds: 5 },
    { ...plain, provider: "patient", promise: "whatever" },
    { ...plain, name: "slow", interval_seconds: 3_600 },
  ]);
  assert.ok(entries.every((entry) => Object.isFrozen(entry)));
  const anchors = await Promise.all(entries.map((entry) => entry.configure(context)));
  assert.deepEqual(
    anchors.map(({ name, mode, intervalSeconds, maxDelaySeconds }) => [
      name,
      mode,
      intervalSeconds,
      maxDelaySeconds,
    ]),
    [
      ["fake", "best_effort", 60, 3_600],
      ["second", "required", 0, 5],
      ["patient", "best_effort", 7_200, 14_400],
      ["slow", "best_effort", 3_600, 7_200],
    ],
  );
  assert.ok(anchors.every((anchor) => Object.isFrozen(anchor) && anchor.service !== undefined));
});

Deno.test("an entry with mode off creates no service", async () => {
  const [entry] = read([{ ...plain, mode: "off", service: "broken" }]);
  assert.equal((await entry!.configure(context)).service, undefined);
  const [on] = read([{ ...plain, service: "broken" }]);
  await assert.rejects(on!.configure(context), /broken/);
});

const { service: _, ...withoutMember } = plain;
const MALFORMED: readonly (readonly [string, unknown])[] = [
  ["no list", {}],
  ["an entry that is no object", ["fake"]],
  ["no provider", [{ mode: "off", service: "a" }]],
  ["no mode", [{ provider: "fake", service: "a" }]],
  ["a member of the provider missing", [withoutMember]],
  ["a member that nobody knows", [{ ...plain, extra: 1 }]],
  ["an interval that is no integer", [{ ...plain, interval_seconds: "60" }]],
  ["a negative interval", [{ ...plain, interval_seconds: -1 }]],
];
const INVALID: readonly (readonly [string, unknown])[] = [
  ["an unknown provider", [{ ...plain, provider: "notary" }]],
  ["an unknown mode", [{ ...plain, mode: "on" }]],
  ["one name twice", [plain, plain]],
  ["one name twice, once the provider's", [plain, { ...plain, name: "fake" }]],
  ["an empty name", [{ ...plain, name: "" }]],
  ["a name with a slash", [{ ...plain, name: "a/b" }]],
  ["a name of 41", [{ ...plain, name: "a".repeat(41) }]],
  ["an interval of more than a day", [{ ...plain, interval_seconds: 86_401 }]],
  ["no delay", [{ ...plain, max_delay_seconds: 0 }]],
  ["a delay of an interval", [{ ...plain, interval_seconds: 900, max_delay_seconds: 900 }]],
  ["a delay of more than a year", [{ ...plain, max_delay_seconds: 31_536_001 }]],
  ["nine services", Array.from({ length: 9 }, (_, i) => ({ ...plain, name: `s${i}` }))],
];
const REFUSED = [
  ...MALFORMED.map(([name, anchors]) => [name, anchors, CODE] as const),
  ...INVALID.map(([name, anchors]) => [name, anchors, "invalid_configuration"] as const),
];

for (const [name, anchors, code] of REFUSED) {
  Deno.test(`anchors with ${name} are refused`, () => {
    assert.throws(() => read(anchors), withCode(code));
  });
}

Deno.test("the program reads the anchors of docs/operating.md", async () => {
  const url = new URL("../../docs/operating.md", import.meta.url);
  const page = await Deno.readTextFile(fileURLToPath(url));
  const [, block] = /```json\n("anchors": [\s\S]*?)```/.exec(page) ?? [];
  const { anchors: entries } = object({ anchors: ANCHORS }).parseText(`{${block}}`, {
    where: "docs/operating.md",
    code: CODE,
  });
  assert.deepEqual(entries.map(({ name }) => name), ["rfc3161", "opentimestamps", "sigstore"]);
  assert.equal((await entries[1]!.configure(context)).intervalSeconds, 600);
});

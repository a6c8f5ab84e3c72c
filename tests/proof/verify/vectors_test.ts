/**
 * Compares the verification vectors and `docs/verification.md` with the verifier.
 *
 * @module
 */

import assert from "node:assert/strict";
import { parseNetwork } from "../../../src/proof/format/network_reader.ts";
import { portableCrypto, type VerifierCrypto } from "../../../src/proof/verify/mod.ts";
import {
  TIMESTAMP_REASONS,
  type TimestampReason,
} from "../../../src/proof/timestamp/attested_token.ts";
import { IS_LONG } from "../../long_runs.ts";
import { nativeCrypto } from "./test_network.ts";
import { corpusFiles, VECTORS } from "./vectors/corpus.ts";
import { docExamples, examplesIn, PAGE } from "./vectors/doc_examples.ts";
import type { Expectation } from "./vectors/expectation.ts";
import { remembering } from "./vectors/remembering.ts";
import { type Configurations, judge, type Vector } from "./vectors/vector.ts";

type Case = Vector & { readonly expect: Expectation };

const page = await Deno.readTextFile(PAGE);
const files = new Map<string, string>();
for await (const { name, isFile } of Deno.readDir(VECTORS)) {
  if (isFile && name !== "README.md") {
    files.set(name, await Deno.readTextFile(new URL(name, VECTORS)));
  }
}
const cases: Case[] = [...files].filter(([name]) => name.endsWith(".jsonl")).flatMap(([, text]) =>
  text.split("\n").slice(0, -1).map((line) => JSON.parse(line) as Case)
);

function configurations(crypto: VerifierCrypto): Configurations {
  const networks = Object.entries(JSON.parse(files.get("networks.json")!) as object);
  return new Map(
    networks.map(([name, network]) => [name, parseNetwork(JSON.stringify(network), crypto.bls)]),
  );
}

/** Every reason and code that an expectation has. */
function reasonsOf(expect: unknown): string[] {
  if (Array.isArray(expect)) {
    return expect.flatMap((value) => typeof value === "string" ? [value] : reasonsOf(value));
  }
  if (typeof expect !== "object" || expect === null) return [];
  return Object.entries(expect).flatMap(([name, value]) =>
    name === "reason" ? [String(value)] : reasonsOf(value)
  );
}

/** The rules of the page, each with the reason codes in the third cell of its row. */
function rulesOf(text: string): Map<string, string[]> {
  return new Map([...text.matchAll(/^(?:\| )?\*\*([A-Z][0-9]+)\*\* .*$/gm)].map(([line, id]) => {
    const [, , , reasons = ""] = line.split("|");
    return [id!, [...reasons.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code!)];
  }));
}

Deno.test("docs/vectors/ holds at least 1,000 cases, each name once", () => {
  assert.ok(cases.length >= 1000);
  assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
});

Deno.test("docs/vectors/ equals the output of the generator and the native verifier", async () => {
  const made = await corpusFiles(nativeCrypto);
  assert.deepEqual([...made.keys()].toSorted(), [...files.keys()].toSorted());
  for (const [name, text] of made) {
    const lines = files.get(name)!.split("\n");
    for (const [i, line] of text.split("\n").entries()) assert.equal(lines[i], line, name);
    assert.equal(files.get(name), text);
  }
});

/** At least one case of each rule, and every fifth of the others. */
function someCases(): Case[] {
  const met = new Set<string>();
  return cases.filter(({ rules = [] }, i) => {
    const isNew = rules.some((rule) => !met.has(rule));
    for (const rule of rules) met.add(rule);
    return isNew || i % 5 === 0;
  });
}

Deno.test("the portable verifier agrees with the vectors", async () => {
  const crypto = remembering(await portableCrypto());
  const networks = configurations(crypto);
  for (const { expect, ...vector } of IS_LONG ? cases : someCases()) {
    assert.deepEqual(await judge(crypto, networks, vector), expect, vector.name);
  }
});

Deno.test("a verifier that accepts every signature disagrees with the vectors", async () => {
  const credulous = {
    ...nativeCrypto,
    ed25519: () => true,
    bls: { ...nativeCrypto.bls, fastAggregateVerify: () => true },
  };
  const networks = configurations(nativeCrypto);
  const signed = cases.filter(({ rules }) => rules?.some((rule) => /^S(6|9|10)$/.test(rule)));
  for (const { expect, ...vector } of signed) {
    assert.notDeepEqual(await judge(credulous, networks, vector), expect, vector.name);
  }
});

Deno.test("the vectors cover every reason that a verifier gives", () => {
  const found = new Set(cases.flatMap(({ expect }) => reasonsOf(expect)));
  // Only a client of a gateway gives this one.
  const offline = Object.keys(TIMESTAMP_REASONS).filter((reason) => reason !== "head_outdated");
  assert.deepEqual(offline.filter((reason) => !found.has(reason)), []);
});

Deno.test("the vectors cover every rule of docs/verification.md, each with its reason", () => {
  const rules = rulesOf(page);
  assert.ok(rules.size > 90);
  const tested = new Map<string, Case[]>();
  for (const vector of cases) {
    for (const rule of vector.rules ?? []) tested.set(rule, [...tested.get(rule) ?? [], vector]);
  }
  assert.deepEqual([...rules.keys()].toSorted(), [...tested.keys()].toSorted());
  for (const [rule, reasons] of rules) {
    const own = reasons.filter((reason) => reason in TIMESTAMP_REASONS) as TimestampReason[];
    for (const { name, expect } of tested.get(rule)!) {
      const found = reasonsOf(expect);
      assert.ok(
        own.length === 0 || own.some((reason) => found.includes(reason)),
        `${rule}: ${name}`,
      );
    }
  }
});

Deno.test("comments of the verifier name every rule that gives a reason", async () => {
  const folder = new URL("../../../src/proof/verify/", import.meta.url);
  let source = await Deno.readTextFile(new URL("../timestamp/attested_token.ts", folder));
  for await (const { name } of Deno.readDir(folder)) {
    source += await Deno.readTextFile(new URL(name, folder));
  }
  const named = new Set([...source.matchAll(/\b[A-Z]\d{1,2}\b/g)].map(([rule]) => rule));
  const missing = [...rulesOf(page)].filter(([rule, reasons]) =>
    reasons.some((reason) => reason in TIMESTAMP_REASONS) && !named.has(rule)
  );
  assert.deepEqual(missing, []);
});

Deno.test("docs/verification.md names every reason, and no other", () => {
  const named = new Set([...rulesOf(page).values()].flat());
  const unnamed = Object.keys(TIMESTAMP_REASONS).filter((reason) =>
    !page.includes(`\`${reason}\``)
  );
  assert.deepEqual(unnamed, []);
  const codes = [
    "malformed_text",
    "malformed_configuration",
    "invalid_configuration",
    "invalid_key",
    "malformed_bundle",
    "timestamp_refused",
  ];
  const others = [...named].filter((code) => !(code in TIMESTAMP_REASONS) && !codes.includes(code));
  assert.deepEqual(others, []);
});

Deno.test("every example of docs/verification.md equals the program's output", () => {
  const examples = docExamples();
  const written = examplesIn(page);
  assert.deepEqual([...written.keys()].toSorted(), [...examples.keys()].toSorted());
  for (const [name, text] of examples) assert.equal(written.get(name), text, name);
});

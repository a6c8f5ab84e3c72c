/** `countersign conformance verifier`, with programs that it starts. Needs sh. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { type Client, withClient } from "../cli/client_run.ts";

async function judged(client: Client, script: string) {
  const path = join(client.folder, "verifier");
  await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return await client.run(["conformance", "verifier", "./verifier --flag", "--output", "json"]);
}

Deno.test("conformance verifier starts a program for each vector, and maps its exit codes to verdicts", () =>
  withClient(async (client) => {
    const unsupported = await judged(client, "exit 3");
    assert.equal(unsupported.code, 0);
    const { MUST, FORMAT } = unsupported.json.summary;
    assert.deepEqual([MUST.pass, MUST.fail, FORMAT.pass, FORMAT.fail], [0, 0, 0, 0]);
    // Accepts everything but keys, which have a plus sign and a key ID of eight digits.
    const lenient = await judged(
      client,
      'test "$1" = --flag || exit 9; test "$2" = vkey || exit 0; grep -Eq "\\+[0-9a-f]{8}\\+" "$3"',
    );
    assert.equal(lenient.code, 1);
    const verdicts = new Map(
      lenient.json.clauses.map((one: { id: string; verdict: string }) => [one.id, one.verdict]),
    );
    assert.equal(verdicts.get("tlog-proof/header"), "fail");
    assert.equal(verdicts.get("signed-note/unknown-keys"), "pass");
    const { checks } = lenient.json.clauses.find(({ id }: { id: string }) =>
      id === "signed-note/vkey-form"
    );
    const named = (name: string) =>
      checks.find(({ check }: { check: string }) => check === `vkey: ${name}`).verdict;
    assert.deepEqual([named("an Ed25519 key"), named("no key"), named("31 bytes")], [
      "pass",
      "pass",
      "fail",
    ]);
    assert.deepEqual(
      [...Deno.readDirSync(client.folder)].map(({ name }) => name).filter((name) =>
        /conform/.test(name)
      ),
      [],
    );
  }));

Deno.test("conformance verifier prints its progress to standard error, every 10 seconds", () =>
  withClient(async (client) => {
    let nowMs = Date.now();
    client.clock = { ...systemClock, nowMs: () => nowMs += 1_000 };
    const { json, stderr } = await judged(client, "exit 3");
    assert.equal(json.kind, "verifier");
    const lines = stderr.trimEnd().split("\n");
    // The clock is read once for each vector.
    const total = Number(/^countersign: 10 of (\d+) vectors$/.exec(lines[0]!)?.[1]);
    assert.ok(total > 200, stderr);
    const expected = Array.from({ length: Math.floor(total / 10) }, (_, i) => (i + 1) * 10);
    assert.deepEqual(lines, expected.map((done) => `countersign: ${done} of ${total} vectors`));
    client.clock = { ...systemClock, nowMs: () => nowMs };
    assert.equal((await judged(client, "exit 3")).stderr, "");
  }));

Deno.test("conformance verifier reports a program that cannot be started", () =>
  withClient(async (client) => {
    const { code, stderr } = await client.run(["conformance", "verifier", "./missing"]);
    assert.equal(code, 1);
    assert.match(stderr, /Cannot run \.\/missing/);
  }));

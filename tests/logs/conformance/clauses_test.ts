/**
 * The table of clauses.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CLAUSES } from "../../../src/logs/conformance/clauses.ts";
import { Findings } from "../../../src/logs/conformance/report.ts";

Deno.test("each clause is in the table once, and binds a role", () => {
  assert.ok(CLAUSES.length > 200);
  assert.equal(new Set(CLAUSES.map(({ id }) => id)).size, CLAUSES.length);
  const sentences = CLAUSES.map(({ id, section, sentence }) =>
    `${id.split("/")[0]} ${section} ${sentence}`
  );
  const twice = sentences.filter((one, i) => sentences.indexOf(one) < i);
  assert.deepEqual(
    twice,
    ["tlog-tiles Merkle Tree This endpoint is immutable, so its caching headers SHOULD be long-lived."]
      .slice(1),
  );
  for (const { id, level, roles, sentence } of CLAUSES) {
    assert.match(level, /^(MUST|SHOULD|FORMAT)$/, id);
    assert.ok(
      roles.length > 0 && roles.every((role) => /^(witness|log|mirror|verifier)$/.test(role)),
      id,
    );
    const word =
      { MUST: /MUST|SHALL|must/, SHOULD: /SHOULD|RECOMMENDED|recommended/, FORMAT: /./ }[level];
    assert.match(sentence, word, id);
  }
});

Deno.test("a clause that does not oblige a program cannot be judged for it", () => {
  const findings = new Findings("witness");
  const ids = CLAUSES.filter(({ roles, obliged }) =>
    roles.includes("witness") && !obliged.includes("witness")
  ).map(({ id }) => id);
  assert.ok(ids.includes("tlog-witness/proof") && ids.length > 20);
  for (const id of ids) {
    assert.throws(() => findings.judge(id, "a check", "a fault"), { code: "internal" });
    assert.throws(() => findings.judge(id, "a check", undefined), { code: "internal" });
  }
  assert.deepEqual(findings.all, []);
});

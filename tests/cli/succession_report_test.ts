import assert from "node:assert/strict";
import { successionLines } from "../../src/cli/succession/succession_report.ts";
import { propose, signSuccession } from "../proof/verify/test_succession.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";

Deno.test("successionLines() shows each added, kept and removed ML-DSA-44 key", () => {
  const plain = new TestNetwork("report.example");
  const further = new TestNetwork("report.example", { epoch: 1, mlDsa: true });
  const last = new TestNetwork("report.example", { epoch: 2 });
  const rowsOf = (old: TestNetwork, next: TestNetwork | null) =>
    successionLines(signSuccession(propose(old, next, { treeSize: 3 }), old, next))
      .filter((line) => line.startsWith("ML-DSA-44"));
  const { log_ml_dsa_vkey, witnesses: [owner] } = further.configuration;
  const short = (vkey: string) => {
    const [, id, key] = vkey.split("+");
    return `${id}+${key!.slice(0, 16)}`;
  };
  const keys = [log_ml_dsa_vkey!, owner!.ml_dsa_vkey!].map(short);
  const cells = (line: string) => line.split(/ {2,}/).slice(1);
  assert.deepEqual(rowsOf(plain, further).map(cells), keys.map((key) => ["none", key]));
  assert.deepEqual(rowsOf(further, last).map(cells), keys.map((key) => [key, "none"]));
  assert.deepEqual(rowsOf(further, null).length, 2);
  assert.deepEqual(rowsOf(plain, null), []);
  assert.match(rowsOf(plain, further)[1]!, /^ML-DSA-44 of report\.example\/w1 /);
});

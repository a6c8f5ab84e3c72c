/**
 * The table of `docs/faults.md`, held against the codes and metrics of the program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ERROR_CODES } from "../../src/base/errors.ts";
import { UNREADY_CODES } from "../../src/http/operator/readiness.ts";
import { HEALTH_STATES } from "../../src/proof/format/gateway_status.ts";
import { fullPage } from "../deploy/full_page.ts";

const PAGE = await Deno.readTextFile(new URL("../../docs/faults.md", import.meta.url));

/** The cells of each row, but for the header. */
function rows(): string[][] {
  const table = PAGE.slice(PAGE.indexOf("| fault")).split("\n").filter((row) =>
    row.startsWith("|")
  );
  return table.slice(2).map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/** All code in column `column`. */
function codeIn(column: number): Set<string> {
  return new Set(
    rows().flatMap((row) => [...row[column]!.matchAll(/`(\w+)`/g)].map(([, code]) => code!)),
  );
}

/** States that an operator wants. */
const NO_FAULTS: ReadonlySet<string> = new Set(["ok", "shutting_down", "standby", "log_ended"]);

const known = (names: Iterable<string>, all: readonly string[]) =>
  assert.deepEqual([...names].filter((name) => !all.includes(name)), []);

Deno.test("the table of faults names codes and metrics that exist, and every health and readiness", async () => {
  for (const row of rows()) assert.equal(row.filter((cell) => cell !== "").length, 6, row[0] ?? "");
  const health = HEALTH_STATES.filter((status) => !NO_FAULTS.has(status));
  assert.deepEqual([...codeIn(1)].toSorted(), health.toSorted());
  const unready = UNREADY_CODES.filter((code) => !NO_FAULTS.has(code));
  const warnings = ["disk_nearly_full", "tsa_certificate_expires"];
  assert.deepEqual([...codeIn(2)].toSorted(), [...unready, ...warnings].toSorted());
  known(codeIn(3), ERROR_CODES);
  const metrics = [...(await fullPage()).keys()];
  known([...codeIn(4)].map((name) => `countersign_${name}`), metrics);
});

/**
 * The tables of `docs/limits.md`, held equal to the program's values.
 *
 * @module
 */

import assert from "node:assert/strict";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { WITNESS_LIMITS } from "../../src/config/witness_limits.ts";
import * as eventBounds from "../../src/http/events/event_bounds.ts";
import * as limits from "../../src/http/limits.ts";
import * as workCost from "../../src/http/work_cost.ts";

const PAGE = await Deno.readTextFile(new URL("../../docs/limits.md", import.meta.url));

/** First cell and the others of each row of `page` whose first cell is code. */
function rowsOf(page: string): Map<string, readonly string[]> {
  const rows = page.matchAll(/^\| `([\w.]+)` +\|(.+)\|$/gm);
  return new Map(
    [...rows].map(([, name, rest]) => [name!, rest!.split("|").map((cell) => cell.trim())]),
  );
}

/** Every number of `value` under its name, or that of its member. */
function numbersOf(name: string, value: unknown): [string, number][] {
  if (typeof value === "number") return [[name, value]];
  assert.ok(typeof value === "object" && value !== null, `${name} is no limit`);
  return Object.entries(value).flatMap(([member, inner]) => numbersOf(`${name}.${member}`, inner));
}

const decimal = (value: number) => value.toLocaleString("en-US");

Deno.test("the documented limits are exactly the limits of the code", () => {
  const rows = rowsOf(PAGE.slice(PAGE.indexOf("## What a request may cost")));
  const documented = [...rows].map(([name, [value]]) => [name, value]);
  const actual = Object.entries({ ...limits, ...eventBounds }).flatMap(([name, value]) =>
    numbersOf(name, value)
  )
    .map(([name, value]) => [name, decimal(value)]);
  assert.ok(actual.length > 15);
  assert.deepEqual(documented.toSorted(), actual.toSorted());
});

Deno.test("the default budgets of clients are documented", () => {
  const rows = rowsOf(PAGE.slice(0, PAGE.indexOf("## Who is one client")));
  const { newAttestations, reads, eventStreams, operator } = DEFAULT_CLIENT_LIMITS;
  const budgets = {
    new_attestations: newAttestations,
    reads,
    event_streams: eventStreams,
    operator,
  };
  assert.deepEqual([...rows.keys()], Object.keys(budgets));
  for (const [name, { perSecond, burst }] of Object.entries(budgets)) {
    assert.deepEqual(rows.get(name)!.slice(0, 2), [decimal(perSecond), decimal(burst)], name);
  }
  assert.match(
    rows.get("event_streams")![2]!,
    new RegExp(`; ${eventStreams.open} \`open\` at once`),
  );
});

Deno.test("the default budgets of other clients of a witness are documented", () => {
  const from = PAGE.indexOf("## What strangers may ask of a witness");
  const rows = rowsOf(PAGE.slice(from, PAGE.indexOf("## Metrics of a witness")));
  const context = { where: "limits", code: "malformed_configuration" } as const;
  const { perSecond, burst, inFlight } = WITNESS_LIMITS.parse({}, context).addCheckpoint;
  assert.deepEqual([...rows].map(([name, cells]) => [name, ...cells.slice(0, 3)]), [
    ["add_checkpoint", ...[perSecond, burst, inFlight].map(decimal)],
  ]);
});

Deno.test("the documented costs are exactly the costs of the code", () => {
  const section = PAGE.slice(
    PAGE.indexOf("| constant "),
    PAGE.indexOf("They are in `src/http/work_cost.ts`"),
  );
  const documented = [...rowsOf(section)].map(([name, [value]]) => [name, value]);
  const actual = Object.entries(workCost).filter(([, value]) => typeof value === "number")
    .map(([name, value]) => [name, decimal(value as number)]);
  assert.deepEqual(documented.toSorted(), actual.toSorted());
});

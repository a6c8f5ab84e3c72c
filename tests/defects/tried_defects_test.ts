import assert from "node:assert/strict";
import type { Defect } from "./defect.ts";
import { failedTests } from "./test_output.ts";
import { type TestedSource, type TestResult, tryDefects } from "./tried_defects.ts";

const PASSED: TestResult = { passed: true, failed: [], output: "", seconds: 1 };
const FAILED: TestResult = { ...PASSED, passed: false, failed: ["a test"] };

function defect(name: string, tests = ["a_test.ts"]): Defect {
  return { name, file: "a.ts", text: "a", replacement: "b", harm: "Harm.", tests };
}

/** A source whose tests give `results`, by `name file` with a defect and by `file` without one. */
function sourceOf(results: Record<string, TestResult>, typeErrors?: string): TestedSource {
  let present: readonly Defect[] = [];
  return {
    put(defects) {
      present = defects;
      return Promise.resolve({
        [Symbol.asyncDispose]: () => {
          present = [];
          return Promise.resolve();
        },
      });
    },
    typeErrors: () => Promise.resolve(typeErrors),
    test(file) {
      const key = [...present.map(({ name }) => name), file].join(" ");
      return Promise.resolve(results[key] ?? PASSED);
    },
  };
}

async function tried(
  defects: readonly Defect[],
  source: TestedSource,
): Promise<{ readonly isSound: boolean; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const isSound = await tryDefects(defects, source, (line) => lines.push(line));
  return { isSound, lines };
}

Deno.test("a defect is caught by a test that fails with it and passes without", async () => {
  const { isSound, lines } = await tried([defect("x")], sourceOf({ "x a_test.ts": FAILED }));
  assert.deepEqual(lines, [
    "passes without a defect: a_test.ts (1.0 s)",
    "caught: x by a_test.ts: a test (1.0 s)",
  ]);
  assert.ok(isSound);
});

Deno.test("a defect has to fail a test of every file that it names", async () => {
  const source = sourceOf({ "x a_test.ts": FAILED });
  const { isSound, lines } = await tried([defect("x", ["a_test.ts", "b_test.ts"])], source);
  assert.equal(lines.at(-1), "NOT CAUGHT: x by b_test.ts (1.0 s)\n  Harm.");
  assert.ok(!isSound);
});

Deno.test("a test file that does not load catches nothing", async () => {
  const output = "./a_test.ts (uncaught error)";
  const source = sourceOf({ "x a_test.ts": { ...FAILED, failed: [], output } });
  const { isSound, lines } = await tried([defect("x")], source);
  assert.deepEqual(lines.slice(1), ["NOT CAUGHT: x by a_test.ts (1.0 s)\n  Harm.", output]);
  assert.ok(!isSound);
});

Deno.test("a test that fails without a defect is printed, and tries none", async () => {
  const source = sourceOf({ "a_test.ts": { ...FAILED, output: "trace" }, "x a_test.ts": FAILED });
  const { isSound, lines } = await tried([defect("x")], source);
  assert.deepEqual(lines, ["FAILS without a defect: a_test.ts (1.0 s)", "trace"]);
  assert.ok(!isSound);
});

Deno.test("defects that do not compile are not tried", async () => {
  const source = sourceOf({ "x a_test.ts": FAILED }, "TS2345");
  const { isSound, lines } = await tried([defect("x")], source);
  assert.deepEqual(lines, ["The source with all defects has type errors:\nTS2345"]);
  assert.ok(!isSound);
});

Deno.test("failedTests() reads the names of tests and steps from the summary", () => {
  const output = `running 2 tests from ./a_test.ts
one ... FAILED (1ms)

 ERRORS 

one => ./a_test.ts:1:6
error: Error: no

 FAILURES 

one => ./a_test.ts:1:6
two ... a step => ./b_test.ts:20:11

FAILED | 1 passed | 2 failed (3ms)
`;
  assert.deepEqual(failedTests(output), ["one", "two ... a step"]);
  assert.deepEqual(failedTests(" FAILURES \n\n./a_test.ts (uncaught error)\n"), []);
  assert.deepEqual(failedTests("ok | 1 passed | 0 failed (3ms)\n"), []);
});

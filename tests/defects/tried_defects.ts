/**
 * Tries defects one after another and says which are caught.
 *
 * @module
 */

import type { Defect } from "./defect.ts";

/** The result of one test file. */
export interface TestResult {
  readonly passed: boolean;
  /** Names of the tests that failed. */
  readonly failed: readonly string[];
  readonly output: string;
  readonly seconds: number;
}

/** The source that is tested. */
export interface TestedSource {
  /** Puts `defects` in until disposed. Throws if a text does not occur exactly once. */
  put(defects: readonly Defect[]): Promise<AsyncDisposable>;
  /** What the type checker says about `files`, if it finds an error. */
  typeErrors(files: readonly string[]): Promise<string | undefined>;
  test(file: string): Promise<TestResult>;
}

/**
 * Tries `defects`, and prints a line for each test file and for each defect. True if every test passes
 * without a defect, the source with all defects has the right types, and each defect fails a test of
 * every file that it names.
 */
export async function tryDefects(
  defects: readonly Defect[],
  source: TestedSource,
  print: (line: string) => void,
): Promise<boolean> {
  const typeErrors = await typeErrorsWith(defects, source);
  if (typeErrors !== undefined) {
    print(`The source with all defects has type errors:\n${typeErrors}`);
    return false;
  }
  let isSound = true;
  const broken = new Set<string>();
  for (const file of new Set(defects.flatMap(({ tests }) => tests))) {
    const { passed, output, seconds } = await source.test(file);
    print(`${passed ? "passes" : "FAILS"} without a defect: ${file} (${seconds.toFixed(1)} s)`);
    if (passed) continue;
    print(output);
    isSound = false;
    broken.add(file);
  }
  for (const defect of defects) {
    for (const file of defect.tests) {
      if (broken.has(file)) continue;
      await using _ = await source.put([defect]);
      const { failed, output, seconds } = await source.test(file);
      const time = `(${seconds.toFixed(1)} s)`;
      if (failed.length > 0) {
        print(`caught: ${defect.name} by ${file}: ${failed[0]} ${time}`);
        continue;
      }
      print(`NOT CAUGHT: ${defect.name} by ${file} ${time}\n  ${defect.harm}`);
      if (/\(uncaught error\)/.test(output)) print(output);
      isSound = false;
    }
  }
  return isSound;
}

/** A defect that does not compile fails every test, and shows nothing of them. */
async function typeErrorsWith(
  defects: readonly Defect[],
  source: TestedSource,
): Promise<string | undefined> {
  await using _ = await source.put(defects);
  return await source.typeErrors([...new Set(defects.map(({ file }) => file))]);
}

/**
 * What `deno test` prints about tests that failed.
 *
 * @module
 */

/**
 * The names of the tests that failed, steps as `test ... step`. A test file that cannot be loaded has
 * none.
 */
export function failedTests(output: string): string[] {
  const [, failures = ""] = output.split(/^ FAILURES *$/m);
  return Array.from(failures.matchAll(/^(.+) => \S+:\d+:\d+$/gm), ([, name]) => name!);
}

/**
 * Loads the test files of one group, in the isolate that runs them.
 *
 * @module
 */

const ROOT = new URL("../../", import.meta.url);

type Options = Omit<Deno.TestDefinition, "fn" | "name">;
type TestFunction = Deno.TestDefinition["fn"];

const { test } = Deno;

/**
 * Registers the tests of `paths`, each under the path of its file. A file that fails to load is a test
 * that fails, and the others run.
 */
export async function load(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    Object.defineProperty(Deno, "test", { value: Object.assign(testOf(path), test) });
    try {
      await import(new URL(path, ROOT).href);
    } catch (error) {
      test(`${path} loads`, () => Promise.reject(error));
    }
  }
}

/** `Deno.test()` for the file at `path`, in the forms that the tests use. */
function testOf(path: string) {
  return (name: string | Deno.TestDefinition, ...rest: (Options | TestFunction)[]): void => {
    if (typeof name !== "string") return test({ ...name, name: `${path}: ${name.name}` });
    (test as (name: string, ...rest: unknown[]) => void)(`${path}: ${name}`, ...rest);
  };
}

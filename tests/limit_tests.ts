/**
 * Preloaded by `deno task test` and `test:system`: a test that hangs fails by its name, be it waiting
 * or in a loop, and the others go on.
 *
 * @module
 */

/** Several times what the slowest test takes on a machine with ten times too much to do. */
const LIMIT_MS = 600_000;

type Options = Omit<Deno.TestDefinition, "fn" | "name">;
type TestFunction = Deno.TestDefinition["fn"];

const { test } = Deno;

/** `Deno.test()` with a time limit, in the forms that the tests use. */
function limited(name: string | Deno.TestDefinition, ...rest: (Options | TestFunction)[]): void {
  if (typeof name !== "string") return test({ timeout: LIMIT_MS, ...name });
  const options = rest.find((argument) => typeof argument === "object");
  const fn = rest.find((argument) => typeof argument === "function");
  test(name, { timeout: LIMIT_MS, ...options }, fn!);
}

Object.defineProperty(Deno, "test", { value: Object.assign(limited, test) });

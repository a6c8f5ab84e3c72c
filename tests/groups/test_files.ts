/**
 * The test files of `deno task test`.
 *
 * @module
 */

const ROOT = new URL("../../", import.meta.url);

/** Sorted paths from the project's folder, such as `tests/http/keys_test.ts`. */
export async function testFiles(): Promise<readonly string[]> {
  return (await below("tests")).filter((path) =>
    path.endsWith("_test.ts") && path !== "tests/root_test.ts" && !path.startsWith("tests/system/")
  ).toSorted();
}

async function below(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}/${name}`;
    found.push(...(isDirectory ? await below(path) : [path]));
  }
  return found;
}

/**
 * `deno task test [PATH...] [OPTION...]`: runs the tests below `tests` in groups, several at once.
 * Paths of files and folders select tests; options, such as `--filter`, are those of `deno test`.
 *
 * @module
 */

import process from "node:process";
import { groupsOf } from "./divide.ts";
import { testFiles } from "./test_files.ts";

const ROOT = new URL("../../", import.meta.url);
const OPTIONS = [
  "--parallel",
  "--no-check",
  "--no-prompt",
  "--preload",
  "tests/limit_tests.ts",
  "--config",
  "tests/deno.json",
  ...["read", "write", "net", "run", "env", "sys"].map((name) => `--allow-${name}`),
];

const firstOption = Deno.args.findIndex((argument) => argument.startsWith("-"));
const paths = firstOption < 0 ? Deno.args : Deno.args.slice(0, firstOption);
const options = Deno.args.slice(paths.length);

const files = await testFiles();
const isIn = (file: string, path: string) => `${file}/`.startsWith(path.replace(/\/*$/, "/"));
for (const path of paths) {
  if (!files.some((file) => isIn(file, path))) {
    process.stderr.write(
      `No tests at ${path}; those of tests/system run with deno task test:system\n`,
    );
    Deno.exit(2);
  }
}
const selected = files.filter((file) =>
  paths.length === 0 || paths.some((path) => isIn(file, path))
);

const folder = await Deno.makeTempDir({ prefix: "countersign-tests-" });
const loader = new URL("load.ts", import.meta.url).href;
const modules: string[] = [];
for (const group of groupsOf(selected)) {
  const path = `${folder}/${group.name}.ts`;
  await Deno.writeTextFile(
    path,
    `import { load } from "${loader}";\nawait load(${JSON.stringify(group.files)});\n`,
  );
  modules.push(path);
}

const child = new Deno.Command(Deno.execPath(), {
  args: ["test", ...OPTIONS, ...options, ...modules],
  cwd: ROOT,
}).spawn();
// A terminal sends its Ctrl-C to the child as well, which then names the tests that run.
Deno.addSignalListener("SIGINT", () => {});
Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
const { code } = await child.status;
await Deno.remove(folder, { recursive: true });
Deno.exit(code);

/**
 * `deno task test`: which files it runs, and what becomes of a file that fails.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { groupsOf } from "./divide.ts";
import { testFiles } from "./test_files.ts";

const RUN = new URL("run.ts", import.meta.url).pathname;
const LOADER = new URL("load.ts", import.meta.url).href;

async function deno(...args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { NO_COLOR: "1" },
  }).output();
  return { code, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("every test file is in one group", async () => {
  const files = await testFiles();
  assert.ok(files.includes("tests/groups/groups_test.ts"));
  assert.ok(files.includes("tests/architecture_test.ts"));
  assert.deepEqual(groupsOf(files).flatMap((group) => group.files).toSorted(), files);
  const names = groupsOf(files).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

Deno.test("a file that fails to load fails as a test, and the others of its group run", async () => {
  const folder = await Deno.makeTempDir();
  const files = {
    "broken_test.ts": 'Deno.test("registered", () => {});\nthrow new Error("broken");\n',
    "sound_test.ts": 'Deno.test("sound", () => {});\nDeno.test({ name: "other", fn: () => {} });\n',
  };
  const paths: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    paths.push(join(folder, name));
    await Deno.writeTextFile(join(folder, name), text);
  }
  const group = join(folder, "group.ts");
  await Deno.writeTextFile(
    group,
    `import { load } from "${LOADER}";\nawait load(${JSON.stringify(paths)});\n`,
  );
  const { code, output } = await deno("test", "--no-check", "--no-config", "-A", group);
  assert.equal(code, 1);
  const [broken, sound] = paths;
  for (
    const line of [
      `${broken}: registered ... ok`,
      `${broken} loads ... FAILED`,
      `${sound}: sound ... ok`,
      `${sound}: other ... ok`,
      "3 passed | 1 failed",
    ]
  ) assert.ok(output.includes(line), output);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("paths select files, and options are those of deno test", async () => {
  const run = (...args: readonly string[]) => deno("run", "--no-prompt", "-A", RUN, ...args);
  const path = "tests/base/fair_turns_test.ts";
  const one = await run(path, "--filter", "starts at once");
  assert.equal(one.code, 0, one.output);
  assert.match(one.output, /(^|=> )tests\/base\/fair_turns_test\.ts: .* ok \(/m);
  assert.match(one.output, /^ok \| 1 passed/m);
  assert.match((await run(path, "--shuffle=many")).output, /invalid value/);
  for (const none of ["tests/none", "tests/system", "tests/bas"]) {
    const { code, output } = await run(none);
    assert.deepEqual([code, output.includes(none)], [2, true]);
  }
});

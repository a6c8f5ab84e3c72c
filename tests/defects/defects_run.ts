/**
 * `deno task test:defects [--only NAME]... [--list]`: puts each defect of {@linkcode DEFECTS} into a copy
 * of the working tree and runs the test files that must catch it. Run it before and after tests are
 * changed. Exits with 1 if a defect is not caught.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { DEFECTS } from "./defects.ts";
import { SourceCopy } from "./source_copy.ts";
import { tryDefects } from "./tried_defects.ts";

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

const { values } = parseArgs({
  args: Deno.args,
  options: {
    only: { type: "string", multiple: true, default: [] },
    list: { type: "boolean", default: false },
  },
});
const unknown = values.only.find((name) => !DEFECTS.some((defect) => defect.name === name));
if (unknown !== undefined) {
  print(`Cannot try ${unknown}: no defect has this name; --list prints all`);
  Deno.exit(2);
}
const chosen = DEFECTS.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
if (values.list) {
  for (const { name, file, harm, tests } of chosen) {
    print(`${name} (${file})\n  ${harm}\n  ${tests.join(", ")}`);
  }
} else {
  await using source = await SourceCopy.create();
  const isSound = await tryDefects(chosen, source, print);
  print(isSound ? `All ${chosen.length} defects are caught` : "Not all defects are caught");
  if (!isSound) Deno.exitCode = 1;
}

/**
 * Builds the site in `dist/site/`; `--out DIR` builds it elsewhere, `--base /PATH/` for a site that
 * is not at the root of its host.
 *
 * @module
 */

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "vitepress";
import { writeReference } from "./reference.ts";

const { out, base } = parseArgs({
  options: { out: { type: "string" }, base: { type: "string" } },
}).values;
const outDir = resolve(out ?? fileURLToPath(new URL("../dist/site/", import.meta.url)));
await build(fileURLToPath(new URL(".", import.meta.url)), {
  outDir,
  ...(base !== undefined && { base }),
});
await writeReference(outDir);

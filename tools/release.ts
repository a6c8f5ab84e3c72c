/**
 * Attests the artifacts of a release, the files in dist/ or in FOLDER: lists them in SHA256SUMS, saves
 * one proof of the list beside it, and verifies each file by that proof.
 *
 *     deno task release --gateway URL --network-config FILE [FOLDER]
 *
 * @module
 */

import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

const { values, positionals } = parseArgs({
  args: Deno.args,
  options: { gateway: { type: "string" }, "network-config": { type: "string" } },
  allowPositionals: true,
});
const { gateway, "network-config": network } = values;
if (gateway === undefined || network === undefined) {
  fail("Use: deno task release --gateway URL --network-config FILE [FOLDER]");
}
const base = Deno.env.get("COUNTERSIGN_CWD") ?? Deno.cwd();
const folder = resolve(base, positionals[0] ?? join(ROOT, "dist"));
const list = join(folder, "SHA256SUMS");

const artifacts: string[] = [];
for await (const { name, isFile } of Deno.readDir(folder)) {
  if (!isFile || name.startsWith(".") || name === "SHA256SUMS") continue;
  if (!name.endsWith(".countersign.json")) artifacts.push(join(folder, name));
}
if (artifacts.length === 0) fail(`No files in ${folder}: build them first`);
artifacts.sort();

await run("stamp", "--gateway", gateway, "--manifest", list, ...artifacts);
const trust = ["--network-config", resolve(base, network)];
await run("verify", ...trust, "--manifest", list, ...artifacts);

async function run(...args: readonly string[]): Promise<void> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-A", join(ROOT, "main.ts"), ...args],
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (code !== 0) Deno.exit(code);
}

function fail(message: string): never {
  // deno-lint-ignore no-console
  console.error(message);
  Deno.exit(2);
}

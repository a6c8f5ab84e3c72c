import { fileURLToPath } from "node:url";
import { testConnectionProblems } from "./connection_problems.ts";
import { runTool } from "./tools.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

testConnectionProblems(
  "Deno",
  "DENO_CERT",
  (args, options) => runTool(Deno.execPath(), ["run", "--no-prompt", "-A", MAIN, ...args], options),
);

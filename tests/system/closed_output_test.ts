import { fileURLToPath } from "node:url";
import { testClosedOutput } from "./closed_output.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

testClosedOutput(
  "Deno",
  () => Promise.resolve([Deno.execPath(), "run", "--quiet", "--no-prompt", "-A", MAIN]),
);

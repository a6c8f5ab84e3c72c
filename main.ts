/**
 * The one entry point: hands the process to the command line.
 *
 * @module
 */

import { runProgram } from "./src/cli/program.ts";
import { systemProcess } from "./src/cli/system_process.ts";

Deno.exit(await runProgram(Deno.args, systemProcess));

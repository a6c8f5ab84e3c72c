/**
 * The one entry point: hands the process to the command line.
 *
 * @module
 */

import process from "node:process";
import { runProgram } from "./src/cli/program.ts";
import { systemProcess } from "./src/cli/system_process.ts";

process.exit(await runProgram(process.argv.slice(2), systemProcess));

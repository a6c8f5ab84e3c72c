/**
 * `deno task load`: puts load on a gateway over HTTP; see `load_options.ts` for its options.
 *
 * The generator, the gateway and the echo server share one machine. Only the ratio to the echo
 * server and the processor time of a hash apply to other machines.
 *
 * @module
 */

import { systemIo } from "../../src/server/io.ts";
import { parseLoadOptions, USAGE, UsageError } from "./load_options.ts";
import { runSession } from "./load_session.ts";

/**
 * Returns the exit code: 0, 1 after a wrong answer, 2 for a wrong command line, 130 if interrupted.
 */
async function main(): Promise<number> {
  try {
    return await runSession(parseLoadOptions(Deno.args));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    systemIo.err(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

Deno.exit(await main());

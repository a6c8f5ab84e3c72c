/**
 * `deno task load`: puts load on a gateway over HTTP; see `load_options.ts` for its options.
 *
 * The generator, the gateway and the echo server share one machine: what carries over to another is
 * the ratio to the echo server, and the processor time of a hash.
 *
 * @module
 */

import { systemIo } from "../../src/server/io.ts";
import { parseLoadOptions, USAGE, UsageError } from "./load_options.ts";
import { runSession } from "./load_session.ts";

/** Answers the exit code: 0, 1 of a wrong answer, 2 of a wrong command line, 130 when interrupted. */
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

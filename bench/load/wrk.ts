/**
 * The load generator `wrk` (Debian package of the same name), if installed: it uses much less of a
 * shared machine than our own generator, and inspects no answers.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { WAIT_SECONDS } from "./request_bytes.ts";

const SCRIPT = fileURLToPath(new URL("submit.lua", import.meta.url));

/** The measurements of `wrk`. */
export interface WrkResult {
  /** Answers with a status below 400, per second. */
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers with a status below 400. */
  readonly accepted: number;
  /** Other answers, broken connections and timeouts. */
  readonly errors: number;
}

/**
 * Submits one hash with each request in a closed loop; `isWaiting` is like scenario `wait`. Returns
 * `undefined` if `wrk` is not installed.
 */
export async function runWrk(
  url: URL,
  { connections, seconds, isWaiting }: {
    readonly connections: number;
    readonly seconds: number;
    readonly isWaiting: boolean;
  },
): Promise<WrkResult | undefined> {
  const seed = crypto.getRandomValues(new Uint8Array(16)).toHex();
  const args = ["-t", "1", "-c", String(connections), "-d", `${Math.ceil(seconds)}s`];
  const env = { SEED: seed, ...(isWaiting && { PREFER: `wait=${WAIT_SECONDS}` }) };
  const command = new Deno.Command("wrk", {
    args: [...args, "--timeout", "20s", "-s", SCRIPT, new URL("/v1/attestations", url).href],
    env,
  });
  let output;
  try {
    output = await command.output();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const text = new TextDecoder().decode(output.stdout);
  const [line] = /^\{.*\}$/m.exec(text) ?? [];
  if (line === undefined) throw new Error(`wrk failed: ${new TextDecoder().decode(output.stderr)}`);
  return JSON.parse(line);
}

/**
 * The load generator `wrk` (Debian package of the same name), if installed: it uses much less of a
 * shared machine than our own generator, and inspects no answers.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { WAIT_SECONDS } from "./request_bytes.ts";

const SCRIPT = fileURLToPath(new URL("wrk.lua", import.meta.url));

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

/** The requests of `wrk`, in a closed loop. */
export type WrkRequests =
  /** Submissions of new hashes, so many in each; `isWaiting` is like scenario `wait`. */
  | { readonly submit: number; readonly isWaiting: boolean }
  /** Reads of a route that ends with a hash, of a file with one hash a line. */
  | { readonly lookUp: string; readonly hashesFile: string };

/** Returns `undefined` if `wrk` is not installed. */
export async function runWrk(
  url: URL,
  requests: WrkRequests,
  { connections, seconds, threads = 1 }: {
    readonly connections: number;
    readonly seconds: number;
    /** Of `wrk`; at most as many as connections. */
    readonly threads?: number;
  },
): Promise<WrkResult | undefined> {
  const { path, env } = wrkInput(requests);
  const command = new Deno.Command("wrk", {
    args: [
      "-t",
      String(Math.min(threads, connections)),
      "-c",
      String(connections),
      "-d",
      `${Math.ceil(seconds)}s`,
      "--timeout",
      "20s",
      "-s",
      SCRIPT,
      new URL(path, url).href,
    ],
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

function wrkInput(requests: WrkRequests): { path: string; env: Record<string, string> } {
  if ("lookUp" in requests) {
    return { path: requests.lookUp, env: { KNOWN: requests.hashesFile } };
  }
  const { submit, isWaiting } = requests;
  return {
    path: submit === 1 ? "/v1/attestations" : "/v1/attestations/batch",
    env: {
      SEED: crypto.getRandomValues(new Uint8Array(16)).toHex(),
      HASHES: String(submit),
      ...(isWaiting && { PREFER: `wait=${WAIT_SECONDS}` }),
    },
  };
}

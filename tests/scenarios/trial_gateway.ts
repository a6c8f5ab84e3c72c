/**
 * A trial gateway as a process: `serve` with embedded witnesses and all of its data in one folder.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { HttpClient } from "./http_client.ts";
import { Server, type Surroundings } from "./program.ts";

const READY = /^Countersign gateway of \S+ on (http:\/\/127\.0\.0\.1:[0-9]+)$/m;
const BULK_SIZE = 100;

/** A trial gateway that runs. */
export interface TrialGateway {
  readonly server: Server;
  readonly address: Deno.NetAddr;
}

/** Arguments of `serve` with its data in the folder `data` below the working one. */
export function serveArgs(data: string, ...args: readonly string[]): string[] {
  return ["serve", "--data", data, "--port", "0", "--batch-max-age-ms", "20", ...args];
}

export async function startTrial(
  data: string,
  where: Surroundings,
  ...args: readonly string[]
): Promise<TrialGateway> {
  const { server, match } = await Server.start(serveArgs(data, ...args), READY, where);
  const { hostname, port } = new URL(match[1]!);
  return { server, address: { transport: "tcp", hostname, port: Number(port) } };
}

/** What one bulk request came to; status 0 for a connection that was lost or refused. */
export interface BulkAnswer {
  readonly hashes: readonly string[];
  readonly status: number;
  /** Of a problem. */
  readonly code: string | undefined;
}

/** Submits 100 hashes that depend on `name` alone. */
export async function submitBulk(address: Deno.NetAddr, name: string): Promise<BulkAnswer> {
  const hashes = Array.from(
    { length: BULK_SIZE },
    (_, i) => createHash("sha256").update(`${name} ${i}`).digest("hex"),
  );
  try {
    using client = await HttpClient.open(address);
    const { status, text } = await client.post(
      "/v1/attestations/batch",
      JSON.stringify({ hashes }),
    );
    return { hashes, status, code: status >= 400 ? JSON.parse(text).code : undefined };
  } catch {
    return { hashes, status: 0, code: undefined };
  }
}

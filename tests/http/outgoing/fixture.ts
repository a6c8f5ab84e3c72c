/**
 * Real servers for the tests of clients.
 *
 * @module
 */

import type { RoundRequest } from "../../../src/proof/format/witness_request.ts";
import {
  HttpWitnessClient,
  type HttpWitnessOptions,
} from "../../../src/http/outgoing/witness_client.ts";
import { digestsOf, NETWORK, NOW, signerOf, WITNESS_ID } from "../../witness/fixture.ts";

export const TOKEN = "the-token";
/** A time limit that no test reaches, even on a slow machine. */
export function patience(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

/** A round of two digests that the test witness signs, with `change` applied. */
export function round(change: Partial<RoundRequest> = {}): RoundRequest {
  return {
    networkId: NETWORK,
    timestamp: NOW,
    firstSequence: 0,
    digests: digestsOf("a", "b"),
    beacon: null,
    ...change,
  };
}

export type Handler = (request: Request, port: number) => Response | Promise<Response>;

/** Runs `use` with the URL of a real server. */
export async function served(handler: Handler, use: (url: string) => Promise<void>): Promise<void> {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request, info) => handler(request, info.remoteAddr.port),
  );
  try {
    await use(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

/** A client of the test witness at `url`. */
export function clientOf(url: string, change: Partial<HttpWitnessOptions> = {}): HttpWitnessClient {
  return new HttpWitnessClient({
    id: WITNESS_ID,
    publicKey: signerOf(WITNESS_ID).publicKey,
    scheme: "ed25519",
    networkId: NETWORK,
    url,
    token: TOKEN,
    ...change,
  });
}

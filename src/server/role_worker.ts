/**
 * The worker that a role runs in, with its own permissions (`confined_role.ts`).
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../errors.ts";
import { systemIo } from "./io.ts";
import type { IssuerOptions } from "./issuer_options.ts";
import type { ServeOptions } from "./gateway_options.ts";
import type { WitnessStart } from "./witness_server.ts";

/** A role and what it is started with. Paths are absolute. */
export type RoleStart =
  | { readonly role: "serve"; readonly options: ServeOptions }
  | { readonly role: "witness"; readonly options: WitnessStart }
  | { readonly role: "issuer"; readonly options: IssuerOptions };

/** What the worker is told: first to start, and then, at most once, to stop. */
export type RoleOrder = RoleStart | "stop";

/** What the worker tells: that all its modules are loaded, and then how the role ended. */
export type RoleReport =
  | "loaded"
  | { readonly exitCode: number }
  | { readonly code: ErrorCode; readonly message: string };

type Run = (signal: AbortSignal) => Promise<number>;

const stop = new AbortController();

self.onmessage = async ({ data: order }: MessageEvent<RoleOrder>) => {
  if (order === "stop") return stop.abort();
  const run = await load(order);
  tell("loaded");
  tell(await ending(run));
};

/** Only what the role is made of: a witness has no use for a gateway. */
async function load({ role, options }: RoleStart): Promise<Run> {
  switch (role) {
    case "serve": {
      const { serveGateway } = await import("./gateway_server.ts");
      return (signal) => serveGateway(options, systemIo, signal);
    }
    case "witness": {
      const { serveWitnessFile } = await import("./witness_server.ts");
      return (signal) => serveWitnessFile(options, systemIo, signal);
    }
    case "issuer": {
      const { serveIssuer } = await import("./issuer_server.ts");
      return (signal) => serveIssuer(options, systemIo, signal).then(() => 0);
    }
  }
}

/** What is not ours to report is thrown, and ends the process. */
async function ending(run: Run): Promise<RoleReport> {
  try {
    return { exitCode: await run(stop.signal) };
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    return { code: error.code, message: error.message };
  }
}

function tell(report: RoleReport): void {
  self.postMessage(report);
}

/**
 * The worker that a role runs in, with its own permissions (`confined_role.ts`).
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../errors.ts";
import { systemIo } from "./io.ts";
import type { IssuerOptions, ServeOptions, WitnessRoleOptions } from "./role_options.ts";

/** A role and its options. Paths are absolute. */
export type RoleStart =
  | { readonly role: "serve"; readonly options: ServeOptions }
  | { readonly role: "witness"; readonly options: WitnessRoleOptions }
  | { readonly role: "issuer"; readonly options: IssuerOptions };

/** Messages to the worker: a start, then at most one stop. */
export type RoleOrder = RoleStart | "stop";

/** Messages from the worker: all modules are loaded, then the result. */
export type RoleReport =
  | "loaded"
  | { readonly exitCode: number }
  | { readonly code: ErrorCode; readonly message: string };

type Run = (signal: AbortSignal) => Promise<number>;

const stop = new AbortController();

self.onmessage = async ({ data: order }: MessageEvent<RoleOrder>) => {
  if (order === "stop") return stop.abort();
  const run = await load(order);
  send("loaded");
  send(await resultOf(run));
};

/** Loads only the role's modules. */
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

/** Other errors end the process. */
async function resultOf(run: Run): Promise<RoleReport> {
  try {
    return { exitCode: await run(stop.signal) };
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    return { code: error.code, message: error.message };
  }
}

function send(report: RoleReport): void {
  self.postMessage(report);
}

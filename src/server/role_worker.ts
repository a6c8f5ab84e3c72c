/**
 * The worker that a role runs in, with its own permissions (`roles/confined_role.ts`).
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import { beat } from "../base/threads/heartbeat.ts";
import { systemIo } from "./io.ts";
import type { RoleOrder, RoleReport, RoleStart } from "./roles/role_messages.ts";

type Run = (signal: AbortSignal) => Promise<number>;

const stop = new AbortController();
/** Receives events named like orders. */
const orders = new EventTarget();

self.onmessage = async ({ data: order }: MessageEvent<RoleOrder>) => {
  if (order === "stop") return stop.abort();
  if (order === "hand_over") return void orders.dispatchEvent(new Event(order));
  if ("heartbeat" in order) void beat(order.heartbeat);
  const run = await load(order);
  send("loaded");
  send(await resultOf(run));
};

/** Loads only the role's modules. */
async function load(start: RoleStart): Promise<Run> {
  const { role, options } = start;
  switch (role) {
    case "serve": {
      const { serveGateway } = await import("./gateway/gateway_server.ts");
      return (signal) => serveGateway(options, systemIo, signal, orders);
    }
    case "supervisor": {
      const { superviseGateway } = await import("./fronts/front_supervisor.ts");
      const module = new URL(import.meta.url);
      return (signal) =>
        superviseGateway(start, { sequencer: module, front: module }, systemIo, signal, orders);
    }
    case "sequencer": {
      const { serveSequencer } = await import("./fronts/sequencer_server.ts");
      return (signal) => serveSequencer(start, systemIo, signal);
    }
    case "front": {
      const { serveFront } = await import("./fronts/front_server.ts");
      return (signal) => serveFront(options, start.control, systemIo, signal);
    }
    case "witness": {
      const { serveWitnessFile } = await import("./witness/witness_server.ts");
      return (signal) => serveWitnessFile(options, systemIo, signal);
    }
    case "signer": {
      const { serveSigner } = await import("./signer/signer_server.ts");
      return (signal) => serveSigner(options, systemIo, signal);
    }
    case "monitor": {
      const { serveMonitor } = await import("./monitor/monitor_server.ts");
      return (signal) => serveMonitor(options, systemIo, signal);
    }
    case "issuer": {
      const { serveIssuer } = await import("./issuer/issuer_server.ts");
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

/**
 * Composes and runs one front of a gateway, in its own thread: it listens, answers clients, and reads the
 * store that the sequencer writes.
 *
 * @module
 */

import { aborted, systemClock } from "../../base/clock.ts";
import { Current } from "../../base/current.ts";
import { verifyNative } from "../../proof/crypto/ed25519_native.ts";
import { CountersignError } from "../../base/errors.ts";
import { Front } from "../../gateway/fronts/front.ts";
import { FrontTables } from "../../http/limit_tables.ts";
import { openReadOnlyLog, ReadOnlyLog } from "../../storage/log/read_only_log.ts";
import { PipelineTracer } from "../log/pipeline_tracer.ts";
import { isTracing } from "../log/route_spans.ts";
import { ThreadLink } from "../../gateway/link/thread_link.ts";
import { openFrontIssuers } from "../gateway/admission_rules.ts";
import { CallPort } from "./call_port.ts";
import { storeFile } from "../data_paths.ts";
import { openFrontAnchors } from "../anchoring/front_anchors.ts";
import type { Ports } from "../gateway/gateway_listeners.ts";
import { type GatewayRun, runOf } from "../gateway/gateway_run.ts";
import { serveClients } from "../gateway/client_server.ts";
import { openDatabaseReads } from "../gateway/gateway_stores.ts";
import type { CliIo } from "../io.ts";
import { FrontMetrics } from "../gateway/operator_metrics.ts";
import { operatorAddress } from "../gateway/operator_work.ts";
import { type ServeOptions, SHARES_PORTS } from "../roles/role_options.ts";
import type { FrontCalls, FrontControl, FrontOpening } from "./thread_calls.ts";

/** On stop, how long requests in flight may take. */
const STOP_GRACE_MS = 2_500;

/** Serves from the supervisor's call until `signal` aborts. Returns the exit code. */
export async function serveFront(
  options: ServeOptions,
  control: MessagePort,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  await using opened = new AsyncDisposableStack();
  let ports: Ports | undefined;
  const supervisor = new CallPort(
    control,
    {
      async serve(opening) {
        const { parts: { networkText }, ports: freePorts } = opening;
        const run = await runOf(networkText, { ...options, ...freePorts }, io, opened);
        ports = await openFront(run, opening);
        const { url, operatorUrl, eventSocketsUrl } = ports;
        return { url, operatorUrl, eventSocketsUrl };
      },
    } satisfies FrontControl,
  );
  opened.defer(() => supervisor.close());
  await aborted(signal);
  await ports?.stop(STOP_GRACE_MS);
  return 0;
}

async function openFront(run: GatewayRun, opening: FrontOpening): Promise<Ports> {
  const { operator: { network, store: database }, paths, report, damage, opened, crypto } = run;
  const { name, index, parts, end } = opening;
  const tables = new FrontTables(opening.limits, index);
  const { issuers, useDirectory } = openFrontIssuers(run.operator, parts.directories);
  const metrics = operatorAddress(run) && new FrontMetrics(name, opened);
  const onDamaged = (error: CountersignError) => damage.take(error);
  const reader = database && await openDatabaseReads(run, database);
  const anchors = parts.anchors && openFrontAnchors(parts.anchors, {
    crypto,
    clock: systemClock,
    damaged: onDamaged,
    reads: reader?.reads("anchors"),
  });
  opened.defer(() => anchors?.close());
  const store = reader === undefined
    ? openReadOnlyLog(storeFile(paths.dataFolder))
    : new ReadOnlyLog(reader.reads("log"));
  opened.defer(() => store.close());
  const front = await Front.start(
    {
      network,
      store,
      report,
      onDamaged,
      clock: systemClock,
      verify: verifyNative,
      kernels: crypto.kernels,
      bls: crypto.bls,
      anchors,
      tracer: isTracing() ? new PipelineTracer() : undefined,
    },
    (follower) => {
      const link = new ThreadLink(end, follower);
      opened.defer(() => link.close());
      return link;
    },
  );
  opened.defer(() => front.close());
  const apiKeys = parts.apiKeys && new Current(parts.apiKeys);
  const { ports, events, requests, listeners } = await serveClients(run, {
    service: front,
    tables,
    sharesPorts: SHARES_PORTS,
    anchors: anchors?.list,
    evidence: anchors?.evidence,
    issuers,
    apiKeys,
  });
  const calls = new CallPort(
    opening.calls,
    {
      useDirectory,
      useApiKeys(keys) {
        apiKeys?.set(keys);
      },
      metrics() {
        if (metrics === undefined || requests === undefined) return [];
        const { waiters } = front;
        return metrics.families({ waiters, events, damage, requests, listeners });
      },
    } satisfies FrontCalls,
  );
  opened.defer(() => calls.close());
  return ports;
}

/**
 * Composes and runs a gateway in one thread. Without a configuration it creates a trial network of three
 * embedded witnesses in its data folder.
 *
 * @module
 */

import { aborted, systemClock } from "../../base/clock.ts";
import { LOCAL_TABLES } from "../../http/limit_tables.ts";
import { MetricsPage } from "../../http/metrics/metrics_page.ts";
import { AcceptedMark } from "../../storage/store_meta.ts";
import type { CliIo } from "../io.ts";
import { HANDED_OVER_MS, type ServeOptions } from "../roles/role_options.ts";
import { openActive } from "./active_gateway.ts";
import { serveClients } from "./client_server.ts";

/** On stop, how long requests in flight may take. */
const STOP_GRACE_MS = 2_500;

/**
 * Serves until `signal` aborts or a fatal error. Closes all ports and data. Returns the exit code. On an
 * event `hand_over`, a gateway started with `standby` gives the lease up and becomes a standby.
 */
export async function serveGateway(
  options: ServeOptions,
  io: CliIo,
  signal: AbortSignal,
  orders = new EventTarget(),
): Promise<number> {
  const accepted = new AcceptedMark(options.moved ?? false);
  while (true) {
    const code = await serveOnce(options, io, signal, { orders, accepted });
    if (code !== undefined) return code;
    await systemClock.sleep(HANDED_OVER_MS, signal);
  }
}

/** As {@linkcode serveGateway}; `undefined` if this process shall stand by again. */
async function serveOnce(
  options: ServeOptions,
  io: CliIo,
  signal: AbortSignal,
  { orders, accepted }: { readonly orders: EventTarget; readonly accepted: AcceptedMark },
): Promise<number | undefined> {
  const fatal = new AbortController();
  await using active = await openActive(options, io, signal, {
    thread: "gateway",
    accepted,
    onFatal: () => fatal.abort(),
  });
  if (active === undefined) return 0;
  const { run, running: { gateway, anchoring, federation }, standby } = active;
  const { ports } = await serveClients(run, {
    service: gateway.served,
    tables: LOCAL_TABLES,
    sharesPorts: standby !== undefined,
    anchors: anchoring.anchorList,
    evidence: federation,
    issuers: active.followed?.issuers,
    apiKeys: active.apiKeys,
    operators({ events, requests, listeners }) {
      const serving = () => {
        const page = new MetricsPage();
        requests?.addTo(page, listeners);
        return Promise.resolve([page.families]);
      };
      return active.operators(serving, events);
    },
  });
  await standby?.handOver();
  // One write, so that a reader of a pipe gets all lines at once.
  io.out(active.banner(ports));
  const handOver = new AbortController();
  const handedOver = () => handOver.abort();
  if (standby !== undefined) orders.addEventListener("hand_over", handedOver, { once: true });
  await aborted(AbortSignal.any([signal, fatal.signal, handOver.signal]));
  orders.removeEventListener("hand_over", handedOver);
  run.report(handOver.signal.aborted ? "Handing over the log" : "Stopping", { level: "info" });
  // Ends held answers first: the listeners wait for requests in flight.
  await active.refuseNew();
  await ports.stop(STOP_GRACE_MS);
  if (fatal.signal.aborted) return 1;
  return handOver.signal.aborted && !signal.aborted ? undefined : 0;
}

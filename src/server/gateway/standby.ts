/**
 * A standby: it serves reads from the store that another gateway writes, and becomes the gateway when the
 * lease of the other one ends.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { verifyNative } from "../../proof/crypto/ed25519_native.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { Front } from "../../gateway/fronts/front.ts";
import { StoreFollower, type StoreFollowerContext } from "../../gateway/fronts/store_follower.ts";
import { HeldLease, type LeaseHolder } from "../../gateway/held_lease.ts";
import type { HashIndex } from "../../gateway/index/hash_index.ts";
import type { LogStore } from "../../gateway/ports.ts";
import { RecordCheck } from "../../gateway/record_check.ts";
import { LOCAL_TABLES } from "../../http/limit_tables.ts";
import { requireFreePort } from "../../http/listen.ts";
import { reportError } from "../../base/report.ts";
import { MetricsPage } from "../../http/metrics/metrics_page.ts";
import { within } from "../background.ts";
import type { FrontPorts } from "../fronts/thread_calls.ts";
import { loadPeers } from "./anchoring_parts.ts";
import { followApiKeys } from "./api_key_file.ts";
import { followIssuers } from "./admission_rules.ts";
import { type ClientLoad, serveClients } from "./client_server.ts";
import type { OperatorWork, Ports } from "./gateway_listeners.ts";
import { ASK_MS, tryLease } from "./gateway_lease.ts";
import type { GatewayRun } from "./gateway_run.ts";
import type { GatewayStores } from "./gateway_stores.ts";
import { Epochs } from "../../gateway/succession/epochs.ts";
import { presentRun, storeDigestOf } from "./present_epoch.ts";
import { certificateWarnings } from "./readiness_checks.ts";
import { watchCertificates } from "./timestamping_parts.ts";
import { FrontMetrics } from "./operator_metrics.ts";
import { acceptedTokens, operatorAddress, operatorToken } from "./operator_work.ts";

/**
 * After an outage of the database, the lease of the active gateway has ended too. That gateway goes on at once if it is the
 * first to renew it; a standby would have to start.
 */
const ACTIVE_FIRST_MS = 1_000;
/** On stop, how long requests in flight may take, */
const STOP_GRACE_MS = 1_000;
/** and a read of the store. */
const STOP_READS_MS = 1_000;

/** This gateway once it holds the lease. */
export interface TakenOver {
  readonly lease: HeldLease;
  /** Resolves to the index of the standby, if it served from this database. */
  readonly index: Promise<HashIndex | undefined> | undefined;
  /** The ports of the standby, which the gateway shares until it has opened its own; absent if it served none. */
  readonly ports: FrontPorts | undefined;
  /** Leaves the standby's ports to those of the gateway. */
  handOver(): Promise<void>;
}

/**
 * Resolves once this process holds the lease; `undefined` once `run.signal` aborts. Serves reads while another
 * gateway holds it. `usage` unless the log is in a database and its witnesses run elsewhere.
 */
export async function standBy(
  configured: GatewayRun,
  stores: GatewayStores,
): Promise<TakenOver | undefined> {
  const run = await presentRun(configured, stores);
  const { report, signal, io } = run;
  const { lease } = stores;
  requireShareable(run, stores);
  let serving: StandbyServing | undefined;
  let timeline: string | undefined;
  let opened = new AsyncDisposableStack();
  const end = async (how: "stop" | "handOver") => {
    await serving?.ports[how](STOP_GRACE_MS);
    await opened.disposeAsync();
    serving = undefined;
    opened = new AsyncDisposableStack();
  };
  let failure = "";
  while (!signal?.aborted) {
    try {
      if (failure !== "") {
        await lease!.reach();
        await systemClock.sleep(ACTIVE_FIRST_MS, signal);
      }
      const taken = await tryLease(run, lease!);
      if (taken instanceof HeldLease) {
        report("Taking over the log", { level: "info" });
        const index = taken.timeline === timeline ? serving?.release() : undefined;
        const ports = serving && portsOf(serving.ports);
        return { lease: taken, index, ports, handOver: () => end("handOver") };
      }
      // Records of another database may not be in this one.
      if (taken.timeline !== timeline) await end("stop");
      timeline = taken.timeline;
      const active = activeText(taken.heldBy);
      if (serving === undefined) {
        await stores.connect?.();
        const store = await stores.openLog(storeDigestOf(run));
        opened.defer(() => store.close());
        serving = await openStandby({ ...run, opened }, store, async () => {
          const { operator: { network }, links = [] } = await presentRun(configured, stores);
          return { network, links };
        });
        io.out(standbyLines(serving.ports, run, active).join("\n"));
      }
      serving.follow(taken.heldBy);
      failure = "";
    } catch (error) {
      if (!hasCode(error, "storage_failed")) {
        await end("stop");
        throw error;
      }
      // After a partial opening, all parts are opened again.
      if (serving === undefined) await end("stop");
      if (error.message !== failure) reportError(report, error);
      failure = error.message;
    }
    await systemClock.sleep(ASK_MS, signal);
  }
  await end("stop");
  return undefined;
}

/** A database that is starting refuses some connections. */
export function reportStandingByAgain({ report }: GatewayRun, { message }: Error): void {
  report(`Cannot take over the log: ${message}. Standing by again`, { level: "error" });
}

function requireShareable({ operator: { witnesses } }: GatewayRun, { lease }: GatewayStores): void {
  const problem = lease === undefined
    ? "its log is in the data folder, which one process uses. Keep the log in a database (member store)"
    : witnesses.some(({ kind }) => kind === "embedded")
    ? "its witnesses are embedded, and would have another state here. Run them as processes of their own"
    : undefined;
  if (problem === undefined) return;
  throw new CountersignError("usage", `Cannot stand by for this gateway: ${problem}`);
}

function standbyLines({ url }: Ports, { operator }: GatewayRun, active: string): string[] {
  return [`Countersign standby of ${operator.network.id} on ${url}`, `  active:    ${active}`];
}

function activeText({ name, url }: LeaseHolder): string {
  return url ?? name;
}

function portsOf(ports: Ports): FrontPorts {
  const portOf = (url: string | undefined) => url === undefined ? undefined : portNumber(url);
  return {
    port: portNumber(ports.url),
    operatorPort: portOf(ports.operatorUrl),
    eventSocketsPort: portOf(ports.eventSocketsUrl),
  };
}

function portNumber(url: string): number {
  const { port, protocol } = new URL(url);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** A standby that serves reads. */
interface StandbyServing {
  readonly ports: Ports;
  /** `active` is the active gateway now. */
  follow(active: LeaseHolder): void;
  /** Follows the log no more. The index, if no read of the store hangs. */
  release(): Promise<HashIndex | undefined>;
}

async function openStandby(
  run: GatewayRun,
  store: LogStore,
  presentChain: StoreFollowerContext["presentChain"],
): Promise<StandbyServing> {
  const { operator: { network }, links, report, damage, opened, crypto, options } = run;
  const address = operatorAddress(run);
  requireFreePort(options.host, options.port);
  const epochs = new Epochs(network, links);
  const check = new RecordCheck({
    kernels: crypto.kernels,
    bls: crypto.bls,
    verify: verifyNative,
    epochs,
  });
  const follower = await StoreFollower.open({
    store,
    check,
    epochs,
    presentChain,
    report,
    kernels: crypto.kernels,
    clock: systemClock,
  });
  let active: LeaseHolder = { name: "another one" };
  const stop = new AbortController();
  let hasEnded = false;
  let following = Promise.resolve();
  const endFollowing = () => {
    stop.abort();
    return within(STOP_READS_MS, following);
  };
  opened.defer(endFollowing);
  const front = await Front.start({
    network,
    store,
    report,
    clock: systemClock,
    verify: verifyNative,
    kernels: crypto.kernels,
    bls: crypto.bls,
    onDamaged: (error) => damage.take(error),
  }, (state) => {
    following = follower.follow(state, stop.signal).then(() => void (hasEnded = true));
    return follower;
  });
  opened.defer(() => front.close());
  const metrics = new FrontMetrics("standby", opened);
  const certificates = await watchCertificates(run);
  const standsBy = () =>
    `Not ready: this is a standby; ${activeText(active)} is the active gateway`;
  const work = ({ events, requests, listeners }: ClientLoad): OperatorWork => ({
    federation: { take: () => Promise.reject(new CountersignError("standby", standsBy())) },
    readiness: () => Promise.resolve([{ code: "standby", detail: standsBy() }]),
    warnings: () => Promise.resolve(certificateWarnings(certificates)),
    metrics: () => {
      const { waiters } = front;
      const families = requests &&
        [metrics.families({ waiters, events, damage, requests, listeners, isStandby: true })];
      return Promise.resolve(new MetricsPage().text(families));
    },
  });
  const token = await operatorToken(run);
  const accepted = address === undefined ? [] : acceptedTokens(await loadPeers(run));
  const { ports } = await serveClients(run, {
    service: front,
    tables: LOCAL_TABLES,
    sharesPorts: true,
    issuers: (await followIssuers(run))?.issuers,
    apiKeys: await followApiKeys(run),
    operators: address && ((load) => ({ address, token, accepted, work: work(load) })),
  });
  return {
    ports,
    async release() {
      await endFollowing();
      return hasEnded ? follower.index : undefined;
    },
    follow(holder) {
      if (holder.name === active.name && holder.url === active.url) return;
      active = holder;
      const where = holder.url === undefined ? "" : `: use ${holder.url}`;
      follower.refuse(`Another gateway takes the hashes of this log${where}`);
    },
  };
}

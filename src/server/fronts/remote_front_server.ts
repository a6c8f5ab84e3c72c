/**
 * Composes and runs a front on another machine than its gateway: it answers clients, reads the database, and
 * has sequences assigned over a link to the gateway that is active. It has no key and writes nothing.
 *
 * @module
 */

import { aborted, systemClock } from "../../clock.ts";
import { DEFAULT_CLIENT_LIMITS, NO_LIMITS } from "../../config/gateway_limits.ts";
import { loadToken } from "../../config/bearer_tokens.ts";
import { type FrontNode, parseFrontNode } from "../../config/front_node.ts";
import { type FrontSettings, parseFrontSettings } from "../../config/front_settings.ts";
import { DEFAULT_BATCH_LIMITS } from "../../config/network_members.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import { readTextFile } from "../../config/text_file.ts";
import { loadBls } from "../../crypto/best_bls.ts";
import { loadCompiledKernels } from "../../crypto/compiled_kernels.ts";
import { verifyNative } from "../../crypto/ed25519_native.ts";
import { CountersignError } from "../../errors.ts";
import { EventFeed } from "../../gateway/events/event_feed.ts";
import { FollowedIndexes } from "../../gateway/fronts/followed_indexes.ts";
import { Front } from "../../gateway/fronts/front.ts";
import { remoteService } from "../../gateway/fronts/remote_front.ts";
import { snapshotOfStore, type StoredSnapshot } from "../../gateway/fronts/store_follower.ts";
import type { LogStore } from "../../gateway/ports.ts";
import { RecordCheck } from "../../gateway/record_check.ts";
import { Epochs } from "../../gateway/succession/epochs.ts";
import { FEED_LIMITS } from "../../http/limits.ts";
import { RateLimits } from "../../http/rate_limits.ts";
import { ReportedTables, SHARED_BUDGETS } from "../../http/reported_tables.ts";
import { type ListenerLoad, RequestMetrics } from "../../http/request_metrics.ts";
import { reportError } from "../../report.ts";
import { KvSuccessionReads } from "../../storage/log/kv_successions.ts";
import { openFollowedLog } from "../../storage/postgres/postgres_log.ts";
import { PostgresReader } from "../../storage/postgres/postgres_store.ts";
import { DamageLog } from "../../telemetry/damage_log.ts";
import { linkLost } from "../../transport/lost_link.ts";
import { SocketLink } from "../../transport/socket_link.ts";
import { openFrontAnchors } from "../anchoring/front_anchors.ts";
import { runInBackground } from "../background.ts";
import { dataPathsOf } from "../data_paths.ts";
import { followApiKeys } from "../gateway/api_key_file.ts";
import { openFrontAdmission } from "../gateway/admission_rules.ts";
import { openPorts, type Ports } from "../gateway/gateway_listeners.ts";
import { clientLimits, type GatewayRun } from "../gateway/gateway_run.ts";
import { storeAccess } from "../gateway/gateway_stores.ts";
import { networkDigest } from "../gateway/log_network.ts";
import { isPresent } from "../gateway/present_epoch.ts";
import { FrontMetrics } from "../gateway/operator_metrics.ts";
import { eventSocketsAddress, operatorAddress, operatorToken } from "../gateway/operator_work.ts";
import type { CliIo } from "../io.ts";
import type { ServeOptions } from "../roles/role_options.ts";
import { openLog } from "../service_log.ts";
import { FrontLinking, type FrontStart } from "./front_linking.ts";
import { remoteFrontWork } from "./remote_front_work.ts";

/** On stop, how long requests in flight may take. */
const STOP_GRACE_MS = 2_500;
/** On stop, how long the link may take to close. */
const STOP_LINK_MS = 1_000;

/** Serves until `signal` aborts. Returns the exit code. `options.config` is the path of `front.json`. */
export async function serveRemoteFront(
  options: ServeOptions,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  while (!signal.aborted) await serveOnce(options, io, signal);
  return 0;
}

/** Resolves once `signal` aborts, or the gateway has other settings. */
async function serveOnce(options: ServeOptions, io: CliIo, signal: AbortSignal): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { networkFile: file } = dataPathsOf(options, io);
  const node = parseFrontNode(await readPrivateFile(file), file, options);
  const log = openLog(options, io);
  const report = log.report("gateway");
  const secrets = { env: (name: string) => io.env(name) };
  const openReader = async (database: FrontNode["store"], isReplica = false) => {
    const access = await storeAccess(database, io);
    const reader = await PostgresReader.open({ access, report, signal, isReplica });
    opened.defer(() => reader.close());
    return reader;
  };
  const reader = await openReader(node.store);
  const linking = new FrontLinking({
    active: () => reader.active(),
    storedSettings: () => reader.frontSettings(),
    gateways: node.gateways,
    access: {
      name: node.name,
      token: await loadToken(node.token, secrets),
      ...(node.caFile !== undefined && { ca: await readTextFile(node.caFile) }),
    },
    report,
    signal,
  });
  const bls = await loadBls();
  const crypto = { kernels: await loadCompiledKernels(), ed25519: verifyNative, bls };
  const successions = new KvSuccessionReads(reader.reads("log"));
  const start = await linking.start(async (text) =>
    // After a succession, the settings of the epoch before are of no use.
    await isPresent(parseFrontSettings(text, bls).network, await successions.links(), crypto)
  );
  if (start === undefined) return;
  const settings = parseFrontSettings(start.settings, bls);
  const run: GatewayRun = {
    operator: operatorNetworkOf(node, settings),
    networkText: "",
    paths: dataPathsOf(options, io),
    damage: new DamageLog(report, systemClock),
    options,
    io,
    log,
    report,
    opened,
    signal,
    crypto,
    links: await successions.links(),
  };
  const replica = node.replica && await openReader(node.replica, true);
  const ended = new AbortController();
  const ports = await openFront(run, { node, settings, reader, replica, linking, start }, ended);
  io.out(
    `Countersign front ${node.name} of ${settings.network.id} on ${ports.url}\n` +
      `  gateway:   ${start.linked?.gateway.name ?? "none can be reached; serving reads"}`,
  );
  await aborted(AbortSignal.any([signal, ended.signal]));
  await ports.stop(STOP_GRACE_MS);
}

/** The configuration of a gateway without all that writes or signs. */
function operatorNetworkOf(
  { operator, eventSockets, store, apiKeys }: FrontNode,
  { network, limits, admission, keyedRoutes }: FrontSettings,
): GatewayRun["operator"] {
  if (apiKeys?.routes !== keyedRoutes) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot serve as a front: the gateway has ${routesText(keyedRoutes)}, front.json has ` +
        `${routesText(apiKeys?.routes)}. Give both the same api_keys`,
    );
  }
  return {
    network,
    admission,
    store,
    logKeyFile: "",
    witnesses: [],
    anchors: [],
    batch: DEFAULT_BATCH_LIMITS,
    federation: { intervalSeconds: 0, peers: [] },
    limits: limits ?? DEFAULT_CLIENT_LIMITS,
    ...(operator !== undefined && { operator }),
    ...(eventSockets !== undefined && { eventSockets }),
    ...(apiKeys !== undefined && { apiKeys }),
  };
}

function routesText(routes: string | undefined): string {
  return routes === undefined ? "no api_keys" : `api_keys for routes "${routes}"`;
}

interface FrontConnections {
  readonly node: FrontNode;
  readonly settings: FrontSettings;
  readonly reader: PostgresReader;
  readonly replica: PostgresReader | undefined;
  readonly linking: FrontLinking;
  readonly start: FrontStart;
}

/** Aborts `ended` when the front has to start again. */
async function openFront(
  run: GatewayRun,
  { node, settings, reader, replica, linking, start }: FrontConnections,
  ended: AbortController,
): Promise<Ports> {
  const { operator: { network }, report, damage, opened, crypto, links = [] } = run;
  const configured = clientLimits(run);
  let link: SocketLink | undefined;
  // Without a link, this front limits its clients alone.
  const tables = new ReportedTables(systemClock, (charges) => void link?.charge(charges));
  const limits = configured === NO_LIMITS
    ? undefined
    : new RateLimits(configured, systemClock, report, tables);
  const address = operatorAddress(run);
  const admission = openFrontAdmission({
    networkId: network.id,
    admission: settings.admission,
    directories: [],
  }, limits);
  const requests = address && new RequestMetrics();
  const metrics = new FrontMetrics(node.name, opened);
  const listeners = new Map<string, ListenerLoad>();
  const onDamaged = (error: CountersignError) => damage.take(error);
  const anchors = settings.anchors && openFrontAnchors({
    file: "",
    networkId: settings.network.id,
    ...settings.anchors,
  }, {
    crypto,
    clock: systemClock,
    damaged: onDamaged,
    reads: reader.reads("anchors"),
  });
  const [first] = links;
  const store = await openFollowedLog(
    reader,
    replica,
    networkDigest(first?.predecessor ?? network),
  );
  const redeemsTokens = settings.admission.mode !== "open";
  const indexes = await FollowedIndexes.open(store, redeemsTokens);
  const stored = start.linked === undefined ? await storedSnapshot(run, store) : undefined;
  let waiters = () => 0;
  const linkUp = () => link!;
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
      ...(anchors !== undefined && { anchors }),
    },
    (follower) => {
      link = new SocketLink({
        follower: indexes.following(follower, (error) => reportError(report, error)),
        indexes: () => indexes.shared,
        stale: () => indexes.refresh(),
        stored: () => indexes.end,
        useDirectory(directory) {
          try {
            admission.useDirectory(directory);
          } catch (error) {
            reportError(report, error);
          }
        },
        budgets: { count: SHARED_BUDGETS.length, charged: (charges) => tables.charged(charges) },
        clock: systemClock,
        elapsedMs: () => performance.now(),
        beat: () => ({
          inFlight: listeners.get("clients")?.inFlight ?? 0,
          waiters: waiters(),
          durable: indexes.end,
        }),
      });
      if (stored !== undefined) link.begin(stored);
      runInBackground(opened, STOP_LINK_MS, async (signal) => {
        signal.addEventListener("abort", () => linkUp().close());
        await linking.run(linkUp(), start);
        ended.abort();
      });
      return link;
    },
  );
  waiters = () => front.waiters;
  opened.defer(() => front.close());
  const events = new EventFeed({
    log: front.eventLog,
    anchors: anchors?.list,
    clock: systemClock,
    report: (error) => damage.take(error) || reportError(report, error),
    limits: FEED_LIMITS,
    catchUp: () => linkUp().sync(),
  });
  opened.defer(() => events.stop());
  return await openPorts(run, {
    service: remoteService(front, linkUp(), () => indexes.refresh()),
    events,
    limits,
    requests,
    evidence: anchors?.evidence,
    admission: admission.rules,
    apiKeys: await followApiKeys(run),
    eventSockets: eventSocketsAddress(run),
    operators: address && {
      address,
      token: await operatorToken(run),
      accepted: [],
      work: remoteFrontWork({
        name: node.name,
        metrics,
        requests,
        listeners,
        events,
        damage,
        front,
        link: linkUp(),
      }),
    },
  }, listeners);
}

/** The state in `store`, for the time without a gateway. */
function storedSnapshot(
  { operator: { network }, links, crypto, report }: GatewayRun,
  store: LogStore,
): Promise<StoredSnapshot> {
  const { kernels, bls } = crypto;
  const epochs = new Epochs(network, links);
  return snapshotOfStore({
    store,
    epochs,
    kernels,
    report,
    clock: systemClock,
    check: new RecordCheck({ kernels, bls, verify: verifyNative, epochs }),
    presentChain: () => Promise.reject(linkLost()),
  });
}

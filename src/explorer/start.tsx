/**
 * Starts the page: creates the services and renders it.
 *
 * @module
 */

import { render } from "hono/jsx/dom";
import { GatewayClient, type GatewayClientOptions } from "../client/gateway_client.ts";
import { HeadStore } from "../client/head_store.ts";
import { systemClock, unixSeconds } from "../base/clock.ts";
import { HASHING_BUILDS } from "../proof/crypto/wasm_kernels.ts";
import { ApiKeyStore } from "./api_key.ts";
import { App } from "./app.tsx";
import { type CryptoLoader, cryptoLoader, parseAssetNames, timestampLoader } from "./assets.ts";
import { onStorageChange, pageStorage, tabStorage } from "./browser_storage.ts";
import { trustInUse } from "./checked.ts";
import { applyStoredTheme } from "./components/theme_switch.tsx";
import { GatewayLine, type LineOptions } from "./gateway_line.ts";
import { GatewayPulse } from "./gateway_pulse.ts";
import { HashPool, LONG_HASHES } from "./hashing/hash_pool.ts";
import { isUnanswered, LogWatch } from "./log_watch.ts";
import { type CopyOfLog, type Services, ServicesContext } from "./services.ts";
import { EventWake } from "./stamp/event_wake.ts";
import { PageTokens } from "./stamp/page_tokens.ts";
import { ProofSaving, saveProofs } from "./stamp/proof_saving.ts";
import { StampQueue } from "./stamp/stamp_queue.ts";
import { TRUST_ENTRY } from "./trust.ts";
import { TrustStore } from "./trust_store.ts";

/** More workers wait for the disk, and for the thread that hands out the files. */
const MAX_WORKERS = 4;
/** The list of stamps is rendered so often at most. */
const RENDER_MS = 100;

/** The parts of a client of a copy. */
export interface CopyParts extends GatewayClientOptions {
  readonly crypto: CryptoLoader;
  readonly trust: TrustStore;
}

/** Renders the page of a gateway, or of the copy of a log that `openCopy` opens. */
export function startPage(openCopy?: (parts: CopyParts) => CopyOfLog): void {
  applyStoredTheme(pageStorage);

  const base = document.baseURI;
  const names = document.querySelector<HTMLMetaElement>("meta[name=countersign-assets]");
  const assets = parseAssetNames(names?.content ?? "", base);
  const crypto = cryptoLoader(assets);
  const trust = new TrustStore(pageStorage, crypto);
  void trust.load();
  onStorageChange(TRUST_ENTRY, () => void trust.load());

  const apiKey = new ApiKeyStore(tabStorage);
  const options = { url: new URL(base), blsFor: crypto.blsFor, fetch: apiKey.fetch };
  const copy = openCopy?.({ ...options, crypto, trust });
  const parts = {
    api: copy?.client ?? new GatewayClient(options),
    copy,
    apiKey,
    crypto,
    storage: pageStorage,
    trust,
    clock: systemClock,
    hashing: new HashPool(
      () => new Worker(assets("hash_worker.js")),
      Math.min(MAX_WORKERS, navigator.hardwareConcurrency ?? MAX_WORKERS),
      Object.fromEntries(
        [LONG_HASHES, ...HASHING_BUILDS.map(({ name }) => `${name}.wasm`)]
          .map((file) => [file, assets(file).href]),
      ),
    ),
    timestamps: timestampLoader(assets),
  };
  const wake = new EventWake({
    url: parts.api.url,
    clock: systemClock,
    random: Math.random,
    fetch: apiKey.fetch,
  });
  // A page that is online again need not wait for the next poll.
  addEventListener("online", () => wake.wake());
  const tokens = new PageTokens(parts);
  const pauses: LineOptions = {
    wait: (ms, signal) => wake.wait(ms, signal),
    sleep: (ms) => systemClock.sleep(ms),
    random: Math.random,
  };
  const line = new GatewayLine(pauses);
  const stamps = new StampQueue({
    ...pauses,
    questions: line,
    gateway: parts.api,
    submitNew: (hashes, waitSeconds) => tokens.submit(hashes, waitSeconds),
    maxNew: () => tokens.maxNew(),
    hashing: parts.hashing,
    later: (notify) => setTimeout(notify, RENDER_MS),
  });
  warnBeforeLeaving(stamps);
  const isShown = () => document.visibilityState === "visible";
  const pulse = new GatewayPulse({ api: parts.api, line, clock: systemClock, isShown });
  const saving = new ProofSaving(
    (rows, options) => saveProofs({ ...parts, line, stamps }, rows, options),
    systemClock,
  );
  const visit = { ...parts, line, pulse, askNow: () => wake.wake(), tokens, stamps, saving };
  const services = { ...visit, watch: browserWatch(visit) };
  apiKey.subscribe(() => {
    if (apiKey.state.fault !== undefined) return;
    pulse.resume();
    void services.watch.check();
  });
  render(
    <ServicesContext.Provider value={services}>
      <App />
    </ServicesContext.Provider>,
    document.getElementById("app")!,
  );
  // After the page itself: a gateway that stops later must not keep the page from hashing.
  // A copy has no status.
  if (copy === undefined) void pulse.run(new AbortController().signal);
  if (document.readyState === "complete") parts.hashing.prepare();
  else addEventListener("load", () => parts.hashing.prepare(), { once: true });
}

/** Listens only while there is something to lose: a listener slows down the way back to the page. */
function warnBeforeLeaving(stamps: StampQueue): void {
  const warn = (event: Event) => event.preventDefault();
  stamps.rows.subscribe(() => {
    if (stamps.hasUnsaved) addEventListener("beforeunload", warn);
    else removeEventListener("beforeunload", warn);
  });
}

/** One for the life of the page. It checks the log when the pins are loaded or change. */
function browserWatch(services: Omit<Services, "watch">): LogWatch {
  const { api, crypto, trust, line, stamps, clock } = services;
  // A browser that forbids storage throws here; the store handles that.
  const store = new HeadStore(() => localStorage);
  const watch = new LogWatch({
    trust: (signal) => trustInUse(services, signal),
    context: async ({ network, fingerprint }) => ({
      network,
      fingerprint,
      gateway: api,
      store,
      crypto: await crypto.crypto(),
      followed: (further) => trust.keep(further),
      now: () => unixSeconds(clock),
    }),
    exclusively: oneTabAtATime,
  });
  trust.subscribe(() => void watch.check());
  for (const requests of [line, stamps.follower.submissions]) {
    requests.subscribe(() => {
      // The gateway answers again.
      const isBack = requests.state === undefined && isUnanswered(watch.state);
      if (isBack && !watch.state.isChecking) void watch.check();
    });
  }
  addEventListener("storage", ({ key }) => void watch.storageChanged(key));
  return watch;
}

/** Pages without TLS have no locks and rely on the store alone. */
async function oneTabAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!("locks" in navigator)) return await work();
  return await navigator.locks.request(`countersign.log.${name}`, work);
}

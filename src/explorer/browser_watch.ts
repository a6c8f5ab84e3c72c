/**
 * The watch over the log as a browser runs it: heads in local storage, tabs by a lock.
 *
 * @module
 */

import { unixSeconds } from "../clock.ts";
import { HeadStore } from "../client/head_store.ts";
import { LogWatch } from "./log_watch.ts";
import type { Services } from "./services.ts";
import { trustInUse } from "./trust_in_use.ts";

/** One for the life of the page. It checks whenever what is pinned is known or changes. */
export function browserWatch(services: Omit<Services, "watch">): LogWatch {
  const { api, crypto, trust, clock } = services;
  // Where a browser forbids storage, to name it throws: the store takes it as blocked.
  const store = new HeadStore(() => localStorage);
  const source = {
    latestHead: async (signal: AbortSignal) => (await api.sth(undefined, signal)).value,
    consistency: async (first: number, second: number, signal: AbortSignal) =>
      (await api.consistency(first, second, signal)).value,
    checkpoint: (signal: AbortSignal) => api.checkpoint(signal),
  };
  const watch = new LogWatch({
    trust: (signal) => trustInUse(services, signal),
    context: async ({ network, fingerprint }) => ({
      ...{ network, fingerprint, source, store },
      crypto: await crypto.crypto(),
      now: () => unixSeconds(clock),
    }),
    exclusively: oneTabAtATime,
  });
  trust.subscribe(() => void watch.check());
  addEventListener("storage", ({ key }) => void watch.storageChanged(key));
  return watch;
}

/** Pages that are served without TLS have no locks; the store then has to do by itself. */
async function oneTabAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!("locks" in navigator)) return await work();
  return await navigator.locks.request(`countersign.log.${name}`, work);
}

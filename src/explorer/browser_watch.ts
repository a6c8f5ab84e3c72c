/**
 * The log watch in a browser: it stores heads in local storage, and a lock excludes other tabs.
 *
 * @module
 */

import { unixSeconds } from "../clock.ts";
import { HeadStore } from "../client/head_store.ts";
import { isUnanswered, LogWatch } from "./log_watch.ts";
import type { Services } from "./services.ts";
import { trustInUse } from "./checked.ts";

/** One for the life of the page. It checks the log when the pins are loaded or change. */
export function browserWatch(services: Omit<Services, "watch">): LogWatch {
  const { api, crypto, trust, line, stamps, clock } = services;
  // A browser that forbids storage throws here; the store handles that.
  const store = new HeadStore(() => localStorage);
  const watch = new LogWatch({
    trust: (signal) => trustInUse(services, signal),
    context: async ({ network, fingerprint }) => ({
      ...{ network, fingerprint, gateway: api, store },
      crypto: await crypto.crypto(),
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

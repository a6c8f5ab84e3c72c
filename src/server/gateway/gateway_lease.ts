/**
 * The lease of a gateway whose log other processes can write too.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import {
  HeldLease,
  type HeldLeaseContext,
  LEASE_MS,
  type LeaseStore,
} from "../../gateway/held_lease.ts";
import { within } from "../background.ts";
import type { GatewayRun } from "./gateway_run.ts";

/** How often the lease is asked for. */
export const ASK_MS = 50;
/** On stop, how long the lease may take to be given back. */
const RELEASE_MS = 1_000;

/** One attempt to take the lease of `store` for the gateway of `run`; who holds it otherwise. */
export function tryLease(
  { report, options: { host, port, publicUrl } }: GatewayRun,
  store: LeaseStore,
): ReturnType<typeof HeldLease.take> {
  const context: HeldLeaseContext = {
    store,
    report,
    clock: systemClock,
  };
  const holder = {
    name: `${host}:${port}`,
    ...(publicUrl !== undefined && { url: publicUrl }),
  };
  return HeldLease.take(context, holder);
}

/**
 * Takes the lease for a gateway that does not stand by. Waits for that of a process that was killed;
 * `data_in_use` if another gateway renews its own.
 */
export async function requireLease(run: GatewayRun, store: LeaseStore): Promise<HeldLease> {
  for (let waitedMs = 0;; waitedMs += ASK_MS) {
    const taken = await tryLease(run, store);
    if (taken instanceof HeldLease) return taken;
    if (waitedMs > LEASE_MS || run.signal?.aborted) {
      const { heldBy: { name, url } } = taken;
      throw new CountersignError(
        "data_in_use",
        `Cannot serve this log: another gateway is active, ${
          url ?? name
        }. Stop it first, or start with ` +
          "--standby to take over when it ends",
      );
    }
    await systemClock.sleep(ASK_MS, run.signal);
  }
}

/**
 * Renews `lease` until the stack of `run` is disposed, and gives it back. Calls `changed` when
 * `lease.isLive` changes, and `lost` once another process has taken it.
 */
export function keepLease(
  { opened }: GatewayRun,
  lease: HeldLease,
  { changed, lost }: { readonly changed: () => void; readonly lost: (error: unknown) => void },
): void {
  const stop = new AbortController();
  const kept = lease.run(changed, stop.signal).catch(lost);
  opened.defer(async () => {
    stop.abort();
    await within(RELEASE_MS, kept);
  });
}

/**
 * Hooks that pages share: loading, the time, and stores.
 *
 * @module
 */

import { useCallback, useState } from "hono/jsx/dom";
import { unixSeconds } from "../base/clock.ts";
import { useEffect } from "./effect.ts";
import { useServices } from "./services.ts";
import { trialWitnesses } from "./gateway_pulse.ts";
import type { Readable } from "./store.ts";

/** A value that is loaded. It stays while it is loaded again, and after that failed. */
export type Loaded<T> =
  | { readonly state: "loading"; readonly value?: T }
  | { readonly state: "failed"; readonly error: unknown; readonly value?: T }
  | { readonly state: "ready"; readonly value: T };

interface LoadOptions {
  /** `load` asks no gateway, so it need not wait until one answers. */
  readonly isLocal?: boolean;
}

/**
 * The result of `load`, which is repeated until the gateway answers. A change of `causes` drops the value and loads again; `reload` loads again
 * and keeps the value meanwhile. Both abort a load in progress.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  causes: readonly unknown[],
  { isLocal = false }: LoadOptions = {},
): readonly [loaded: Loaded<T>, reload: () => void] {
  const { line } = useServices();
  const [round, setRound] = useState(0);
  const [kept, setKept] = useState<{ readonly cause: string; readonly loaded: Loaded<T> }>({
    cause: "",
    loaded: { state: "loading" },
  });
  const cause = JSON.stringify(causes);
  useEffect(() => {
    const stop = new AbortController();
    const put = (next: (last: T | undefined) => Loaded<T>) => {
      if (stop.signal.aborted) return;
      setKept((last) => ({
        cause,
        loaded: next(last.cause === cause ? last.loaded.value : undefined),
      }));
    };
    put((last) => ({ state: "loading", ...(last !== undefined && { value: last }) }));
    const loading = isLocal ? load(stop.signal) : line.ask(() => load(stop.signal), stop.signal);
    loading.then(
      (value) => put(() => ({ state: "ready", value })),
      (error) =>
        put((last) => ({ state: "failed", error, ...(last !== undefined && { value: last }) })),
    );
    return () => stop.abort();
  }, [cause, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  return [kept.cause === cause ? kept.loaded : { state: "loading" }, reload];
}

/**
 * The time in Unix seconds, updated every second. Each render reads the clock, so that an event that
 * just arrived is never in the future.
 */
export function useNow(): number {
  const { clock } = useServices();
  const [, setShown] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setShown(unixSeconds(clock)), 1000);
    return () => clearInterval(timer);
  }, [clock]);
  return unixSeconds(clock);
}

/** The error that the gateway-is-away banner shows; `undefined` while the gateway answers. */
export function useOutage(): unknown {
  const { line, stamps } = useServices();
  const submissions = useStore(stamps.follower.submissions);
  return useStore(line) ?? submissions;
}

/**
 * The number of witnesses of a trial, whose gateway has all their keys; `undefined` for others. The
 * network is the gateway's own, or the one of `witnesses`.
 */
export function useTrial(
  witnesses?: readonly { readonly id: string }[],
): number | undefined {
  return trialWitnesses(useStore(useServices().pulse), witnesses?.map(({ id }) => id));
}

/** The state of `store`. The component renders again after every change. */
export function useStore<T>(store: Readable<T>): T {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.subscribe(() => setState(store.state));
  }, [store]);
  return state;
}

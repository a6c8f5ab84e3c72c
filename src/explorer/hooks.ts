/**
 * Hooks that pages share: answers of the gateway, the time, and the pinned trust.
 *
 * @module
 */

import { useCallback, useEffect, useState } from "hono/jsx/dom";
import { type Clock, unixSeconds } from "../clock.ts";
import type { TrustKeeper, TrustState } from "./trust_keeper.ts";

/** Something that is asked for. While it is asked for again, the last value stays. */
export type Loaded<T> =
  | { readonly state: "loading"; readonly value?: T }
  | { readonly state: "failed"; readonly error: unknown; readonly value?: T }
  | { readonly state: "ready"; readonly value: T };

/**
 * What `load` answers, asked again when one of `causes` changes, which also drops the last value,
 * and by the second result. What was asked before is aborted.
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  causes: readonly unknown[],
): readonly [loaded: Loaded<T>, reload: () => void] {
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
    load(stop.signal).then(
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
 * Unix seconds. What uses it is shown anew every `everySeconds`; it is the time of that showing, so
 * that nothing that just happened lies ahead.
 */
export function useNow(clock: Clock, everySeconds = 5): number {
  const [, setShown] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setShown(unixSeconds(clock)), everySeconds * 1000);
    return () => clearInterval(timer);
  }, [clock, everySeconds]);
  return unixSeconds(clock);
}

/** What is pinned at this moment. */
export function useTrust(keeper: TrustKeeper): TrustState {
  const [state, setState] = useState(keeper.state);
  useEffect(() => {
    setState(keeper.state);
    return keeper.subscribe(() => setState(keeper.state));
  }, [keeper]);
  return state;
}

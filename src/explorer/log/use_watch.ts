/**
 * What the watch over the log says at this moment.
 *
 * @module
 */

import { useEffect, useState } from "hono/jsx/dom";
import type { LogWatch, WatchState } from "../log_watch.ts";

export function useWatch(watch: LogWatch): WatchState {
  const [state, setState] = useState(watch.state);
  useEffect(() => {
    setState(watch.state);
    return watch.subscribe(() => setState(watch.state));
  }, [watch]);
  return state;
}

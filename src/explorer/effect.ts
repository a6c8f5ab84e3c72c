/**
 * `useEffect` for a component that may be removed before its effect runs.
 *
 * hono/jsx runs an effect in the next frame, also if its component was removed meanwhile, and never
 * cleans it up. The states that it sets then draw the removed component again.
 *
 * @module
 */

import { useLayoutEffect } from "hono/jsx/dom";

/** Runs `effect` in the next frame and after changes of `causes`. Its result cleans up. */
export function useEffect(effect: () => void | (() => void), causes?: readonly unknown[]): void {
  useLayoutEffect(() => {
    let cleanUp: void | (() => void);
    const frame = requestAnimationFrame(() => cleanUp = effect());
    return () => {
      cancelAnimationFrame(frame);
      cleanUp?.();
    };
  }, causes);
}

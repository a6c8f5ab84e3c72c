/**
 * Makes the handler of a server of what answers a {@linkcode Visit}, and has whoever observes told of
 * each answer.
 *
 * @module
 */

import { Visit } from "./visit.ts";

/** Told of answers: it neither throws nor waits. */
export interface RequestObserver {
  /**
   * A visit is answered with `status`, `milliseconds` after it began: its route, its code and whether
   * it was held are known by now. What is sent after the head of the answer takes longer.
   */
  answered(visit: Visit, status: number, milliseconds: number): void;
}

/** One that tells all of `observers`, of which the absent ones do not count; `undefined` for none. */
export function observing(
  ...observers: readonly (RequestObserver | undefined)[]
): RequestObserver | undefined {
  const all = observers.filter((observer) => observer !== undefined);
  if (all.length < 2) return all[0];
  return {
    answered(visit, status, milliseconds) {
      for (const observer of all) observer.answered(visit, status, milliseconds);
    },
  };
}

/** Answers one request. `info` is absent of requests that came over no connection. */
export type VisitHandler = (
  request: Request,
  info?: Deno.ServeHandlerInfo<Deno.NetAddr>,
) => Promise<Response>;

/** The handler that answers by `answer`, which does not reject. Without `observer`, nothing is timed. */
export function visitHandler(
  answer: (visit: Visit) => Promise<Response>,
  observer?: RequestObserver,
): VisitHandler {
  if (observer === undefined) return (request, info) => answer(visitOf(request, info));
  return async function observe(request, info) {
    const startMs = performance.now();
    const visit = visitOf(request, info);
    const response = await answer(visit);
    observer.answered(visit, response.status, performance.now() - startMs);
    return response;
  };
}

function visitOf(
  request: Request,
  info: Deno.ServeHandlerInfo<Deno.NetAddr> | undefined,
): Visit {
  return new Visit(
    request,
    info && { remote: () => info.remoteAddr.hostname, completed: () => info.completed },
  );
}

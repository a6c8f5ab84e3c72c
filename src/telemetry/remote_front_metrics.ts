/**
 * Metrics of fronts on other machines: of their gateway, and of each front itself.
 *
 * @module
 */

import type { MetricsPage } from "./metrics_page.ts";

/** A front on another machine, as its gateway knows it. */
export interface RemoteFrontSample {
  readonly name: string;
  readonly beat: { readonly inFlight: number; readonly waiters: number; readonly durable: number };
  readonly silentMs: number;
  readonly open: number;
  readonly buffered: number;
}

/** Writes the fronts that are linked to a gateway, which has `durable` digests. */
export function addRemoteFronts(
  page: MetricsPage,
  fronts: readonly RemoteFrontSample[],
  durable: number,
): void {
  const each = (name: string, help: string, valueOf: (front: RemoteFrontSample) => number) =>
    page.gauge(name, help, fronts.map((front) => [valueOf(front), { front: front.name }]));
  each("remote_front_requests", "Requests of clients at a linked front", (f) => f.beat.inFlight);
  each("remote_front_waiters", "Requests that wait at a linked front", (f) => f.beat.waiters);
  each(
    "remote_front_lag_digests",
    "Stored digests that a linked front does not know",
    (f) => Math.max(0, durable - f.beat.durable),
  );
  each("remote_front_open", "Requests of a linked front without an answer", (f) => f.open);
  each("remote_front_buffered_bytes", "Bytes that a linked front has not read", (f) => f.buffered);
  each(
    "remote_front_silent_seconds",
    "Time since a linked front was heard",
    (f) => f.silentMs / 1_000,
  );
}

/** Writes the state of the link of a front on another machine. */
export function addFrontLink(
  page: MetricsPage,
  { front, isLinked, open }: {
    readonly front: string;
    readonly isLinked: boolean;
    readonly open: number;
  },
): void {
  page.gauge("front_linked", "1 while the front is linked to the active gateway", [[
    Number(isLinked),
    { front },
  ]]);
  page.gauge("front_open_requests", "Requests of the front without an answer of the sequencer", [[
    open,
    { front },
  ]]);
}

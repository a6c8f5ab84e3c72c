/**
 * Counts requests and answers by route, method and status class. Labels come from closed lists, never
 * from clients.
 *
 * @module
 */

import type { ErrorCode } from "../base/errors.ts";
import { Histogram, SECONDS } from "./metrics/histogram.ts";
import type { Labels, MetricsPage } from "./metrics/metrics_page.ts";
import { Tally } from "./metrics/tally.ts";
import type { RequestContext, RequestObserver } from "./request_context.ts";

/** Methods with their own label; `other` stands for the rest. */
const METHODS = ["GET", "HEAD", "POST", "OPTIONS", "other"] as const;
const OTHER = METHODS.length - 1;
/** Classes of status, from 1xx to 5xx. */
const CLASSES = 5;
/** Codes with alerts: their counters exist before the first occurrence. */
const WATCHED_CODES: readonly ErrorCode[] = [
  "internal",
  "storage_failed",
  "overloaded",
  "rate_limited",
];
/** The label of requests without a route. */
const NO_ROUTE = "none";

/** The answers of one route, method and status class. */
interface Answers {
  readonly labels: Labels;
  total: number;
  /** Without answers that clients waited for. */
  readonly seconds: Histogram;
}

export interface ListenerLoad {
  /** Requests in flight. */
  readonly inFlight: number;
  /** Bytes that unfinished bodies announce; absent if none is read. */
  readonly bodyBytes?: number;
}

/** The metrics of all servers of one process. */
export class RequestMetrics implements RequestObserver {
  /** By route; answers by method and class. */
  readonly #routes = new Map<string, (Answers | undefined)[]>();
  readonly #refusals = new Tally<ErrorCode>(WATCHED_CODES);
  /** By the name of the API key: only names of the configuration. */
  readonly #keys = new Tally<string>();

  answered(context: RequestContext, status: number, milliseconds: number): void {
    const answers = this.#answersOf(context, status);
    answers.total++;
    // Clients choose how long they wait.
    if (!context.isHeld) answers.seconds.observe(milliseconds / 1000);
    if (context.code !== undefined) this.refused(context.code);
    if (context.apiKey !== undefined) this.#keys.count(context.apiKey.name);
  }

  /** Counts a refusal that was not passed to {@linkcode answered}. */
  refused(code: ErrorCode): void {
    this.#refusals.count(code);
  }

  /** Answered requests. */
  get total(): number {
    return [...this.#routes.values()].flat().reduce(
      (sum, answers) => sum + (answers?.total ?? 0),
      0,
    );
  }

  /** Writes all metrics to `page`, with the load of `listeners`. */
  addTo(page: MetricsPage, listeners: ReadonlyMap<string, ListenerLoad>): void {
    const all = [...this.#routes.values()].flatMap((route) =>
      route.filter((one) => one !== undefined)
    );
    page.counter(
      "http_requests_total",
      "Requests by template of their route (none: no route), method and class of status",
      all.map(({ labels, total }) => [total, labels]),
    );
    page.histogram(
      "http_request_duration_seconds",
      "Time to the head of the answer; held answers (Prefer: wait) are left out",
      all.map(({ labels, seconds }) => [seconds, labels]),
    );
    page.counter(
      "refusals_total",
      "Requests that were answered with a problem, by its code",
      [...this.#refusals].map(([code, count]) => [count, { code }]),
    );
    page.counter(
      "api_key_requests_total",
      "Requests with an accepted API key, by its name",
      [...this.#keys].map(([key, count]) => [count, { key }]),
    );
    page.gauge(
      "http_requests_in_flight",
      "Requests that are not answered yet, held ones included",
      [...listeners].map(([listener, { inFlight }]) => [inFlight, { listener }]),
    );
    page.gauge(
      "http_body_bytes_held",
      "Bytes that unfinished request bodies above 4 KiB announce",
      [[listeners.values().reduce((sum, { bodyBytes = 0 }) => sum + bodyBytes, 0)]],
    );
  }

  #answersOf({ route = NO_ROUTE, request }: RequestContext, status: number): Answers {
    let answers = this.#routes.get(route);
    if (answers === undefined) {
      answers = Array<undefined>(METHODS.length * CLASSES).fill(undefined);
      this.#routes.set(route, answers);
    }
    const found = METHODS.findIndex((method) => method === request.method);
    const method = found < 0 ? OTHER : found;
    const statusClass = Math.floor(status / 100);
    return answers[method * CLASSES + statusClass - 1] ??= {
      labels: { route, method: METHODS[method]!, status: `${statusClass}xx` },
      total: 0,
      seconds: new Histogram(SECONDS),
    };
  }
}

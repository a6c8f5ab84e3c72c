/**
 * The source of `top`: an operator listener, or the public status of a gateway.
 *
 * @module
 */

import type { GatewayClient } from "../../client/gateway_client.ts";
import type { GatewayStatus } from "../../client/gateway_status.ts";
import type { Clock } from "../../clock.ts";
import { loadToken } from "../../config/bearer_tokens.ts";
import { CountersignError } from "../../errors.ts";
import type { MetricSample } from "../../format/prometheus_text.ts";
import { OperatorClient } from "../../transport/operator_client.ts";
import type { CommandContext } from "../command_context.ts";
import { Interval } from "./scrape.ts";
import { operatorFigures, type TopFigures } from "./top_figures.ts";
import { typedUrl } from "../typed_url.ts";

const MS_PER_SECOND = 1_000;
/** Lower limit of the interval between two scrapes. */
const LEAST_SECONDS = 0.001;

export interface TopSource {
  /** Origin of the source, for the title. */
  readonly where: string;
  /** The figures of the interval since the last call; the first call has no rates. */
  look(signal: AbortSignal): Promise<TopFigures>;
}

/** The source that the options name; `usage`, or an error of {@linkcode loadToken}. */
export async function openSource(
  { operator, tokenFile }: {
    readonly operator?: string | undefined;
    readonly tokenFile?: string | undefined;
  },
  context: CommandContext,
): Promise<TopSource> {
  const { io, process: { clock } } = context;
  if (operator === undefined) {
    if (tokenFile === undefined) return new PublicSource(context.gateway);
    throw new CountersignError("usage", "--token-file needs --operator");
  }
  const path = tokenFile && io.resolvePath(tokenFile);
  const token = path && await loadToken({ kind: "file", path }, {
    env: () => undefined,
  });
  // A token is sent, so `http:` is allowed on loopback only.
  const url = typedUrl(operator, { insecure: false });
  return new OperatorSource(url, new OperatorClient({ url, ...(token && { token }) }), clock);
}

class OperatorSource implements TopSource {
  readonly where: string;
  readonly #client: OperatorClient;
  readonly #clock: Clock;
  #last: { readonly samples: readonly MetricSample[]; readonly atMs: number } | undefined;

  constructor(url: URL, client: OperatorClient, clock: Clock) {
    this.where = url.origin;
    this.#client = client;
    this.#clock = clock;
  }

  async look(signal: AbortSignal): Promise<TopFigures> {
    const [samples, reasons] = await Promise.all([
      this.#client.metrics(signal),
      this.#client.unready(signal),
    ]);
    const now = { samples, atMs: this.#clock.nowMs() };
    const before = this.#last ?? now;
    this.#last = now;
    const seconds = (now.atMs - before.atMs) / MS_PER_SECOND;
    return operatorFigures(
      new Interval(before.samples, samples, Math.max(seconds, LEAST_SECONDS)),
      reasons,
    );
  }
}

class PublicSource implements TopSource {
  readonly where: string;
  readonly #gateway: GatewayClient;

  constructor(gateway: GatewayClient) {
    this.where = gateway.url.origin;
    this.#gateway = gateway;
  }

  async look(signal: AbortSignal): Promise<TopFigures> {
    return publicFigures((await this.#gateway.status(signal)).value);
  }
}

/** A public status has no rates. */
function publicFigures({ status, sth, pending_count, witnesses }: GatewayStatus): TopFigures {
  return {
    source: "gateway",
    ready: status === "ok",
    reasons: status === "ok" ? [] : [status],
    head: { ...sth },
    jobs: { pending: pending_count },
    ...{ queues: {}, rounds: {}, process: {}, routes: [], refusals: {}, peers: [], anchors: [] },
    witnesses: witnesses.map(({ id, healthy }) => ({ id, healthy })),
  };
}

/**
 * The source of `top`: an operator listener, or the public status of a gateway.
 *
 * @module
 */

import type { GatewayStatus } from "../../format/gateway_status.ts";
import { type Clock, unixSeconds } from "../../clock.ts";
import { loadToken } from "../../config/bearer_tokens.ts";
import { CountersignError } from "../../errors.ts";
import type { MetricSample } from "../../format/prometheus_text.ts";
import { OperatorClient } from "../../transport/operator_client.ts";
import { Interval } from "./scrape.ts";
import { operatorFigures, type TopFigures } from "./top_figures.ts";
import { type CommandContext, typedUrl } from "../command_context.ts";

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
  if (operator !== undefined) {
    const path = tokenFile && context.io.resolvePath(tokenFile);
    const token = path && await loadToken({ kind: "file", path }, { env: () => undefined });
    // A token is sent, so `http:` is allowed on loopback only.
    const url = typedUrl(operator, { insecure: false });
    return operatorSource(
      url,
      new OperatorClient({ url, ...(token && { token }) }),
      context.process.clock,
    );
  }
  if (tokenFile !== undefined) throw new CountersignError("usage", "--token-file needs --operator");
  const { gateway, process: { clock } } = context;
  return {
    where: gateway.url.origin,
    look: async (signal) => {
      const { value } = await gateway.status(signal);
      return publicFigures(value, unixSeconds(clock));
    },
  };
}

function operatorSource({ origin }: URL, client: OperatorClient, clock: Clock): TopSource {
  let last: { readonly samples: readonly MetricSample[]; readonly atMs: number } | undefined;
  return {
    where: origin,
    async look(signal) {
      const [samples, reasons] = await Promise.all([
        client.metrics(signal),
        client.unready(signal),
      ]);
      const now = { samples, atMs: clock.nowMs() };
      const before = last ?? now;
      last = now;
      const seconds = Math.max((now.atMs - before.atMs) / MS_PER_SECOND, LEAST_SECONDS);
      return operatorFigures(new Interval(before.samples, samples, seconds), reasons);
    },
  };
}

/** A public status has no rates. */
function publicFigures(answer: GatewayStatus, now: number): TopFigures {
  const { status, sth, pending_count, witnesses, succession, peers, foreign_quorum: quorum } =
    answer;
  return {
    source: "gateway",
    ready: status === "ok",
    reasons: status === "ok" ? [] : [status],
    head: { ...sth, epoch: succession?.epoch ?? 0 },
    jobs: { pending: pending_count },
    queues: {},
    rounds: {},
    process: {},
    threads: {},
    routes: [],
    refusals: {},
    anchors: [],
    witnesses: witnesses.map(({ id, healthy }) => ({ id, healthy })),
    peers: peers.map(({ id, failing, last_cross_anchor }) => ({
      id,
      failing,
      ...last_cross_anchor,
    })),
    foreign_witnesses: answer.foreign_witnesses.map((witness) => ({
      id: witness.name,
      failing: witness.last_error !== undefined,
      ...witness.last_cosigned,
      ...(witness.behind !== undefined && { behind: witness.behind }),
      ...(witness.next_attempt_at !== undefined &&
        { retry: Math.max(0, witness.next_attempt_at - now) }),
    })),
    ...(quorum !== undefined &&
      { foreign_quorum_behind: Math.max(0, (sth?.tree_size ?? 0) - (quorum.tree_size ?? 0)) }),
  };
}

/**
 * The route of the operator listener where peers submit tree heads for cosigning. It requires a
 * peer's token.
 *
 * @module
 */

import type { Context, Hono } from "hono";
import { Holdings } from "../limits/holdings.ts";
import type { Clock } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import type { TreeHeadIntake } from "../../gateway/federation/tree_head_intake.ts";
import { parseCrossAnchorRequest, peerCosignatureMembers } from "../../proof/format/federation.ts";
import { type AcceptedTokens, PeerTokens } from "./peer_tokens.ts";
import { jsonTextOf, requireJson } from "../body.ts";
import { PEER_BODY_LIMIT, PEER_HEADS_IN_HAND, PEER_HEADS_IN_HAND_OF_ONE } from "../limits.ts";
import { problemResponse } from "../problem.ts";
import { addRoute, type RouterEnv } from "../router.ts";

/** The parts of the route. */
export interface PeerRoutesOptions {
  /** Our network. */
  readonly networkId: string;
  readonly accepted: readonly AcceptedTokens[];
  readonly intake: Pick<TreeHeadIntake, "take">;
  readonly clock: Clock;
  /** Aborts when the gateway stops. A disconnect of the peer cancels nothing. */
  readonly signal: AbortSignal;
}

const TREE_HEADS_PATH = "/v1/federation/tree-heads";

/** Registers the route. `invalid_configuration` if two peers have the same token. */
export function addPeerRoutes(app: Hono<RouterEnv>, options: PeerRoutesOptions): void {
  const tokens = new PeerTokens(options.accepted, options.clock);
  const inFlight = new Holdings();
  const post = async (c: Context<RouterEnv>) => {
    // Authenticate before reading the body.
    const peer = tokens.peerOf(c.req.raw.headers);
    if (inFlight.total >= PEER_HEADS_IN_HAND || inFlight.of(peer) >= PEER_HEADS_IN_HAND_OF_ONE) {
      throw new CountersignError(
        "overloaded",
        `Too many tree heads in flight (limits: ${PEER_HEADS_IN_HAND_OF_ONE} per peer, ` +
          `${PEER_HEADS_IN_HAND} in total); retry in 1 s`,
      );
    }
    const release = inFlight.add(peer, 1);
    try {
      return await takeTreeHead(c, peer, options);
    } finally {
      release();
    }
  };
  addRoute(app, TREE_HEADS_PATH, { POST: post });
}

async function takeTreeHead(
  c: Context<RouterEnv>,
  peer: string,
  { networkId, intake, signal }: PeerRoutesOptions,
): Promise<Response> {
  requireJson(c.req.raw.headers);
  const text = jsonTextOf(await c.env.context.readBody(PEER_BODY_LIMIT));
  const answer = await intake.take(peer, parseCrossAnchorRequest(text), signal).catch((cause) => {
    if (!signal.aborted) throw cause;
    throw new CountersignError(
      "shutting_down",
      "Cannot cosign tree head: the gateway is stopping",
      { cause },
    );
  });
  if (answer.kind === "cosigned") {
    return c.json(peerCosignatureMembers(networkId, answer.cosignature));
  }
  const { sizes } = answer;
  const error = new CountersignError(
    "tree_size_conflict",
    `Cannot cosign tree head: add consistency proofs from sizes ${sizes.join(", ")}`,
  );
  return problemResponse(error, c.env.context, { members: { sizes } });
}

/**
 * What peer networks send to the operator listener: tree heads for our witnesses to cosign. Only who
 * shows a peer's token is answered.
 *
 * @module
 */

import type { Context, Hono } from "hono";
import type { Clock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import type { TreeHeadIntake } from "../federation/tree_head_intake.ts";
import { parseCrossAnchorRequest, peerCosignatureMembers } from "../format/federation.ts";
import { jsonTextOf, readBody, requireJson } from "./body.ts";
import { PEER_BODY_LIMIT, PEER_HEADS_IN_HAND, PEER_HEADS_IN_HAND_OF_ONE } from "./limits.ts";
import { type AcceptedTokens, PeerTokens } from "./peer_tokens.ts";
import { problemResponse } from "./problem.ts";
import type { RouterEnv } from "./routes.ts";

/** What peers are answered with. */
export interface PeerRoutesOptions {
  /** Our network. */
  readonly networkId: string;
  readonly accepted: readonly AcceptedTokens[];
  readonly intake: Pick<TreeHeadIntake, "take">;
  readonly clock: Clock;
  /** Aborts when the gateway stops. A peer that hangs up stops nothing: its head is taken by then. */
  readonly signal: AbortSignal;
}

export const TREE_HEADS_PATH = "/v1/federation/tree-heads";

/** Registers what peers send. `invalid_configuration` when a token is accepted twice. */
export function addPeerRoutes(app: Hono<RouterEnv>, options: PeerRoutesOptions): void {
  const tokens = new PeerTokens(options.accepted, options.clock);
  const admission = new Admission();
  app.use(TREE_HEADS_PATH, async (c, next) => {
    c.env.context.route = TREE_HEADS_PATH;
    await next();
  });
  app.post(TREE_HEADS_PATH, async (c) => {
    // The token comes first: who has none does not have a body read for him.
    const peer = tokens.peerOf(c.req.raw.headers);
    using _ = admission.admit(peer);
    return await takeTreeHead(c, peer, options);
  });
  app.all(TREE_HEADS_PATH, (c) => {
    const error = new CountersignError(
      "method_not_allowed",
      "Cannot answer: method POST required, another found",
    );
    return problemResponse(error, c.env.context, { headers: { Allow: "POST" } });
  });
}

async function takeTreeHead(
  c: Context<RouterEnv>,
  peer: string,
  { networkId, intake, signal }: PeerRoutesOptions,
): Promise<Response> {
  const request = c.req.raw;
  requireJson(request.headers);
  const text = jsonTextOf(await readBody(request, PEER_BODY_LIMIT));
  const answer = await intake.take(peer, parseCrossAnchorRequest(text), signal).catch((error) => {
    throw signal.aborted ? shuttingDown(error) : error;
  });
  if (answer.kind === "cosigned") {
    return c.json(peerCosignatureMembers(networkId, answer.cosignature));
  }
  const { sizes } = answer;
  const error = new CountersignError(
    "tree_size_conflict",
    `Cannot cosign tree head: proofs from sizes ${sizes.join(", ")} required, found others`,
  );
  return problemResponse(error, c.env.context, { members: { sizes } });
}

function shuttingDown(cause: unknown): CountersignError {
  return new CountersignError(
    "shutting_down",
    "Cannot take tree head: a running gateway required, found one that stops",
    { cause },
  );
}

/** Counts the requests in hand. */
class Admission {
  readonly #inHand = new Map<string, number>();
  #total = 0;

  /** Lets a request of `peer` in until it is disposed of; `overloaded` when too many are. */
  admit(peer: string): Disposable {
    const count = this.#inHand.get(peer) ?? 0;
    if (this.#total >= PEER_HEADS_IN_HAND || count >= PEER_HEADS_IN_HAND_OF_ONE) {
      throw new CountersignError(
        "overloaded",
        `Cannot take tree head: fewer than ${PEER_HEADS_IN_HAND_OF_ONE} of a peer and ${PEER_HEADS_IN_HAND} in ` +
          "all required, found more",
      );
    }
    this.#total++;
    this.#inHand.set(peer, count + 1);
    return {
      [Symbol.dispose]: () => {
        this.#total--;
        this.#inHand.set(peer, this.#inHand.get(peer)! - 1);
      },
    };
  }
}

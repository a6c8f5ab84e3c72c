/**
 * A witness over HTTP (protocol.md "Witness").
 *
 * @module
 */

import { type Context, Hono } from "hono";
import { textOf } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { parseAddCheckpoint } from "../../proof/format/add_checkpoint.ts";
import { parseSignSubtree } from "../../proof/format/sign_subtree.ts";
import {
  type RoundText,
  SequenceConflict,
  WITNESS_TIME_HEADER,
} from "../../proof/format/witness_request.ts";
import type { Witness } from "../../witness/witness.ts";
import { requireToken } from "../bearer_token.ts";
import { jsonTextOf, requireJson } from "../body.ts";
import { CheckpointLimits } from "./checkpoint_limits.ts";
import { BODY_LIMIT, CHECKPOINT_BODY_LIMIT, EPOCH_BODY_LIMIT, SIGN_BODY_LIMIT } from "../limits.ts";
import { isFault, problemResponse } from "../problem.ts";
import type { FaultReport } from "../problem.ts";
import { isBackPressure, RefusalDelay } from "../refusal_delay.ts";
import type { RequestContext, RequestHandler, RequestObserver } from "../request_context.ts";
import { addRoute, appHandler, type RouterEnv } from "../router.ts";
import {
  readCosignRequest,
  readEpochBeginRequest,
  readEpochEndRequest,
  readRoundRequest,
  readRoundsRequest,
} from "./witness_requests.ts";

/** Media type of the size in a refusal (c2sp.org/tlog-witness). */
const SIZE_MEDIA_TYPE = "text/x.tlog.size";

/** The SHA-256 of an origin in hex (c2sp.org/tlog-witness). */
const CHECKPOINT_PATH = "/:origin_hash/checkpoint";

/** The parts of the witness's server. */
export interface WitnessAppOptions {
  readonly witness: Witness;
  /** Bearer token of the routes for gateways. */
  readonly token: string;
  readonly clock: Clock;
  /** Rate limits of clients without the token; only the total in flight is bounded when absent. */
  readonly limits?: CheckpointLimits;
  readonly observer?: RequestObserver | undefined;
  /** Does not receive faults of the witness's state, which the witness reports once a minute. */
  readonly report: FaultReport;
}

/** The handler of a witness's server. Never rejects. */
export function witnessApp(options: WitnessAppOptions): RequestHandler {
  const { witness, token, clock, observer, report } = options;
  const refusals = new RefusalDelay();
  const app = new Hono<RouterEnv>();
  app.use(async (c, next) => {
    await next();
    c.res.headers.set("Cache-Control", "no-store");
    c.res.headers.set(WITNESS_TIME_HEADER, String(clock.nowMs()));
  });
  addRoute(app, "/health", { GET: (c) => health(c, witness) });
  addRoute(app, "/v1/info", { GET: (c) => c.json(infoOf(witness)) });
  const addPost = (path: string, answer: (c: Context<RouterEnv>) => Promise<Response>) =>
    addRoute(app, path, {
      POST(c) {
        // Authenticate before reading the body.
        requireToken(c.req.raw.headers, token);
        return answer(c);
      },
    });
  // It writes to the disk, so it needs the token.
  addPost("/v1/probe", async (c) => {
    await witness.checkStorage();
    const { epoch, ended, armed } = await witness.epochState();
    const { size, root, signedEnd } = await witness.reach();
    return c.json({
      ...identityOf(witness),
      size,
      root_hash: root?.toHex(),
      signed_end: signedEnd,
      ...(epoch > 0 && { epoch }),
      ended,
      armed,
    });
  });
  addPost("/v1/sign", async (c) => {
    const signature = await witness.sign(
      readRoundRequest(await jsonBody(c.env.context, SIGN_BODY_LIMIT)),
    );
    return c.json({ witness_id: witness.id, signature: signature.toHex() });
  });
  addPost("/v1/rounds", async (c) => {
    const { from } = readRoundsRequest(await jsonBody(c.env.context, BODY_LIMIT));
    return c.json({ rounds: (await witness.roundsFrom(from)).map(roundMembers) });
  });
  addPost("/v1/cosign", async (c) => {
    const answer = await witness.cosign(
      readCosignRequest(await jsonBody(c.env.context, BODY_LIMIT)),
    );
    if (answer.kind === "size_conflict") return sizeConflict(c, answer.size);
    const { signature, mlDsaSignature } = answer;
    return c.json({
      witness_id: witness.id,
      signature: signature.toHex(),
      ml_dsa_signature: mlDsaSignature?.toHex(),
    });
  });
  addPost("/v1/epoch-end", async (c) => {
    const answer = await witness.endEpoch(
      readEpochEndRequest(await jsonBody(c.env.context, BODY_LIMIT)),
    );
    if (answer.kind === "size_conflict") return sizeConflict(c, answer.size);
    return c.json({ witness_id: witness.id, signature: answer.signature.toHex() });
  });
  addPost("/v1/epoch-begin", async (c) => {
    const answer = await witness.beginEpoch(
      readEpochBeginRequest(await jsonBody(c.env.context, EPOCH_BODY_LIMIT)),
    );
    if (answer.kind === "size_conflict") return sizeConflict(c, answer.size);
    return c.json({ witness_id: witness.id });
  });
  if (witness.scheme === "ed25519") checkpointRoutes(app, options);

  async function refuse(error: unknown, context: RequestContext): Promise<Response> {
    const isStorage = hasCode(error, "storage_failed") || hasCode(error, "store_corrupt");
    const isKnown = isStorage && witness.storageFailure !== undefined;
    if (isFault(error) && !isKnown) report(error, context.id);
    if (isBackPressure(error)) await refusals.wait(context.client);
    return answerTo(error, context);
  }

  return appHandler(app, refuse, observer);
}

/**
 * The submission and the monitoring interface of c2sp.org/tlog-witness; only with an `ed25519` key, because
 * c2sp.org/tlog-cosignature has no type for a share of an aggregate.
 */
function checkpointRoutes(
  app: Hono<RouterEnv>,
  { witness, clock, limits = new CheckpointLimits(undefined, clock, () => {}) }: WitnessAppOptions,
): void {
  const addCheckpoint = async (c: Context<RouterEnv>) => {
    const answer = await limits.run(c.env.context, async () => {
      const body = await c.env.context.readBody(CHECKPOINT_BODY_LIMIT);
      return await witness.addCheckpoint(parseAddCheckpoint(textOf(body)), body.length);
    });
    return answer.kind === "cosigned"
      ? c.text(answer.lines)
      : c.body(`${answer.size}\n`, 409, { "Content-Type": SIZE_MEDIA_TYPE });
  };
  addRoute(app, "/add-checkpoint", { POST: addCheckpoint });
  if (witness.mlDsaVkey !== undefined) {
    const signSubtree = async (c: Context<RouterEnv>) => {
      const line = await limits.run(c.env.context, async () => {
        const body = textOf(await c.env.context.readBody(CHECKPOINT_BODY_LIMIT));
        return await witness.signSubtree(parseSignSubtree(body));
      });
      return c.text(line);
    };
    addRoute(app, "/sign-subtree", { POST: signSubtree });
  }
  const checkpoint = async (c: Context<RouterEnv>) => {
    const hash = c.req.param("origin_hash")!;
    const note = await limits.run(c.env.context, () => witness.checkpoint(hash));
    if (note !== undefined) return c.text(note);
    throw new CountersignError(
      "origin_unknown",
      "Unknown origin: this witness has cosigned no checkpoint of such a log",
    );
  };
  addRoute(app, CHECKPOINT_PATH, { GET: checkpoint });
}

/** The answer of `POST /v1/probe`. */
function identityOf({ id, publicKey, networkId }: Witness) {
  return { id, pubkey: publicKey.toHex(), network_id: networkId };
}

/** The answer of `GET /v1/info`. It needs no token, so it reads only memory. */
function infoOf(witness: Witness) {
  const { proofOfPossession, mlDsaVkey } = witness;
  const releases = witness.releases();
  return {
    ...identityOf(witness),
    proof_of_possession: proofOfPossession?.toHex(),
    ml_dsa_vkey: mlDsaVkey,
    ...(releases.length > 0 && {
      releases: releases.map(({ from, count, timestamp }) => ({
        from_sequence: from,
        sequences: count,
        released_at: timestamp,
      })),
    }),
  };
}

function roundMembers({ first, size, timestamp, beacon, root }: RoundText) {
  return { first_sequence: first, size, timestamp, beacon, root: root.toHex() };
}

/** Needs no token, so it reads only memory. */
function health(c: Context, { storageFailure }: Witness): Response {
  return storageFailure === undefined
    ? c.json({ status: "ok" })
    : c.json({ status: storageFailure.code }, 503);
}

async function jsonBody(context: RequestContext, limit: number): Promise<string> {
  requireJson(context.request.headers);
  return jsonTextOf(await context.readBody(limit));
}

function answerTo(error: unknown, context: RequestContext): Response {
  if (error instanceof SequenceConflict) {
    return problemResponse(error, context, { members: { size: error.size } });
  }
  return problemResponse(error, context);
}

/** The refusal of protocol.md "Witness", with the size of the witness's tree head. */
function sizeConflict(c: Context<RouterEnv>, size: number): Response {
  const error = new CountersignError(
    "tree_size_conflict",
    `Cannot cosign tree head: old_size must be ${size}`,
  );
  return problemResponse(error, c.env.context, { members: { size } });
}

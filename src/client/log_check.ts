/**
 * Checks the gateway's latest head against the remembered one. Only a verified head that is proved to
 * extend the remembered head replaces it.
 *
 * @module
 */

import { CountersignError, type ErrorCode, hasCode } from "../base/errors.ts";
import type { ConsistencyProof } from "../proof/format/bundle.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import { encodeContradiction } from "../proof/format/federation.ts";
import { type FollowedNetwork, followSuccession } from "../proof/verify/followed_network.ts";
import type { SignedTreeHead } from "../proof/format/tree_head.ts";
import type { SignedOutcome } from "../proof/verify/signed_outcome.ts";
import { conflictIn } from "../proof/verify/succession_conflict.ts";
import { verifySignedTreeHead } from "../proof/verify/tree_head.ts";
import type { CryptoSuite } from "../proof/crypto/crypto_suite.ts";
import { forkEvidence } from "./fork_evidence.ts";
import type { GatewayClient } from "./gateway_client.ts";
import {
  compareWithRemembered,
  type ForkedHeads,
  type HeadComparison,
  type HeadFinding,
} from "./head_comparison.ts";
import type { HeadStore, Keeping } from "./head_store.ts";
import { chainOf } from "./further_epochs.ts";
import { logSignatureIn, type RememberedHead } from "./remembered_head.ts";

export interface LogCheckContext {
  readonly crypto: CryptoSuite;
  readonly network: FollowedNetwork;
  /** SHA-256 in hex of the public configuration. */
  readonly fingerprint: string;
  readonly gateway: Pick<GatewayClient, "sth" | "consistency" | "checkpoint" | "succession">;
  readonly store: HeadStore;
  /** Called when the gateway's chain led from `network` to further epochs. */
  readonly followed?: (network: FollowedNetwork) => void;
  /** Unix seconds. */
  readonly now: () => number;
}

/**
 * The finding of a check. `empty`: the log has no head and none is remembered; `first`: none was
 * remembered; `two_successions`: the gateway's head does not verify, and its chain is proved to contradict
 * the one that was followed; `unverified`: the gateway's head does not verify; `other_network`: it is of a network
 * other than that of the configuration, and none is remembered; `denied`: it does not know a size that is
 * remembered, which proves nothing; `refused`: the gateway gave no usable answer.
 */
export type LogFinding =
  | HeadFinding
  | "empty"
  | "first"
  | "denied"
  | "two_successions"
  | "unverified"
  | "other_network"
  | "refused"
  | "unreachable";

/** The result of storing the head: {@linkcode Keeping}, or the store was not changed. */
export type MemoryState = Exclude<Keeping, "changed"> | "unchanged" | "damaged";

/** The result of one check. */
export interface LogCheck {
  readonly finding: LogFinding;
  readonly memory: MemoryState;
  /** Unix seconds. */
  readonly checkedAt: number;
  /** The head that was remembered before. */
  readonly known?: RememberedHead;
  /** The gateway's head. */
  readonly seen?: SignedTreeHead;
  /** The verification of `seen`, or of `known` for `other_keys`. */
  readonly outcome?: SignedOutcome;
  readonly proof?: ConsistencyProof;
  /** Evidence of a fork or of two successions, as JSON. */
  readonly evidence?: string;
  /** The gateway's refusal, or why there is no usable answer. */
  readonly fault?: { readonly code: ErrorCode; readonly message: string };
}

interface RememberedPair {
  readonly known: RememberedHead;
  readonly seen: SignedTreeHead;
}

type Found = Omit<LogCheck, "memory" | "checkedAt"> & { readonly keep?: RememberedHead };

/** Attempts to store a head while other tabs store theirs. */
const MAX_TURNS = 4;

/** Rejects only with the reason of `signal`. */
export async function checkLog(context: LogCheckContext, signal: AbortSignal): Promise<LogCheck> {
  const { store, network, now } = context;
  for (let turn = 1;; turn++) {
    const stored = store.read(network.id);
    const known = stored.kind === "head" ? stored.head : undefined;
    const { keep, ...found } = await compare(context, known, signal);
    signal.throwIfAborted();
    if (found.evidence !== undefined) store.keepEvidence(network.id, found.evidence);
    const base = { ...found, checkedAt: now() };
    if (stored.kind === "damaged" || stored.kind === "blocked") {
      return { ...base, memory: stored.kind };
    }
    if (keep === undefined) return { ...base, memory: "unchanged" };
    const keeping = store.replace(stored.kind === "head" ? stored.text : undefined, keep);
    if (keeping !== "changed") return { ...base, memory: keeping };
    // Another tab stored a head meanwhile: compare with that one.
    if (turn === MAX_TURNS) return { ...base, memory: "unchanged" };
  }
}

async function compare(
  context: LogCheckContext,
  known: RememberedHead | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const about = known === undefined ? {} : { known };
  let seen: SignedTreeHead;
  try {
    seen = (await context.gateway.sth(undefined, signal)).value;
  } catch (error) {
    if (error instanceof GatewayRefusal && error.reason === "no_tree_head") {
      return known === undefined
        ? { finding: "empty" }
        : { finding: "denied", known, ...faultOf(error) };
    }
    return { ...unanswered(error, signal), ...about };
  }
  return await compareSeen(context, known, seen, signal);
}

/** Verifies `seen`, if need be under an epoch that the gateway's chain leads to, and compares it. */
async function compareSeen(
  context: LogCheckContext,
  known: RememberedHead | undefined,
  seen: SignedTreeHead,
  signal: AbortSignal,
): Promise<Found> {
  const about = known === undefined ? {} : { known };
  const { crypto, network, gateway } = context;
  const outcome = await verifySignedTreeHead(crypto, network, seen);
  if (!outcome.valid) {
    const links = await chainOf(gateway, signal);
    const { network: further, failure } = await followSuccession(crypto, network, links);
    if (failure === undefined && further !== network) {
      context.followed?.(further);
      return await compareSeen({ ...context, network: further }, known, seen, signal);
    }
    const conflict = await conflictIn(crypto, network, links, context.now());
    if (conflict !== undefined) {
      const evidence = encodeContradiction(conflict);
      return { finding: "two_successions", ...about, seen, outcome, evidence };
    }
    // If a head of the pinned network is remembered, this gateway showed that network before.
    const isOther = known === undefined && seen.tree_head.network_id !== network.id;
    return { finding: isOther ? "other_network" : "unverified", ...about, seen, outcome };
  }
  if (known === undefined) {
    return { finding: "first", seen, outcome, keep: await remember(context, seen, signal) };
  }
  return { outcome, ...await relate(context, { known, seen }, signal) };
}

/** Compares two verified heads. */
async function relate(
  context: LogCheckContext,
  { known, seen }: RememberedPair,
  signal: AbortSignal,
): Promise<Found> {
  const pair = { known, seen };
  let comparison: HeadComparison;
  try {
    comparison = await compareWithRemembered(
      context,
      { known: known.sth, seen },
      async (first, second) => (await context.gateway.consistency(first, second, signal)).value,
    );
  } catch (error) {
    // A 404 for another reason may be that of a proxy.
    if (error instanceof GatewayRefusal && error.reason === "tree_size_not_published") {
      return { finding: "denied", ...pair, ...faultOf(error) };
    }
    return { ...unanswered(error, signal), ...pair };
  }
  const { fork, ...compared } = comparison;
  const found = { ...compared, ...pair };
  switch (found.finding) {
    case "same": {
      // A head that was stored without the log's signature may get it now.
      const keep = known.logSignature ? undefined : await remember(context, seen, signal);
      return { ...found, ...(keep?.logSignature && { keep }) };
    }
    case "extends":
      return { ...found, keep: await remember(context, seen, signal) };
    case "fork":
      return { ...found, evidence: await evidenceOf(context, pair, fork!, signal) };
    default:
      return found;
  }
}

async function evidenceOf(
  context: LogCheckContext,
  { known, seen }: RememberedPair,
  fork: ForkedHeads,
  signal: AbortSignal,
): Promise<string> {
  const last = await remember(context, seen, signal);
  return `${JSON.stringify(await forkEvidence(context, fork, [known, last]), undefined, 2)}\n`;
}

/** `sth` with the log's signature, if the gateway's checkpoint is of this head. */
async function remember(
  { crypto, network, fingerprint, gateway, now }: LogCheckContext,
  sth: SignedTreeHead,
  signal: AbortSignal,
): Promise<RememberedHead> {
  const kept = { sth, fingerprint, seenAt: now() };
  try {
    const note = await gateway.checkpoint(signal);
    const logSignature = await logSignatureIn(crypto, network, sth.tree_head, note);
    return { ...kept, ...(logSignature && { logSignature }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CountersignError)) throw error;
    return kept;
  }
}

function unanswered(error: unknown, signal: AbortSignal): Found {
  signal.throwIfAborted();
  const finding = hasCode(error, "gateway_unreachable") ? "unreachable" : "refused";
  return { finding, ...faultOf(error) };
}

function faultOf(error: unknown): Required<Pick<Found, "fault">> {
  if (!(error instanceof CountersignError)) throw error;
  return { fault: { code: error.code, message: error.message } };
}

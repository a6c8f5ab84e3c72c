/**
 * Holds the head that a gateway shows against the one remembered of its log. What is remembered gives
 * way only to a head that is signed and proved to grow from it.
 *
 * @module
 */

import { CountersignError, type ErrorCode, hasCode } from "../errors.ts";
import type { ConsistencyProof } from "../format/bundle.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { checkGrowth, compareHeads } from "../verify/head_memory.ts";
import type { SignedOutcome } from "../verify/signed_outcome.ts";
import { verifySignedTreeHead } from "../verify/tree_head.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import { type Fork, forkOf, provedFork } from "./fork_evidence.ts";
import type { HeadStore, Keeping } from "./head_store.ts";
import { logSignatureIn, type RememberedHead } from "./remembered_head.ts";

/** What is asked of a gateway. Every method rejects with a {@linkcode CountersignError}. */
export interface LogSource {
  latestHead(signal: AbortSignal): Promise<SignedTreeHead>;
  consistency(first: number, second: number, signal: AbortSignal): Promise<ConsistencyProof>;
  /** The text of the signed note. */
  checkpoint(signal: AbortSignal): Promise<string>;
}

/** What a check is made with. */
export interface LogCheckContext {
  readonly crypto: CryptoSuite;
  readonly network: NetworkConfiguration;
  /** SHA-256 in hex of the public configuration. */
  readonly fingerprint: string;
  readonly source: LogSource;
  readonly store: HeadStore;
  /** Unix seconds. */
  readonly now: () => number;
}

/**
 * What a check found. `empty`: the log has no head and none is remembered. `first`, `same`,
 * `extends`: all is well. `outdated`: consistent, but smaller than what was shown before. `fork`: two
 * histories are proved. `unproven`: the gateway does not show that one head grew from the other.
 * `denied`: it does not know a head that its witnesses signed. `other_keys`: the remembered head is not
 * signed by the configuration in use. `unverified`: the head shown is not. `other_network`: it is not,
 * and is of a network that the configuration in use is not of. `refused`: no usable answer.
 */
export type LogFinding =
  | "empty"
  | "first"
  | "same"
  | "extends"
  | "outdated"
  | "fork"
  | "unproven"
  | "denied"
  | "other_keys"
  | "unverified"
  | "other_network"
  | "refused"
  | "unreachable";

/** What became of the memory: {@linkcode Keeping}, or it was left as it was. */
export type MemoryState = Exclude<Keeping, "changed"> | "unchanged" | "damaged";

/** The result of one check. */
export interface LogCheck {
  readonly finding: LogFinding;
  readonly memory: MemoryState;
  /** Unix seconds at which it was made. */
  readonly checkedAt: number;
  /** What was remembered before. */
  readonly known?: RememberedHead;
  /** What the gateway shows. */
  readonly seen?: SignedTreeHead;
  /** What verification says of `seen`, or of `known` where that fails. */
  readonly outcome?: SignedOutcome;
  readonly proof?: ConsistencyProof;
  readonly fork?: Fork;
  /** Why there is no usable answer. */
  readonly fault?: { readonly code: ErrorCode; readonly message: string };
}

type Found = Omit<LogCheck, "memory" | "checkedAt"> & { readonly keep?: RememberedHead };

/** How often another tab may be first before the check gives up keeping anything. */
const MAX_TURNS = 4;

/** One check; never rejects but with the reason of `signal`. */
export async function checkLog(context: LogCheckContext, signal: AbortSignal): Promise<LogCheck> {
  const { store, network, now } = context;
  for (let turn = 1;; turn++) {
    const stored = store.read(network.id);
    const known = stored.kind === "head" ? stored.head : undefined;
    const { keep, ...found } = await compare(context, known, signal);
    signal.throwIfAborted();
    if (found.fork !== undefined) store.keepEvidence(network.id, found.fork.evidence);
    const base = { ...found, checkedAt: now() };
    if (stored.kind === "damaged" || stored.kind === "blocked") {
      return { ...base, memory: stored.kind };
    }
    if (keep === undefined) return { ...base, memory: "unchanged" };
    const keeping = store.replace(stored.kind === "head" ? stored.text : undefined, keep);
    if (keeping !== "changed") return { ...base, memory: keeping };
    // Another tab has gone on meanwhile: what it keeps is what counts from here.
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
    seen = await context.source.latestHead(signal);
  } catch (error) {
    if (isRefusal(error, "no_tree_head")) {
      return known === undefined
        ? { finding: "empty" }
        : { finding: "denied", known, ...faultOf(error) };
    }
    return { ...unanswered(error, signal), ...about };
  }
  const { crypto, network } = context;
  const outcome = await verifySignedTreeHead(crypto, network, seen);
  if (!outcome.valid) {
    // A gateway that showed the pinned network before has changed; one that never did has not.
    const isOther = known === undefined && seen.tree_head.network_id !== network.id;
    return { finding: isOther ? "other_network" : "unverified", ...about, seen, outcome };
  }
  if (known === undefined) {
    return { finding: "first", seen, outcome, keep: await remember(context, seen, signal) };
  }
  const knownOutcome = await verifySignedTreeHead(crypto, network, known.sth);
  if (!knownOutcome.valid) return { finding: "other_keys", known, seen, outcome: knownOutcome };
  return { outcome, ...await relate(context, { known, seen }, signal) };
}

interface HeadPair {
  readonly known: RememberedHead;
  readonly seen: SignedTreeHead;
}

/** Both heads are signed: are they of one log? */
async function relate(
  context: LogCheckContext,
  pair: HeadPair,
  signal: AbortSignal,
): Promise<Found> {
  const { known, seen } = pair;
  switch (compareHeads(known.sth.tree_head, seen.tree_head)) {
    case "same": {
      // A head that was kept without the log's signature may get it now.
      const keep = known.logSignature ? undefined : await remember(context, seen, signal);
      return { finding: "same", ...pair, ...(keep?.logSignature && { keep }) };
    }
    case "fork":
      return { finding: "fork", ...pair, fork: await forkWith(context, pair, undefined, signal) };
    default:
      return await link(context, pair, signal);
  }
}

/** Heads of different sizes are of one log when a consistency proof says so. */
async function link(
  context: LogCheckContext,
  pair: HeadPair,
  signal: AbortSignal,
): Promise<Found> {
  const { known, seen } = pair;
  const sizes = [known.sth.tree_head.tree_size, seen.tree_head.tree_size] as const;
  const [first, second] = [Math.min(...sizes), Math.max(...sizes)];
  let proof: ConsistencyProof | undefined;
  try {
    // RFC 9162 defines no proof from an empty tree, and none is needed.
    if (first > 0) proof = await context.source.consistency(first, second, signal);
  } catch (error) {
    if (isRefusal(error, "tree_size_not_published")) {
      return { finding: "denied", ...pair, ...faultOf(error) };
    }
    return { ...unanswered(error, signal), ...pair };
  }
  const { crypto, network } = context;
  const heads = { known: known.sth.tree_head, seen };
  const growth = await checkGrowth(crypto, network, heads, proof?.consistency_path ?? []);
  if (!growth.valid && proof !== undefined) return await unlinked(context, pair, proof, signal);
  const shown = { ...pair, ...(proof && { proof }) };
  if (growth.relation !== "larger") return { finding: "outdated", ...shown };
  return { finding: "extends", ...shown, keep: await remember(context, seen, signal) };
}

async function unlinked(
  context: LogCheckContext,
  pair: HeadPair,
  proof: ConsistencyProof,
  signal: AbortSignal,
): Promise<Found> {
  const proved = await provedFork(context, pair, proof);
  if (!proved) return { finding: "unproven", ...pair, proof };
  return { finding: "fork", ...pair, proof, fork: await forkWith(context, pair, proof, signal) };
}

async function forkWith(
  context: LogCheckContext,
  { known, seen }: HeadPair,
  proof: ConsistencyProof | undefined,
  signal: AbortSignal,
): Promise<Fork> {
  const last = await remember(context, seen, signal);
  return await forkOf(context, { known, seen: last }, proof);
}

/** `seen` as it is kept, with the log's signature where the gateway still shows it. */
async function remember(
  { crypto, network, fingerprint, source, now }: LogCheckContext,
  sth: SignedTreeHead,
  signal: AbortSignal,
): Promise<RememberedHead> {
  const kept = { sth, fingerprint, seenAt: now() };
  try {
    const note = await source.checkpoint(signal);
    const logSignature = await logSignatureIn(crypto, network, sth.tree_head, note);
    return { ...kept, ...(logSignature && { logSignature }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CountersignError)) throw error;
    return kept;
  }
}

function isRefusal(error: unknown, reason: ErrorCode): error is GatewayRefusal {
  return error instanceof GatewayRefusal && error.reason === reason;
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

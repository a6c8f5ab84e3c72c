/**
 * Compares each verified tree head with the last one that this client verified of the network. It
 * detects a gateway that shows different logs to different clients.
 *
 * @module
 */

import {
  compareWithRemembered,
  type ForkedHeads,
  type HeadPair,
} from "../client/head_comparison.ts";
import { unixSeconds } from "../base/clock.ts";
import { forkEvidence } from "../client/fork_evidence.ts";
import { LogContradiction } from "../client/log_contradiction.ts";
import { CountersignError } from "../base/errors.ts";
import type { ConsistencyProof } from "../proof/format/bundle.ts";
import type { SignedTreeHead } from "../proof/format/tree_head.ts";
import { verifySignedTreeHead } from "../proof/verify/tree_head.ts";
import type { Mirror } from "../logs/publishing/mirror.ts";
import { isNotPermitted } from "../base/system_error.ts";
import type { CommandContext } from "./command_context.ts";
import { namingNetwork, otherNetwork } from "./other_network.ts";
import { isNotKept } from "./trust_folder.ts";
import type { TrustedNetwork } from "./trusted_network.ts";

/**
 * The relation to the remembered head: `first`, none was remembered; `same` size and root; `extends` or
 * `precedes` it, proved; `unlinked`, of another size and no proof was requested; `untrusted`, the
 * gateway supplied the configuration, or the remembered head was verified under another one.
 */
export interface HeadMemory {
  readonly relation: "first" | "same" | "extends" | "precedes" | "unlinked" | "untrusted";
  /** Size of the remembered head. */
  readonly known_size?: number;
}

/** The source of the head, and of a proof between the two heads. */
export interface ProofSource {
  /** The file that shows the head, for messages; by default the mirror or the gateway shows it. */
  readonly shownBy?: string | undefined;
  /** The gateway may be asked. */
  readonly mayAsk: boolean;
  /** Asked in place of the gateway. */
  readonly mirror?: Mirror | undefined;
}

/**
 * Compares `seen`, which verified under `trusted`, with the remembered head, and remembers it if it is
 * larger and proved consistent. Without a proof only equal sizes are compared. Returns `undefined` and
 * prints a note if nothing can be stored: verification does not need a home folder.
 *
 * @throws LogContradiction with the evidence saved, if two signed heads contradict each other. Another
 * error if the gateway, or another in its place, does not answer with a proof: that accuses nobody.
 */
export async function rememberHead(
  context: CommandContext,
  trusted: TrustedNetwork,
  seen: SignedTreeHead,
  options: ProofSource,
): Promise<HeadMemory | undefined> {
  // Heads under the gateway's own configuration are not compared with the pinned network's.
  if (trusted.source.kind === "gateway") return { relation: "untrusted" };
  try {
    return await compareAndKeep(context, trusted, seen, options);
  } catch (error) {
    if (!isNotKept(error)) throw error;
    // A program without the permission to write, as `deno task offline`, remembers nothing.
    if (!isNotPermitted(error)) context.output.note(`Tree head not remembered: ${error.message}`);
    return undefined;
  }
}

async function compareAndKeep(
  context: CommandContext,
  trusted: TrustedNetwork,
  seen: SignedTreeHead,
  source: ProofSource,
): Promise<HeadMemory> {
  const { network } = trusted;
  const { mayAsk, mirror } = source;
  const { trust, crypto } = context;
  const known = await trust.head(network.id);
  if (known === undefined) {
    await trust.saveHead(seen);
    return { relation: "first" };
  }
  const knownSize = known.tree_head.tree_size;
  const largest = Math.max(knownSize, seen.tree_head.tree_size);
  const isProvable = mirror === undefined ? mayAsk : largest <= mirror.size;
  if (!isProvable && knownSize !== seen.tree_head.tree_size) {
    const { valid } = await verifySignedTreeHead(crypto, network, known);
    return valid ? { relation: "unlinked", known_size: knownSize } : { relation: "untrusted" };
  }
  const pair = { known, seen };
  const { finding, proof, fork } = await compareWithRemembered(
    { crypto, network },
    pair,
    async (first, second) =>
      mirror === undefined
        ? await askedGrowth(context, network.id, [first, second])
        : await mirror.consistency(...ascending(known, seen)),
  );
  switch (finding) {
    case "other_keys":
      return { relation: "untrusted" };
    case "same":
      return { relation: "same", known_size: knownSize };
    case "outdated":
      return { relation: "precedes", known_size: knownSize };
    case "extends":
      await trust.saveHead(seen);
      return { relation: "extends", known_size: knownSize };
    case "fork":
      throw await contradiction(context, trusted, pair, { ...source, fork: fork! });
    case "unproven":
      throw unproven(pair, mirror?.name ?? context.gateway.answering.href, proof);
  }
}

/** The gateway's proof, also if it is one of another network's log. */
async function askedGrowth(
  context: CommandContext,
  id: string,
  [first, second]: readonly [number, number],
): Promise<ConsistencyProof> {
  let proof: ConsistencyProof;
  try {
    const { gateway } = context;
    proof = (await gateway.withRetries(() => gateway.consistency(first, second))).value;
  } catch (error) {
    throw await namingNetwork(context, id, error);
  }
  const { network_id: shown } = proof.first_sth.tree_head;
  if (shown !== id) throw otherNetwork(context, id, shown);
  return proof;
}

function ascending(
  known: SignedTreeHead,
  seen: SignedTreeHead,
): [SignedTreeHead, SignedTreeHead] {
  return known.tree_head.tree_size < seen.tree_head.tree_size ? [known, seen] : [seen, known];
}

/** `proof_refused`: not evidence, since anyone on the way can damage a proof. */
function unproven(
  { known, seen }: HeadPair,
  name: string,
  proof: ConsistencyProof | undefined,
): CountersignError {
  const [first, second] = ascending(known, seen).map(({ tree_head }) => tree_head.tree_size);
  const found = proof === undefined
    ? "the tree of size 0 has a root other than that of the empty tree"
    : `the proof of ${name} does not lead from size ${first} to size ${second}`;
  return new CountersignError(
    "proof_refused",
    `Cannot compare the log of ${seen.tree_head.network_id} with the remembered head: ${found}`,
  );
}

async function contradiction(
  context: CommandContext,
  { network }: TrustedNetwork,
  pair: HeadPair,
  { fork, shownBy, mirror }: ProofSource & { readonly fork: ForkedHeads },
): Promise<LogContradiction> {
  const { crypto, trust, gateway, process: { clock } } = context;
  const shown = shownBy ?? mirror?.name ?? gateway.answering.href;
  const evidence = { crypto, network, now: () => unixSeconds(clock) };
  try {
    const path = await trust.saveEvidence(network.id, await forkEvidence(evidence, fork));
    return new LogContradiction(pair, shown, path);
  } catch (error) {
    // The alarm matters more than its evidence.
    if (!isNotKept(error)) throw error;
    return new LogContradiction(pair, shown, `not saved: ${error.message}`);
  }
}

export function describeMemory(memory: HeadMemory): string | undefined {
  switch (memory.relation) {
    case "first":
      return "remembered as the first of this network";
    case "same":
      return "same as the remembered one";
    case "extends":
      return `grew from the remembered one of size ${memory.known_size}`;
    case "precedes":
      return `precedes the remembered one of size ${memory.known_size}`;
    case "unlinked":
      return `not compared with the remembered one of size ${memory.known_size}: no proof available`;
    case "untrusted":
      return undefined;
  }
}

/**
 * Compares each verified tree head with the last one that this client verified of the network. It
 * detects a gateway that shows different logs to different clients.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import type { ConsistencyProof } from "../format/bundle.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import { checkGrowth, compareHeads } from "../verify/head_memory.ts";
import { verifySignedTreeHead } from "../verify/tree_head.ts";
import type { CommandContext } from "./command_context.ts";
import { LogContradiction } from "./log_contradiction.ts";
import type { TrustedNetwork } from "./trusted_network.ts";

/**
 * The relation to the remembered head: `first`, none was remembered; `same` size and root; `extends` or
 * `precedes` it, proved; `unlinked`, of another size and no proof was requested; `untrusted`, the
 * gateway supplied the configuration, or the remembered head was verified under another one.
 */
export interface HeadMemory {
  readonly relation: "first" | "same" | "extends" | "precedes" | "unlinked" | "untrusted";
  /** Size of the remembered head. */
  readonly knownSize?: number;
}

/**
 * Compares `seen`, which verified under `trusted`, with the remembered head, and remembers it if it is
 * larger and proved consistent. Without `mayAsk` only equal sizes are compared. Returns `undefined` and
 * prints a note if nothing can be stored: verification does not need a home folder.
 *
 * @throws LogContradiction with the evidence saved
 */
export async function rememberHead(
  context: CommandContext,
  trusted: TrustedNetwork,
  seen: SignedTreeHead,
  options: { readonly mayAsk: boolean },
): Promise<HeadMemory | undefined> {
  // Heads under the gateway's own configuration are not compared with the pinned network's.
  if (trusted.source.kind === "gateway") return { relation: "untrusted" };
  try {
    return await compareAndKeep(context, trusted, seen, options);
  } catch (error) {
    if (!hasCode(error, "file_failed") && !hasCode(error, "configuration_missing")) throw error;
    context.output.note(`Tree head not remembered: ${error.message}`);
    return undefined;
  }
}

async function compareAndKeep(
  context: CommandContext,
  trusted: TrustedNetwork,
  seen: SignedTreeHead,
  { mayAsk }: { readonly mayAsk: boolean },
): Promise<HeadMemory> {
  const known = await context.trust.head(trusted.network.id);
  if (known === undefined) {
    await context.trust.saveHead(seen);
    return { relation: "first" };
  }
  const { valid } = await verifySignedTreeHead(context.crypto, trusted.network, known);
  if (!valid) return { relation: "untrusted" };
  const knownSize = known.tree_head.tree_size;
  switch (compareHeads(known.tree_head, seen.tree_head)) {
    case "same":
      return { relation: "same", knownSize };
    case "fork":
      throw await contradiction(context, { known, seen }, "two roots of one size");
    default:
      if (!mayAsk) return { relation: "unlinked", knownSize };
      return await link(context, trusted, { known, seen });
  }
}

/** The remembered and the seen head, of different sizes and both verified. */
interface HeadPair {
  readonly known: SignedTreeHead;
  readonly seen: SignedTreeHead;
}

async function link(
  context: CommandContext,
  trusted: TrustedNetwork,
  pair: HeadPair,
): Promise<HeadMemory> {
  const { known, seen } = pair;
  const knownSize = known.tree_head.tree_size;
  const [first, second] = [knownSize, seen.tree_head.tree_size].toSorted((a, b) => a - b);
  // RFC 9162 defines no proof from an empty tree, and none is needed.
  const proof = first === 0 ? undefined : await consistency(context, pair, [first!, second!]);
  const growth = await checkGrowth(
    context.crypto,
    trusted.network,
    { known: known.tree_head, seen },
    proof?.consistency_path ?? [],
  );
  if (!growth.valid) {
    throw await contradiction(context, pair, "no proof that one head grew from the other", proof);
  }
  if (growth.relation !== "larger") return { relation: "precedes", knownSize };
  await context.trust.saveHead(seen);
  return { relation: "extends", knownSize };
}

/** A gateway that does not know a published size contradicts itself. */
async function consistency(
  context: CommandContext,
  pair: HeadPair,
  [first, second]: readonly [number, number],
): Promise<ConsistencyProof> {
  try {
    return (await context.gateway.consistency(first, second)).value;
  } catch (error) {
    if (!(error instanceof GatewayRefusal) || error.status !== 404) throw error;
    throw await contradiction(context, pair, "a gateway that no longer knows a published head");
  }
}

async function contradiction(
  context: CommandContext,
  { known, seen }: HeadPair,
  found: string,
  proof?: ConsistencyProof,
): Promise<LogContradiction> {
  const evidence = { found, known, seen, ...(proof && { consistency_proof: proof }) };
  const heads = { known: known.tree_head, seen: seen.tree_head };
  try {
    const path = await context.trust.saveEvidence(seen.tree_head.network_id, evidence);
    return new LogContradiction(heads, found, path);
  } catch (error) {
    // The alarm matters more than its evidence.
    if (!hasCode(error, "file_failed")) throw error;
    return new LogContradiction(heads, found, `not saved: ${error.message}`);
  }
}

export function describeMemory(memory: HeadMemory): string | undefined {
  switch (memory.relation) {
    case "first":
      return "remembered as the first of this network";
    case "same":
      return "same as the remembered one";
    case "extends":
      return `grew from the remembered one of size ${memory.knownSize}`;
    case "precedes":
      return `precedes the remembered one of size ${memory.knownSize}`;
    case "unlinked":
      return `not compared with the remembered one of size ${memory.knownSize}: no proof available`;
    case "untrusted":
      return undefined;
  }
}

/** The same for a JSON report. */
export function memoryJson(memory: HeadMemory): Record<string, unknown> {
  return {
    relation: memory.relation,
    ...(memory.knownSize !== undefined && { known_size: memory.knownSize }),
  };
}

/**
 * Runs this verifier over docs/vectors in any engine. `verifier_runtimes_test.ts` bundles it.
 *
 * @module
 */

import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { portableCrypto } from "../../src/proof/verify/mod.ts";
import type { Expectation } from "../proof/verify/vectors/expectation.ts";
import { remembering } from "../proof/verify/vectors/remembering.ts";
import { judge, type Vector } from "../proof/verify/vectors/vector.ts";

/** The text of networks.json, and lines of the other files. */
export interface Corpus {
  readonly networks: string;
  readonly cases: readonly string[];
}

/** The names of the cases with another result than expected, and the number of all. */
export interface VectorsReport {
  readonly count: number;
  readonly disagreeing: readonly string[];
  readonly error?: string;
}

/** JSON with members in one order. */
function canonical(value: unknown): string {
  return JSON.stringify(
    value,
    (_, member) =>
      typeof member !== "object" || member === null || Array.isArray(member)
        ? member
        : Object.fromEntries(Object.entries(member).sort(([a], [b]) => a < b ? -1 : 1)),
  );
}

export async function runVectors({ networks, cases }: Corpus): Promise<VectorsReport> {
  const crypto = remembering(await portableCrypto());
  const configurations = new Map(
    Object.entries(JSON.parse(networks) as object)
      .map(([name, network]) => [name, parseNetwork(JSON.stringify(network), crypto.bls)]),
  );
  const disagreeing: string[] = [];
  for (const line of cases) {
    const { expect, ...vector } = JSON.parse(line) as Vector & { readonly expect: Expectation };
    const found = await judge(crypto, configurations, vector);
    if (canonical(found) !== canonical(expect)) disagreeing.push(vector.name);
  }
  return { count: cases.length, disagreeing };
}

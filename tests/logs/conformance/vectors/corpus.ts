/**
 * The C2SP vectors, as the files of `docs/vectors/c2sp/`.
 *
 *     deno run --config tests/deno.json -A tests/logs/conformance/vectors/corpus.ts
 *
 * writes them.
 *
 * @module
 */

import type { Vector, VECTOR_FILES } from "../../../../src/logs/conformance/vectors.ts";
import { checkpointCases, cosignatureCases } from "./checkpoint_cases.ts";
import { noteCases, vkeyCases } from "./note_cases.ts";
import { policyCases } from "./policy_cases.ts";
import { proofCases } from "./proof_cases.ts";

export const C2SP_VECTORS = new URL("../../../../docs/vectors/c2sp/", import.meta.url);

const CASES: Record<typeof VECTOR_FILES[number], () => Vector[]> = {
  vkeys: vkeyCases,
  notes: noteCases,
  checkpoints: checkpointCases,
  cosignatures: cosignatureCases,
  policies: policyCases,
  proofs: proofCases,
};

/** The text of each file, by its name. */
export function corpusFiles(): Map<string, string> {
  return new Map(
    Object.entries(CASES).map(([name, cases]) =>
      [`${name}.json`, `${JSON.stringify(cases(), undefined, 2)}\n`] as const
    ),
  );
}

if (import.meta.main) {
  await Deno.mkdir(C2SP_VECTORS, { recursive: true });
  for (const [name, text] of corpusFiles()) {
    await Deno.writeTextFile(new URL(name, C2SP_VECTORS), text);
  }
}

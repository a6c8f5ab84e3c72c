/**
 * The cases of `docs/vectors`, for the verifiers in other languages.
 *
 * @module
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder. */
export const VECTORS = fileURLToPath(new URL("../../docs/vectors", import.meta.url));

interface Vector {
  readonly name: string;
  readonly network: string;
  readonly followed?: readonly string[];
  readonly distrust?: readonly string[];
  readonly input: string;
  readonly expect: Readonly<Record<string, unknown>>;
}

export async function readVectors(file: string): Promise<Vector[]> {
  const text = await Deno.readTextFile(join(VECTORS, file));
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Bundles that the retired keys of epoch 0 signed, which no distrust makes valid. */
export function isRetiredKeys({ name }: Vector): boolean {
  return /^ed25519: distrust of .: retired keys/.test(name);
}

/** How many cases there are for verifiers that do not read CBOR. */
export async function countVectors(): Promise<number> {
  const files = [...Deno.readDirSync(VECTORS)].filter(({ name }) =>
    name.endsWith(".jsonl") && name !== "cose_receipts.jsonl"
  );
  const cases = await Promise.all(files.map(({ name }) => readVectors(name)));
  return cases.flat().length;
}

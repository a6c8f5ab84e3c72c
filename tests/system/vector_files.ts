/**
 * The cases of `docs/vectors`, for the verifiers in other languages.
 *
 * @module
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { IS_LONG } from "../long_runs.ts";

/** The folder. */
export const VECTORS = fileURLToPath(new URL("../../docs/vectors", import.meta.url));

interface Vector {
  readonly name: string;
  readonly network: string;
  readonly followed?: readonly string[];
  readonly distrust?: readonly string[];
  readonly content?: string;
  readonly roots?: readonly string[];
  readonly input: string;
  readonly expect: Readonly<Record<string, unknown>>;
}

/** A valid time-stamp token. */
export const TOKEN = "ed25519: time-stamp token: with a batch";

export async function readVectors(file: string): Promise<Vector[]> {
  const text = await Deno.readTextFile(join(VECTORS, file));
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Bundles that the retired keys of epoch 0 signed, which no distrust makes valid. */
export function isRetiredKeys({ name }: Vector): boolean {
  return /^ed25519: distrust of .: retired keys/.test(name);
}

/** Short runs try each eighth of the `bls` cases that `ed25519` has too: BLS takes most of the time. */
const STRIDE = IS_LONG ? 1 : 8;

/** Writes the cases of this run into `folder`, except those in CBOR; returns how many. */
export async function writeVectors(folder: string): Promise<number> {
  await Deno.copyFile(join(VECTORS, "networks.json"), join(folder, "networks.json"));
  let count = 0;
  let twins = 0;
  for (const { name: file } of Deno.readDirSync(VECTORS)) {
    if (!file.endsWith(".jsonl") || file === "cose_receipts.jsonl") continue;
    const all = await readVectors(file);
    const names = new Set(all.map(({ name }) => name));
    const isTwin = ({ name }: Vector) =>
      name.startsWith("bls") && names.has(name.replace("bls", "ed25519"));
    const some = all.filter((vector) => !isTwin(vector) || twins++ % STRIDE === 0);
    count += some.length;
    const lines = some.map((vector) => `${JSON.stringify(vector)}\n`);
    await Deno.writeTextFile(join(folder, file), lines.join(""));
  }
  return count;
}

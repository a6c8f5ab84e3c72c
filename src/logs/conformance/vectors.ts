/**
 * The vectors of `docs/vectors/c2sp`: inputs of a verifier, each with the verdict that a clause requires.
 * The members that a vector has determine its kind.
 *
 * @module
 */

import { type Bytes, bytesOfBase64, utf8 } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";

/** The inputs of each kind, in the order in which a verifier gets them. */
export const VECTOR_INPUTS = {
  vkey: ["vkey"],
  note: ["keys", "note"],
  policy: ["policy"],
  checkpoint: ["policy", "checkpoint"],
  proof: ["policy", "entry", "proof"],
} as const;

export type VectorKind = keyof typeof VECTOR_INPUTS;

/** The files, without `.json`, and the kinds in them. */
export const VECTOR_FILES = [
  "vkeys",
  "notes",
  "checkpoints",
  "cosignatures",
  "policies",
  "proofs",
] as const;

/**
 * A vector as in the files. An input that is not UTF-8 is in base64, in a member whose name ends in `_base64`;
 * `keys` is a list of verifier keys.
 */
export interface Vector {
  /** Unique in its file. */
  readonly name: string;
  /** Id of a clause in the table. */
  readonly clause: string;
  readonly expect: "accept" | "reject";
  readonly [input: string]: string | readonly string[];
}

/** The kind of a vector, and its inputs as files. */
export function inputsOf(vector: Vector): {
  readonly kind: VectorKind;
  readonly files: readonly { readonly name: string; readonly bytes: Bytes }[];
} {
  const has = (input: string) => input in vector || `${input}_base64` in vector;
  const count = Object.keys(vector).length - 3;
  const kinds = Object.keys(VECTOR_INPUTS) as VectorKind[];
  const kind = kinds.find((one) =>
    VECTOR_INPUTS[one].length === count && VECTOR_INPUTS[one].every(has)
  );
  if (kind === undefined) {
    throw new CountersignError(
      "malformed_configuration",
      `Cannot use vector ${vector.name}: unknown inputs`,
    );
  }
  const files = VECTOR_INPUTS[kind].map((name) => ({ name, bytes: bytesOf(vector, name) }));
  return { kind, files };
}

function bytesOf(vector: Vector, input: string): Bytes {
  const value = vector[input];
  if (value === undefined) return bytesOfBase64(vector[`${input}_base64`] as string)!;
  if (typeof value !== "string") return utf8(value.map((one) => `${one}\n`).join(""));
  return utf8(input === "vkey" ? `${value}\n` : value);
}

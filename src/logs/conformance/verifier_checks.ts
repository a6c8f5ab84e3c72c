/**
 * Tests a verifier with the vectors.
 *
 * @module
 */

import { base64Of, type Bytes, textOf } from "../../base/bytes.ts";
import { tryParse } from "../../base/errors.ts";
import { printable } from "../../proof/format/printable_text.ts";
import type { Exchange } from "./exchange.ts";
import type { Findings } from "./report.ts";
import { inputsOf, type Vector, type VectorKind } from "./vectors.ts";

/** Exit codes of a verifier. */
export const ACCEPTED = 0;
export const REJECTED = 1;
export const UNSUPPORTED = 3;

/** Runs a verifier on one vector's inputs, and returns its exit code; `undefined` if a signal ended it. */
export type RunVerifier = (
  kind: VectorKind,
  inputs: readonly { readonly name: string; readonly bytes: Bytes }[],
) => Promise<number | undefined>;

export interface TestedVerifier {
  readonly command: string;
  readonly run: RunVerifier;
  /** Called after each vector. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Several processes at a time, since most of a run is their start. */
const IN_PARALLEL = 4;

export async function checkVerifier(
  findings: Findings,
  vectors: readonly Vector[],
  { command, run, onProgress = () => {} }: TestedVerifier,
): Promise<void> {
  const waiting = vectors.map((vector) => ({ vector, ...inputsOf(vector) }));
  const codes = new Map<Vector, number | undefined>();
  const next = waiting.values();
  await Promise.all(Array.from({ length: IN_PARALLEL }, async () => {
    for (const { vector, kind, files } of next) {
      codes.set(vector, await run(kind, files));
      onProgress(codes.size, waiting.length);
    }
  }));
  for (const { vector, kind, files } of waiting) {
    const { name, clause, expect } = vector;
    const code = codes.get(vector);
    const exchange = exchangeOf(command, kind, files, code);
    const check = `${kind}: ${name}`;
    const verdict = code === ACCEPTED ? "accept" : code === REJECTED ? "reject" : undefined;
    if (verdict !== undefined) {
      const fault = verdict !== expect && `${verdict}ed, and has to be ${expect}ed`;
      findings.judge(clause, check, fault, exchange);
    } else if (code === UNSUPPORTED) findings.unclear(clause, check, "not supported", exchange);
    else findings.unclear(clause, check, `exit code ${code ?? "none"}`, exchange);
  }
}

function exchangeOf(
  command: string,
  kind: VectorKind,
  files: readonly { readonly name: string; readonly bytes: Bytes }[],
  code: number | undefined,
): Pick<Exchange, "request" | "answer" | "command"> {
  const shown = files.map(({ name, bytes }) => {
    const text = tryParse(() => textOf(bytes));
    const lines = text?.split("\n").map(printable).join("\n") ?? `in base64: ${base64Of(bytes)}`;
    return `${name}:\n${lines}`;
  });
  const written = files.map(({ name, bytes }) => `base64 -d <<< '${base64Of(bytes)}' > $d/${name}`);
  const words = [command, kind, ...files.map(({ name }) => `$d/${name}`)];
  return {
    request: shown.join("\n"),
    answer: `exit code ${code ?? "none: ended by a signal"}`,
    command: `d=$(mktemp -d); ${written.join("; ")}; ${words.join(" ")}; echo $?`,
  };
}

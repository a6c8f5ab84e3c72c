/**
 * Runs the core of the suite over one mutant at a time, in a worker that can be ended if a mutant
 * hangs.
 *
 * @module
 */

/// <reference lib="deno.worker" />

import type { Bytes } from "../../src/base/bytes.ts";
import { MUTATION_SUBJECTS } from "./mutation_subjects.ts";

/** A request to a worker. */
export interface MutationTask {
  readonly subject: string;
  readonly module: Bytes;
}

/** The answer: the check that failed, if any. */
export interface MutationResult {
  readonly failure: string | undefined;
}

function failureOf({ subject, module }: MutationTask): string | undefined {
  try {
    return MUTATION_SUBJECTS[subject]!.firstFailure(module);
  } catch (error) {
    return `${error}`;
  }
}

declare const self: DedicatedWorkerGlobalScope;

self.onmessage = ({ data }: MessageEvent<MutationTask>) => {
  const result: MutationResult = { failure: failureOf(data) };
  self.postMessage(result);
};

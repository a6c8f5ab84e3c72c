/**
 * Runs the core of the suite over mutants of a module and reports the survivors. As a program
 * (`deno task test:mutation [subject] [count]`) it tries `count` mutants of every module, evenly
 * chosen. Some survivors are equivalent to the module, such as a condition that always takes the slower
 * of two ways to one result, and a person has to judge them. A surviving change of a table, or more
 * than {@linkcode SURVIVORS_ALLOWED} of survivors, fails the run.
 *
 * @module
 */

import process from "node:process";
import type { Bytes } from "../../src/base/bytes.ts";
import type { Mutant } from "./mutants.ts";
import { mutantsOf } from "./mutants.ts";
import { MUTATION_SUBJECTS } from "./mutation_subjects.ts";
import type { MutationResult, MutationTask } from "./mutation_worker.ts";

/** A mutant and the check or time limit that caught it; `undefined` for a survivor. */
export interface Outcome {
  readonly mutant: Mutant;
  readonly caughtBy: string | undefined;
}

/** The share of mutants that may be equivalent to the module. */
const SURVIVORS_ALLOWED = 0.02;

/** Time limit of a mutant, in multiples of the good module's time. */
const LIMIT_FACTOR = 5;
const MIN_LIMIT_MS = 2_000;

const TIMED_OUT = "timeout";

/** A worker that is started when needed and ended when it hangs. */
class MutationWorker implements Disposable {
  readonly #subject: string;
  #worker: Worker | undefined;
  #limitMs = Infinity;

  constructor(subject: string) {
    this.#subject = subject;
  }

  async run(mutant: Mutant): Promise<Outcome> {
    const worker = this.#worker ?? await this.#start();
    return { mutant, caughtBy: await this.#failureOf(worker, mutant.bytes(), this.#limitMs) };
  }

  /** Starts a worker that runs the good module twice: to compute the expected results, and for its time. */
  async #start(): Promise<Worker> {
    const worker = this.#worker = new Worker(new URL("./mutation_worker.ts", import.meta.url), {
      type: "module",
    });
    const good = MUTATION_SUBJECTS[this.#subject]!.module();
    let startMs = 0;
    for (const _ of ["to compute what is right", "for the time that it takes"]) {
      startMs = performance.now();
      const failure = await this.#failureOf(worker, good, 2 ** 31 - 1);
      if (failure !== undefined) {
        throw new Error(`Cannot mutate ${this.#subject}: the good module fails ${failure}`);
      }
    }
    this.#limitMs = Math.max(MIN_LIMIT_MS, LIMIT_FACTOR * (performance.now() - startMs));
    return worker;
  }

  #failureOf(worker: Worker, module: Bytes, limitMs: number): Promise<string | undefined> {
    const task: MutationTask = { subject: this.#subject, module };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this[Symbol.dispose]();
        resolve(TIMED_OUT);
      }, limitMs);
      worker.onmessage = ({ data }: MessageEvent<MutationResult>) => {
        clearTimeout(timer);
        resolve(data.failure);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        clearTimeout(timer);
        reject(new Error(`Cannot run mutant: ${event.message}`));
      };
      worker.postMessage(task);
    });
  }

  [Symbol.dispose](): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** Runs `mutants` of `subject` one after another. */
export async function runMutants(
  subject: string,
  mutants: readonly Mutant[],
): Promise<Outcome[]> {
  using worker = new MutationWorker(subject);
  const outcomes: Outcome[] = [];
  for (const mutant of mutants) outcomes.push(await worker.run(mutant));
  return outcomes;
}

/** Chooses `count` of `mutants` evenly. */
export function spread<T>(mutants: readonly T[], count: number): T[] {
  if (mutants.length <= count) return [...mutants];
  return Array.from({ length: count }, (_, i) => mutants[Math.floor(i * mutants.length / count)]!);
}

async function main(only: string | undefined, count: number): Promise<void> {
  let isRefused = false;
  for (const [subject, { module, tables }] of Object.entries(MUTATION_SUBJECTS)) {
    if (only !== undefined && only !== subject) continue;
    const mutants = spread(mutantsOf(module(), tables), count);
    const outcomes = await runMutants(subject, mutants);
    const alive = outcomes.filter(({ caughtBy }) => caughtBy === undefined);
    process.stdout.write(
      `${subject}: ${mutants.length - alive.length} of ${mutants.length} caught\n`,
    );
    for (const { mutant: { fault, name } } of alive) process.stdout.write(`  ${fault} ${name}\n`);
    isRefused ||= alive.length > SURVIVORS_ALLOWED * mutants.length ||
      alive.some(({ mutant: { fault } }) => fault === "table");
  }
  if (isRefused) Deno.exitCode = 1;
}

if (import.meta.main) {
  const [subject, count] = Deno.args;
  await main(subject === "all" ? undefined : subject, Number(count ?? 200));
}

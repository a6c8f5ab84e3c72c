/**
 * Runs the suite's core over mutants of a module and tells which nothing caught. As a program
 * (`deno task test:mutation [subject] [count]`) it runs over as many mutants of every module,
 * evenly chosen, and fails when one survives that is not known to be equivalent.
 *
 * @module
 */

import type { Mutant } from "./mutants.ts";
import { mutantsOf } from "./mutants.ts";
import { MUTATION_SUBJECTS } from "./mutation_subjects.ts";
import type { MutationResult, MutationTask } from "./mutation_worker.ts";

/** A mutant with what caught it: a check, or the clock; `undefined` when nothing did. */
export interface Outcome {
  readonly mutant: Mutant;
  readonly caughtBy: string | undefined;
}

/** A mutant that runs longer than this never ends. */
const TIME_LIMIT_MS = 60_000;

/** One worker, made when needed and ended when it hangs. */
class MutationWorker implements Disposable {
  readonly #subject: string;
  #worker: Worker | undefined;

  constructor(subject: string) {
    this.#subject = subject;
  }

  run(mutant: Mutant): Promise<Outcome> {
    const worker = this.#worker ??= new Worker(new URL("./mutation_worker.ts", import.meta.url), {
      type: "module",
    });
    const task: MutationTask = { subject: this.#subject, module: mutant.bytes() };
    return new Promise((resolve, reject) => {
      const settle = (caughtBy: string | undefined) => {
        clearTimeout(timer);
        resolve({ mutant, caughtBy });
      };
      const timer = setTimeout(() => {
        this[Symbol.dispose]();
        settle("it never ends");
      }, TIME_LIMIT_MS);
      worker.onmessage = ({ data }: MessageEvent<MutationResult>) => settle(data.failure);
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

/** The outcome of every one of `mutants` of `subject`, one after another. */
export async function runMutants(
  subject: string,
  mutants: readonly Mutant[],
): Promise<Outcome[]> {
  using worker = new MutationWorker(subject);
  const outcomes: Outcome[] = [];
  for (const mutant of mutants) outcomes.push(await worker.run(mutant));
  return outcomes;
}

/** `count` of `mutants`, evenly chosen. */
export function spread<T>(mutants: readonly T[], count: number): T[] {
  if (mutants.length <= count) return [...mutants];
  return Array.from({ length: count }, (_, i) => mutants[Math.floor(i * mutants.length / count)]!);
}

async function main(only: string | undefined, count: number): Promise<void> {
  let survivors = 0;
  for (const [subject, { module, wordLength }] of Object.entries(MUTATION_SUBJECTS)) {
    if (only !== undefined && only !== subject) continue;
    const mutants = spread(mutantsOf(module(), wordLength), count);
    const outcomes = await runMutants(subject, mutants);
    const alive = outcomes.filter(({ caughtBy }) => caughtBy === undefined);
    console.log(`${subject}: ${mutants.length - alive.length} of ${mutants.length} caught`);
    for (const { mutant: { fault, name } } of alive) console.log(`  ${fault} ${name}`);
    survivors += alive.length;
  }
  if (survivors > 0) Deno.exitCode = 1;
}

if (import.meta.main) {
  const [subject, count] = Deno.args;
  await main(subject === "all" ? undefined : subject, Number(count ?? 200));
}

/**
 * A {@linkcode CliIo} that keeps what a command prints.
 *
 * @module
 */

import { isAbsolute, join } from "node:path";
import type { CliIo } from "../../src/server/io.ts";

/** What a command is run with. */
export interface CapturedIoOptions {
  /** Where relative paths start. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Answers to questions, in order; a terminal is there when they are given. */
  readonly answers?: readonly string[];
}

export class CapturedIo implements CliIo {
  readonly outLines: string[] = [];
  readonly errLines: string[] = [];
  readonly isTerminal: boolean;
  isOutputClosed = false;
  readonly #options: CapturedIoOptions;
  readonly #answers: string[];
  readonly #watchers = new Set<() => void>();

  constructor(options: CapturedIoOptions) {
    this.#options = options;
    this.#answers = [...options.answers ?? []];
    this.isTerminal = options.answers !== undefined;
  }

  get stdout(): string {
    return this.outLines.join("\n");
  }

  out(line: string): void {
    this.outLines.push(line);
    for (const watcher of this.#watchers) watcher();
  }

  err(line: string): void {
    this.errLines.push(line);
  }

  env(name: string): string | undefined {
    return this.#options.env?.[name];
  }

  resolvePath(path: string): string {
    return isAbsolute(path) ? path : join(this.#options.folder, path);
  }

  ask(): string | undefined {
    return this.#answers.shift();
  }

  /** The first match of `pattern` in a line of standard output, now or later. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = this.outLines.map((line) => pattern.exec(line)).find((match) => match !== null);
      if (found) return found;
      const more = Promise.withResolvers<void>();
      this.#watchers.add(more.resolve);
      await more.promise;
      this.#watchers.delete(more.resolve);
    }
  }
}

/** Runs `use` in a new folder that is removed afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

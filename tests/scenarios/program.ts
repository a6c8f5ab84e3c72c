/**
 * The program as real processes: `main.ts` run by the Deno that runs the tests.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import type { Bytes } from "../../src/base/bytes.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** Milliseconds that a process has to say that it is ready; a busy disk alone can take many seconds. */
const READY_TIMEOUT_MS = 180_000;
const START_TRIES = 5;
const DATABASE_TIMEOUT = /Cannot connect to "postgres:.*timeout expired/;

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a process runs, and what it finds in its environment. */
export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that runs the one that is appended to it, within bounds. */
  readonly wrapper?: readonly string[];
}

function command(args: readonly string[], { cwd, env, wrapper = [] }: Surroundings): Deno.Command {
  const [program, ...rest] = [
    ...wrapper,
    Deno.execPath(),
    "run",
    "--no-prompt",
    "-A",
    MAIN,
    ...args,
  ];
  return new Deno.Command(program!, {
    args: rest,
    cwd,
    env: { ...env, NO_COLOR: "1", COUNTERSIGN_HOME: `${cwd}/.countersign` },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs one command to its end. */
export async function run(args: readonly string[], where: Surroundings): Promise<Finished> {
  const { code, stdout, stderr } = await command(args, where).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** A server that is ready, and what it said. */
export interface Started {
  readonly server: Server;
  readonly match: RegExpExecArray;
}

/** A process that serves until it is told to stop, or killed. */
export class Server implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #outputs: Promise<unknown>;
  #stdout = "";
  #stderr = "";
  #onOutput: () => void = () => {};

  private constructor(process: Deno.ChildProcess) {
    this.#process = process;
    this.#outputs = Promise.all([
      this.#collect(process.stdout, (text) => this.#stdout += text),
      this.#collect(process.stderr, (text) => this.#stderr += text),
    ]);
  }

  /** Starts `args`, and waits for nothing. */
  static launch(args: readonly string[], where: Surroundings): Server {
    return new Server(command(args, where).spawn());
  }

  /**
   * Starts `args` and waits until a line of its standard output matches `ready`. Starts it again, as a
   * service manager does, if a busy machine did not connect it to its database in time.
   */
  static async start(
    args: readonly string[],
    ready: RegExp,
    where: Surroundings,
  ): Promise<Started> {
    for (let tries = 1;; tries++) {
      try {
        return await Server.spawn(command(args, where), ready);
      } catch (error) {
        if (tries === START_TRIES || !DATABASE_TIMEOUT.test(String(error))) throw error;
      }
    }
  }

  /** The same for any command whose outputs are piped. */
  static async spawn(command: Deno.Command, ready: RegExp): Promise<Started> {
    const server = new Server(command.spawn());
    try {
      return { server, match: await server.#printed(ready) };
    } catch (error) {
      await server.kill();
      throw error;
    }
  }

  get pid(): number {
    return this.#process.pid;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Asks for a clean end, and answers the exit code. */
  async stop(signal: Deno.Signal = "SIGTERM"): Promise<number> {
    this.signal(signal);
    return await this.#end();
  }

  /** The exit code, once it has ended by itself. */
  ended(): Promise<number> {
    return this.#end();
  }

  /** Ends it as a loss of power would. */
  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.#end();
  }

  /** Sends `name`; nothing when it has ended already. */
  signal(name: Deno.Signal): void {
    try {
      this.#process.kill(name);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #end(): Promise<number> {
    const [{ code }] = await Promise.all([this.#process.status, this.#outputs]);
    return code;
  }

  async #printed(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    let ended = false;
    this.#outputs.then(() => {
      ended = true;
      this.#onOutput();
    });
    for (;;) {
      const match = pattern.exec(this.#stdout);
      if (match) return match;
      const left = deadline - performance.now();
      if (ended || left <= 0) {
        const state = ended ? "It ended" : `Not ready in ${READY_TIMEOUT_MS} ms`;
        throw new Error(`${state}: ${this.#stdout}${this.#stderr}`);
      }
      const more = Promise.withResolvers<void>();
      this.#onOutput = more.resolve;
      const timer = setTimeout(more.resolve, left);
      await more.promise;
      clearTimeout(timer);
    }
  }

  async #collect(stream: ReadableStream<Bytes>, keep: (text: string) => void): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      keep(text);
      this.#onOutput();
    }
  }
}

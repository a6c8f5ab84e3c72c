/**
 * Servers in separate processes: the product and the echo server.
 *
 * @module
 */

import { V8_FLAGS } from "../../src/cli/deno_process.ts";
import { systemIo } from "../../src/server/io.ts";
import { cpuMsOf, type MeasuredProcess, residentBytesOf, threadCpuMsOf } from "./process_usage.ts";

const PROJECT = new URL("../../", import.meta.url);
/**
 * Maximum number of forwarded lines of a server's output; a server under attack may write
 * thousands.
 */
const MOST_LINES = 20;

/** A server that runs. */
export class ServerProcess implements AsyncDisposable, MeasuredProcess {
  readonly url: URL;
  readonly pid: number;
  /** Its output when it was ready: a gateway prints the URLs of all its listeners. */
  readonly banner: string;
  readonly #child: Deno.ChildProcess;
  readonly #output: ReadableStream<string>;

  private constructor(
    banner: string,
    url: URL,
    child: Deno.ChildProcess,
    output: ReadableStream<string>,
  ) {
    this.banner = banner;
    this.url = url;
    this.pid = child.pid;
    this.#child = child;
    this.#output = output;
  }

  /** Starts Deno with `args`; its first output contains its URL. */
  static async start(args: readonly string[]): Promise<ServerProcess> {
    const child = new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd: PROJECT,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      env: { NO_COLOR: "1" },
    }).spawn();
    void report(child.stderr);
    const output = child.stdout.pipeThrough(new TextDecoderStream());
    let text = "";
    for await (const chunk of output.values({ preventCancel: true })) {
      text += chunk;
      const url = /http:\/\/[0-9.]+:[0-9]+\b/.exec(text)?.[0];
      if (url !== undefined && text.endsWith("\n")) {
        return new ServerProcess(text, new URL(url), child, output);
      }
    }
    throw new Error(`Cannot start server: its URL required, found "${text}"`);
  }

  cpuMs(): number | undefined {
    return cpuMsOf(this.pid);
  }

  threadCpuMs(): ReadonlyMap<string, number> {
    return threadCpuMsOf(this.pid);
  }

  residentBytes(): number | undefined {
    return residentBytesOf(this.pid);
  }

  /** Stops it like an operator, and waits until it has ended. */
  async stop(): Promise<void> {
    try {
      this.#child.kill("SIGTERM");
    } catch (error) {
      // It received the same signal from the terminal.
      if (!(error instanceof TypeError)) throw error;
    }
    await this.#output.cancel();
    await this.#child.status;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** `countersign serve` or `witness`, with access only to `folder` and the files of the page. */
export function startProduct(folder: string, args: readonly string[]): Promise<ServerProcess> {
  return ServerProcess.start([
    "run",
    V8_FLAGS,
    "--no-prompt",
    "--allow-net",
    `--allow-read=${folder},deno.json,src,wasm/build`,
    `--allow-write=${folder}`,
    "--ignore-env",
    "main.ts",
    ...args,
  ]);
}

/** A command of the product that ends by itself. */
export function productCommand(args: readonly string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-A", "main.ts", ...args],
    cwd: PROJECT,
    stdin: "null",
    env: { NO_COLOR: "1" },
  });
}

/** The URL of a listener, as a gateway prints it when it is ready. */
export function listenerUrl(banner: string, listener: "operators" | "sockets"): URL {
  const url = new RegExp(`^ *${listener}: *(\\S+)$`, "m").exec(banner)?.[1];
  if (url !== undefined) return new URL(url);
  throw new Error(`The gateway has no listener for ${listener}: ${banner}`);
}

/** Passes on a server's output without its line about stopping; counts lines beyond the limit. */
async function report(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
  let count = 0;
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = text.split("\n").filter((line) => line !== "" && !line.endsWith("Stopping"));
    for (const line of lines) if (count++ < MOST_LINES) systemIo.err(line);
  }
  if (count > MOST_LINES) systemIo.err(`${count - MOST_LINES} further lines of the same server`);
}

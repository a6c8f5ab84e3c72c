/**
 * Servers in processes of their own.
 *
 * @module
 */

const PROJECT = new URL("../", import.meta.url);

/** A server that runs. */
export interface ServerProcess {
  readonly address: Deno.NetAddr;
  /** Ends it as an operator would, and waits until it has ended. */
  stop(): Promise<void>;
}

/** `countersign serve` with its data in `folder`, as `deno task start` runs it. */
export function startGateway(folder: string): Promise<ServerProcess> {
  return start([
    "run",
    "--no-prompt",
    "--allow-net",
    `--allow-read=${folder}`,
    `--allow-write=${folder}`,
    "--ignore-env",
    "main.ts",
    "serve",
    "--port=0",
    `--data=${folder}`,
  ]);
}

/** A server that reads what it is sent and answers `size` bytes. */
export function startEcho(size: number): Promise<ServerProcess> {
  return start(["run", "--no-prompt", "--allow-net", "bench/echo_server.ts", String(size)]);
}

/** Starts Deno with `args`; what it prints first names its URL. */
async function start(args: readonly string[]): Promise<ServerProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: PROJECT,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
    env: { NO_COLOR: "1" },
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream());
  let text = "";
  for await (const chunk of lines.values({ preventCancel: true })) {
    text += chunk;
    const [, hostname, port] = /http:\/\/([0-9.]+):([0-9]+)\b/.exec(text) ?? [];
    if (hostname !== undefined && text.endsWith("\n")) {
      return {
        address: { transport: "tcp", hostname, port: Number(port) },
        async stop() {
          child.kill("SIGTERM");
          await lines.cancel();
          await child.status;
        },
      };
    }
  }
  throw new Error(`Cannot start server: its URL required, found "${text}"`);
}

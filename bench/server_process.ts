/**
 * Servers in processes of their own.
 *
 * @module
 */

import type { SignatureScheme } from "../src/format/signature_set.ts";

const PROJECT = new URL("../", import.meta.url);

/** A server that runs. */
export interface ServerProcess {
  readonly address: Deno.NetAddr;
  /** Milliseconds of processor time that it has used; `undefined` where that is not told. */
  cpuMs(): Promise<number | undefined>;
  /** Ends it as an operator would, and waits until it has ended. */
  stop(): Promise<void>;
}

/** `countersign serve` with its data in `folder`, as `deno task start` runs it. */
export function startGateway(folder: string, scheme: SignatureScheme): Promise<ServerProcess> {
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
    `--scheme=${scheme}`,
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
        cpuMs: () => cpuMsOf(child.pid),
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

/** Of all threads of a process, by proc(5): `utime` and `stime`, in ticks of 10 ms. */
async function cpuMsOf(pid: number): Promise<number | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  // The name in parentheses may hold spaces; the 12th and 13th field after it are meant.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

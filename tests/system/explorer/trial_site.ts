/**
 * A gateway with a network of its own, as `serve` makes it, in a process that can be ended and
 * started again at its address.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { utf8 } from "../../../src/base/bytes.ts";
import { freePorts } from "../../free_ports.ts";
import { eventually } from "../../scenarios/deployment.ts";
import { type Finished, run, Server } from "../../scenarios/program.ts";
import { runTool } from "../tools.ts";

const MAIN = fileURLToPath(new URL("../../../main.ts", import.meta.url));

/** Milliseconds between batches: long enough to see what is confirmed and not yet in the log. */
const BATCH_MS = 1_500;

export class TrialSite implements AsyncDisposable {
  /** Holds `data` and whatever a test writes there. */
  readonly folder: string;
  readonly url: string;
  readonly #port: number;
  #server: Server | undefined;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<TrialSite> {
    const site = new TrialSite(await Deno.makeTempDir(), freePorts(1));
    try {
      await site.start();
    } catch (error) {
      await site[Symbol.asyncDispose]();
      throw error;
    }
    return site;
  }

  /** The network's public configuration. */
  get publicFile(): string {
    return join(this.folder, "data", "network", "network.public.json");
  }

  async start(): Promise<void> {
    const { server } = await Server.start(
      [
        "serve",
        "--port",
        String(this.#port),
        "--data",
        "data",
        "--batch-max-age-ms",
        String(BATCH_MS),
      ],
      /^Countersign gateway of \S+ on http:\S+$/m,
      { cwd: this.folder },
    );
    this.#server = server;
  }

  /** Ends the gateway as a loss of power would. */
  async kill(): Promise<void> {
    await this.#server?.kill();
    this.#server = undefined;
  }

  /** Runs a command of the program to its end, in the site's folder. */
  countersign(...args: readonly string[]): Promise<Finished> {
    return run(args, { cwd: this.folder, env: { COUNTERSIGN_GATEWAY: this.url } });
  }

  /** Runs `line` in a POSIX shell that knows the program by its name. */
  async shell(line: string): Promise<Finished> {
    const bin = join(this.folder, "bin");
    await Deno.mkdir(bin, { recursive: true });
    const script = `#!/bin/sh\nexec "${Deno.execPath()}" run --no-prompt -A "${MAIN}" "$@"\n`;
    await Deno.writeTextFile(join(bin, "countersign"), script, { mode: 0o755 });
    return await runTool("sh", ["-c", line], {
      cwd: this.folder,
      env: { PATH: `${bin}:/usr/bin:/bin`, COUNTERSIGN_HOME: join(this.folder, "home") },
    });
  }

  /** The JSON of a route. */
  // deno-lint-ignore no-explicit-any
  async json(path: string): Promise<any> {
    return await (await fetch(this.url + path)).json();
  }

  /** Attests the hashes of `texts`, and waits until they are in a published tree. */
  async publish(...texts: readonly string[]): Promise<string[]> {
    const hashes = texts.map((text) => hashOf(text));
    const response = await fetch(`${this.url}/v1/attestations/batch`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ hashes }),
    });
    assert.ok(response.ok, await response.text());
    for (const hash of hashes) {
      await eventually("the hash is batched", async () => {
        const job = await this.json(`/v1/attestations/${hash}`);
        return job.progress === "batched" ? true : undefined;
      });
    }
    return hashes;
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.folder, name);
    await Deno.writeFile(path, typeof content === "string" ? utf8(content) : content);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** The SHA-256 of `text` in hex. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

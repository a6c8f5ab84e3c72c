/**
 * Debian's nginx with exactly the configuration of this repository, but for its three addresses.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { eventually } from "../scenarios/deployment.ts";
import { RawConnection } from "./raw_connection.ts";
import { freePorts } from "../free_ports.ts";

const CONFIGURATION = new URL("../../deploy/nginx.conf", import.meta.url);

/** The account that nginx runs as when the tests run as root: it needs no privileges. */
const NOBODY = 65_534;

/** The text of the configuration. */
export function proxyConfiguration(): Promise<string> {
  return Deno.readTextFile(fileURLToPath(CONFIGURATION));
}

/** A running nginx before a gateway, in a folder of its own. */
export class FrontProxy implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #process: Deno.ChildProcess;

  private constructor(port: number, folder: string, process: Deno.ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#process = process;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  static async start(gatewayPort: number, eventSocketsPort: number): Promise<FrontProxy> {
    const port = freePorts(1);
    const folder = await Deno.makeTempDir();
    const file = `${folder}/nginx.conf`;
    const text = await proxyConfiguration();
    const addresses = [
      ["listen 8000;", `listen 127.0.0.1:${port};`],
      ["server 127.0.0.1:8080;", `server 127.0.0.1:${gatewayPort};`],
      ["server 127.0.0.1:8082;", `server 127.0.0.1:${eventSocketsPort};`],
    ] as const;
    const addressed = addresses.reduce(
      (made, [before, after]) => replaced(made, before, after),
      text,
    );
    await Deno.writeTextFile(file, addressed);
    const isRoot = Deno.uid() === 0;
    if (isRoot) await Deno.chown(folder, NOBODY, NOBODY);
    const process = new Deno.Command("nginx", {
      args: ["-e", "stderr", "-p", folder, "-c", file, "-g", "daemon off;"],
      cwd: "/",
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
      stdin: "null",
      stdout: "null",
      stderr: "inherit",
    }).spawn();
    const proxy = new FrontProxy(port, folder, process);
    try {
      await eventually("nginx listens", async () => {
        try {
          await (await RawConnection.open(port)).close();
          return true;
        } catch {
          return undefined;
        }
      });
    } catch (error) {
      await proxy[Symbol.asyncDispose]();
      throw error;
    }
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGTERM");
    } catch (error) {
      // It has ended already.
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
    await this.#process.status;
    await Deno.remove(this.#folder, { recursive: true });
  }
}

function replaced(text: string, before: string, after: string): string {
  assert.equal(text.split(before).length, 2, `the configuration has "${before}" once`);
  return text.replace(before, after);
}

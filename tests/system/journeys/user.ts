/**
 * A user of the packaged program, in a folder of their own.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { Server } from "../../scenarios/program.ts";
import { type NpmPackage, OFFLINE, succeed } from "../npm_package.ts";
import { executable, RUNTIMES } from "../runtimes.ts";
import { runTool, type ToolResult } from "../tools.ts";

const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;
export const DENO = dirname(Deno.execPath());

/** Puts the command `countersign` into `bin`, for runs in `work`. */
export type Install = (bin: string, work: string) => Promise<void>;

/** The gateway that they start keeps its data in their folder, too. */
export class User implements AsyncDisposable {
  readonly #home: string;
  readonly work: string;
  readonly #env: Record<string, string>;
  #gateway: { readonly server: Server; readonly url: string } | undefined;
  /** The gateway of before, which may have stopped. */
  #url = "";

  private constructor(home: string, env: Record<string, string>) {
    this.#home = home;
    this.work = join(home, "work");
    this.#env = env;
  }

  static async create(
    path: readonly string[],
    env: Readonly<Record<string, string>>,
    install: Install,
  ): Promise<User> {
    const home = await Deno.makeTempDir();
    const bin = join(home, "bin");
    await Deno.mkdir(bin);
    await Deno.mkdir(join(home, "work"));
    await install(bin, join(home, "work"));
    const rest = Deno.env.get("PATH") ?? "";
    const PATH = [bin, ...path, rest].join(":");
    return new User(home, { ...env, HOME: home, NO_COLOR: "1", PATH });
  }

  async startGateway(...options: readonly string[]): Promise<void> {
    const command = new Deno.Command(join(this.#home, "bin/countersign"), {
      args: ["serve", "--port", "0", ...options],
      cwd: this.work,
      env: this.#env,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
    const { server, match } = await Server.spawn(command, READY);
    this.#url = match[1]!;
    this.#gateway = { server, url: match[1]! };
  }

  /** As Ctrl-C does. */
  async stopGateway(): Promise<void> {
    const code = await this.#gateway?.server.stop("SIGINT");
    this.#gateway = undefined;
    assert.equal(code ?? 0, 0);
  }

  type(script: string): Promise<ToolResult> {
    const here = script.replaceAll("http://127.0.0.1:8080", this.#url);
    const env = { ...this.#env, COUNTERSIGN_GATEWAY: this.#url };
    return runTool("bash", ["-euo", "pipefail", "-c", here], { cwd: this.work, env });
  }

  /** The output of commands that end with `code`. */
  async see(script: string, code = 0): Promise<string> {
    const result = await this.type(script);
    const output = result.stdout + result.stderr;
    assert.equal(result.code, code, `${script}\n${output}`);
    return output;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopGateway();
    await Deno.remove(this.#home, { recursive: true });
  }
}

/** With the npm package on the oldest Node. */
export async function onNode(npmPackage: NpmPackage): Promise<User> {
  const node = dirname(await executable(RUNTIMES[0]));
  return await User.create([node, DENO], OFFLINE, async (bin) => {
    const prefix = dirname(bin);
    const options = ["--global", "--offline", "--no-audit", "--no-fund", "--prefix", prefix];
    const install = ["install", ...options, npmPackage.tarball];
    await succeed(runTool("npm", install, { cwd: prefix, env: OFFLINE }));
  });
}

/**
 * A newcomer's way with the packaged program: the npm package on the oldest Node, one executable, and
 * `deno run` in a clone. The commands between the marks are those of docs/quick_start.md; only the address
 * of the gateway is another, so that no port has to be free.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { markedBlock } from "../../docs/marked_blocks.ts";
import { Server } from "../../scenarios/program.ts";
import { NpmPackage, OFFLINE, succeed } from "../npm_package.ts";
import { copyProgram } from "../program_copy.ts";
import { executable, RUNTIMES } from "../runtimes.ts";
import { runTool, type ToolResult } from "../tools.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const GUIDE = "docs/quick_start.md";
const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;
const DENO = dirname(Deno.execPath());
/** A batch that stays open while a proof is saved. */
const SLOW_BATCHES = ["--batch-max-age-ms", "4000"];
const UPGRADE_TRIES = 40;

/** Puts the command `countersign` into `bin`, for runs in `work`. */
type Install = (bin: string, work: string) => Promise<void>;

/** A newcomer in a folder of their own, in which the gateway keeps its data, too. */
class Newcomer implements AsyncDisposable {
  readonly #home: string;
  readonly #work: string;
  readonly #env: Record<string, string>;
  #gateway: { readonly server: Server; readonly url: string } | undefined;
  /** The gateway of before, which may have stopped. */
  #url = "";

  private constructor(home: string, env: Record<string, string>) {
    this.#home = home;
    this.#work = join(home, "work");
    this.#env = env;
  }

  static async create(
    path: readonly string[],
    env: Readonly<Record<string, string>>,
    install: Install,
  ): Promise<Newcomer> {
    const home = await Deno.makeTempDir();
    const bin = join(home, "bin");
    await Deno.mkdir(bin);
    await Deno.mkdir(join(home, "work"));
    await install(bin, join(home, "work"));
    const rest = Deno.env.get("PATH") ?? "";
    const PATH = [bin, ...path, rest].join(":");
    return new Newcomer(home, { ...env, HOME: home, NO_COLOR: "1", PATH });
  }

  async startGateway(...options: readonly string[]): Promise<void> {
    const command = new Deno.Command(join(this.#home, "bin/countersign"), {
      args: ["serve", "--port", "0", ...options],
      cwd: this.#work,
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
    return runTool("bash", ["-euo", "pipefail", "-c", here], { cwd: this.#work, env });
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

/** A block of the guide, for someone who has the command: its first line defines one. */
async function guide(name: string): Promise<string> {
  const block = await markedBlock(GUIDE, name);
  return block.replace(/^countersign\(\) .*\n/, "");
}

async function walk(newcomer: Newcomer): Promise<void> {
  await newcomer.startGateway();
  assert.match(await newcomer.see(await guide("stamp")), /saved note\.txt\.countersign\.json/);
  await newcomer.see(await guide("curl"));

  // Whoever has not said whom to trust is told how, and trusts nobody.
  const unpinned = await newcomer.see("countersign verify note.txt", 1);
  const pinning = /countersign network --pin/.exec(unpinned)?.[0];
  assert.match(await newcomer.see(pinning!, 2), /--fingerprint [0-9a-f]{64}.* --yes/);
  await newcomer.see("countersign verify note.txt", 1);
  const pinned = await newcomer.see(await guide("pin"));
  const prints = [...pinned.matchAll(/^fingerprint: (\S+)$/gm)].map(([, print]) => print);
  assert.deepEqual(prints, [prints[0], prints[0]]);

  const verified = await newcomer.see(await guide("verify"));
  assert.equal(verified.match(/^VALID \(Batched\)$/gm)?.length, 2);
  const changed = await newcomer.see(
    "printf W | dd of=note.txt conv=notrunc status=none; countersign verify note.txt",
    1,
  );
  assert.match(changed, /^INVALID\n.*note\.txt has changed/);
  await newcomer.see("printf w | dd of=note.txt conv=notrunc status=none");

  await newcomer.stopGateway();
  assert.match(await newcomer.see("countersign verify note.txt"), /^VALID \(Batched\)$/m);
  const away = await newcomer.see("countersign stamp note.txt", 1);
  assert.match(away, /^countersign: Cannot stamp: \S+ refused the connection/);
  const moved =
    "mkdir ../archive; mv note.txt* ../archive; cd ../archive; countersign verify note.txt";
  assert.match(await newcomer.see(moved), /^VALID \(Batched\)$/m);

  await newcomer.startGateway(...SLOW_BATCHES);
  const early = await newcomer.see(
    "cd ../archive; echo more > more.txt; " +
      "countersign stamp --save --no-wait-batched more.txt; countersign verify more.txt",
  );
  assert.match(early, /^VALID \(Basic\)$/m);
  const upgrading = /refresh the proof later: (countersign upgrade [^)]*)\)/.exec(early)?.[1];
  assert.ok(upgrading, early);
  let upgraded = "";
  for (let tries = 0; !/^1 upgraded$/m.test(upgraded); tries++) {
    assert.ok(tries < UPGRADE_TRIES, upgraded);
    upgraded = await newcomer.see(`sleep 0.5; cd ../archive; ${upgrading}`);
  }
  const again = await newcomer.see("cd ../archive; countersign verify more.txt note.txt");
  assert.match(again, /more\.txt/);
  assert.match(await newcomer.see("cd ../archive; countersign log sth --verify"), /^VALID$/m);
  await newcomer.stopGateway();
  assert.match(
    await newcomer.see("cd ../archive; countersign verify more.txt"),
    /^VALID \(Batched\)$/m,
  );
}

async function onNode(npmPackage: NpmPackage): Promise<Newcomer> {
  const node = dirname(await executable(RUNTIMES[0]));
  return await Newcomer.create([node, DENO], OFFLINE, async (bin) => {
    const prefix = dirname(bin);
    const options = ["--global", "--offline", "--no-audit", "--no-fund", "--prefix", prefix];
    const install = ["install", ...options, npmPackage.tarball];
    await succeed(runTool("npm", install, { cwd: prefix, env: OFFLINE }));
  });
}

/** Neither Node nor Deno is on the path. */
function withExecutable(npmPackage: NpmPackage): Promise<Newcomer> {
  return Newcomer.create([], OFFLINE, async (bin) => {
    const script = join(ROOT, "tools/build_launcher.ts");
    const build = ["run", "--config", join(ROOT, "tools/deno.json"), "-A", script];
    const args = [...build, join(bin, "countersign"), npmPackage.built];
    await succeed(runTool(Deno.execPath(), args, { cwd: ROOT }));
    for (const name of ["node", "deno"]) {
      await Deno.writeTextFile(join(bin, name), "#!/bin/sh\nexit 127\n", { mode: 0o755 });
    }
  });
}

/** With the packages in the cache of these tests, which is one of a registry. */
async function inClone(): Promise<Newcomer> {
  const info = await succeed(runTool(Deno.execPath(), ["info", "--json"], { cwd: ROOT }));
  const env = { DENO_DIR: JSON.parse(info).denoDir, HTTPS_PROXY: OFFLINE.HTTPS_PROXY! };
  return await Newcomer.create([DENO], env, async (bin, work) => {
    await copyProgram(work);
    const run = `#!/bin/sh\nexec deno run --quiet -P '${work}/main.ts' "$@"\n`;
    await Deno.writeTextFile(join(bin, "countersign"), run, { mode: 0o755 });
  });
}

Deno.test("a newcomer stamps, verifies, moves and upgrades as the documents tell", async () => {
  const npmPackage = new NpmPackage();
  await npmPackage.build();
  try {
    const ways = [onNode(npmPackage), withExecutable(npmPackage), inClone()];
    const walks = ways.map(async (installing) => {
      await using newcomer = await installing;
      await walk(newcomer);
    });
    const failures = (await Promise.allSettled(walks)).flatMap((walked, i) =>
      walked.status === "fulfilled" ? [] : `${["npm", "executable", "clone"][i]}: ${walked.reason}`
    );
    assert.deepEqual(failures, []);
  } finally {
    await npmPackage.remove();
  }
});

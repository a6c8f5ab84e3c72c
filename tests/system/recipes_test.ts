/**
 * The scripts of `recipes/`, run against one gateway. Only the package is another: its program runs this
 * clone.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { markedBlock } from "../docs/marked_blocks.ts";
import { Server } from "../scenarios/program.ts";
import { runTool, type ToolResult } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;

/** A folder with `network.public.json` and a shell that knows a package and its SHA-256. */
class Workplace implements AsyncDisposable {
  readonly folder: string;
  readonly #gateway: Server;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(
    folder: string,
    gateway: Server,
    env: Readonly<Record<string, string>>,
  ) {
    this.folder = folder;
    this.#gateway = gateway;
    this.#env = env;
  }

  static async create(): Promise<Workplace> {
    const root = await Deno.makeTempDir();
    const folder = join(root, "work");
    const library = join(root, "package/lib");
    await Deno.mkdir(folder);
    await Deno.mkdir(library, { recursive: true });
    const program = JSON.stringify(["run", "--no-prompt", "-A", `${ROOT}main.ts`]);
    await Deno.writeTextFile(
      join(library, "main.js"),
      `const args = [...${program}, ...process.argv.slice(2)];
      const options = { stdio: "inherit" };
      const deno = ${JSON.stringify(Deno.execPath())};
      process.exitCode = require("node:child_process").spawnSync(deno, args, options).status;`,
    );
    const file = join(root, "countersign.tgz");
    const packed = await runTool("tar", ["-czf", file, "package"], { cwd: root });
    assert.equal(packed.code, 0, packed.stderr);
    const digest = createHash("sha256").update(await Deno.readFile(file)).digest("hex");
    const { server, match } = await Server.start(
      ["serve", "--data", "data", "--port", "0", "--event-sockets-port", "0", "--fronts", "0"],
      READY,
      { cwd: root },
    );
    await Deno.copyFile(
      join(root, "data/network/network.public.json"),
      join(folder, "network.public.json"),
    );
    const settings = [
      "user.name=Test",
      "user.email=test@example.org",
      "gpg.format=ssh",
      `user.signingkey=${root}/key`,
      "tag.gpgsign=false",
      "init.defaultBranch=main",
    ].map((setting) => setting.split("=") as [string, string]);
    return new Workplace(folder, server, {
      PATH: Deno.env.get("PATH") ?? "",
      COUNTERSIGN_PACKAGE: file,
      COUNTERSIGN_PACKAGE_SHA256: digest,
      HOME: root,
      COUNTERSIGN_HOME: join(root, ".countersign"),
      COUNTERSIGN_GATEWAY: match[1]!,
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([key, value], index) => [
          [`GIT_CONFIG_KEY_${index}`, key],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
    });
  }

  get gateway(): string {
    return this.#env.COUNTERSIGN_GATEWAY!;
  }

  /** The inputs of an action that name the package. */
  get package(): Record<string, string> {
    return {
      package: this.#env.COUNTERSIGN_PACKAGE!,
      package_sha256: this.#env.COUNTERSIGN_PACKAGE_SHA256!,
    };
  }

  async tryShell(script: string, env: Readonly<Record<string, string>> = {}): Promise<ToolResult> {
    const options = { cwd: this.folder, env: { ...this.#env, ...env } };
    return await runTool("bash", ["-euo", "pipefail", "-c", script], options);
  }

  /** What `script` prints; it has to succeed. */
  async shell(script: string, env?: Readonly<Record<string, string>>): Promise<string> {
    const { code, stdout, stderr } = await this.tryShell(script, env);
    assert.equal(code, 0, `${script}\n${stdout}${stderr}`);
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway.stop();
    await Deno.remove(join(this.folder, ".."), { recursive: true });
  }
}

/** Script and environment of the step of an action, with `inputs` for its inputs. */
async function actionStep(
  name: string,
  inputs: Readonly<Record<string, string>>,
): Promise<{ readonly script: string; readonly env: Record<string, string> }> {
  const text = await Deno.readTextFile(join(ROOT, "recipes", name, "action.yml"));
  const script = /^ +run: '(.+)'$/m.exec(text)![1]!;
  const env: Record<string, string> = { GITHUB_ACTION_PATH: join(ROOT, "recipes", name) };
  for (const [, variable, input] of text.matchAll(/^ {8}(\w+): \$\{\{ inputs\.(\w+) \}\}$/gm)) {
    env[variable!] = inputs[input!]!;
  }
  return { script, env };
}

Deno.test("every recipe stamps, and what it stamped is verified", async (t) => {
  await using work = await Workplace.create();
  const network = "network.public.json";

  await t.step("the actions of GitHub", async () => {
    await work.shell("mkdir out && echo one > 'out/one file.txt' && echo two > out/two.bin");
    const files = "out/*\n";
    const stamp = await actionStep("github-stamp", {
      ...work.package,
      files,
      network,
      gateway: work.gateway,
    });
    const output = join(work.folder, "output");
    for (const _ of ["the first time", "again"]) {
      await work.shell(stamp.script, { ...stamp.env, GITHUB_OUTPUT: output });
    }
    const proofs = "out/one file.txt.countersign.json\nout/two.bin.countersign.json\n";
    const written = await Deno.readTextFile(output);
    const parts = /^proofs<<([0-9a-f]{32})\n([^]*?)\1\nproofs<<([0-9a-f]{32})\n([^]*?)\3\n$/
      .exec(written) ?? assert.fail(written);
    assert.deepEqual([parts[2], parts[4]], [proofs, proofs]);
    assert.notEqual(parts[1], parts[3]);

    const verify = await actionStep("github-verify", { ...work.package, files, network });
    await work.shell(verify.script, verify.env);
    await work.shell("echo changed > out/two.bin");
    assert.equal((await work.tryShell(verify.script, verify.env)).code, 1);
    const none = await work.tryShell(verify.script, { ...verify.env, FILES: "missing/*" });
    assert.deepEqual([none.code, none.stderr], [1, "::error::No file matches missing/*\n"]);
    await work.shell("echo three > out/three.txt");
    const unstamped = { ...verify.env, FILES: "out/three.txt" };
    assert.equal((await work.tryShell(verify.script, unstamped)).code, 1);
  });

  await t.step("a package with another SHA-256, or without one, does not run", async () => {
    for (const package_sha256 of ["00".repeat(32), ""]) {
      const inputs = { ...work.package, package_sha256, files: "out/two.bin", network };
      const { script, env } = await actionStep("github-verify", inputs);
      const refused = await work.tryShell(script, env);
      assert.notEqual(refused.code, 0);
      assert.match(refused.stderr, /COUNTERSIGN_PACKAGE_SHA256/);
      assert.equal(refused.stdout, "");
    }
  });

  await t.step("the job of GitLab", async () => {
    const job = await Deno.readTextFile(join(ROOT, "recipes/gitlab/countersign.yml"));
    const commands = /^ {2}script:\n((?: {4}- .+\n)+)/m.exec(job)![1]!.replaceAll(/^ {4}- /gm, "");
    await Deno.copyFile(join(ROOT, "recipes/countersign.sh"), join(work.folder, "countersign.sh"));
    await work.shell(`mkdir dist && echo one > dist/one && echo two > dist/two\n${commands}`);
    assert.equal(await work.shell("ls dist/*.countersign.json | wc -l"), "2\n");
  });

  await t.step("a signed tag", async () => {
    await work.shell(`
      ssh-keygen -q -t ed25519 -N '' -f ../key
      git init -q --bare ../remote && git init -q . && git remote add origin ../remote
      cp '${ROOT}recipes/git/pre-push' '${ROOT}recipes/countersign.sh' .git/hooks
      git commit -q --allow-empty -m first && git tag -s v1.0.0 -m release && git tag plain
      git push -q origin main plain v1.0.0 && git push -q origin v1.0.0`);
    const notes = await work.shell("git -C ../remote notes --ref=countersign list");
    assert.equal(notes.split("\n").length, 2, "one note: the plain tag has none");
    const commands = await markedBlock("recipes/README.md", "tag");
    await work.shell(`git clone -q ../remote ../clone && cp ${network} ../clone && cd ../clone
      cp '${ROOT}recipes/countersign.sh' .
      ${commands}`);
    assert.equal(
      (await work.tryShell(`cd ../clone && echo >> tag && ${lastLine(commands)}`)).code,
      1,
    );
  });

  await t.step("a package of npm", async () => {
    const scripts = { prepublishOnly: "sh stamp-package.sh" };
    const manifest = { name: "example", version: "1.2.3", files: ["index.js"], scripts };
    await Deno.mkdir(join(work.folder, "package"));
    await Deno.writeTextFile(join(work.folder, "package/package.json"), JSON.stringify(manifest));
    await work.shell(`cd package && echo 'export {};' > index.js
      cp '${ROOT}recipes/npm/stamp-package.sh' '${ROOT}recipes/countersign.sh' . && npm run --silent prepublishOnly
      cd proofs && npm pack --silent .. && sh ../countersign.sh verify --network-config ../../${network} example-1.2.3.tgz`);
  });
});

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)!;
}

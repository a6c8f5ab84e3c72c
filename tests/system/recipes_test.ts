/**
 * The scripts of `recipes/`, run against one gateway. Only `npx countersign` is another: it runs this
 * clone, and no registry is asked.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { markedBlock } from "../docs/marked_blocks.ts";
import { Server } from "../scenarios/program.ts";
import { runTool, type ToolResult } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;

/** A folder with `network.public.json` in which a shell finds `npx countersign`. */
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
    const bin = join(root, "bin");
    for (const each of [folder, bin]) await Deno.mkdir(each);
    const { version } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
    const npx = [
      "#!/bin/sh",
      "[ $1 != --yes ] || shift",
      `[ $1 = countersign ] || [ $1 = countersign@${version} ] || exit 70`,
      "shift",
      `exec '${Deno.execPath()}' run --no-prompt -A '${ROOT}main.ts' "$@"`,
      "",
    ].join("\n");
    await Deno.writeTextFile(join(bin, "npx"), npx, { mode: 0o755 });
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
      PATH: `${bin}:${Deno.env.get("PATH") ?? ""}`,
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
    const stamp = await actionStep("github-stamp", { files, network, gateway: work.gateway });
    const output = join(work.folder, "output");
    for (const _ of ["the first time", "again"]) {
      await work.shell(stamp.script, { ...stamp.env, GITHUB_OUTPUT: output });
    }
    const proofs = "out/one file.txt.countersign.json\nout/two.bin.countersign.json\n";
    const written = `proofs<<END_OF_PROOFS\n${proofs}END_OF_PROOFS\n`;
    assert.equal(await Deno.readTextFile(output), written.repeat(2));

    const verify = await actionStep("github-verify", { files, network });
    await work.shell(verify.script, verify.env);
    await work.shell("echo changed > out/two.bin");
    assert.equal((await work.tryShell(verify.script, verify.env)).code, 1);
    const none = await work.tryShell(verify.script, { ...verify.env, FILES: "missing/*" });
    assert.deepEqual([none.code, none.stderr], [1, "::error::No file matches missing/*\n"]);
    await work.shell("echo three > out/three.txt");
    const unstamped = { ...verify.env, FILES: "out/three.txt" };
    assert.equal((await work.tryShell(verify.script, unstamped)).code, 1);
  });

  await t.step("the job of GitLab", async () => {
    const job = await Deno.readTextFile(join(ROOT, "recipes/gitlab/countersign.yml"));
    const commands = /^ {2}script:\n((?: {4}- .+\n)+)/m.exec(job)![1]!.replaceAll(/^ {4}- /gm, "");
    await work.shell(`mkdir dist && echo one > dist/one && echo two > dist/two\n${commands}`);
    assert.equal(await work.shell("ls dist/*.countersign.json | wc -l"), "2\n");
  });

  await t.step("a signed tag", async () => {
    await work.shell(`
      ssh-keygen -q -t ed25519 -N '' -f ../key
      git init -q --bare ../remote && git init -q . && git remote add origin ../remote
      cp '${ROOT}recipes/git/pre-push' .git/hooks/pre-push
      git commit -q --allow-empty -m first && git tag -s v1.0.0 -m release && git tag plain
      git push -q origin main plain v1.0.0 && git push -q origin v1.0.0`);
    const notes = await work.shell("git -C ../remote notes --ref=countersign list");
    assert.equal(notes.split("\n").length, 2, "one note: the plain tag has none");
    const commands = await markedBlock("recipes/README.md", "tag");
    await work.shell(`git clone -q ../remote ../clone && cp ${network} ../clone && cd ../clone
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
      cp '${ROOT}recipes/npm/stamp-package.sh' . && npm run --silent prepublishOnly
      cd proofs && npm pack --silent .. && npx countersign verify --network-config ../../${network} example-1.2.3.tgz`);
  });
});

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)!;
}

/**
 * The commands of README.md and of the documents in `docs/`, run as they stand there between
 * `<!-- run: NAME -->` and the end of the code block. Only the address of the gateway is another, so
 * that no port has to be free.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { markedBlock, markedNames } from "../docs/marked_blocks.ts";
import { Server } from "../scenarios/program.ts";
import { copyProgram } from "./program_copy.ts";
import { runTool, type ToolResult } from "./tools.ts";

const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;

/** A clone with its gateway running, and a shell in it that finds no other Deno than this one. */
class Clone implements AsyncDisposable {
  readonly folder: string;
  readonly #env: Record<string, string>;
  readonly #gateway: Server;
  readonly #url: string;

  private constructor(
    folder: string,
    env: Record<string, string>,
    gateway: { readonly server: Server; readonly url: string },
  ) {
    this.folder = folder;
    this.#env = env;
    this.#gateway = gateway.server;
    this.#url = gateway.url;
  }

  static async create(): Promise<Clone> {
    const folder = await Deno.makeTempDir();
    await copyProgram(folder);
    // In place of the one that downloads: the first two arguments are "-y deno@<version>".
    const bin = join(folder, ".bin");
    await Deno.mkdir(bin);
    const npx = `#!/bin/sh\nshift 2\nexec '${Deno.execPath()}' "$@"\n`;
    await Deno.writeTextFile(join(bin, "npx"), npx, { mode: 0o755 });
    const env = {
      PATH: `${bin}:${Deno.env.get("PATH") ?? ""}`,
      COUNTERSIGN_HOME: join(folder, ".countersign"),
      // A task keeps the one that it inherits, and these tests may run below another.
      INIT_CWD: folder,
      NO_COLOR: "1",
    };
    const command = new Deno.Command(join(bin, "npx"), {
      args: ["-y", "deno", "task", "--quiet", "start", "--port", "0"],
      cwd: folder,
      env,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
    const { server, match } = await Server.spawn(command, READY);
    return new Clone(folder, { ...env, COUNTERSIGN_GATEWAY: match[1]! }, {
      server,
      url: match[1]!,
    });
  }

  bash(script: string): Promise<ToolResult> {
    const here = script.replaceAll("http://127.0.0.1:8080", this.#url);
    return runTool("bash", ["-euo", "pipefail", "-c", here], { cwd: this.folder, env: this.#env });
  }

  /** Ends as Ctrl-C does; `deno task` hands the signal on, which a kill would not. */
  stopGateway(): Promise<number> {
    return this.#gateway.stop("SIGINT");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopGateway();
    await Deno.remove(this.folder, { recursive: true });
  }
}

function assertDone({ code, stdout, stderr }: ToolResult): void {
  assert.equal(code, 0, `${stdout}${stderr}`);
}

Deno.test("the commands of README.md and of docs/ do what is said there", async (t) => {
  await using clone = await Clone.create();
  // Every block but the first has the shell function of the first.
  const [shellFunction = ""] = (await markedBlock("README.md", "first-proof")).split("\n");
  assert.deepEqual(await markedNames("README.md"), ["first-proof", "curl"]);
  assert.deepEqual(await markedNames("docs/operating.md"), ["assemble", "network", "federation"]);
  const proofs = Array.from({ length: 3 }, (_, i) => `proof-${i}`);

  await t.step("a first proof", async () => {
    const result = await clone.bash(await markedBlock("README.md", "first-proof"));
    assertDone(result);
    assert.match(result.stdout, /^VALID \(Batched\)$/m);
  });

  await t.step("the same with curl", async () => {
    const result = await clone.bash(await markedBlock("README.md", "curl"));
    assertDone(result);
    assert.match(result.stdout, /"progress":"batched"/);
    assert.match(result.stdout, /"batch_inclusion":\{/);
  });

  await t.step("the quick start", async () => {
    const document = "docs/quick_start.md";
    const names = await markedNames(document);
    assert.deepEqual(names, ["stamp", "curl", "pin", "verify", "log"]);
    const blocks = await Promise.all(names.map((name) => markedBlock(document, name)));
    const result = await clone.bash(blocks.join("\n"));
    assertDone(result);
    assert.equal(result.stdout.match(/^VALID \(Batched\)$/gm)?.length, 2);
  });

  await t.step("a network of one's own", async () => {
    assertDone(
      await clone.bash(`${shellFunction}\n${await markedBlock("docs/operating.md", "network")}`),
    );
    const { witnesses } = JSON.parse(
      await Deno.readTextFile(join(clone.folder, "trial-network", "network.public.json")),
    );
    assert.equal(witnesses.length, 3);
  });

  await t.step("a network of the keys of three operators", async () => {
    const script = await markedBlock("docs/operating.md", "assemble");
    const result = await clone.bash(`${shellFunction}\n${script}`);
    assertDone(result);
    assert.match(result.stdout, /witness alice\.example\/w1 of log\.example\/2026: OK$/m);
  });

  await t.step("two networks that watch one another", async () => {
    assertDone(
      await clone.bash(`${shellFunction}\n${await markedBlock("docs/operating.md", "federation")}`),
    );
    const south = join(clone.folder, "south");
    const { federation } = JSON.parse(await Deno.readTextFile(join(south, "network.json")));
    const [{ token_file, accept_token_file }] = federation.peer_networks;
    assert.notEqual(
      await Deno.readTextFile(join(south, token_file)),
      await Deno.readTextFile(join(south, accept_token_file)),
    );
    const node = JSON.parse(await Deno.readTextFile(join(south, "witness-3", "witness.json")));
    assert.deepEqual(
      node.logs.map(({ origin }: { origin: string }) => origin),
      ["south.example", "north.example"],
    );
  });

  await t.step("a round of several is stamped", async () => {
    const lines = proofs.map((name) => `echo ${name} > ${name}`);
    const stamp = `countersign stamp --save --wait-batched ${proofs.join(" ")}`;
    assertDone(await clone.bash([shellFunction, ...lines, stamp].join("\n")));
  });

  assert.equal(await clone.stopGateway(), 0);

  await t.step("sha256sum and openssl verify each of the round, without the gateway", async () => {
    const document = "docs/verify_by_hand.md";
    const tools = ["files", "field", "hashes", "trees", "signatures"];
    const blocks = await Promise.all(
      [...tools, "attestation", "result"].map((name) => markedBlock(document, name)),
    );
    const pinned = "countersign-data/network/network.public.json";
    await Deno.copyFile(join(clone.folder, pinned), join(clone.folder, "network.public.json"));
    const sizes = new Set<number>();
    for (const name of proofs) {
      const bundle = await Deno.readTextFile(join(clone.folder, `${name}.countersign.json`));
      const { round, signatures } = JSON.parse(bundle).signed_attestation;
      sizes.add(round.size);
      await Deno.writeTextFile(join(clone.folder, "claim.txt.countersign.json"), bundle);
      await Deno.copyFile(join(clone.folder, name), join(clone.folder, "claim.txt"));
      const result = await clone.bash(blocks.join("\n"));
      assertDone(result);
      assert.match(result.stdout, /^VERIFIED claim\.txt: Basic/m);
      const verified = result.stdout.match(/^ok +signed by /gm) ?? [];
      assert.equal(verified.length, signatures.length);
      assert.ok(signatures.length >= 2);
    }
    assert.ok(Math.max(...sizes) > 1, "a round of several");
  });
});

/**
 * The installed program on the oldest Node: what it does without Deno, and how it runs Deno.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type CommandName, COMMANDS, listedCommand } from "../../src/cli/command_list.ts";
import { until } from "../gateway/fixture.ts";
import { inFolder } from "../server/captured_io.ts";
import { run as runProgram, Server } from "../scenarios/program.ts";
import { type NpmPackage, OFFLINE, succeed, WITH_DENO } from "./npm_package.ts";
import { executable, RUNTIMES } from "./runtimes.ts";
import { runTool } from "./tools.ts";

const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;
const ISSUER_READY = /on (http:\/\/\S+)/;

/** Neither Deno nor npx is on this path. */
const WITHOUT_DENO = { PATH: "/nonexistent" };

export function testNodeProgram(npmPackage: NpmPackage): void {
  Deno.test("the program on Node", (t) =>
    inFolder(async (folder) => {
      const node = await executable(RUNTIMES[0]);
      await npmPackage.install(folder);
      const program = join(folder, "node_modules/countersign/lib/main.js");
      const env = { ...OFFLINE, COUNTERSIGN_HOME: join(folder, "home") };
      const run = (
        args: readonly string[],
        more: Readonly<Record<string, string>> = WITHOUT_DENO,
      ) => runTool(node, [program, ...args], { cwd: folder, env: { ...env, ...more } });

      await t.step("help of every command that runs in Deno needs none", async () => {
        for (const name of Object.keys(COMMANDS) as CommandName[]) {
          if (!listedCommand(name).needsDeno) continue;
          assert.match(
            await succeed(run([name, "--help"])),
            new RegExp(`Usage: countersign ${name}`),
          );
        }
        assert.match(await succeed(run(["help", "serve"])), /--fronts/);
        assert.match(await succeed(run(["witness", "release", "--help"])), /--origin/);
        assert.match(await succeed(run(["completion", "bash", "serve", "--fr"])), /--fronts/);
      });

      await t.step("a gateway ends when the Node that started it is killed", async () => {
        for (const fronts of ["0", "2"]) {
          const args = ["serve", "--port", "0", "--data", `data-${fronts}`, "--fronts", fronts];
          const serving = new Deno.Command(node, {
            args: [program, ...args],
            cwd: folder,
            env: { ...env, ...WITH_DENO },
            stdin: "null",
            stdout: "piped",
            stderr: "piped",
          });
          const { server } = await Server.spawn(serving, READY);
          const child = await childOf(server.pid);
          assert.ok(await isRunning(child));
          // The outputs end only when the child, which has them too, has ended.
          await server.kill();
          await until(async () => !await isRunning(child));
          assert.match(server.stderr, /Stopping/);
        }
      });

      await t.step("token fetches, stamp spends, without Deno", async () => {
        await withTokens(folder, async (gateway) => {
          const available = async () => {
            const [supply] = JSON.parse(
              await succeed(run(["token", "--list", "--output", "json"])),
            );
            return supply.available;
          };
          const asked = ["--gateway", gateway];
          const files = ["first.txt", "second.txt", "third.txt"];
          for (const name of files) await Deno.writeTextFile(join(folder, name), `${name}\n`);
          const early = await run(["stamp", "first.txt", ...asked]);
          assert.equal(early.code, 1);
          assert.match(early.stderr, /requires a token for each new hash, and 0 are stored/);
          assert.match(await succeed(run(["token", "--count", "2", ...asked])), /^Fetched 2 /);
          assert.equal(await available(), 2);
          await succeed(run(["stamp", "--save", "first.txt", ...asked]));
          assert.equal(await available(), 1);
          // A known hash costs none.
          await succeed(run(["stamp", "first.txt", ...asked]));
          assert.equal(await available(), 1);
          const many = await run(["stamp", "second.txt", "third.txt", ...asked]);
          assert.match(many.stderr, /requires a token for each new hash, and 1 are stored for 2/);
          await succeed(run(["token", "--count", "1", ...asked]));
          await succeed(run(["stamp", "second.txt", "third.txt", ...asked]));
          assert.equal(await available(), 0);
        });
      });

      await t.step(
        "a pipe is hashed, and without a writer does not outlive --timeout",
        async () => {
          await succeed(runTool("mkfifo", ["written", "silent"], { cwd: folder }));
          const text = "what came through a pipe\n";
          const writing = Deno.writeTextFile(join(folder, "written"), text);
          await using gateway = await Server.start(
            ["serve", "--data", "piped", "--port", "0"],
            READY,
            { cwd: folder },
          ).then(({ server, match }) => ({
            url: match[1]!,
            [Symbol.asyncDispose]: async () => void await server.stop(),
          }));
          const asked = ["--gateway", gateway.url];
          const stamped = await succeed(run(["stamp", "written", ...asked]));
          await writing;
          assert.ok(stamped.includes(createHash("sha256").update(text).digest("hex")), stamped);
          const { code, stderr } = await run(["stamp", "silent", "--timeout", "1", ...asked]);
          assert.equal(code, 1);
          assert.match(stderr, /1 s have passed \(--timeout\)/);
        },
      );

      await t.step("a time-stamp token is verified with its file", async () => {
        const vectors = new URL("../../docs/vectors/", import.meta.url);
        const { ed25519 } = JSON.parse(await Deno.readTextFile(new URL("networks.json", vectors)));
        const lines = await Deno.readTextFile(new URL("timestamps.jsonl", vectors));
        const line = lines.split("\n").find((one) =>
          one.includes("ed25519: time-stamp token: of SHA-512")
        );
        const { content, input, roots: [root] } = JSON.parse(line!);
        const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
        await write("stamped", content);
        await write("root.pem", root);
        await write("stamping.json", JSON.stringify(ed25519));
        await Deno.writeFile(join(folder, "stamped.tsr"), Uint8Array.fromHex(input));
        const named = ["stamped.tsr", "--network-config", "stamping.json"];
        assert.match(await succeed(run(["verify", ...named])), /^VALID \(Basic\)\nstamped existed/);
        const rooted = ["verify-proof", ...named, "--tsa-root", "root.pem"];
        assert.match(await succeed(run(rooted)), /^VALID \(Basic\)\nstamped existed/);
      });

      await t.step("files of operators are checked and changed", async () => {
        for (const name of ["own", "peer"]) {
          await runProgram(["init", "--out", name, "--id", `${name}.example`], { cwd: folder });
        }
        const write = (name: string, members: object) =>
          Deno.writeTextFile(join(folder, name), JSON.stringify(members), { mode: 0o600 });
        await Deno.writeTextFile(join(folder, "signer.token"), "t".repeat(32), { mode: 0o600 });
        const { witnesses: [witness] } = JSON.parse(
          await Deno.readTextFile(join(folder, "own/network.public.json")),
        );
        await write("remote.key", {
          signer: `unix:${folder}/s.sock`,
          kind: "witness",
          name: witness.id,
          scheme: "ed25519",
          public_key: witness.pubkey,
          token_file: "signer.token",
        });
        await write("monitor.json", {
          state_folder: "state",
          logs: [{
            origin: "log.example",
            policy_file: "policy",
            views: [{ name: "log", url: "https://log.example/" }],
          }],
          webhook: { url: "https://alerts.example/", secret_file: "signer.token" },
        });
        const own = "own/network.json";
        const asked = ["--federation-url", "https://peer.example/", "--token-file", "signer.token"];
        const peer = ["--peer", "peer/network.public.json", ...asked];
        assert.match(await succeed(run(["federate", "--config", own, ...peer])), /peer\.example/);
        await succeed(run(["config", "check", own, "remote.key"]));
        const shared = ["--peer", "own/network.public.json", ...asked];
        const refused = await run(["federate", "--config", own, ...shared]);
        assert.match(refused.stderr, /own network/);
        const monitor = await run(["config", "check", "monitor.json"]);
        assert.match(monitor.stdout, /"[^"]+policy": there is no such file/);
        const watch = await run(["watch", "--webhook", "ftp://example/"]);
        assert.match(watch.stderr, /--webhook must be an http: or https: URL/);
      });

      await t.step("upgrade does not wait for a pipe", async () => {
        await succeed(runTool("mkfifo", ["pipe"], { cwd: folder }));
        const { code, stderr } = await run(["upgrade", "pipe"]);
        assert.equal(code, 1);
        assert.match(stderr, /"pipe": it is a device or a pipe/);
      });
    }));
}

/** A gateway that requires tokens of an issuer of its own, whose work takes no time. */
async function withTokens(folder: string, use: (gateway: string) => Promise<void>): Promise<void> {
  const where = { cwd: folder };
  const data = ["--data", "issuer"];
  const issuing = ["issuer", ...data, "--port", "0"];
  // The first start makes the configuration.
  const first = await Server.start(issuing, ISSUER_READY, where);
  assert.equal(await first.server.stop(), 0);
  const file = join(folder, "issuer/issuer.json");
  const issuer = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(file, JSON.stringify({ ...issuer, work: { bits: 8 } }));
  const { server: issuerServer, match } = await Server.start(issuing, ISSUER_READY, where);
  await using _issuer = issuerServer;
  const { stdout } = await runProgram(["issuer", ...data, "--print-admission"], where);
  const [entry] = JSON.parse(stdout);
  const created = await Server.start(["serve", "--data", "paid", "--port", "0"], READY, where);
  assert.equal(await created.server.stop(), 0);
  const network = join(folder, "paid/network/network.json");
  const members = JSON.parse(await Deno.readTextFile(network));
  const admission = { mode: "token_required", issuers: [{ ...entry, url: match[1]! }] };
  await Deno.writeTextFile(network, JSON.stringify({ ...members, admission }));
  const { server, match: [, url] } = await Server.start(
    ["serve", "--data", "paid", "--port", "0"],
    READY,
    where,
  );
  await using _gateway = server;
  await use(url!);
}

async function childOf(pid: number): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`);
  const [child] = text.trim().split(" ").map(Number);
  assert.ok(child);
  return child;
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    return !/\) [ZX] /.test(stat);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

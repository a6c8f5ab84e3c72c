/**
 * An operator's journey with what docs/operating.md and deploy/ say: three operators' witnesses, a gateway
 * and its standby over PostgreSQL behind nginx for clients with API keys, a move to a folder, a backup and
 * its checks, a succession, and a proof from before it in all four verifiers.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "../../free_ports.ts";
import { eventually } from "../../scenarios/deployment.ts";
import { run, Server } from "../../scenarios/program.ts";
import { inFolder } from "../../server/captured_io.ts";
import { FrontProxy } from "../front_proxy.ts";
import { runGo } from "../go.ts";
import { NpmPackage, succeed } from "../npm_package.ts";
import { PostgresServer } from "../postgres_server.ts";
import { executable, RUNTIMES } from "../runtimes.ts";
import { runTool } from "../tools.ts";

const READY = /^Countersign (?:gateway|standby) of \S+ on (http:\/\/\S+)$/m;
const WITNESS_READY = /^Witness \S+ on (http:\/\/\S+)$/m;
const OPERATORS = ["alice", "bob", "carol"];
const PYTHON = "/usr/bin/python3";
const VERIFIERS = fileURLToPath(new URL("../../../verifiers", import.meta.url));

Deno.test("an operator makes a network, runs it over PostgreSQL, moves it, backs it up and changes it", async (t) => {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await PostgresServer.start());
  await inFolder(async (folder) => {
    await using servers = new AsyncDisposableStack();
    const base = freePorts(5);
    const [active, standby] = [base + 3, base + 4];
    const path = (...parts: string[]) => join(folder, ...parts);
    const read = (...parts: string[]) => Deno.readTextFile(path(...parts));
    const write = (file: string, text: string) =>
      Deno.writeTextFile(path(file), text, { mode: 0o600 });
    /** The output of `countersign`, which exits with 0. */
    const countersign = async (args: readonly string[], env: Record<string, string> = {}) => {
      const { code, stdout, stderr } = await run(args, { cwd: folder, env });
      assert.equal(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
      return stdout;
    };
    const serve = async (ready: RegExp, ...args: readonly string[]) => {
      const { server } = await Server.start(args, ready, { cwd: folder });
      servers.defer(() => server.kill());
      return server;
    };

    await t.step("three operators make a network", async () => {
      for (const [i, name] of OPERATORS.entries()) {
        await Deno.mkdir(path(name));
        const keygen = ["keygen", `${name}.example/w1`, "--url", `http://127.0.0.1:${base + i}`];
        const key = ["--out", join(name, "witness.key"), "--output", "json"];
        await write(`${name}.json`, await countersign([...keygen, ...key]));
      }
      const files = OPERATORS.map((name) => `${name}.json`);
      const options = ["--id", "log.example/2026", "--threshold", "2", "--out", "net"];
      await countersign(["network", "assemble", ...options, ...files]);
      for (const [i, name] of OPERATORS.entries()) {
        const file = join(name, "witness.json");
        await Deno.copyFile(path("net", `witness-${i + 1}`, "witness.json"), path(file));
        await countersign(["config", "check", file, "net/network.public.json"]);
        await serve(WITNESS_READY, "witness", "--adopt", "--size", "0", file);
      }
    });

    let proxy: FrontProxy;
    const gateways: Server[] = [];
    const serveLog = (port = active, data = "data", ...args: readonly string[]) =>
      serve(
        READY,
        "serve",
        "--config",
        "net/network.json",
        "--fronts",
        "0",
        "--data",
        data,
        "--port",
        String(port),
        "--event-sockets-port",
        "0",
        ...args,
      );
    const env: Record<string, string> = {};
    const stamp = async (name: string) => {
      await Deno.writeTextFile(path(name), `${name}\n`);
      await eventually(`${name} is stamped`, async () => {
        const { code } = await run(["stamp", "--save", name], { cwd: folder, env });
        return code === 0 || undefined;
      });
    };
    await t.step("a gateway and its standby, behind nginx, for clients with API keys", async () => {
      const network = JSON.parse(await read("net", "network.json"));
      await write("net/password", postgres.password);
      await write(
        "net/network.json",
        JSON.stringify({
          ...network,
          store: postgres.url,
          store_password_file: "password",
          api_keys: { file: "api-keys.json", routes: "all" },
        }),
      );
      const key = await countersign(["api-key", "new", "alice", "--file", "net/api-keys.json"]);
      await countersign(["config", "check", "net/network.json"]);
      for (const port of [active, standby]) {
        const url = `http://127.0.0.1:${port}/`;
        gateways.push(await serveLog(port, `data-${port}`, "--standby", "--public-url", url));
      }
      proxy = servers.use(await FrontProxy.start(active, active));
      env.COUNTERSIGN_GATEWAY = proxy.url;
      await Deno.writeTextFile(path("first.txt"), "first.txt\n");
      const refused = await run(["stamp", "--save", "first.txt"], { cwd: folder, env });
      assert.notEqual(refused.code, 0, "without a key");
      assert.match(refused.stderr, /api_key_required|API key/);
      env.COUNTERSIGN_API_KEY = /\S{40,}/.exec(key)![0];
      await stamp("first.txt");
      // The standby has what the active one accepted.
      const reading = { ...env, COUNTERSIGN_GATEWAY: `http://127.0.0.1:${standby}` };
      const status = await countersign(["status"], reading);
      assert.match(status, /^status: standby/m);
    });

    await t.step("the log moves to a folder, and its backup passes every check", async () => {
      for (const gateway of gateways.toReversed()) assert.equal(await gateway.stop(), 0);
      const moved = await countersign([
        "store",
        "copy",
        "--config",
        "net/network.json",
        "--from",
        postgres.url,
        "--from-secret-file",
        "net/password",
        "--to",
        "data",
      ]);
      assert.match(moved, /network\.json/);
      const { store: _, store_password_file: __, ...network } = JSON.parse(
        await read("net", "network.json"),
      );
      await write("net/network.json", JSON.stringify(network));
      await serveLog();
      await stamp("second.txt");
      await countersign([
        "backup",
        "--config",
        "net/network.json",
        "--data",
        "data",
        "--to",
        "copy",
      ]);
      const fsck = ["fsck", "--data", "copy/data", "--config", "net/network.json"];
      assert.match(await countersign(fsck), /accepted: 2 digests/);
      await succeed(runTool("sha256sum", ["-c", "--quiet", "SHA256SUMS"], { cwd: path("copy") }));
      const check = ["restore", "--check", "copy", "--config", "net/network.json"];
      assert.match(await countersign(check), /may be started/);
    });

    await t.step("a succession; proofs from before it stand in all four verifiers", async () => {
      const network = JSON.parse(await read("net", "network.json"));
      await write("net/successor.json", JSON.stringify({ ...network, epoch: 1, threshold: 3 }));
      await countersign(["config", "check", "net/successor.json"]);
      const sth = JSON.parse(await countersign(["log", "sth", "--output", "json"], env));
      const size = String(sth.tree_head.tree_size);
      const terms = ["--from", "net/network.public.json", "--to", "net/successor.json"];
      await countersign(["succession", "propose", ...terms, "--size", size, "--out", "next.json"]);
      const copies: string[] = [];
      for (const key of [...OPERATORS.map((name) => `${name}/witness.key`), "net/log.key"]) {
        const copy = `next-${copies.length}.json`;
        await Deno.copyFile(path("next.json"), path(copy));
        await countersign(["succession", "sign", copy, "--key", key, "--yes"]);
        copies.push(copy);
      }
      await countersign(["succession", "finish", ...copies, "--out", "succession.json"]);
      for (const name of [...OPERATORS, "net"]) {
        await Deno.copyFile(path("succession.json"), path(name, "succession.json"));
      }
      await eventually("the next epoch", async () => {
        const headers = { Authorization: `Bearer ${env.COUNTERSIGN_API_KEY}` };
        const answer = await fetch(`${proxy.url}/v1/network`, { headers });
        const text = await answer.text();
        if (!answer.ok || JSON.parse(text).epoch !== 1) return undefined;
        await write("network.public.json", text);
        return true;
      });
      const bundle = "first.txt.countersign.json";
      const proof = ["--bundle", bundle, "--file", "first.txt"];
      const verified = ["verify-proof", ...proof, "--network-config", "network.public.json"];
      assert.match(await countersign(verified), /VALID \(Batched\)/);
      const files = ["network.public.json", bundle, "first.txt"].map((name) => path(name));
      const python = [join(VERIFIERS, "python", "countersign_verify.py"), ...files];
      const environment = { PYTHONDONTWRITEBYTECODE: "1" };
      assert.match(
        await succeed(runTool(PYTHON, python, { cwd: folder, env: environment })),
        /"level": "batched"/,
      );
      assert.match(await succeed(runGo(["run", ".", ...files])), /"level": "batched"/);
      const npm = new NpmPackage();
      await npm.build();
      try {
        await npm.install(folder);
      } finally {
        await npm.remove();
      }
      const node = await executable(RUNTIMES[0]);
      const program = path("node_modules", ".bin", "countersign");
      const onNode = runTool(node, [program, ...verified], { cwd: folder, env: { HOME: folder } });
      assert.match(await succeed(onNode), /VALID \(Batched\)/);
    });
  });
});

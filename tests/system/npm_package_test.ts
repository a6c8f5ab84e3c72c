/**
 * The npm package as its users have it: packed, installed from the tarball without a registry, and run
 * by the oldest supported and the current versions of Node, by Bun and by Deno. Tests that are in other
 * files share the build.
 *
 * @module
 */

import assert from "node:assert/strict";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TokenSupply } from "../../src/cli/token_supply.ts";
import { systemClock } from "../../src/base/clock.ts";
import { encodeTokenText } from "../../src/proof/format/privacy_pass.ts";
import { Server } from "../scenarios/program.ts";
import { testClosedOutput } from "./closed_output.ts";
import { testConnectionProblems } from "./connection_problems.ts";
import { testNodeProgram } from "./node_program.ts";
import { NpmPackage, OFFLINE, succeed, WITH_DENO } from "./npm_package.ts";
import { testGeneratedCases } from "./generated_cases_tests.ts";
import { executable, type Runtime, RUNTIMES } from "./runtimes.ts";
import { testStranger } from "./stranger.ts";
import { runTool } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;
const MAX_PACKED_BYTES = 2_000_000;

/** The oldest Node, and Bun. The other versions of Node verify the proof, and refuse it for another file. */
const TRIED_FURTHER: readonly Runtime[] = [RUNTIMES[0], RUNTIMES.at(-1)!];

const CONSUMER =
  `import { parseBundle, parseNetwork, portableCrypto, verifyBundle } from "countersign/verify";
import { parseTimestamp, type TimestampVerdict, verifyTimestamp } from "countersign/verify/timestamp";
import { GatewayClient, systemClock } from "countersign/client";
import { fingerprintOf, type ProofBundle } from "countersign/formats";
import * as all from "countersign";

export async function check(configuration: string, proof: string, gateway: string) {
  const network = parseNetwork(configuration);
  const bundle: ProofBundle = parseBundle(proof);
  const { hash } = bundle.signed_attestation.attestation;
  const verdict = await verifyBundle(await portableCrypto(), { network, peers: [] }, bundle, { hash });
  const client = new GatewayClient({ url: new URL(gateway), clock: systemClock });
  const { text } = await client.bundle(hash);
  return [verdict.level, fingerprintOf(network).length, text.includes(hash), typeof all.verifyBundle];
}

export async function checkToken(configuration: string, bytes: Uint8Array<ArrayBuffer>): Promise<TimestampVerdict> {
  const trust = { network: parseNetwork(configuration), peers: [] };
  return await verifyTimestamp(await portableCrypto(), trust, parseTimestamp(bytes));
}
`;

const RUN_CONSUMER = `import { readFileSync } from "node:fs";
import { check } from "./consumer.js";
const [configuration, proof] = ["network.json", "claim.txt.countersign.json"]
  .map((name) => readFileSync(name, "utf8"));
console.log(JSON.stringify(await check(configuration, proof, process.argv[2])));
`;

const TSC = "npm:typescript@5.9.3/tsc";
const TSC_OPTIONS = ["--strict", "--module", "nodenext", "--target", "es2022"]
  .concat(["--lib", "esnext,dom,dom.asynciterable"]);

interface Manifest {
  readonly scripts?: unknown;
  readonly dependencies?: unknown;
}

const npmPackage = new NpmPackage();
Deno.test.beforeAll(() => npmPackage.build());
Deno.test.afterAll(() => npmPackage.remove());
testNodeProgram(npmPackage);
testStranger(npmPackage);
testGeneratedCases(npmPackage);
testClosedOutput(
  "Node",
  async () => [await executable(RUNTIMES[0]), join(npmPackage.built, "lib/main.js")],
);
testConnectionProblems("Node", "NODE_EXTRA_CA_CERTS", async (args, options) => {
  const program = join(npmPackage.built, "lib/main.js");
  return await runTool(await executable(RUNTIMES[0]), [program, ...args], options);
});

Deno.test("the npm package installs offline, and runs on Node, Bun and Deno", async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const home = join(folder, "home");
  const installed = join(folder, "node_modules/countersign");
  const program = join(folder, "node_modules/.bin/countersign");
  const inFolder = (
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) => runTool(command, args, { cwd: folder, env: { ...OFFLINE, COUNTERSIGN_HOME: home, ...env } });

  await t.step("it is packed, and installed without a registry", async () => {
    const { size } = npmPackage.packed;
    assert.ok(size < MAX_PACKED_BYTES, `${size} bytes`);
    await Deno.writeTextFile(join(folder, "package.json"), `{ "type": "module" }`);
    await npmPackage.install(folder);
    const manifest: Manifest = JSON.parse(
      await Deno.readTextFile(join(installed, "package.json")),
    );
    assert.equal(manifest.scripts, undefined);
    assert.equal(manifest.dependencies, undefined);
    assert.ok((await textsBelow(installed)).length > 100);
    for (const [path, text] of await textsBelow(installed)) {
      assert.equal(text.includes("/npm/registry."), false, path);
      for (const place of [ROOT, homedir() + "/", tmpdir() + "/", "/node_modules/.deno/"]) {
        assert.equal(text.includes(place), false, `${path} names ${place}`);
      }
    }
  });

  await t.step("JSR takes the same package, with explicit types", async () => {
    const jsr = join(folder, "jsr");
    const build = ["run", "--config", join(ROOT, "tools/deno.json"), "-A"];
    const script = join(ROOT, "tools/build_jsr.ts");
    await succeed(inFolder(Deno.execPath(), [...build, script, npmPackage.built, jsr]));
    const publish = ["publish", "--dry-run", "--allow-dirty", "--config", join(jsr, "jsr.json")];
    await succeed(inFolder(Deno.execPath(), publish));
  });

  let gateway = "";
  await t.step(
    "serve runs in the Deno on the path, with its page and a time-stamp authority",
    async () => {
      const data = join(folder, "data");
      const serve = async () => {
        const command = new Deno.Command(program, {
          args: ["serve", "--port", "0", "--data", data, "--batch-max-age-ms", "20"],
          cwd: folder,
          env: { ...OFFLINE, ...WITH_DENO },
          stdin: "null",
          stdout: "piped",
          stderr: "piped",
        });
        return await Server.spawn(command, READY);
      };
      // Makes the network.
      await (await serve()).server.stop();
      const network = join(data, "network/network.json");
      await succeed(inFolder(program, ["tsa", "init", "--out", "tsa"], WITH_DENO));
      const configuration = JSON.parse(await Deno.readTextFile(network));
      configuration.timestamping = {
        key_file: join(folder, "tsa/tsa.key"),
        certificates_file: join(folder, "tsa/tsa.pem"),
      };
      await Deno.writeTextFile(network, JSON.stringify(configuration));
      const { server, match } = await serve();
      stack.defer(async () => void await server.stop());
      gateway = match[1]!;
      const page = await (await fetch(gateway)).text();
      const [script] = /assets\/main\.[0-9a-f]+\.js/.exec(page) ?? [""];
      const answer = await fetch(new URL(script, gateway));
      assert.match(await answer.text(), /Countersign/);
      await Deno.copyFile(
        join(folder, "data/network/network.public.json"),
        join(folder, "network.json"),
      );
    },
  );

  const trusted = ["--network-config", "network.json"];
  await t.step("the commands of clients run on the oldest Node", async () => {
    const node = await executable(RUNTIMES[0]);
    const run = (...args: readonly string[]) =>
      inFolder(node, [program, ...args], { COUNTERSIGN_GATEWAY: gateway });
    await Deno.writeTextFile(join(folder, "claim.txt"), "what I knew today\n");
    assert.match(await succeed(run("network")), /threshold: 2 of 3/);
    await succeed(run("network", "--pin", "network.json"));
    assert.match(await succeed(run("stamp", "--save", "--wait-batched", "claim.txt")), /^batched/);
    const { stdout: sum } = await inFolder("sha256sum", ["claim.txt"]);
    const hash = sum.slice(0, 64);
    assert.match(await succeed(run("status", hash)), /progress: batched/);
    assert.match(await succeed(run("bundle", hash)), new RegExp(hash));
    const openApi = await (await fetch(new URL("openapi.json", gateway))).text();
    assert.equal(await succeed(run("openapi")), `${openApi}\n`);
    assert.match(await succeed(run("log", "sth", "--verify")), /^VALID/);
    assert.match(await succeed(run("log", "proof", hash, "--verify")), /^VALID/);
    const url = ["--url", "http://127.0.0.1:8091"];
    const key = await succeed(
      run("keygen", "a.example/w1", ...url, "--out", "witness.key", "--output", "json"),
    );
    await Deno.writeTextFile(join(folder, "key.json"), key);
    const assemble = ["network", "assemble", "--threshold", "1", "--out", "assembled", "key.json"];
    assert.match(await succeed(run(...assemble)), /^Created network/);
    const configurations = ["assembled/network.json", "data/network/network.json"];
    await succeed(run("config", "check", ...configurations));
    const watching = new Deno.Command(node, {
      args: [program, "watch", "--after", "v1.0.0.0.0.0"],
      env: { COUNTERSIGN_GATEWAY: gateway },
      stdout: "piped",
      stderr: "piped",
    });
    const { server } = await Server.spawn(watching, /batch\.closed/);
    assert.equal(await server.stop("SIGINT"), 0);
  });

  for (const runtime of RUNTIMES) {
    await t.step(`verify and verify-proof run on ${runtime[0]} ${runtime[1]}`, async () => {
      const command = await executable(runtime);
      const run = (...args: readonly string[]) => inFolder(command, [program, ...args]);
      const proof = ["--bundle", "claim.txt.countersign.json", "--file", "claim.txt", ...trusted];
      assert.match(await succeed(run("verify-proof", ...proof)), /VALID \(Batched\)/);
      if (TRIED_FURTHER.includes(runtime)) {
        assert.match(await succeed(run("verify", "claim.txt")), /VALID/);
        assert.match(await succeed(run("--help")), /verify-proof/);
      }
      await Deno.writeTextFile(join(folder, "other.txt"), "what I did not know\n");
      const other = proof.map((argument) => argument.replace(/^claim\.txt$/, "other.txt"));
      assert.equal((await run("verify-proof", ...other)).code, 1);
    });
  }

  await t.step("Node and Deno share a supply of tokens, and take each token once", async () => {
    const owner = { gateway, networkId: "log.example" };
    const supply = new TokenSupply(home, owner, systemClock);
    const all = Array.from({ length: 60 }, (_, i) => unsignedToken(i));
    await supply.add(all.map((token) => ({ token })));
    const taker = join(folder, "taker.js");
    const bundle = ["bundle", "--quiet", "--config", join(ROOT, "tests/deno.json")];
    const source = join(ROOT, "tests/cli/token_taker.ts");
    await succeed(
      runTool(Deno.execPath(), [...bundle, "--output", taker, source], { cwd: ROOT }),
    );
    const node = await executable(RUNTIMES[0]);
    const takers = [[node], [Deno.execPath(), "run", "-A", "--no-config"]].map((
      [command, ...args],
    ) => succeed(inFolder(command!, [...args, taker, home, owner.gateway, owner.networkId])));
    const taken = (await Promise.all(takers)).flatMap((text) => text.split("\n"));
    assert.deepEqual(taken.filter((line) => line !== "").toSorted(), all.toSorted());
  });

  const launcher = join(folder, "release/countersign");
  await t.step("the launcher runs all commands, workers and page", async () => {
    await Deno.mkdir(dirname(launcher));
    const build = ["run", "--config", join(ROOT, "tools/deno.json"), "-A"];
    const script = join(ROOT, "tools/build_launcher.ts");
    await succeed(
      runTool(Deno.execPath(), [...build, script, launcher, npmPackage.built], { cwd: ROOT }),
    );
    const env = { ...OFFLINE, PATH: "/usr/bin:/bin", XDG_CACHE_HOME: join(folder, "cache") };
    const run = (...args: readonly string[]) =>
      inFolder(launcher, args, { ...env, COUNTERSIGN_GATEWAY: gateway });
    const versions = await Promise.all([1, 2].map(() => succeed(run("--version"))));
    assert.match(versions[0]!, /^\d+\.\d+\.\d+\n$/);
    assert.equal(versions[1], versions[0]);
    const serving = new Deno.Command(launcher, {
      args: ["serve", "--port", "0", "--data", join(folder, "launched")],
      cwd: folder,
      env,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
    const { server, match } = await Server.spawn(serving, READY);
    try {
      const page = await (await fetch(match[1]!)).text();
      assert.match(page, /assets\/main\.[0-9a-f]+\.js/);
    } finally {
      await server.stop();
    }
    await Deno.writeTextFile(join(folder, "launched.txt"), "what the launcher stamped\n");
    await succeed(run("stamp", "--save", "launched.txt"));
    assert.match(await succeed(run("verify", "launched.txt")), /VALID/);
    const unpacked = await Array.fromAsync(Deno.readDir(join(folder, "cache/countersign")));
    assert.equal(unpacked.length, 1);
    // Who deletes this folder has removed everything.
    const made = await Array.fromAsync(Deno.readDir(join(folder, "cache")), ({ name }) => name);
    assert.deepEqual(made, ["countersign"]);
    const main = join(folder, "cache/countersign", unpacked[0]!.name, "lib/main.js");
    await Deno.writeTextFile(main, "// changed", { append: true });
    const changed = await run("--version");
    assert.equal(changed.code, 1);
    assert.match(changed.stderr, /were changed: remove that folder/);
  });

  await t.step("a release is attested, and each of its files verified", async () => {
    const script = ["run", "-A", join(ROOT, "tools/release.ts"), "--gateway", gateway];
    const release = () =>
      runTool(Deno.execPath(), [...script, ...trusted, "release"], {
        cwd: folder,
        env: { COUNTERSIGN_HOME: home },
      });
    assert.match(await succeed(release()), /VALID/);
    await succeed(runTool("sha256sum", ["-c", "SHA256SUMS"], { cwd: dirname(launcher) }));
    await Deno.stat(join(dirname(launcher), "SHA256SUMS.countersign.json"));
    await Deno.writeTextFile(launcher, "changed", { append: true });
    assert.notEqual((await release()).code, 0);
  });

  await t.step("the library has types, and verifies on the oldest Node", async () => {
    await Deno.writeTextFile(join(folder, "consumer.ts"), CONSUMER);
    await Deno.writeTextFile(join(folder, "run.js"), RUN_CONSUMER);
    const tsc = ["run", "-A", "--config", join(ROOT, "tools/deno.json"), TSC, ...TSC_OPTIONS];
    await succeed(runTool(Deno.execPath(), [...tsc, "consumer.ts"], { cwd: folder }));
    const node = await executable(RUNTIMES[0]);
    const printed = await succeed(inFolder(node, ["run.js", gateway]));
    assert.deepEqual(JSON.parse(printed), ["batched", 64, true, "function"]);
  });

  await t.step("a bundler makes a program for browsers of it", async () => {
    const bundle = ["bundle", "--quiet", "--no-config", "--node-modules-dir=manual"];
    const options = ["--platform", "browser", "--outdir", "bundled", "consumer.js"];
    await succeed(inFolder(Deno.execPath(), [...bundle, ...options]));
    const text = await Deno.readTextFile(join(folder, "bundled/consumer.js"));
    // What a browser does not have, it would ask of a server.
    assert.doesNotMatch(text, /["'`]node:|\brequire\(/);
    await Deno.writeTextFile(join(folder, "consumer.js"), text);
    const node = await executable(RUNTIMES[0]);
    const printed = await succeed(inFolder(node, ["run.js", gateway]));
    assert.deepEqual(JSON.parse(printed), ["batched", 64, true, "function"]);
  });

  await t.step("deno install makes a command that runs anywhere", async () => {
    const bin = join(folder, "bin");
    const document = await Deno.readTextFile(join(ROOT, "docs/install.md"));
    const [, listed = ""] = /--name countersign([^]*?)\.\/dist/.exec(document) ?? [];
    const flags = listed.match(/--[a-z][a-z0-9-]*(=\S+)?/g) ?? [];
    assert.ok(flags.length > 5);
    const install = ["install", "--global", "--no-config", "--quiet", "--root", folder];
    const main = join(installed, "lib/main.js");
    await succeed(
      inFolder(Deno.execPath(), [...install, ...flags, "--name", "countersign", main]),
    );
    const line = ["verify-proof", "--bundle", join(folder, "claim.txt.countersign.json")];
    const printed = await runTool(join(bin, "countersign"), [...line, "--file", "claim.txt"], {
      cwd: folder,
      env: {
        ...OFFLINE,
        COUNTERSIGN_HOME: home,
        ...WITH_DENO,
      },
    });
    assert.match(await succeed(Promise.resolve(printed)), /VALID \(Batched\)/);
  });
});

/** Every file below `folder`, by path. */
async function textsBelow(folder: string): Promise<[path: string, text: string][]> {
  const all: [string, string][] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) all.push(...await textsBelow(path));
    else all.push([path, await Deno.readTextFile(path)]);
  }
  return all;
}

function unsignedToken(number: number): string {
  return encodeTokenText({
    nonce: new Uint8Array(32).fill(number),
    challengeDigest: new Uint8Array(32),
    tokenKeyId: new Uint8Array(32),
    authenticator: new Uint8Array(256),
  });
}

/**
 * Files with secrets: made for their owner alone whatever the umask, and refused when others may
 * access them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runFederate } from "../../src/cli/federate_command.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { draftOf, runServe } from "../../src/cli/serve_run.ts";
import { runWitness } from "../../src/cli/witness_run.ts";
import { serveGateway } from "../../src/server/gateway/gateway_server.ts";
import { serveWitnessFile } from "../../src/server/witness/witness_server.ts";
import { readPrivateFile } from "../../src/config/private_file.ts";
import { loadToken } from "../../src/config/bearer_tokens.ts";
import { encodeIssuerSecret, readIssuerKeyFile } from "../../src/config/issuer_key_file.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { publishedSecret } from "../gateway/tokens/fixture.ts";
import { contextOf } from "../cli/client_run.ts";
import { bls } from "../schemes.ts";
import { makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";
import { withClient } from "../cli/client_run.ts";

const MAKER = fileURLToPath(new URL("./open_umask.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../deno.json", import.meta.url));
const PLAN = { witnesses: 1, threshold: 1, basePort: 8091, scheme: "ed25519" } as const;

/** Modes that let the group or everyone read, write or both. */
const OPEN_MODES = [0o640, 0o604, 0o644, 0o620, 0o666, 0o700 | 0o040];

/** Asserts that `use` refuses the file at `path` with each open mode, and says what to do. */
async function refusesOpen(path: string, use: () => Promise<unknown>): Promise<void> {
  const { mode: before } = await Deno.stat(path);
  for (const mode of OPEN_MODES) {
    await Deno.chmod(path, mode);
    await assert.rejects(use(), (error) => {
      assert.ok(error instanceof CountersignError, String(error));
      assert.equal(error.code, "file_failed", error.message);
      assert.ok(error.message.includes(path));
      assert.ok(error.message.includes(mode.toString(8).padStart(4, "0")));
      assert.ok(error.message.includes(`chmod 600 "${path}"`));
      return true;
    });
  }
  await Deno.chmod(path, before! & 0o777);
}

Deno.test("readPrivateFile() reads files that only the owner may access", () =>
  inFolder(async (folder) => {
    const path = join(folder, "secret");
    await Deno.writeTextFile(path, "a secret\n", { mode: 0o600 });
    for (const mode of [0o600, 0o400, 0o700]) {
      await Deno.chmod(path, mode);
      assert.equal(await readPrivateFile(path), "a secret\n");
    }
    await refusesOpen(path, () => readPrivateFile(path));
    // A mounted secret is often a link; the mode of the file behind it counts.
    const link = join(folder, "link");
    await Deno.symlink(path, link);
    assert.equal(await readPrivateFile(link), "a secret\n");
    await Deno.chmod(path, 0o444);
    await assert.rejects(readPrivateFile(link), { code: "file_failed" });
    await assert.rejects(readPrivateFile(folder), { code: "file_failed" });
    await assert.rejects(readPrivateFile(join(folder, "none")), { code: "configuration_missing" });
    await Deno.writeFile(path, Uint8Array.of(0xff));
    await Deno.chmod(path, 0o600);
    await assert.rejects(readPrivateFile(path), { code: "malformed_text" });
  }));

Deno.test("a gateway rejects a configuration or key that others may access", () =>
  inFolder(async (folder) => {
    const out = join(folder, "net");
    const { networkFile } = await createNetwork({ ...PLAN, kind: "embedded", out }, bls);
    const options = { port: 0, host: "127.0.0.1", insecure: false, config: networkFile };
    const io = new CapturedIo({ folder });
    const start = () => serveGateway(options, io, AbortSignal.abort());
    for (const name of ["network.json", "log.key", "witnesses/w1/witness.key"]) {
      await refusesOpen(join(out, name), start);
    }
    await refusesOpen(networkFile, () => runServe(options, { io, dropPermissions: () => {} }));
    assert.equal(await start(), 0);
  }));

Deno.test("a draft of the successor that cannot be used is reported, and does not stop a gateway", () =>
  inFolder(async (folder) => {
    const networkFile = join(folder, "network.json");
    const paths = { dataFolder: folder, networkFile, isTrial: false };
    const draft = join(folder, "successor.json");
    const options = { port: 0, host: "127.0.0.1", insecure: false };
    for (const [mode, reason] of [[0o644, "chmod 600"], [0o600, "not a JSON value"]] as const) {
      await Deno.writeTextFile(draft, "draft");
      await Deno.chmod(draft, mode);
      const io = new CapturedIo({ folder });
      assert.equal(await draftOf(paths, options, { io }), undefined);
      assert.ok(io.errLines.join().includes(reason), io.errLines.join());
      assert.ok(io.errLines.join().includes(`Starting without "${draft}"`));
    }
  }));

Deno.test("a witness rejects a configuration or key that others may access", () =>
  inFolder(async (folder) => {
    const out = join(folder, "net");
    const { witnessFiles } = await createNetwork({ ...PLAN, kind: "remote", out }, bls);
    const [config] = witnessFiles as [string];
    const members = { ...JSON.parse(await Deno.readTextFile(config)), port: 0 };
    await Deno.writeTextFile(config, JSON.stringify(members));
    const io = new CapturedIo({ folder });
    const start = () => serveWitnessFile({ config }, io, AbortSignal.abort());
    for (const path of [config, join(dirname(config), "witness.key")]) {
      await refusesOpen(path, start);
    }
    await refusesOpen(
      config,
      () => runWitness({ config, moved: false, adopt: false }, { io, dropPermissions: () => {} }),
    );
    assert.equal(await start(), 0);
  }));

Deno.test("issuer keys, tokens and API keys that others may access are rejected", () =>
  inFolder(async (folder) => {
    const key = join(folder, "key.json");
    const secret = publishedSecret({ notBefore: 1, notAfter: 2 });
    await Deno.writeTextFile(key, encodeIssuerSecret(secret), { mode: 0o600 });
    await refusesOpen(key, () => readIssuerKeyFile(key));
    const token = join(folder, "a.token");
    await Deno.writeTextFile(token, "a-token-of-24-characters-or-more\n", { mode: 0o600 });
    const load = () => loadToken({ kind: "file", path: token }, { env: () => undefined });
    await refusesOpen(token, load);
    assert.equal(await load(), "a-token-of-24-characters-or-more");
  }));

Deno.test("init, federate, keygen and issuer create private files under umask 0", () =>
  inFolder(async (folder) => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", CONFIG, MAKER],
      cwd: folder,
      stdout: "null",
      stderr: "piped",
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const [secret, open]: [string[], string[]] = [[], []];
    const walk = async (path: string): Promise<void> => {
      for await (const { name, isDirectory } of Deno.readDir(join(folder, path))) {
        const inner = join(path, name);
        const { mode } = await Deno.stat(join(folder, inner));
        ((mode! & 0o077) === 0 ? secret : open).push(inner);
        if (isDirectory) await walk(inner);
      }
    };
    await walk("");
    const made = [
      "remote/log.key",
      "remote/network.json",
      "embedded/witnesses/w1/witness.key",
      "remote/witness-1/witness.json",
      "remote/witness-1/state.kv",
      "own.key",
      "issuer/issuer.json",
    ];
    assert.deepEqual(made.filter((path) => !secret.includes(path)), []);
    assert.ok(secret.some((path) => /^issuer\/keys\/.+\.json$/.test(path)));
    assert.ok(secret.some((path) => /^remote\/peers\/.+\.token$/.test(path)));
    const isPublic = (path: string) =>
      /^\w+\/(network\.public|peers\/[^/]+\/network)\.json$/.test(path);
    assert.deepEqual(open.filter((path) => !isPublic(path)), []);
    assert.equal(open.length, 3);
  }));

Deno.test("a public configuration may be readable by everyone", () =>
  withClient(async (client) => {
    const network = new TestNetwork("public.example");
    const log = makeLog(network);
    const file = join(client.folder, "network.json");
    await client.write("network.json", publicNetworkJson(network.configuration));
    await client.write("bundle.json", log.bundle(3));
    await Deno.chmod(file, 0o666);
    const line = ["verify-proof", "--bundle", "bundle.json", "--network-config", "network.json"];
    assert.equal((await client.run(line)).code, 0);
  }));

Deno.test("federate rejects operator configurations that others may access", () =>
  inFolder(async (folder) => {
    const io = new CapturedIo({ folder });
    const own = join(folder, "own");
    const peer = join(folder, "peer");
    const { networkFile, witnessFiles } = await createNetwork(
      { ...PLAN, kind: "remote", out: own },
      bls,
    );
    await createNetwork({ ...PLAN, kind: "remote", out: peer }, bls);
    const publicFile = join(peer, "network.public.json");
    await Deno.chmod(publicFile, 0o666);
    const federate = () =>
      runFederate({
        config: networkFile,
        peer: publicFile,
        witnesses: [...witnessFiles],
        federationUrl: [],
        rotateToken: false,
        overlapHours: 1,
        insecure: false,
      }, contextOf(io));
    for (const path of [networkFile, witnessFiles[0]!]) await refusesOpen(path, federate);
    assert.equal(await federate(), 0);
  }));

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type InitOptions, runInit } from "../../src/cli/init_command.ts";
import type { CreatedNetwork } from "../../src/server/gateway/network_folder.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { readLogSigner, readWitnessSigner } from "../../src/config/key_file.ts";
import { parseOperatorNetwork } from "../../src/config/operator_network.ts";
import { publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import { hexOf } from "../../src/base/bytes.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { NOTE_TYPE, parseVkey } from "../../src/proof/format/note_key.ts";
import { openWitnessState } from "../../src/storage/witness/witness_state.ts";
import { bls, configuredWitness, eachScheme, KEY_READING } from "../schemes.ts";
import { contextOf } from "./client_run.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";

const DEFAULTS: InitOptions = {
  witnesses: 3,
  basePort: 8091,
  scheme: "ed25519",
  beacon: [],
  mlDsa: false,
  out: "countersign-network",
};

function hasErrorCode(code: ErrorCode) {
  return (error: unknown) => error instanceof CountersignError && error.code === code;
}

/** Every file and folder below `folder`, ascending, with its permission bits. */
async function tree(folder: string, prefix = ""): Promise<[string, number][]> {
  const found: [string, number][] = [];
  for await (const entry of Deno.readDir(join(folder, prefix))) {
    const name = join(prefix, entry.name);
    found.push([name, ((await Deno.stat(join(folder, name))).mode ?? 0) % 0o1000]);
    if (entry.isDirectory) found.push(...await tree(folder, name));
  }
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function initialised(folder: string, options: Partial<InitOptions> = {}) {
  const io = new CapturedIo({ folder });
  assert.equal(await runInit({ ...DEFAULTS, ...options }, contextOf(io)), 0);
  return JSON.parse(io.stdout);
}

eachScheme.test("init writes valid configurations, matching keys and witness states", async (scheme) => {
  await inFolder(async (folder) => {
    const made = await initialised(folder, { scheme });
    const { id, network_file, public_file, witness_files } = made;
    const { network, witnesses, logKeyFile } = parseOperatorNetwork(
      await Deno.readTextFile(network_file),
      network_file,
    );
    assert.equal(network.id, id);
    assert.equal(network.threshold, 2);
    assert.deepEqual([network.signature_scheme, made.signature_scheme], [scheme, scheme]);
    const log = await readLogSigner(logKeyFile, parseVkey(network.log_vkey), KEY_READING);
    assert.deepEqual(parseVkey(network.log_vkey).publicKey, log.publicKey);

    const text = await Deno.readTextFile(public_file);
    assert.equal(text, publicNetworkJson(network));
    assert.deepEqual(parseNetwork(text).witnesses, network.witnesses);

    assert.equal(witness_files.length, 3);
    for (const [i, file] of witness_files.entries()) {
      const node = parseWitnessNode(await Deno.readTextFile(file), file);
      const remote = witnesses[i];
      assert.ok(remote?.kind === "remote");
      assert.equal(node.token, remote.token);
      assert.equal(`http://${node.host}:${node.port}`, remote.url);
      assert.equal(node.id, `${id}/w${i + 1}`);
      assert.deepEqual(node.logs, [{
        origin: id,
        keys: [{ name: id, type: NOTE_TYPE.ed25519, publicKey: log.publicKey }],
      }]);
      const signer = await readWitnessSigner(node.keyFile, { name: node.id }, KEY_READING);
      assert.deepEqual(configuredWitness(node.id, signer), network.witnesses[i]);
      const state = await openWitnessState(node.stateFile);
      assert.equal(await state.load(id), undefined);
      state.close();
    }
    assert.equal(new Set(witnesses.map((w) => w.kind === "remote" && w.token)).size, 3);
  });
});

Deno.test("init writes secrets with mode 0600 and public files with 0644", async () => {
  await inFolder(async (folder) => {
    const { network_file } = await initialised(folder, { witnesses: 1 });
    const files = await tree(dirname(network_file));
    const modes = new Map(files);
    for (const name of ["log.key", "network.json", "witness-1/witness.json"]) {
      assert.equal(modes.get(name), 0o600, name);
    }
    assert.equal(modes.get("witness-1/witness.key"), 0o600);
    assert.equal(modes.get("witness-1"), 0o700);
    assert.equal(modes.get("network.public.json"), 0o644 & ~Deno.umask());
    assert.deepEqual((await tree(folder))[0], [DEFAULTS.out, 0o700]);

    const secrets = [
      await Deno.readTextFile(join(dirname(network_file), "log.key")),
      JSON.parse(await Deno.readTextFile(network_file)).witnesses[0].token,
    ];
    assert.match(secrets[0] ?? "", /^PRIVATE\+KEY\+[^\n]+\n$/);
    const published = await Deno.readTextFile(join(dirname(network_file), "network.public.json"));
    for (const secret of secrets) assert.ok(!published.includes(secret.trim()));
  });
});

Deno.test("init generates a unique id unless one is given", async () => {
  await inFolder(async (folder) => {
    const first = await initialised(folder, { out: "a" });
    const second = await initialised(folder, { out: "b" });
    assert.match(first.id, /^countersign\.local\/[0-9a-f]{8}$/);
    assert.notEqual(first.id, second.id);
    const { id } = await initialised(folder, { out: "c", id: "log.example/2026" });
    assert.equal(id, "log.example/2026");
    const named = await initialised(folder, { out: "d", id: "sigsum.org/v1/tree/{key_hash}" });
    const { network } = parseOperatorNetwork(
      await Deno.readTextFile(named.network_file),
      named.network_file,
    );
    const { name, publicKey } = parseVkey(network.log_vkey);
    assert.equal(named.id, `sigsum.org/v1/tree/${hexOf(portableKernels.sha256(publicKey))}`);
    assert.deepEqual([network.id, name], [named.id, named.id]);
  });
});

Deno.test("init draws a port for event sockets, on the host of the clients' listener", async () => {
  await inFolder(async (folder) => {
    const ports = new Set<number>();
    for (let i = 0; i < 4; i++) {
      const { network_file } = await initialised(folder, { out: `n${i}` });
      const text = await Deno.readTextFile(network_file);
      const { host, port } = parseOperatorNetwork(text, network_file).eventSockets!;
      assert.equal(host, undefined);
      assert.ok(port >= 16_384 && port < 32_768, `${port}`);
      ports.add(port);
    }
    // Four of 16,384 are alike once in 2,700 runs, all of them never.
    assert.ok(ports.size > 1);
  });
});

Deno.test("init takes the smallest majority, and no smaller threshold", async () => {
  await inFolder(async (folder) => {
    for (const [witnesses, threshold] of [[1, 1], [2, 2], [3, 2], [4, 3], [11, 6]] as const) {
      const { network_file } = await initialised(folder, { witnesses, out: `of-${witnesses}` });
      const text = await Deno.readTextFile(network_file);
      assert.equal(parseOperatorNetwork(text, network_file).network.threshold, threshold);
    }
    for (
      const options of [
        { witnesses: 2, threshold: 1 },
        { witnesses: 4, threshold: 2 },
        { witnesses: 3, threshold: 4 },
        { witnesses: 3, threshold: 0 },
        { witnesses: 0 },
        { witnesses: 65 },
        { witnesses: 1.5 },
        { id: "countersign/round" },
        { id: "two words" },
        { id: "x".repeat(97) },
        { id: `${"x".repeat(33)}{key_hash}` },
        { basePort: 65_534 },
        { basePort: 0 },
      ]
    ) {
      await assert.rejects(
        initialised(folder, { out: "refused", ...options }),
        hasErrorCode("invalid_configuration"),
        JSON.stringify(options),
      );
    }
    assert.deepEqual((await tree(folder)).filter(([name]) => name.includes("refused")), []);
  });
});

Deno.test("init --beacon configures relays, and witnesses that require beacons", async () => {
  await inFolder(async (folder) => {
    const beacon = ["https://api.drand.sh", "http://127.0.0.1:8100/"];
    const made = await initialised(folder, { beacon });
    const text = await Deno.readTextFile(made.network_file);
    const operator = parseOperatorNetwork(text, made.network_file);
    assert.deepEqual(operator.beacon, { relays: beacon, maxAgeSeconds: 30 });
    assert.doesNotMatch(await Deno.readTextFile(made.public_file), /beacon|drand/);
    for (const file of made.witness_files) {
      const node = parseWitnessNode(await Deno.readTextFile(file), file);
      assert.equal(node.beacon?.maxAgeSeconds, 30);
    }
    const without = await initialised(folder, { out: "without" });
    for (const file of [without.network_file, ...without.witness_files]) {
      assert.doesNotMatch(await Deno.readTextFile(file), /beacon/);
    }
    for (const refused of [["http://api.drand.sh"], ["no url"], [beacon[0]!, `${beacon[0]}/`]]) {
      await assert.rejects(
        initialised(folder, { out: "refused", beacon: refused }),
        hasErrorCode("invalid_configuration"),
      );
    }
    assert.deepEqual((await tree(folder)).filter(([name]) => name.includes("refused")), []);
  });
});

Deno.test("init overwrites nothing, and accepts an empty folder", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(join(folder, "empty"));
    await initialised(folder, { out: "empty" });
    const before = await tree(folder);
    await assert.rejects(initialised(folder, { out: "empty" }), hasErrorCode("file_failed"));
    await Deno.writeTextFile(join(folder, "file"), "");
    await assert.rejects(initialised(folder, { out: "file" }), hasErrorCode("file_failed"));
    await assert.rejects(initialised(folder, { out: "file/in" }), hasErrorCode("file_failed"));
    await Deno.remove(join(folder, "file"));
    assert.deepEqual(await tree(folder), before);
  });
});

Deno.test("of two concurrent runs of init, one succeeds", async () => {
  await inFolder(async (folder) => {
    const plan = {
      witnesses: 3,
      threshold: 2,
      scheme: "ed25519",
      kind: "embedded",
      basePort: 0,
      out: join(folder, "net"),
    } as const;
    const runs = await Promise.allSettled([createNetwork(plan, bls), createNetwork(plan, bls)]);
    const done = runs.filter((run): run is PromiseFulfilledResult<CreatedNetwork> =>
      run.status === "fulfilled"
    );
    assert.equal(done.length, 1);
    const { network, networkFile } = done[0]!.value;
    const text = await Deno.readTextFile(networkFile);
    const found = parseOperatorNetwork(text, networkFile);
    assert.equal(found.network.id, network.id);
    for (const witness of found.witnesses) {
      assert.ok(witness.kind === "embedded");
      await readWitnessSigner(witness.keyFile, { name: witness.id }, KEY_READING);
      (await openWitnessState(witness.stateFile)).close();
    }
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["net"]);
  });
});

Deno.test("init prints the commands that start the network", async () => {
  await inFolder(async (folder) => {
    const io = new CapturedIo({ folder });
    await runInit({ ...DEFAULTS, out: "it's new" }, contextOf(io, { output: "text" }));
    assert.match(
      io.stdout,
      /countersign witness '.*it'\\''s new\/witness-2\/witness.json'/,
    );
    assert.match(io.stdout, /countersign serve --config '/);
    assert.deepEqual(io.errLines, []);
  });
});

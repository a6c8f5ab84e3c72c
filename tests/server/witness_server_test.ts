import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { utf8 } from "../../src/base/bytes.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { encodeVkey } from "../../src/proof/format/note_key.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { newMlDsaKey } from "../../src/server/gateway/new_keys.ts";

import { runWitness, type WitnessCommandOptions } from "../../src/cli/witness_run.ts";
import { serveWitness } from "../../src/server/witness/witness_server.ts";
import { readTextFile } from "../../src/config/text_file.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { emptyRoot } from "../../src/proof/merkle/tree.ts";
import { openWitnessState } from "../../src/storage/witness/witness_state.ts";
import { bls } from "../schemes.ts";
import { within } from "../time_limits.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";

const ROOT = portableKernels.sha256(utf8("a root")).toHex();

function hasErrorCode(code: ErrorCode) {
  return (error: unknown) => error instanceof CountersignError && error.code === code;
}

/** A new network's only witness, on a free port. */
async function witnessFile(
  folder: string,
  scheme: SignatureScheme = "ed25519",
): Promise<string> {
  const { witnessFiles: [file] } = await createNetwork({
    witnesses: 1,
    threshold: 1,
    scheme,
    kind: "remote",
    basePort: 8091,
    out: join(folder, "net"),
  }, bls);
  assert.ok(file !== undefined);
  await edit(file, { port: 0 });
  return file;
}

async function edit(file: string, members: Record<string, unknown>): Promise<void> {
  const value = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(file, JSON.stringify({ ...value, ...members }));
}

async function loseState(file: string): Promise<void> {
  for await (const { name } of Deno.readDir(dirname(file))) {
    if (name.startsWith("state.kv")) await Deno.remove(join(dirname(file), name));
  }
}

interface Served {
  readonly io: CapturedIo;
  readonly url: string;
  stop(): Promise<void>;
}

async function served(
  folder: string,
  file: string,
  options: { readonly moved?: boolean } = {},
): Promise<Served> {
  const io = new CapturedIo({ folder });
  const controller = new AbortController();
  const node = parseWitnessNode(await readTextFile(file), file);
  const over = serveWitness(node, io, controller.signal, options);
  const printed = await Promise.race([io.printed(/^Witness (\S+) on (http:\/\/\S+)$/), over]);
  assert.ok(Array.isArray(printed) && printed[1] === node.id);
  return {
    io,
    url: printed[2] ?? "",
    stop() {
      controller.abort();
      return over;
    },
  };
}

function run(folder: string, options: Partial<WitnessCommandOptions>, answers?: readonly string[]) {
  const io = new CapturedIo({ folder, ...(answers && { answers }) });
  return runWitness({
    config: "net/witness-1/witness.json",
    moved: false,
    adopt: false,
    ...options,
  }, {
    io,
    dropPermissions: () => {},
  });
}

Deno.test("a witness serves its configuration, also after a restart", async () => {
  await inFolder(async (folder) => {
    const file = await witnessFile(folder);
    const { id, network_id } = JSON.parse(await Deno.readTextFile(file));
    for (let start = 0; start < 2; start++) {
      const { url, stop, io } = await served(folder, file);
      const info = await (await fetch(`${url}/v1/info`)).json();
      assert.equal(info.id, id);
      assert.equal(info.network_id, network_id);
      const refused = await fetch(`${url}/v1/sign`, { method: "POST", body: "{}" });
      assert.equal(refused.status, 401);
      await refused.body?.cancel();
      await stop();
      await assert.rejects(fetch(`${url}/health`));
      assert.deepEqual(io.errLines, ["countersign: Stopping"]);
    }
  });
});

Deno.test("a witness whose folder was copied does not start until --moved", async () => {
  await inFolder(async (folder) => {
    const file = await witnessFile(folder);
    await (await served(folder, file)).stop();
    const copied = join(folder, "copied");
    await Deno.mkdir(copied);
    for await (const { name } of Deno.readDir(dirname(file))) {
      await Deno.copyFile(join(dirname(file), name), join(copied, name));
    }
    const copy = join(copied, basename(file));
    await assert.rejects(served(folder, copy), hasErrorCode("store_copied"));
    await (await served(folder, copy, { moved: true })).stop();
    await (await served(folder, copy)).stop();
  });
});

Deno.test("a witness stops while clients are connected", async () => {
  await inFolder(async (folder) => {
    const { url, stop } = await served(folder, await witnessFile(folder));
    const port = Number(new URL(url).port);
    const halfOpen = await Deno.connect({ hostname: "127.0.0.1", port });
    await halfOpen.write(utf8("POST /v1/sign HTTP/1.1\r\nHost: a\r\n"));
    // A half-open connection does not end by itself.
    assert.ok(await within(60_000, stop()));
    halfOpen.close();
  });
});

Deno.test("a witness whose port is in use fails and leaves its state unchanged", async () => {
  await inFolder(async (folder) => {
    const file = await witnessFile(folder);
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    await edit(file, { port: taken.addr.port });
    await assert.rejects(run(folder, {}), hasErrorCode("address_in_use"));
    taken.close();
    await edit(file, { port: 0 });
    await (await served(folder, file)).stop();
  });
});

Deno.test("a second witness process on one state fails", async () => {
  await inFolder(async (folder) => {
    const file = await witnessFile(folder);
    const { stop } = await served(folder, file);
    await assert.rejects(run(folder, {}), hasErrorCode("data_in_use"));
    await stop();
  });
});

Deno.test("a witness without a state does not start and creates none", async () => {
  await inFolder(async (folder) => {
    const file = await witnessFile(folder);
    await loseState(file);
    await assert.rejects(run(folder, {}), hasErrorCode("witness_state_missing"));
    await assert.rejects(run(folder, {}), /--adopt/);
    // A file that is no state: what a crash in the middle of making one leaves.
    await Deno.writeTextFile(join(dirname(file), "state.kv"), "");
    await assert.rejects(run(folder, {}), hasErrorCode("witness_state_missing"));
  });
});

Deno.test("a witness with the key of another witness does not start", async () => {
  await inFolder(async (folder) => {
    const file = await witnessFile(folder);
    await edit(file, { id: "another/w1" });
    await assert.rejects(run(folder, {}), hasErrorCode("invalid_key"));
    await assert.rejects(
      run(folder, { config: "nowhere.json" }),
      hasErrorCode("configuration_missing"),
    );
  });
});

/** What is adopted when serving afterwards is refused, since the port is taken. */
async function adopted(
  folder: string,
  options: Partial<WitnessCommandOptions>,
  answers?: string[],
) {
  const file = await witnessFile(folder);
  await loseState(file);
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await edit(file, { port: taken.addr.port });
  try {
    await assert.rejects(
      run(folder, { adopt: true, ...options }, answers),
      hasErrorCode("address_in_use"),
    );
  } finally {
    taken.close();
  }
  const node = parseWitnessNode(await readTextFile(file), file);
  const state = await openWitnessState(node.stateFile);
  const head = await state.load(node.networkId);
  state.close();
  return head;
}

Deno.test("--adopt starts from the head that the operator names", async () => {
  await inFolder(async (folder) => {
    const head = await adopted(folder, { size: "70000", root: ROOT.toUpperCase() });
    assert.equal(head?.size, 70_000);
    assert.equal(head?.root.toHex(), ROOT);
  });
  await inFolder(async (folder) => {
    const head = await adopted(folder, {}, ["5", ROOT]);
    assert.equal(head?.size, 5);
    assert.equal(head?.root.toHex(), ROOT);
  });
  await inFolder(async (folder) => {
    assert.equal(await adopted(folder, { size: "0" }), undefined);
  });
  await inFolder(async (folder) => {
    const root = emptyRoot(portableKernels).toHex();
    assert.equal(await adopted(folder, { size: "0", root }), undefined);
  });
});

Deno.test("--adopt rejects an invalid head and an existing state", async () => {
  await inFolder(async (folder) => {
    const file = await witnessFile(folder);
    await assert.rejects(
      run(folder, { adopt: true, size: "5", root: ROOT }),
      hasErrorCode("file_failed"),
    );
    await loseState(file);
    const wrong: readonly (readonly [Partial<WitnessCommandOptions>, (readonly string[])?])[] = [
      [{}],
      [{ size: "5" }],
      [{ root: ROOT }],
      [{ size: "-1", root: ROOT }],
      [{ size: "05", root: ROOT }],
      [{ size: "5", root: ROOT.slice(1) }],
      [{ size: "0", root: ROOT }],
      [{}, []],
      [{}, ["", ROOT]],
      [{}, ["5", ""]],
    ];
    for (const [options, answers] of wrong) {
      await assert.rejects(
        run(folder, { adopt: true, ...options }, answers),
        hasErrorCode("usage"),
        JSON.stringify([options, answers]),
      );
    }
    await assert.rejects(run(folder, {}), hasErrorCode("witness_state_missing"));
  });
});

Deno.test("--adopt asks for every log that the witness follows", async () => {
  await inFolder(async (folder) => {
    const file = await witnessFile(folder);
    const { logs } = JSON.parse(await Deno.readTextFile(file));
    const other = await createNetwork({
      witnesses: 1,
      threshold: 1,
      scheme: "ed25519",
      kind: "remote",
      basePort: 1,
      out: join(folder, "other"),
    }, bls);
    const second = { origin: other.network.id, vkey: other.network.log_vkey };
    await edit(file, { logs: [...logs, second] });
    await loseState(file);
    await assert.rejects(
      run(folder, { adopt: true, size: "5", root: ROOT }),
      hasErrorCode("usage"),
    );
    await assert.rejects(run(folder, { adopt: true }, ["5", ROOT]), hasErrorCode("usage"));
    await assert.rejects(run(folder, {}), hasErrorCode("witness_state_missing"));
  });
});

Deno.test("a witness starts only with the ML-DSA-44 key of its name", async () => {
  await inFolder(async (folder) => {
    const file = await witnessFile(folder);
    const { id } = parseWitnessNode(await Deno.readTextFile(file), file);
    const { key, secretLine } = newMlDsaKey(id);
    const keyFile = join(dirname(file), "ml-dsa.key");
    await Deno.writeTextFile(keyFile, secretLine, { mode: 0o600 });
    await edit(file, { ml_dsa_key_file: "ml-dsa.key" });
    const { url, stop } = await served(folder, file);
    const info = await (await fetch(`${url}/v1/info`)).json();
    await stop();
    assert.equal(info.ml_dsa_vkey, encodeVkey(key));
    await Deno.writeTextFile(keyFile, newMlDsaKey("another").secretLine);
    await assert.rejects(served(folder, file), hasErrorCode("invalid_key"));
    await Deno.remove(keyFile);
    await assert.rejects(served(folder, file), hasErrorCode("configuration_missing"));
  });
});

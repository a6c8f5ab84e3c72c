/**
 * Stores and witness states that disks or people have damaged: whoever starts over one says so and
 * ends, or refuses what it can no longer stand for, and mends nothing.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { CountersignError } from "../../src/base/errors.ts";
import { serveGateway } from "../../src/server/gateway/gateway_server.ts";
import { logKeys } from "../../src/storage/log/log_keys.ts";
import { Client } from "../cli/client_run.ts";
import { CapturedIo } from "../server/captured_io.ts";
import { checkAccepted } from "./crash_checks.ts";
import { copyFolder } from "./crash_control.ts";
import {
  changed,
  cutInHalf,
  type Damage,
  replacedByFolder,
  replacedByText,
  withGarbageHeader,
  withGarbageRoot,
  withoutHeader,
  withoutPageOf,
} from "./damaged_files.ts";
import { HttpClient } from "./http_client.ts";
import { run } from "./program.ts";
import { serveArgs, submitBulk } from "./trial_gateway.ts";

const REQUESTS = 12;
const STATE = join("network", "witnesses", "w1", "state.kv");

/** A message of ours, and neither a stack nor a word of the runtime. */
function assertTold(stderr: string, message: RegExp, what: string): void {
  assert.match(stderr, /^(countersign: )?Cannot /m, what);
  assert.match(stderr, message, what);
  assert.doesNotMatch(stderr, /Uncaught|panicked|^ +at /m, what);
}

let folder = "";
/** What the log of the folder `sound` in {@linkcode folder} has, in order. */
const hashes: string[] = [];

Deno.test.beforeAll(async () => {
  folder = await Deno.makeTempDir();
  await serving("sound", async ({ address }) => {
    for (let i = 0; i < REQUESTS; i++) {
      hashes.push(...(await submitBulk(address, `sound ${i}`)).hashes);
    }
    const { violations } = await checkAccepted(address, hashes);
    assert.deepEqual(violations, []);
  });
});
Deno.test.afterAll(() => Deno.remove(folder, { recursive: true }));

interface Serving {
  readonly address: Deno.NetAddr;
  readonly io: CapturedIo;
}

function serve(data: string, io: CapturedIo, signal: AbortSignal): Promise<number> {
  const options = { data, port: 0, host: "127.0.0.1", insecure: false, batchMaxAgeMs: 20 };
  return serveGateway({ ...options, moved: data !== "sound" }, io, signal);
}

/** Serves the data in the folder `data` below {@linkcode folder} while `use` runs. */
async function serving(data: string, use: (gateway: Serving) => Promise<void>): Promise<void> {
  const io = new CapturedIo({ folder });
  const stop = new AbortController();
  const running = serve(data, io, stop.signal);
  try {
    await Promise.race([running, io.printed(/ on http:\S+/)]);
    const { hostname, port } = new URL(/ on (http:\S+)/.exec(io.stdout)![1]!);
    await use({ address: { transport: "tcp", hostname, port: Number(port) }, io });
  } finally {
    stop.abort();
    assert.equal(await running, 0, io.errLines.join("\n"));
  }
}

/** Requires a start over the damaged data to end with `message`; `asProcess` as an operator starts it. */
async function assertRefused(message: RegExp, what: string, asProcess = false): Promise<void> {
  if (asProcess) {
    const { code, stderr } = await run(serveArgs("damaged", "--moved"), { cwd: folder });
    assert.equal(code, 1);
    assertTold(stderr, message, what);
    return;
  }
  const io = new CapturedIo({ folder });
  const error = await serve("damaged", io, new AbortController().signal).then(
    (code) => assert.fail(`${what}: it served and ended with ${code}`),
    (error) => error,
  );
  assert.ok(error instanceof CountersignError, what);
  assertTold(error.message, message, what);
}

/** The folder `damaged` as a copy of `sound` in which `damage` was done to the file at `path`. */
async function damage(path: string, change: Damage): Promise<void> {
  await Deno.remove(join(folder, "damaged"), { recursive: true }).catch(() => {});
  await copyFolder(join(folder, "sound"), join(folder, "damaged"));
  await change(join(folder, "damaged", path));
}

/** The value at `key` of the sound store. */
async function storedBytes(key: Deno.KvKey): Promise<Uint8Array> {
  using kv = await Deno.openKv(join(folder, "sound", "store.kv"));
  return (await kv.get<Uint8Array>(key)).value!;
}

/** The bytes of a file, or nothing of a folder. */
async function bytesOf(path: string): Promise<Uint8Array | undefined> {
  return (await Deno.stat(path)).isFile ? await Deno.readFile(path) : undefined;
}

Deno.test("serve and fsck report a damaged store and leave it unchanged", async (t) => {
  const store = join(folder, "damaged", "store.kv");

  const unopened: Record<string, readonly [Damage, RegExp]> = {
    "cut in half": [cutInHalf, /malformed/],
    "without its first page": [withoutHeader, /file is not a database/],
    "with a garbage header": [withGarbageHeader, /file is not a database/],
    "with a garbage page at a root": [withGarbageRoot, /database is damaged .*malf/],
    "replaced by a text": [replacedByText, /file is not a database/],
    "replaced by a folder": [replacedByFolder, /Cannot open store/],
  };
  for (const [i, [name, [change, message]]] of Object.entries(unopened).entries()) {
    await t.step(`${name}: refused at start, unchanged`, async () => {
      await damage("store.kv", change);
      const before = await bytesOf(store);
      await assertRefused(message, name, i === 0);
      assert.deepEqual(await bytesOf(store), before);
      await assertFsckNames();
    });
  }

  const lastHash = Uint8Array.fromHex(hashes.at(-1)!);
  const read: Record<string, readonly [Damage, RegExp]> = {
    "a page of digests is zeros": [withoutPageOf(lastHash), /database is damaged/],
    "a row of digests is gone": [
      changed((kv) => kv.delete(logKeys.intake(0))),
      /Cannot read digests/,
    ],
    "the head is another": [
      changed((kv) => kv.set(logKeys.head(), new Uint8Array(40))),
      /Cannot use the stored tree/,
    ],
    "the head is of no length": [
      changed((kv) => kv.set(logKeys.head(), new Uint8Array(3))),
      /Cannot read head of the store/,
    ],
  };
  for (const [name, [change, message]] of Object.entries(read)) {
    await t.step(`${name}: refused at start`, async () => {
      await damage("store.kv", change);
      await assertRefused(message, name);
      await assertFsckNames();
    });
  }

  const tile = await storedBytes(logKeys.tile(0, 0));
  const bundle = `/v1/bundle/${hashes[0]}`;
  const served: Record<string, readonly [Damage, RegExp, string]> = {
    "a round that does not decode": [
      changed((kv) => kv.set(logKeys.round(0), new Uint8Array(5).fill(1))),
      /Cannot read round 0 of the store/,
      bundle,
    ],
    "upper nodes of a tile that are others": [
      changed((kv) => kv.set(logKeys.upperNodes(0), new Uint8Array(256))),
      /Cannot use the stored tree: the upper nodes of tile 0/,
      bundle,
    ],
    "a page of a tile is zeros": [
      withoutPageOf(tile.subarray(5_000, 5_032)),
      /Cannot .*tile|"t"/,
      "/tile/0/000",
    ],
  };
  for (const [name, [change, message, path]] of Object.entries(served)) {
    await t.step(`${name}: readers are refused, and the gateway goes on`, async () => {
      await damage("store.kv", change);
      await serving("damaged", async ({ address, io }) => {
        using client = await HttpClient.open(address);
        for (let i = 0; i < 3; i++) {
          const { status, text } = await client.get(path);
          assert.deepEqual([status, JSON.parse(text).code], [500, "internal"]);
        }
        assert.equal((await client.get(`/v1/bundle/${hashes.at(-1)}`)).status, 200);
        const { hashes: more } = await submitBulk(address, name);
        assert.deepEqual((await checkAccepted(address, more)).violations, []);
        const said = io.errLines.join("\n");
        assertTold(said, message, name);
        assert.equal(said.match(/Cannot /g)?.length, 1, said);
      });
      await assertFsckNames();
    });
  }
});

Deno.test("witnesses detect a store that is missing or empty", async (t) => {
  const losses: Record<string, Damage> = {
    "gone": (path) => Deno.remove(path),
    "empty": (path) => Deno.truncate(path, 0),
  };
  for (const [name, change] of Object.entries(losses)) {
    await t.step(name, async () => {
      await damage("store.kv", change);
      await serving("damaged", async ({ address, io }) => {
        const { status, code } = await submitBulk(address, "a fork");
        assert.deepEqual([status, code], [503, "store_rolled_back"]);
        using client = await HttpClient.open(address);
        const health = await client.get("/health");
        assert.equal(health.status, 503);
        assert.match(health.text, /store_rolled_back/);
        assert.match(io.errLines.join("\n"), /holds 0 leaves, .*signed up to size 1200/);
      });
    });
  }
});

Deno.test("a damaged witness state is reported, left unchanged and never recreated", async (t) => {
  const state = join(folder, "damaged", STATE);
  const damages: Record<string, readonly [Damage, RegExp]> = {
    "gone": [(path) => Deno.remove(path), /Cannot open witness state .* it is missing/],
    "empty": [(path) => Deno.truncate(path, 0), /Cannot open witness state .* it is missing/],
    "cut in half": [cutInHalf, /malformed/],
    "without its first page": [withoutHeader, /file is not a database/],
    "with a garbage header": [withGarbageHeader, /file is not a database/],
    "with a garbage page at a root": [withGarbageRoot, /database is damaged .*malf/],
    "replaced by a text": [replacedByText, /file is not a database/],
    "replaced by a folder": [replacedByFolder, /Cannot open witness state .* it is missing/],
  };
  for (const [i, [name, [change, message]]] of Object.entries(damages).entries()) {
    await t.step(name, async () => {
      await damage(STATE, change);
      const before = await bytesOf(state).catch(() => undefined);
      await assertRefused(message, name, i === 0);
      assert.deepEqual(await bytesOf(state).catch(() => undefined), before);
    });
  }

  await t.step("no head where one was: the two others go on without it", async () => {
    await damage(
      STATE,
      changed(async (kv) => {
        for await (const { key } of kv.list({ prefix: ["head"] })) await kv.set(key, "no head");
      }),
    );
    await serving("damaged", async ({ address }) => {
      const { hashes } = await submitBulk(address, "with two");
      assert.deepEqual((await checkAccepted(address, hashes)).violations, []);
      using client = await HttpClient.open(address);
      const { witnesses } = JSON.parse((await client.get("/v1/status")).text);
      assert.deepEqual([witnesses[0].healthy, witnesses[0].last_error], [
        false,
        "witness_storage_failed",
      ]);
    });
  });
});

async function assertFsckNames(): Promise<void> {
  const { code, stdout, stderr } = await new Client(folder).run(["fsck", "--data", "damaged"]);
  assert.equal(code, 1, stdout + stderr);
  assert.match(stderr, /^countersign: (fault in|Cannot) /m);
  assert.doesNotMatch(stderr, /Uncaught|panicked|^ +at /m);
}

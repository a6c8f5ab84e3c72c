/**
 * `store copy` on a real PostgreSQL server.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../server/captured_io.ts";
import { eventually } from "../scenarios/deployment.ts";
import { run, Server } from "../scenarios/program.ts";
import { SERVER as database } from "./postgres_databases.ts";
import { createTrial } from "./postgres_trial.ts";

const READY = /^Countersign gateway of (\S+) on (http:\/\/127\.0\.0\.1:[0-9]+)$/m;
const COUNT = 400;
const CONFIG = join("data", "network", "network.json");

function serve(folder: string, args: readonly string[]) {
  return Server.start(["serve", "--port", "0", "--fronts", "0", ...args], READY, { cwd: folder });
}

/** Runs a gateway, attests `COUNT` hashes from number `from` on, and returns its heads by size. */
async function attested(
  folder: string,
  args: readonly string[],
  from: number,
): Promise<{ readonly before: string[]; readonly after: string[] }> {
  const { server, match } = await serve(folder, args);
  await using gateway = server;
  const url = match[2]!;
  const heads = async () => {
    const found: string[] = [];
    for (let size = COUNT; size <= from + COUNT; size += COUNT) {
      const answer = await fetch(`${url}/v1/log/sth/${size}`);
      const text = await answer.text();
      if (answer.status === 200) found.push(text);
    }
    return found;
  };
  const before = await heads();
  const hashes = Array.from({ length: COUNT }, (_, i) => (from + i).toString(16).padStart(64, "0"));
  // On a busy machine the lease may end before it is renewed: then the gateway refuses for a moment.
  await eventually("the hashes are accepted", async () => {
    const response = await fetch(`${url}/v1/attestations/batch`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Prefer": "wait=20" },
      body: JSON.stringify({ hashes }),
    });
    await response.body?.cancel();
    return response.ok || undefined;
  });
  // The third witness's signature may be added to a published head.
  let after = before;
  while (after.length <= before.length || JSON.parse(after.at(-1)!).signatures.length < 3) {
    await new Promise((next) => setTimeout(next, 50));
    after = await heads();
  }
  assert.equal(await gateway.stop(), 0);
  return { before, after };
}

/** Changes members of the configuration; `undefined` removes one. */
async function configure(folder: string, changes: Readonly<Record<string, string | undefined>>) {
  const file = join(folder, CONFIG);
  const configuration = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(file, JSON.stringify({ ...configuration, ...changes }));
}

Deno.test("a log moves to PostgreSQL, goes on there, and moves back", () =>
  inFolder(async (folder) => {
    const store = await database.createDatabase("log");
    const env = { COUNTERSIGN_TOKEN_FROM: database.password };
    const copy = (from: string, to: string) =>
      run([
        "store",
        "copy",
        "--from",
        from,
        "--to",
        to,
        "--config",
        CONFIG,
        "--to-secret-file",
        "password",
      ], { cwd: folder, env });
    const write = { mode: 0o600 };
    await Deno.writeTextFile(join(folder, "password"), database.password, write);

    const local = await attested(folder, ["--data", "data"], 0);
    await Deno.writeTextFile(
      join(folder, "data", "network", "password"),
      database.password,
      write,
    );
    const nothing = await copy(store, "nowhere");
    assert.equal(nothing.code, 1, nothing.stdout);
    assert.match(nothing.stderr, /has no log of a gateway/);
    assert.equal(await database.sql("SELECT to_regnamespace('countersign')", "log"), "");

    const moved = await copy("data", store);
    assert.equal(moved.code, 0, moved.stdout + moved.stderr);
    assert.match(moved.stdout, new RegExp(`^MOVED$[^]*tree of ${COUNT} leaves`, "m"));
    assert.match(moved.stdout, new RegExp(`next: set "store" .* to "${store}"`));
    const left = await run(["serve", "--data", "data", "--port", "0"], { cwd: folder });
    assert.notEqual(left.code, 0);
    assert.match(left.stderr, /its log was moved to/);

    await configure(folder, { store, store_password_file: "password" });
    const there = await attested(folder, ["--config", CONFIG], COUNT);
    assert.deepEqual(there.before, local.after);
    const checked = await run(["fsck", "--config", CONFIG], { cwd: folder });
    assert.equal(checked.code, 0, checked.stderr + checked.stdout);
    assert.match(checked.stdout, new RegExp(`accepted: ${2 * COUNT} digests`));

    const back = await copy(store, "back");
    assert.equal(back.code, 0, back.stdout + back.stderr);
    const source = await run(["serve", "--config", CONFIG, "--port", "0"], { cwd: folder });
    assert.match(source.stderr, /its log was moved to/);
    await configure(folder, { store: undefined, store_password_file: undefined });
    const again = ["--config", CONFIG, "--data", "back"];
    const last = await attested(folder, again, 2 * COUNT);
    assert.deepEqual(last.before, there.after);
    assert.equal((await run(["fsck", ...again], { cwd: folder })).code, 0);
  }));

Deno.test("a store in PostgreSQL whose copy is lost starts with --moved", () =>
  inFolder(async (folder) => {
    const store = await database.createDatabase();
    await attested(folder, ["--data", "data"], 0);
    const password = { mode: 0o600 };
    await Deno.writeTextFile(
      join(folder, "data", "network", "password"),
      database.password,
      password,
    );
    const env = {
      COUNTERSIGN_TOKEN_FROM: database.password,
      COUNTERSIGN_TOKEN_TO: database.password,
    };
    for (const [from, to] of [["data", store], [store, "back"]] as const) {
      const args = ["store", "copy", "--from", from, "--to", to, "--config", CONFIG];
      assert.equal((await run(args, { cwd: folder, env })).code, 0);
    }
    await configure(folder, { store, store_password_file: "password" });
    await attested(folder, ["--config", CONFIG, "--moved"], COUNT);
    await attested(folder, ["--config", CONFIG], 2 * COUNT);
  }));

Deno.test("store copy does not connect with a wrong password or in clear text, and waits for no server", () =>
  inFolder(async (folder) => {
    await createTrial(folder);
    const store = await database.createDatabase();
    const copy = (password: string, from = store) =>
      run(["store", "copy", "--from", from, "--to", "nowhere", "--config", CONFIG], {
        cwd: folder,
        env: { COUNTERSIGN_TOKEN_FROM: password },
      });
    const refused = await copy("not it");
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /28P01/);
    const clear = await copy("x", "postgres://user@db.example/log?sslmode=disable");
    assert.equal(clear.code, 2);
    assert.match(clear.stderr, /--insecure/);
    await database.stop();
    assert.equal((await copy(database.password)).code, 1);
    await database.start();
  }));

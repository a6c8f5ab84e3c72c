/**
 * Whole gateways whose store is in a real PostgreSQL server.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { IS_LONG } from "../long_runs.ts";
import { inFolder } from "../server/captured_io.ts";
import { eventually } from "../scenarios/deployment.ts";
import { run, Server } from "../scenarios/program.ts";
import { CuttingProxy } from "./cutting_proxy.ts";
import { SERVER as database } from "./postgres_databases.ts";
import { configure } from "./postgres_trial.ts";

const READY = /^Countersign gateway of (\S+) on http:\/\/127\.0\.0\.1:([0-9]+)$/m;

function serve(folder: string, fronts: number) {
  const args = ["serve", "--data", "data", "--port", "0", "--fronts", String(fronts)];
  return Server.start(args, READY, { cwd: folder });
}

// Those below have no fronts.
for (const fronts of IS_LONG ? [0, 2] : [2]) {
  Deno.test(`a gateway with ${fronts} fronts has its log in PostgreSQL`, () =>
    inFolder(async (folder) => {
      await configure(folder, database, await database.createDatabase());
      const stampAll = async (...names: readonly string[]) => {
        const { server, match } = await serve(folder, fronts);
        await using _gateway = server;
        const where = {
          cwd: folder,
          env: { COUNTERSIGN_GATEWAY: `http://127.0.0.1:${match[2]}` },
        };
        for (const name of names) {
          await Deno.writeTextFile(join(folder, name), `${name}\n`);
          const stamped = await run(["stamp", "--save", "--wait-batched", name], where);
          assert.equal(stamped.code, 0, stamped.stderr);
        }
        // The gateway may write to what would be checked.
        const busy = await run(["fsck", "--data", "data"], where);
        assert.equal(busy.code, 1);
        assert.match(
          busy.stderr,
          /Cannot check postgres:.*a gateway uses the state of .*--gateway/,
        );
        for (const name of names.slice(-1)) {
          const verified = await run([
            "verify-proof",
            "--bundle",
            `${name}.countersign.json`,
            "--file",
            name,
            "--network-config",
            "data/network/network.public.json",
          ], where);
          assert.equal(verified.code, 0, verified.stderr);
        }
      };
      await stampAll("one.txt");
      // Again over the stored log.
      await stampAll("one.txt", "two.txt");
      const checked = await run(["fsck", "--data", "data"], { cwd: folder });
      assert.equal(checked.code, 0, checked.stderr + checked.stdout);
      assert.match(checked.stdout, /accepted: 2 digests/);
      assert.deepEqual(
        (await Array.fromAsync(Deno.readDir(join(folder, "data")))).filter(({ name }) =>
          name.endsWith(".kv")
        ),
        [],
      );
    }));
}

Deno.test("a gateway outlives the crash and the absence of its database", () =>
  inFolder(async (folder) => {
    await configure(folder, database, await database.createDatabase());
    const { server, match } = await serve(folder, 0);
    await using _gateway = server;
    const url = `http://127.0.0.1:${match[2]}`;
    const post = async (wait: number) => {
      const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
      const answer = await fetch(`${url}/v1/attestations`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Prefer": `wait=${wait}` },
        body: JSON.stringify({ hash }),
      });
      return { status: answer.status, body: await answer.json(), hash };
    };
    const accepted: string[] = [];
    // On a busy machine the lease may end before it is renewed: then the gateway refuses for a moment.
    const accept = () =>
      eventually("a hash is accepted", async () => {
        const answer = await post(10);
        return answer.status < 300 ? accepted.push(answer.hash) : undefined;
      });
    await accept();
    await database.stop("SIGKILL");
    const refused = await post(30);
    assert.equal(refused.status, 503);
    assert.match(refused.body.code, /^(storage_failed|standby)$/);
    await database.start();
    await accept();
    for (const hash of accepted) {
      await eventually(`${hash} is proved`, async () => {
        const answer = await fetch(`${url}/v1/bundle/${hash}`);
        await answer.body?.cancel();
        return answer.status === 200 || undefined;
      });
    }
    assert.ok(!server.stderr.includes(database.password));
  }));

Deno.test("a gateway loses nothing accepted to cut connections and a crash of its database", () =>
  inFolder(async (folder) => {
    await using proxy = new CuttingProxy(database.port, 5);
    const stored = new URL(await database.createDatabase());
    stored.port = String(proxy.port);
    await configure(folder, database, stored.href);
    const accepted: string[] = [];
    {
      const { server, match } = await serve(folder, 0);
      await using _gateway = server;
      const url = `http://127.0.0.1:${match[2]}`;
      let isLoaded = true;
      const client = async () => {
        while (isLoaded) {
          const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
          const answer = await fetch(`${url}/v1/attestations`, {
            method: "POST",
            headers: { "Content-Type": "application/json", "Prefer": "wait=1" },
            body: JSON.stringify({ hash }),
          });
          await answer.body?.cancel();
          if (answer.ok) accepted.push(hash);
          else await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      const clients = Promise.all([client(), client(), client(), client()]);
      const cut = (times: number) =>
        eventually(`${times} answers to commits were dropped`, () => {
          const isDone = Math.min(proxy.before, proxy.after) >= times;
          return Promise.resolve(isDone || undefined);
        });
      await cut(2);
      await database.stop("SIGKILL");
      await database.start();
      const after = accepted.length;
      await cut(4);
      await eventually("hashes are accepted again", () => {
        return Promise.resolve(accepted.length > after || undefined);
      });
      isLoaded = false;
      await clients;
      for (const hash of accepted) {
        await eventually(`${hash} is proved`, async () => {
          const answer = await fetch(`${url}/v1/bundle/${hash}`);
          await answer.body?.cancel();
          return answer.status === 200 || undefined;
        });
      }
    }
    const checked = await run(["fsck", "--data", "data"], { cwd: folder });
    assert.equal(checked.code, 0, checked.stderr + checked.stdout);
    const [, count] = /accepted: (\d+) digests/.exec(checked.stdout)!;
    assert.ok(Number(count) >= accepted.length, `${count} of ${accepted.length}`);
  }));

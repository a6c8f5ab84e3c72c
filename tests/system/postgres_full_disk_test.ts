/**
 * A gateway whose database has no space left: for the tables, which the server reports, or for the
 * write-ahead log, which ends the server. Systems that let nobody mount a disk skip the tests.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { checkAccepted } from "../scenarios/crash_checks.ts";
import { eventually } from "../scenarios/deployment.ts";
import { run } from "../scenarios/program.ts";
import { startTrial, submitBulk } from "../scenarios/trial_gateway.ts";
import { inFolder } from "../server/captured_io.ts";
import { giveToServer, PostgresServer } from "./postgres_server.ts";
import { configure } from "./postgres_trial.ts";
import { SmallDisk } from "./small_disk.ts";

const MIB = 1 << 20;
/** Fewer than these fill what was preallocated. */
const MAX_REQUESTS = 2_000;
const ignore = !await SmallDisk.isPossible();

/** A server with tables, or its write-ahead log, on `disk`; the URL of a database of it. */
const ON_DISK = {
  "tables": async (disk: SmallDisk) => {
    const server = await PostgresServer.start({ wrapper: disk.wrapper });
    const folder = join(disk.outside, "tables");
    await Deno.mkdir(folder);
    await giveToServer(folder);
    await server.sql(`CREATE TABLESPACE small LOCATION '${disk.path}/tables'`);
    await server.sql("CREATE DATABASE log TABLESPACE small");
    return server;
  },
  "write-ahead log": async (disk: SmallDisk) => {
    const server = await PostgresServer.start({
      wrapper: disk.wrapper,
      initialize: [`--waldir=${join(disk.path, "wal")}`, "--wal-segsize=1"],
      // Without checkpoints no segment of the log is used again, however slow the test is.
      settings: { min_wal_size: "2MB", max_wal_size: "1GB", checkpoint_timeout: "1h" },
    });
    await server.createDatabase("log");
    return server;
  },
};

for (const [what, start] of Object.entries(ON_DISK)) {
  Deno.test({
    name: `without space for the ${what} of its database, a gateway is read-only and loses nothing`,
    ignore,
    fn: () =>
      inFolder(async (folder) => {
        await using disk = await SmallDisk.mount(64 * MIB);
        await using database = await start(disk);
        await configure(folder, database, database.url.replace(/[^/]*$/, "log"));
        const { server, address } = await startTrial("data", { cwd: folder });
        await using gateway = server;
        const accepted: string[] = [];
        const submit = async (name: string) => {
          const { hashes, status, code } = await submitBulk(address, name);
          if (status >= 200 && status < 300) accepted.push(...hashes);
          return status === 503 ? code : status;
        };
        // On a busy machine the lease may end before it is renewed.
        await eventually("a submission is accepted", async () => {
          return (await submit("before")) === 202 || undefined;
        });
        await disk.fill();
        let refusal: unknown;
        for (let i = 0; refusal === undefined && i < MAX_REQUESTS; i++) {
          const answer = await submit(`full ${i}`);
          if (answer === "storage_failed") refusal = answer;
        }
        assert.equal(refusal, "storage_failed");
        assert.match(database.log, /No space left on device/);
        assert.match(gateway.stderr, /The gateway is read-only until a write succeeds/);
        if (what === "tables") assert.match(gateway.stderr, /No space left on device/);

        await disk.free();
        await eventually("the gateway accepts again", async () => {
          // Without space PostgreSQL does not start again. It may still be ending.
          if (await database.hasEnded()) await database.start();
          const answer = await submit("after");
          return typeof answer === "number" && answer < 300 ? true : undefined;
        });
        const { violations } = await checkAccepted(address, accepted);
        assert.deepEqual(violations, []);
        assert.equal(await gateway.stop(), 0);
        const fsck = await run(["fsck", "--data", "data"], { cwd: folder });
        assert.equal(fsck.code, 0, fsck.stdout + fsck.stderr);
      }),
  });
}

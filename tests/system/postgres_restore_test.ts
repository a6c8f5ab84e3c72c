/**
 * The point-in-time restore of docs/operating.md: a base backup and the archived write-ahead log, on which
 * gateways start.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { eventually } from "../scenarios/deployment.ts";
import { run, Server } from "../scenarios/program.ts";
import { inFolder } from "../server/captured_io.ts";
import { configure } from "./postgres_trial.ts";
import { giveToServer, PostgresServer } from "./postgres_server.ts";
import { runTool } from "./tools.ts";

const READY = /^Countersign gateway of (\S+) on http:\/\/127\.0\.0\.1:([0-9]+)$/m;
/** The name of a restore point, as `recovery_target_name`. */
const EARLIER = "earlier";

Deno.test("a database restored to an earlier time is store_rolled_back, and to the end of its archive it goes on", () =>
  inFolder(async (folder) => {
    await using kept = await KeptCopies.create();
    const { archive, base } = kept;
    const original = await PostgresServer.start({
      settings: {
        wal_level: "replica",
        archive_mode: "on",
        archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
      },
    });
    await using _original = original;
    const { port, password } = original;
    await configure(folder, original, await original.createDatabase("log"));
    const hashes: Record<"before" | "between" | "after", string> = {
      before: newHash(),
      between: newHash(),
      after: newHash(),
    };
    {
      await using gateway = await RunningTrial.start(folder);
      await gateway.prove(hashes.before);
      await original.runProgram("pg_basebackup", [
        `--dbname=${original.url}`,
        `--pgdata=${base}`,
        "--checkpoint=fast",
        "--no-sync",
      ]);
      await gateway.prove(hashes.between);
      await original.sql(`SELECT pg_create_restore_point('${EARLIER}')`);
      await gateway.prove(hashes.after);
    }
    const last = await original.sql("SELECT pg_walfile_name(pg_switch_wal())");
    await eventually("the last part of the write-ahead log is archived", async () => {
      const archived = await original.sql("SELECT last_archived_wal FROM pg_stat_archiver");
      return archived >= last || undefined;
    });
    await original.stop("SIGKILL");

    const restore = async (settings: Readonly<Record<string, string>>) => {
      const server = await PostgresServer.start({
        port,
        password,
        settings: { restore_command: `cp ${archive}/%f %p`, ...settings },
        create: async ({ dataFolder }) => {
          const { code, stderr } = await runTool("cp", ["-a", base, dataFolder], { cwd: "/" });
          assert.equal(code, 0, stderr);
          const signal = join(dataFolder, "recovery.signal");
          await Deno.writeTextFile(signal, "");
          await giveToServer(signal);
        },
      });
      await eventually(
        "the restore has ended",
        async () => await server.sql("SELECT pg_is_in_recovery()") === "f" || undefined,
      );
      return server;
    };
    {
      const options = { recovery_target_name: EARLIER, recovery_target_action: "promote" };
      await using _restored = await restore(options);
      await using gateway = await RunningTrial.start(folder);
      await eventually("the witnesses remember more", async () => {
        const { status, json } = await gateway.ask("/health");
        return status === 503 && json.status === "store_rolled_back" || undefined;
      });
      for (const hash of [hashes.after, newHash()]) {
        const { status, json } = await gateway.submit(hash);
        assert.deepEqual([status, json.code], [503, "store_rolled_back"]);
      }
      assert.equal((await gateway.ask(`/v1/bundle/${hashes.between}`)).status, 200);
      assert.equal((await gateway.ask(`/v1/bundle/${hashes.after}`)).status, 503);
    }
    await using _restored = await restore({});
    {
      await using gateway = await RunningTrial.start(folder);
      for (const hash of [...Object.values(hashes), newHash()]) await gateway.prove(hash);
    }
    const { code, stdout, stderr } = await run(["fsck", "--data", "data"], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /accepted: 4 digests/);
  }));

/** A base backup and an archive, in a folder of the server's user. */
class KeptCopies implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  static async create(): Promise<KeptCopies> {
    const copies = new KeptCopies(await Deno.makeTempDir({ prefix: "countersign-archive-" }));
    await Deno.mkdir(copies.archive);
    await giveToServer(copies.folder, copies.archive);
    return copies;
  }

  get archive(): string {
    return join(this.folder, "archive");
  }

  get base(): string {
    return join(this.folder, "base");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** The gateway of the trial network in a folder. */
class RunningTrial implements AsyncDisposable {
  private constructor(readonly server: Server, readonly url: string) {}

  static async start(folder: string): Promise<RunningTrial> {
    const args = ["serve", "--data", "data", "--port", "0", "--fronts", "0"];
    const { server, match } = await Server.start(args, READY, { cwd: folder });
    return new RunningTrial(server, `http://127.0.0.1:${match[2]}`);
  }

  async ask(path: string, init?: RequestInit) {
    const response = await fetch(`${this.url}${path}`, init);
    return { status: response.status, json: await response.json() };
  }

  submit(hash: string) {
    return this.ask("/v1/attestations", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ hash }),
    });
  }

  /** Submits `hash`, and resolves when the gateway proves it. */
  async prove(hash: string): Promise<void> {
    await eventually(`${hash} is proved`, async () => {
      await this.submit(hash);
      return (await this.ask(`/v1/bundle/${hash}`)).status === 200 || undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

function newHash(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toHex();
}

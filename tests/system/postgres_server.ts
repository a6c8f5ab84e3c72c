/**
 * A real PostgreSQL server on a free port of loopback, with its data in a temporary folder.
 *
 * @module
 */

import { join } from "node:path";
import { freePorts } from "../free_ports.ts";
import { runTool } from "./tools.ts";

/** Where Debian installs the programs of each version. */
const VERSIONS = "/usr/lib/postgresql";
const USER = "countersign";
const STARTED = /database system is ready to accept (read-only )?connections/;
/** A server whose first process was killed by others leaves processes that end within this time. */
const START_TRIES = 150;
const TRY_MS = 200;
const STARTED_MS = 20;

export interface PostgresOptions {
  /** Settings beyond the defaults, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Lines of pg_hba.conf before the default ones. */
  readonly access?: readonly string[];
  /** Makes the data folder, which is missing; by default, initdb does. */
  readonly create?: (server: PostgresServer) => Promise<void>;
  /** Further arguments of initdb. */
  readonly initialize?: readonly string[];
  /** A command that runs the server's programs, which are appended to it. */
  readonly wrapper?: readonly string[];
  /** Another port than a free one. */
  readonly port?: number;
  /** Of the superuser, if the data has one already. */
  readonly password?: string;
}

/** Runs until it is disposed. */
export class PostgresServer implements AsyncDisposable {
  /** For the Unix socket, the password file and the data. Its owner is the server's user. */
  readonly folder: string;
  readonly port: number;
  readonly user = USER;
  readonly password: string;
  readonly database = "postgres";
  readonly #programs: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #wrapper: readonly string[];
  #process: Deno.ChildProcess | undefined;

  private constructor(folder: string, programs: string, options: PostgresOptions) {
    this.folder = folder;
    this.port = options.port ?? freePorts(1);
    this.password = options.password ?? crypto.randomUUID();
    this.#programs = programs;
    this.#settings = options.settings ?? {};
    this.#wrapper = options.wrapper ?? [];
  }

  static async start(options: PostgresOptions = {}): Promise<PostgresServer> {
    const folder = await Deno.makeTempDir({ prefix: "countersign-postgres-" });
    const server = new PostgresServer(folder, await programsFolder(), options);
    try {
      await Deno.writeTextFile(server.passwordFile, server.password, { mode: 0o600 });
      await giveToServer(folder, server.passwordFile);
      if (options.create !== undefined) await options.create(server);
      else await server.#initialize(options);
      await server.start();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts a replica of this server, or of it behind `port`, which follows it without being waited for. */
  startReplica(port = this.port): Promise<PostgresServer> {
    const { password } = this;
    const primary = `host=127.0.0.1 port=${port} user=${USER} password=${password}`;
    return PostgresServer.start({
      password,
      create: (replica) =>
        replica.runProgram("pg_basebackup", [
          `--dbname=${primary}`,
          `--pgdata=${replica.dataFolder}`,
          "--write-recovery-conf",
          "--checkpoint=fast",
          "--no-sync",
        ]),
    });
  }

  /** A replica receives nothing more. */
  async endReplication(): Promise<void> {
    // Where nothing is received yet, the end of it would be no sign that the new setting is in force.
    await this.receives();
    await this.sql("ALTER SYSTEM SET primary_conninfo = ''");
    await this.sql("SELECT pg_reload_conf()");
    await this.#receiving(0);
  }

  /** Resolves when a replica follows its primary. */
  async receives(): Promise<void> {
    await this.#receiving(1);
  }

  /** Resolves when so many processes receive from another server. */
  async #receiving(count: number): Promise<void> {
    while (await this.sql("SELECT count(*) FROM pg_stat_wal_receiver") !== String(count)) {
      await pause(STARTED_MS);
    }
  }

  /** Makes a replica a server of its own. */
  async promote(): Promise<void> {
    await this.sql("SELECT pg_promote()");
  }

  /** Without password: `postgres://countersign@127.0.0.1:port/postgres`. */
  get url(): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${this.database}`;
  }

  /** The superuser's password, readable by its owner only, without a newline. */
  get passwordFile(): string {
    return join(this.folder, "password");
  }

  get dataFolder(): string {
    return join(this.folder, "data");
  }

  /** Everything that the server has written to its log since it was last started. */
  get log(): string {
    return Deno.readTextFileSync(this.#logFile);
  }

  get #logFile(): string {
    return join(this.folder, "log");
  }

  /** The first process of the server. */
  get pid(): number {
    if (this.#process === undefined) throw new Error("The PostgreSQL server is not running");
    return this.#process.pid;
  }

  /** Starts a server that was stopped or killed; resolves when it accepts connections. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    for (let tries = 1;; tries++) {
      if (await this.#tryStart({ ...this.#settings, ...settings })) return;
      const { log } = this;
      const isLeftover = ["is still in use", "lock file", "Address already in use"]
        .some((words) => log.includes(words));
      if (!isLeftover || tries === START_TRIES) throw new Error(`Cannot start PostgreSQL: ${log}`);
      await pause(TRY_MS);
    }
  }

  /** Whether the server has ended by itself. */
  async hasEnded(): Promise<boolean> {
    const ended = this.#process?.status.then(() => true);
    return await Promise.race([ended, pause(0).then(() => false)]) ?? true;
  }

  /** Stops the server: `SIGINT` ends its connections, `SIGTERM` waits for them, `SIGKILL` is a crash. */
  async stop(signal: "SIGINT" | "SIGTERM" | "SIGKILL" = "SIGINT"): Promise<void> {
    const process = this.#process;
    if (process === undefined) return;
    this.#process = undefined;
    try {
      // Without the first process, the others would serve for a moment. A stopped one starts no more of them.
      if (signal === "SIGKILL") {
        process.kill("SIGSTOP");
        for (const child of childrenOf(process.pid)) Deno.kill(child, signal);
      }
    } catch {
      // They have ended.
    }
    try {
      process.kill(signal);
    } catch {
      // It has ended.
    }
    await process.status;
  }

  /** Ends the server and removes its folder at once, where nothing can wait. */
  endNow(): void {
    try {
      this.#process?.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    Deno.removeSync(this.folder, { recursive: true });
  }

  /** Runs `sql` as superuser; rows as lines, columns separated by `|`. */
  async sql(sql: string, database: string = this.database): Promise<string> {
    const { code, stdout, stderr } = await runTool(join(this.#programs, "psql"), [
      "--no-psqlrc",
      "--quiet",
      "--tuples-only",
      "--no-align",
      "--set=ON_ERROR_STOP=1",
      "--host=127.0.0.1",
      `--port=${this.port}`,
      `--username=${USER}`,
      `--dbname=${database}`,
      `--command=${sql}`,
    ], { cwd: "/", env: { PGPASSWORD: this.password } });
    if (code !== 0) throw new Error(`psql: ${stderr}`);
    return stdout.trimEnd();
  }

  /** A new, empty database; returns its URL without password. */
  async createDatabase(name = `t${crypto.randomUUID().replaceAll("-", "")}`): Promise<string> {
    await this.sql(`CREATE DATABASE "${name}"`);
    return `postgres://${USER}@127.0.0.1:${this.port}/${name}`;
  }

  /** Runs one of PostgreSQL's programs as the server's user. */
  async runProgram(program: string, args: readonly string[]): Promise<void> {
    const [command, ...before] = this.#asServer(program);
    const { code, stderr } = await runTool(command!, [...before, ...args], {
      cwd: "/",
      env: { PGPASSWORD: this.password, LC_ALL: "C" },
    });
    if (code !== 0) throw new Error(`${program}: ${stderr}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await Deno.remove(this.folder, { recursive: true });
  }

  async #initialize({ access = [], initialize = [] }: PostgresOptions): Promise<void> {
    await this.runProgram("initdb", [
      `--pgdata=${this.dataFolder}`,
      `--username=${USER}`,
      `--pwfile=${this.passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
      ...initialize,
    ]);
    if (access.length === 0) return;
    const file = join(this.dataFolder, "pg_hba.conf");
    await Deno.writeTextFile(file, `${access.join("\n")}\n${await Deno.readTextFile(file)}`);
  }

  #asServer(program: string): string[] {
    return [...this.#wrapper, ...asServer(join(this.#programs, program))];
  }

  async #tryStart(settings: Readonly<Record<string, string>>): Promise<boolean> {
    const all = {
      port: String(this.port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: this.folder,
      ...settings,
    };
    await Deno.writeTextFile(this.#logFile, "");
    // A file, so that nothing has to read a pipe while tests come and go.
    const process = new Deno.Command("sh", {
      args: [
        "-c",
        'exec "$@" 2>"$0"',
        this.#logFile,
        ...this.#asServer("postgres"),
        "-D",
        this.dataFolder,
        ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      cwd: "/",
      env: { LC_ALL: "C" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    let hasEnded = false;
    void process.status.then(() => hasEnded = true);
    while (!hasEnded) {
      await pause(STARTED_MS);
      if (!STARTED.test(this.log)) continue;
      this.#process = process;
      return true;
    }
    return false;
  }
}

function childrenOf(pid: number): number[] {
  const text = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`);
  return text.split(" ").filter((id) => id.trim() !== "").map(Number);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The programs of the newest installed version. */
async function programsFolder(): Promise<string> {
  const versions = await Array.fromAsync(Deno.readDir(VERSIONS), ({ name }) => Number(name));
  const newest = Math.max(...versions.filter(Number.isFinite));
  return join(VERSIONS, String(newest), "bin");
}

/** PostgreSQL refuses to run as root: then its own user runs `program`. */
export function asServer(program: string): string[] {
  if (Deno.uid() !== 0) return [program];
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--", program];
}

/** Makes the server's user the owner of files and folders. */
export async function giveToServer(...paths: readonly string[]): Promise<void> {
  if (Deno.uid() !== 0) return;
  const { code, stderr } = await runTool("chown", ["postgres:postgres", ...paths], { cwd: "/" });
  if (code !== 0) throw new Error(`chown: ${stderr}`);
}

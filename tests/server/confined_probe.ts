/**
 * Runs in a confined worker, and tells what became of everything that it attempts: `done`, or the
 * name of the error and, of one that says no more by its name, its message.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";

/** What the test prepared. Paths are absolute. */
export interface Probed {
  readonly dataFolder: string;
  /** Configured to be read. */
  readonly file: string;
  /** Beside what is configured. */
  readonly outside: string;
  /** `host` and ports: of a listener and of a service that are configured, and of one that is not. */
  readonly host: string;
  readonly listener: number;
  readonly service: number;
  readonly other: number;
  /** Names of variables. */
  readonly variable: string;
  readonly otherVariable: string;
}

type Attempts = Readonly<Record<string, () => unknown>>;

/** What is configured. */
function allowed(probed: Probed): Attempts {
  const { dataFolder, file, host, listener, service, variable } = probed;
  const inside = (name: string) => `${dataFolder}/${name}`;
  return {
    "read a configured file": () => Deno.readTextFileSync(file),
    "write in the data folder": () => Deno.writeTextFileSync(inside("a"), "a"),
    "rename in the data folder": () => Deno.renameSync(inside("a"), inside("b")),
    "lock": async () => {
      using lock = await Deno.open(inside("lock"), { create: true, write: true });
      await lock.lock(true);
    },
    "open Deno KV": async () => (await Deno.openKv(inside("probe.kv"))).close(),
    "open SQLite": () => new DatabaseSync(inside("probe.kv")).close(),
    "listen": () => Deno.listen({ hostname: host, port: listener }).close(),
    "connect": async () => (await Deno.connect({ hostname: host, port: service })).close(),
    "read a configured variable": () => Deno.env.get(variable),
  };
}

/** What is not. */
function refused({ dataFolder, outside, host, listener, other, otherVariable }: Probed): Attempts {
  const inside = (name: string) => `${dataFolder}/${name}`;
  const fetched = `http://${host}:${other}/module.ts`;
  return {
    "run a program": () => new Deno.Command(Deno.execPath(), { args: ["--version"] }).outputSync(),
    "signal another process": () => Deno.kill(Deno.ppid, "SIGCONT"),
    "read /etc/passwd": () => Deno.readTextFileSync("/etc/passwd"),
    "read the process's environment": () => Deno.readTextFileSync("/proc/self/environ"),
    "read beside": () => Deno.readTextFileSync(outside),
    "read by ..": () => Deno.readTextFileSync(`${dataFolder}/../${outside.split("/").at(-1)}`),
    "list a folder beside": () => [...Deno.readDirSync(`${dataFolder}/..`)],
    "write beside": () => Deno.writeTextFileSync(outside, "a"),
    "remove beside": () => Deno.removeSync(outside),
    "rename out": () => Deno.renameSync(inside("b"), `${outside}.b`),
    "rename in": () => Deno.renameSync(outside, inside("c")),
    "link in": () => Deno.linkSync(outside, inside("d")),
    "make a symbolic link": () => Deno.symlinkSync(outside, inside("e")),
    "open SQLite beside": () => new DatabaseSync(`${outside}.db`).close(),
    "connect to another port": () => Deno.connect({ hostname: host, port: other }),
    "connect by another name": () => Deno.connect({ hostname: "localhost", port: listener }),
    "fetch from another port": () => fetch(fetched),
    "listen on another port": () => Deno.listen({ hostname: host, port: 0 }),
    "listen on every address": () => Deno.listen({ hostname: "0.0.0.0", port: listener }),
    "listen on a socket file": () => Deno.listen({ transport: "unix", path: `${outside}.sock` }),
    "read another variable": () => Deno.env.get(otherVariable),
    "list the environment": () => Deno.env.toObject(),
    "set a variable": () => Deno.env.set(otherVariable, "a"),
    "load a library": () => Deno.dlopen("libc.so.6", {}),
    "read the host's name": () => Deno.hostname(),
    "read the system": () => Deno.osRelease(),
    "import from the network": () => import(fetched),
    "import a file": () => import(`file://${outside}`),
    "ask for more": () => {
      const { state } = Deno.permissions.requestSync({ name: "run" });
      if (state !== "granted") throw new Deno.errors.NotCapable("denied");
    },
    "start a worker with more": () =>
      new Worker("data:text/javascript,", {
        type: "module",
        deno: { permissions: { run: true } },
      }).terminate(),
  };
}

async function outcomes(attempts: Attempts): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    found[name] = await Promise.try(attempt).then(() => "done", outcomeOf);
  }
  return found;
}

function outcomeOf(error: Error): string {
  return error instanceof TypeError ? `${error.name}: ${error.message.slice(0, 40)}` : error.name;
}

self.onmessage = async ({ data: probed }: MessageEvent<Probed>) => {
  self.postMessage({
    allowed: await outcomes(allowed(probed)),
    refused: await outcomes(refused(probed)),
  });
};

import assert from "node:assert/strict";
import { join } from "node:path";
import { makeLog, SEQUENCE, TestNetwork } from "../proof/verify/fixture.ts";
import { inFolder } from "../server/captured_io.ts";

const root = new URL("../../", import.meta.url);
const network = new TestNetwork("net.example/offline");
const log = makeLog(network);
const HASH = log.attestations[SEQUENCE]!.attestation.hash;

/** Counts the connections that a program makes to a port that would accept any number of them. */
class Listener implements AsyncDisposable {
  connections = 0;
  readonly url: string;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #accepting: Promise<void>;

  constructor() {
    this.url = `http://127.0.0.1:${this.#listener.addr.port}`;
    this.#accepting = this.#accept();
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) {
      this.connections++;
      connection.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting;
  }
}

/** Runs the real program with every permission, so that only the program drops some. */
async function runProgram(folder: string, gateway: string, args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-A", new URL("main.ts", root).href, ...args],
    cwd: folder,
    env: { COUNTERSIGN_HOME: join(folder, "home"), COUNTERSIGN_GATEWAY: gateway, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

async function withFiles(use: (folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const write = (name: string, value: unknown) =>
      Deno.writeTextFile(join(folder, name), JSON.stringify(value));
    await write("network.json", network.configuration);
    await write("attestation.json", log.attestations[SEQUENCE]);
    await write("bundle.json", log.bundle(SEQUENCE));
    await use(folder);
  });
}

Deno.test("verify and verify-proof of files open no connection, valid or not", async () => {
  await using listener = new Listener();
  await withFiles(async (folder) => {
    const home = ["--network-config", "network.json"];
    const runs = [
      [["verify", "attestation.json", ...home], 0],
      [["verify", "bundle.json", ...home], 0],
      [["verify", ".", ...home], 1],
      [["verify", "attestation.json"], 1],
      [["verify-proof", "--bundle", "bundle.json", ...home], 0],
      [["verify-proof", "--bundle", "bundle.json", "--hash", "00".repeat(32), ...home], 1],
      [["verify-proof", "--bundle", "bundle.json"], 1],
    ] as const;
    await Promise.all(runs.map(async ([args, expected]) => {
      const { code, stderr } = await runProgram(folder, listener.url, args);
      assert.equal(code, expected, `${args.join(" ")}: ${stderr}`);
    }));
    assert.equal(listener.connections, 0);
  });
});

Deno.test("a program that may not write does not warn that it remembers nothing", async () => {
  await withFiles(async (folder) => {
    const inclusion = log.batchInclusion(SEQUENCE, log.sth(SEQUENCE + 1, 1_766_275_300));
    const batched = JSON.stringify(log.bundle(SEQUENCE, inclusion));
    await Deno.writeTextFile(join(folder, "bundle.json"), batched);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-prompt",
        "--permission-set=offline",
        "--config",
        new URL("deno.json", root).pathname,
        new URL("main.ts", root).href,
        "verify-proof",
        "--bundle",
        "bundle.json",
        "--network-config",
        "network.json",
      ],
      cwd: folder,
      env: { COUNTERSIGN_HOME: join(folder, "home"), NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const text = new TextDecoder();
    assert.equal(code, 0, text.decode(stderr));
    assert.match(text.decode(stdout), /^VALID \(Batched\)/);
    assert.equal(text.decode(stderr), "");
  });
});

// Shows that the test above can fail: the same listener hears the commands that do ask.
Deno.test("commands that ask the gateway connect to it", async () => {
  await using listener = new Listener();
  await withFiles(async (folder) => {
    for (
      const args of [
        ["verify", "attestation.json", "--online"],
        ["verify-proof", "--hash", HASH, "--network-config", "network.json"],
      ]
    ) {
      const before = listener.connections;
      const { code } = await runProgram(folder, listener.url, args);
      assert.equal(code, 1);
      assert.ok(listener.connections > before, args.join(" "));
    }
  });
});

Deno.test("dropPermissions() of net blocks every connection", async () => {
  await using listener = new Listener();
  await inFolder(async (folder) => {
    const script = join(folder, "script.ts");
    await Deno.writeTextFile(
      script,
      `
      const { systemProcess } = await import(${
        JSON.stringify(new URL("src/cli/system_process.ts", root).href)
      });
      const attempt = (name, act) => act().then(() => name, () => "refused");
      const all = () => Promise.all([
        attempt("fetch", () => fetch(Deno.args[0]).catch((error) => {
          if (error.name === "NotCapable") throw error;
        })),
        attempt("connect", async () =>
          (await Deno.connect({ port: Number(new URL(Deno.args[0]).port) })).close()),
      ]);
      const before = await all();
      systemProcess.dropPermissions(["net"]);
      console.log(JSON.stringify([before, await all()]));
      `,
    );
    for (const permission of ["-A", "--allow-net", "--allow-net=127.0.0.1,0.0.0.0"]) {
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--no-prompt",
          "--config",
          new URL("tests/deno.json", root).pathname,
          permission,
          "--allow-read",
          "--ignore-env",
          script,
          listener.url,
        ].filter((arg) => permission !== "-A" || !arg.startsWith("--allow-read")),
      }).output();
      const text = new TextDecoder();
      const [before, after] = JSON.parse(text.decode(stdout) || text.decode(stderr));
      assert.deepEqual(before, ["fetch", "connect"]);
      assert.deepEqual(after, ["refused", "refused"]);
    }
  });
});

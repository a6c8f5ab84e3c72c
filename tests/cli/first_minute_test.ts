import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../server/captured_io.ts";
import { Client, withClient } from "./client_run.ts";

const root = new URL("../../", import.meta.url);

/** Runs a trial gateway, as `serve` without a configuration makes it, while `use` runs. */
async function withTrialGateway(
  use: (gateway: string, publicFile: string) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-prompt",
        "-A",
        new URL("main.ts", root).href,
        "serve",
        "--port",
        "0",
        "--data",
        folder,
        "--batch-max-age-ms",
        "20",
      ],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    try {
      await use(await announcedUrl(child.stdout), join(folder, "network", "network.public.json"));
    } finally {
      child.kill("SIGTERM");
      await child.status;
      await child.stdout.cancel();
    }
  });
}

/** The URL in the first line that says one. */
async function announcedUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const part of stdout.values({ preventCancel: true })) {
    text += new TextDecoder().decode(part);
    const found = / on (http:\S+)\n/.exec(text);
    if (found !== null) return found[1]!;
  }
  throw new Error(`No URL was announced: ${text}`);
}

Deno.test("stamp, then verify-proof offline, against a real gateway", async () => {
  await withClient(async (client) => {
    await client.write("report.txt", "a report");
    await withTrialGateway(async (gateway, publicFile) => {
      client.gateway = gateway;
      await Deno.copyFile(publicFile, join(client.folder, "network.public.json"));
      assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
      const args = ["stamp", "report.txt", "--save", "--wait-batched"];
      const { code, stdout, stderr } = await client.run(args);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /verified against the pinned network/);
      for (const log of [["sth"], ["proof", await hashOf(client)]]) {
        assert.equal((await client.run(["log", ...log, "--verify"])).code, 0);
      }
    });
    // The gateway is gone.
    client.gateway = "http://127.0.0.1:1";
    const line = [
      "verify-proof",
      "--bundle",
      "report.txt.countersign.json",
      "--file",
      "report.txt",
    ];
    for (const config of [[], ["--network-config", "network.public.json"]]) {
      const { code, stdout } = await client.run([...line, ...config]);
      assert.equal(code, 0);
      assert.equal(stdout.split("\n")[0], "VALID (Batched)");
    }
  });
});

async function hashOf(client: Client): Promise<string> {
  const bundle = JSON.parse(await client.read("report.txt.countersign.json"));
  return bundle.signed_attestation.attestation.hash;
}

Deno.test("the permissions of the task suffice for every client command", async () => {
  const manifest = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const [place, deno, ...words] = manifest.tasks.countersign.command
    .replaceAll("'", "").split(" ");
  assert.deepEqual([place, deno], ['COUNTERSIGN_CWD="$INIT_CWD"', "deno"]);
  await withTrialGateway(async (gateway) => {
    await inFolder(async (folder) => {
      await Deno.writeTextFile(join(folder, "report.txt"), "a report");
      const bundle = "report.txt.countersign.json";
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
          args: [...words, ...args],
          cwd: root,
          env: { COUNTERSIGN_CWD: folder, COUNTERSIGN_HOME: "home", COUNTERSIGN_GATEWAY: gateway },
          stdin: "null",
        }).output();
        const text = new TextDecoder();
        assert.equal(code, 0, `${args.join(" ")}: ${text.decode(stderr)}`);
        return text.decode(stdout);
      };
      await run("network", "--pin", "--yes");
      await run("stamp", "report.txt", "--save", "--wait-batched");
      const [hash] = /[0-9a-f]{64}/.exec(await Deno.readTextFile(join(folder, bundle)))!;
      const lines = [
        ["verify-proof", "--bundle", bundle, "--file", "report.txt"],
        ["log", "sth", "--verify"],
        ["anchors", hash],
        ["status", hash, "--output", "json"],
        ["completion", "bash"],
        ["--help"],
      ];
      await Promise.all(lines.map((line) => run(...line)));
    });
  });
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Server } from "../scenarios/program.ts";
import { makeLog, SEQUENCE, TestNetwork } from "../proof/verify/fixture.ts";
import { inFolder } from "../server/captured_io.ts";

const ROOT = new URL("../../", import.meta.url);
const MAIN = fileURLToPath(new URL("main.ts", ROOT));
const LEFT = fileURLToPath(new URL("tests/cli/permissions_left.ts", ROOT));

const network = new TestNetwork("net.example/left");
const log = makeLog(network);

/** The program with every permission, so that only the program drops some. */
function command(folder: string, args: readonly string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-A", "--preload", LEFT, MAIN, ...args],
    cwd: folder,
    env: { COUNTERSIGN_HOME: join(folder, "home"), NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** The permissions at the end of a run of `args` in a folder with `files`. */
async function leftBy(args: readonly string[], files: Readonly<Record<string, unknown>>) {
  let left: string | undefined;
  await inFolder(async (folder) => {
    for (const [name, value] of Object.entries(files)) {
      await Deno.writeTextFile(join(folder, name), JSON.stringify(value));
    }
    const { stdout, stderr } = await command(folder, args).output();
    const text = new TextDecoder();
    left = /^left: (.*)$/m.exec(text.decode(stderr))?.[1];
    assert.notEqual(left, undefined, `${text.decode(stdout)}${text.decode(stderr)}`);
  });
  return left;
}

Deno.test("offline verification keeps only read permission, and write to remember a head", async () => {
  const files = {
    "network.json": network.configuration,
    "attestation.json": log.attestations[SEQUENCE],
    "bundle.json": log.bundle(SEQUENCE),
    "other.json": {},
  };
  const home = ["--network-config", "network.json"];
  const expected = [
    [["verify", "attestation.json", ...home], "write,read"],
    [["verify", "other.json", ...home], "write,read"],
    [["verify-proof", "--bundle", "bundle.json", ...home], "write,read"],
    [["verify-proof", "--bundle", "other.json", ...home], "write,read"],
    [["log", "contradictions", "--file", "other.json", ...home], "read"],
    // Shows that the test can fail: a command that contacts a gateway keeps all permissions.
    [["verify", "attestation.json", "--online"], "run,ffi,import,net,sys,env,write,read"],
  ] as const;
  const found = await Promise.all(expected.map(([args]) => leftBy(args, files)));
  assert.deepEqual(found, expected.map(([, left]) => left));
});

Deno.test("a server's main thread keeps no permission", () =>
  inFolder(async (folder) => {
    const { server } = await Server.spawn(
      command(folder, ["serve", "--port", "0", "--data", "data"]),
      /^Countersign gateway of .*\n/m,
    );
    await using _ = server;
    assert.equal(await server.stop(), 0);
    assert.match(server.stderr, /^left: $/m);
  }));

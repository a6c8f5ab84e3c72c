import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { DENO_ARGUMENTS } from "../../src/cli/deno_process.ts";
import { inFolder } from "./captured_io.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** `deno run` of the program in its folder, as the README has it. */
function program(set: string, args: readonly string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", set, "main.ts", ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

Deno.test("deno run -P main.ts serve runs a gateway", async () => {
  await inFolder(async (folder) => {
    const child = program("-P", ["serve", "--port", "0", "--data", folder]).spawn();
    let text = "";
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (/ on http:\S+\n/.test(text)) child.kill("SIGTERM");
    }
    const { success } = await child.status;
    const stderr = await new Response(child.stderr).text();
    assert.match(text, /^Countersign gateway of countersign\.local\//);
    assert.equal(success, true, stderr);
  });
});

Deno.test("-P=offline reads files, and opens no connection", async () => {
  let requests = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    requests++;
    return Response.json({});
  });
  const args = ["status", "--gateway", `http://127.0.0.1:${server.addr.port}`];
  assert.equal((await program("-P=offline", args).output()).code, 1);
  assert.equal(requests, 0);
  // The same command reaches the server under the other set.
  await program("-P", args).output();
  assert.ok(requests > 0);
  await server.shutdown();
  const { permissions } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  assert.deepEqual(Object.keys(permissions.offline), ["read", "env"]);
});

Deno.test("the default set is what the npm package gives Deno", async () => {
  const { permissions } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const { net, read, write, sys, env } = permissions.default;
  assert.deepEqual([net, read, write], [true, true, true]);
  const flags = [
    "--allow-net",
    "--allow-read",
    "--allow-write",
    `--allow-sys=${sys.join(",")}`,
    `--allow-env=${env.allow.join(",")}`,
    ...(env.ignore === true ? ["--ignore-env"] : []),
  ];
  const given = DENO_ARGUMENTS.filter((each) => /^--(allow|ignore)-/.test(each));
  assert.deepEqual(flags, given);
  assert.deepEqual(Object.keys(permissions.default), ["net", "read", "write", "sys", "env"]);
});

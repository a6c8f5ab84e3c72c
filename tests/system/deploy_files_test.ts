/**
 * `deploy/Containerfile`: the program starts from what it copies, with its entry point, and writes to
 * `/data` alone. `deploy/systemd`: systemd accepts the units. No image is built.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Server } from "../scenarios/program.ts";
import { runTool } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;

async function copyInto(from: string, to: string): Promise<void> {
  if (!(await Deno.stat(from)).isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copyInto(join(from, name), join(to, name));
}

/** Paths below `folder`, in order. */
async function filesBelow(folder: string): Promise<string[]> {
  const { stdout } = await runTool("find", [".", "-type", "f"], { cwd: folder });
  return stdout.split("\n").toSorted();
}

Deno.test("the Containerfile copies what a gateway needs, and starts it", async () => {
  const containerfile = await Deno.readTextFile(join(ROOT, "deploy/Containerfile"));
  const readme = await Deno.readTextFile(join(ROOT, "README.md"));
  const version = /^ARG DENO=(\S+)$/m.exec(containerfile)![1]!;
  assert.ok(readme.includes(`deno@${version}`), "the Deno of the README");
  assert.match(containerfile, /^USER 65532:65532$/m);

  const folder = await Deno.makeTempDir();
  try {
    const [app, data] = [join(folder, "app"), join(folder, "data")];
    await Deno.mkdir(app);
    await Deno.mkdir(data);
    for (const [, sources] of containerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)) {
      for (const source of sources!.split(" ")) {
        await Deno.mkdir(join(app, source, ".."), { recursive: true });
        await copyInto(join(ROOT, source), join(app, source));
      }
    }
    const copied = await filesBelow(app);
    const listOf = (pattern: RegExp): string[] => JSON.parse(pattern.exec(containerfile)![1]!);
    const [, ...entry] = listOf(/^ENTRYPOINT (.+)$/m);
    const args = [...entry, ...listOf(/^FROM base AS trial$[^]*?^CMD (.+)$/m)].map((argument) =>
      argument.replace(/^\/app\//, `${app}/`).replace(/^\/data$/, data).replace(
        "0.0.0.0",
        "127.0.0.1",
      )
    );
    const command = new Deno.Command(Deno.execPath(), {
      args: [...args, "--port", "0", "--operator-port", "0", "--event-sockets-port", "0"],
      cwd: app,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
    const { server, match } = await Server.spawn(command, READY);
    try {
      const { status } = await fetch(`${match[1]}/health`).then(async (answer) =>
        await answer.json()
      );
      assert.equal(status, "ok");
    } finally {
      await server.stop();
    }
    assert.deepEqual(await filesBelow(app), copied);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("systemd accepts the units", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const units = [];
    for await (const { name } of Deno.readDir(join(ROOT, "deploy/systemd"))) {
      const unit = await Deno.readTextFile(join(ROOT, "deploy/systemd", name));
      // systemd checks that the program exists.
      await Deno.writeTextFile(
        join(folder, name),
        unit.replace("/usr/local/bin/countersign", "/bin/true"),
      );
      units.push(join(folder, name));
    }
    assert.equal(units.length, 3);
    const { code, stdout, stderr } = await runTool("systemd-analyze", ["verify", ...units], {
      cwd: folder,
    });
    assert.deepEqual([code, stdout, stderr], [0, "", ""]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

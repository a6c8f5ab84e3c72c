/**
 * The first ten minutes of a stranger, who has Node, Deno 2.9.6 and an npm registry that has the package:
 * everything is run by `npx countersign`. The transcript is compared with `stranger.txt`, which shows what
 * a stranger sees; `-- --update` writes it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../gateway/fixture.ts";
import { inFolder } from "../server/captured_io.ts";
import { Server } from "../scenarios/program.ts";
import { type NpmPackage, WITH_DENO } from "./npm_package.ts";
import { runTool } from "./tools.ts";

const EXPECTED = fileURLToPath(new URL("stranger.txt", import.meta.url));
const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;

/** What is typed; a comment is a title. */
const STAMP_AND_VERIFY = `
# Stamp a file
echo 'what I knew today' > note.txt
npx countersign stamp --save note.txt
ls

# Verify it, against a configuration that the stranger has chosen to trust
npx countersign verify note.txt
npx countersign network --pin --yes
npx countersign verify note.txt

# Change one byte, and verify again
echo 'What I knew today' > note.txt
npx countersign verify note.txt
echo 'what I knew today' > note.txt

# The proof of another file
echo 'what I did not know' > other.txt
npx countersign verify-proof --bundle note.txt.countersign.json --file other.txt

# The page
curl -s "$COUNTERSIGN_GATEWAY" | grep -o '<title>.*</title>'

# The wrong word
npx countersign verfy note.txt
`;

const SECOND_START = `
# The log is still there, and has only grown
npx countersign log sth --verify
npx countersign stamp note.txt
`;

/** A registry that has one package. */
async function withRegistry(
  npmPackage: NpmPackage,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const { filename, shasum, integrity } = npmPackage.packed;
  const manifest = JSON.parse(await Deno.readTextFile(join(npmPackage.built, "package.json")));
  const tarball = await Deno.readFile(npmPackage.tarball);
  const server = createServer((request, response) => {
    if (request.url === "/countersign") {
      const dist = { tarball: `${url}/countersign/-/${filename}`, shasum, integrity };
      const { version } = manifest;
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({
        name: "countersign",
        "dist-tags": { latest: version },
        versions: { [version]: { ...manifest, dist } },
      }));
    } else if (request.url === `/countersign/-/${filename}`) response.end(tarball);
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await use(url);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export function testStranger(npmPackage: NpmPackage): void {
  Deno.test("a stranger's first ten minutes are as stranger.txt shows them", () =>
    inFolder((folder) =>
      inFolder(async (cache) => {
        let transcript = "";
        await withRegistry(npmPackage, async (registry) => {
          const env = {
            ...WITH_DENO,
            HOME: folder,
            NO_COLOR: "1",
            npm_config_registry: registry,
            npm_config_cache: cache,
            npm_config_yes: "true",
            npm_config_update_notifier: "false",
            // npm warns of settings of this machine that it does not know.
            npm_config_loglevel: "error",
          };
          const work = join(folder, "trial");
          await Deno.mkdir(work);
          const type = async (lines: string, gateway: string) => {
            let typed = "";
            for (const line of lines.split("\n")) {
              if (line === "" || line.startsWith("#")) {
                typed += `${line}\n`;
                continue;
              }
              const { code, stdout } = await runTool("bash", ["-c", `{ ${line}\n} 2>&1`], {
                cwd: work,
                env: { ...env, COUNTERSIGN_GATEWAY: gateway },
              });
              typed += `$ ${line}\n${stdout}${code === 0 ? "" : `[exit code ${code}]\n`}`;
            }
            return typed;
          };
          for (
            const [title, lines] of [
              ["Start a gateway in a terminal", STAMP_AND_VERIFY],
              ["Start it again", SECOND_START],
            ]
          ) {
            // A process group, as a terminal has one for Ctrl-C.
            const serving = new Deno.Command("setsid", {
              args: ["npx", "countersign", "serve", "--port", "0"],
              cwd: work,
              env,
              stdin: "null",
              stdout: "piped",
              stderr: "piped",
            });
            const { server, match } = await Server.spawn(serving, READY);
            await using _ = server;
            const typed = await type(lines!, match[1]!);
            const interrupt = runTool("kill", ["-INT", "--", `-${server.pid}`], { cwd: work });
            assert.equal((await interrupt).code, 0);
            await until(async () => (await statusOf(match[1]!)) === undefined);
            await server.ended();
            transcript += `# ${title}: this terminal, until Ctrl-C\n$ npx countersign serve\n` +
              `${server.stdout}${server.stderr}${typed}`;
          }
        });
        const shown = plain(transcript, folder);
        if (Deno.args.includes("--update")) await Deno.writeTextFile(EXPECTED, shown);
        assert.equal(shown, await Deno.readTextFile(EXPECTED));
      })
    ));
}

async function statusOf(url: string): Promise<number | undefined> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

/** The transcript without what differs between runs. */
function plain(transcript: string, folder: string): string {
  return transcript
    .replaceAll(folder, "/home/stranger")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "<64 hex digits>")
    .replaceAll(/countersign\.local(\/|%2f)[0-9a-f]{8}/g, "countersign.local$1<id>")
    .replaceAll(/<id>\+[0-9a-f]{8}\+\S{44}/g, "<id>+<key>")
    // Any two of three, and for a tree head perhaps the third.
    .replaceAll(
      /(?:2 of 2 needed signatures|3 signatures, 2 needed) \(countersign\.local\/<id>\/w\d(, countersign\.local\/<id>\/w\d){1,2}\)/g,
      "2 of 2 needed signatures (<2 witnesses>)",
    )
    .replaceAll(/according to [23] witnesses of/g, "according to 2 witnesses of")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| UTC)?/g, "<time>")
    .replaceAll(/\b1[6-9]\d{8}\b/g, "<Unix seconds>");
}

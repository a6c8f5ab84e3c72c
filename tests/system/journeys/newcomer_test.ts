/**
 * A newcomer's way with the packaged program: the npm package on the oldest Node, one executable, and
 * `deno run` in a clone. The commands between the marks are those of docs/quick_start.md; only the address
 * of the gateway is another, so that no port has to be free.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { markedBlock } from "../../docs/marked_blocks.ts";
import { IS_LONG } from "../../long_runs.ts";
import { NpmPackage, OFFLINE, succeed } from "../npm_package.ts";
import { copyProgram } from "../program_copy.ts";
import { runTool } from "../tools.ts";
import { DENO, onNode, User } from "./user.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const GUIDE = "docs/quick_start.md";
/** A batch that stays open while a proof is saved. */
const SLOW_BATCHES = ["--batch-max-age-ms", "4000"];
const UPGRADE_TRIES = 40;

/** A block of the guide, for someone who has the command: its first line defines one. */
async function guide(name: string): Promise<string> {
  const block = await markedBlock(GUIDE, name);
  return block.replace(/^countersign\(\) .*\n/, "");
}

async function walk(newcomer: User): Promise<void> {
  await newcomer.startGateway();
  assert.match(await newcomer.see(await guide("stamp")), /saved note\.txt\.countersign\.json/);
  await newcomer.see(await guide("curl"));

  // Whoever has not said whom to trust is told how, and trusts nobody.
  const unpinned = await newcomer.see("countersign verify note.txt", 1);
  const pinning = /countersign network --pin/.exec(unpinned)?.[0];
  assert.match(await newcomer.see(pinning!, 2), /--fingerprint [0-9a-f]{64}.* --yes/);
  await newcomer.see("countersign verify note.txt", 1);
  const pinned = await newcomer.see(await guide("pin"));
  const prints = [...pinned.matchAll(/^fingerprint: (\S+)$/gm)].map(([, print]) => print);
  assert.deepEqual(prints, [prints[0], prints[0]]);

  const verified = await newcomer.see(await guide("verify"));
  assert.equal(verified.match(/^VALID \(Batched\)$/gm)?.length, 2);
  const changed = await newcomer.see(
    "printf W | dd of=note.txt conv=notrunc status=none; countersign verify note.txt",
    1,
  );
  assert.match(changed, /^INVALID\n.*note\.txt has changed/);
  await newcomer.see("printf w | dd of=note.txt conv=notrunc status=none");

  await newcomer.stopGateway();
  assert.match(await newcomer.see("countersign verify note.txt"), /^VALID \(Batched\)$/m);
  const away = await newcomer.see("countersign stamp note.txt", 1);
  assert.match(away, /^countersign: Cannot stamp: \S+ refused the connection/);
  const moved =
    "mkdir ../archive; mv note.txt* ../archive; cd ../archive; countersign verify note.txt";
  assert.match(await newcomer.see(moved), /^VALID \(Batched\)$/m);

  await newcomer.startGateway(...SLOW_BATCHES);
  const early = await newcomer.see(
    "cd ../archive; echo more > more.txt; " +
      "countersign stamp --save --no-wait-batched more.txt; countersign verify more.txt",
  );
  assert.match(early, /^VALID \(Basic\)$/m);
  const upgrading = /refresh the proof later: (countersign upgrade [^)]*)\)/.exec(early)?.[1];
  assert.ok(upgrading, early);
  let upgraded = "";
  for (let tries = 0; !/^1 upgraded$/m.test(upgraded); tries++) {
    assert.ok(tries < UPGRADE_TRIES, upgraded);
    upgraded = await newcomer.see(`sleep 0.5; cd ../archive; ${upgrading}`);
  }
  const again = await newcomer.see("cd ../archive; countersign verify more.txt note.txt");
  assert.match(again, /more\.txt/);
  assert.match(await newcomer.see("cd ../archive; countersign log sth --verify"), /^VALID$/m);
  await newcomer.stopGateway();
  assert.match(
    await newcomer.see("cd ../archive; countersign verify more.txt"),
    /^VALID \(Batched\)$/m,
  );
}

/** Neither Node nor Deno is on the path. */
function withExecutable(npmPackage: NpmPackage): Promise<User> {
  return User.create([], OFFLINE, async (bin) => {
    const script = join(ROOT, "tools/build_launcher.ts");
    const build = ["run", "--config", join(ROOT, "tools/deno.json"), "-A", script];
    const args = [...build, join(bin, "countersign"), npmPackage.built];
    await succeed(runTool(Deno.execPath(), args, { cwd: ROOT }));
    for (const name of ["node", "deno"]) {
      await Deno.writeTextFile(join(bin, name), "#!/bin/sh\nexit 127\n", { mode: 0o755 });
    }
  });
}

/** With the packages in the cache of these tests, which is one of a registry. */
async function inClone(): Promise<User> {
  const info = await succeed(runTool(Deno.execPath(), ["info", "--json"], { cwd: ROOT }));
  const env = { DENO_DIR: JSON.parse(info).denoDir, HTTPS_PROXY: OFFLINE.HTTPS_PROXY! };
  return await User.create([DENO], env, async (bin, work) => {
    await copyProgram(work);
    const run = `#!/bin/sh\nexec deno run --quiet -P '${work}/main.ts' "$@"\n`;
    await Deno.writeTextFile(join(bin, "countersign"), run, { mode: 0o755 });
  });
}

/** In short runs `npm_package_test.ts` tries the executable, and `readme_test.ts` a clone. */
const WAYS = { npm: onNode, ...(IS_LONG && { executable: withExecutable, clone: inClone }) };

Deno.test("a newcomer stamps, verifies, moves and upgrades as the documents tell", async (t) => {
  const npmPackage = new NpmPackage();
  await npmPackage.build();
  try {
    for (const [name, install] of Object.entries(WAYS)) {
      await t.step(name, async () => {
        await using newcomer = await install(npmPackage);
        await walk(newcomer);
      });
    }
  } finally {
    await npmPackage.remove();
  }
});

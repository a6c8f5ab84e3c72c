/** What `mirror` refuses: a URL without a log, and a damaged copy. */

import assert from "node:assert/strict";
import { systemClock } from "../../src/base/clock.ts";
import { served } from "../http/outgoing/fixture.ts";
import { answerOf, SyntheticLog } from "../logs/publishing/synthetic_log.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";

/** A gateway's answer at `/checkpoint` of an empty log. */
function emptyLog(): Response {
  const problem = { status: 404, code: "no_tree_head", detail: "No tree head is published yet" };
  const headers = { "Content-Type": "application/problem+json" };
  return new Response(JSON.stringify(problem), { status: 404, headers });
}

function fileNotFound(): Response {
  return new Response("not found", { status: 404 });
}

/** Runs `use` with a log of 300 entries; it can set what its server answers in place of the log. */
async function withLog(
  use: (
    client: Client,
    mirror: readonly string[],
    answerWith: (other: (() => Response) | undefined) => void,
  ) => Promise<void>,
): Promise<void> {
  await withClient(async (client) => {
    const log = new SyntheticLog();
    log.grow(300);
    let other: (() => Response) | undefined;
    await served((request) => other?.() ?? answerOf(log, request), async (url) => {
      const mirror = ["mirror", "--from", url, "--to", "copy", "--vkey", log.vkey];
      await use(client, mirror, (answer) => other = answer);
    });
  });
}

Deno.test("mirror fails if there is no log at the URL, with and without a copy", async () => {
  await withLog(async (client, mirror, answerWith) => {
    answerWith(fileNotFound);
    const missing = await client.runJson(mirror);
    assertFailed(missing, "no_tree_head");
    assert.match(missing.json.error.message, /\/checkpoint answered 404: there is no log at http/);
    answerWith(undefined);
    assert.equal((await client.runJson(mirror)).json.tree_size, 300);
    answerWith(fileNotFound);
    assertFailed(await client.runJson(mirror), "no_tree_head");
  });
});

Deno.test("mirror of an empty log copies nothing, and fails if the copy has entries", async () => {
  await withLog(async (client, mirror, answerWith) => {
    answerWith(emptyLog);
    const empty = await client.runJson(mirror);
    assert.deepEqual([empty.code, empty.json.result, empty.json.tree_size], [0, "empty", 0]);
    answerWith(undefined);
    assert.equal((await client.runJson(mirror)).json.tree_size, 300);
    answerWith(emptyLog);
    const lost = await client.runJson(mirror);
    assertFailed(lost, "no_tree_head");
    assert.match(lost.json.error.message, /no checkpoint, but the copy in .* has 300 entries/);
  });
});

Deno.test("mirror names the file of a copy whose checkpoint is damaged, and says how to mend it", async () => {
  await withLog(async (client, mirror) => {
    assert.equal((await client.runJson(mirror)).json.tree_size, 300);
    const whole = await client.read("copy/checkpoint");
    const otherKey = new SyntheticLog();
    otherKey.grow(200);
    for (const damaged of ["", whole.slice(0, -20), await otherKey.checkpoint()]) {
      await client.write("copy/checkpoint", damaged);
      const refused = await client.runJson(mirror);
      assertFailed(refused, "file_failed");
      assert.match(refused.json.error.message, /copy: its file checkpoint is damaged .*move the/);
    }
    await Deno.writeFile(`${client.folder}/copy/checkpoint`, Uint8Array.of(0xff));
    const noText = await client.runJson(mirror);
    assertFailed(noText, "file_failed");
    assert.match(noText.json.error.message, /copy\/checkpoint": it is damaged \(not UTF-8\)/);
    await Deno.remove(`${client.folder}/copy/checkpoint`);
    await Deno.writeFile(`${client.folder}/copy/tile/0/000`, new Uint8Array(8192));
    const tile = await client.runJson(mirror);
    assertFailed(tile, "file_failed");
    assert.match(tile.json.error.message, /tile\/0\/000 has other bytes than the log/);
    await Deno.remove(`${client.folder}/copy/tile/0/000`);
    assert.equal((await client.runJson(mirror)).json.result, "grown");
    assert.equal(await client.read("copy/checkpoint"), whole);
  });
});

Deno.test("mirror with another key refuses the log, and does not call the copy damaged", async () => {
  await withLog(async (client, mirror) => {
    assert.equal((await client.runJson(mirror)).code, 0);
    const other = [...mirror.slice(0, -1), new SyntheticLog().vkey];
    assertFailed(await client.runJson(other), "proof_refused");
  });
});

Deno.test("mirror says that the folder of a copy is a file", async () => {
  await withLog(async (client, mirror) => {
    await client.write("copy", "no folder");
    const refused = await client.runJson(mirror);
    assertFailed(refused, "file_failed");
    assert.match(refused.json.error.message, /: a part of this path is a file, not a folder$/);
  });
});

Deno.test("the hint about a log that does not answer names the option of its URL", async () => {
  await withLog(async (client, mirror) => {
    const url = "http://127.0.0.1:1";
    // Without the pauses between attempts.
    client.clock = { ...systemClock, sleep: () => Promise.resolve() };
    for (
      const [option, ...args] of [
        ["--from", "mirror", "--to", "copy", "--vkey", mirror.at(-1)!],
        ["--from", "mirror", "--to", "copy"],
        ["--from", "publish", "--once", "--to", "copy"],
        ["--mirror", "fsck"],
        ["--mirror", "log", "sth"],
      ] as const
    ) {
      const { code, stderr } = await client.run([...args, option, url]);
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`\\nCheck the URL of ${option}\\.$`));
      assert.doesNotMatch(stderr, /--gateway/);
    }
    assert.match((await client.run(["log", "sth"])).stderr, /with --gateway URL/);
  });
});

/** The lists of logs that a witness reads itself. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { readLogsFile } from "../../src/config/followed_logs.ts";
import { parseWitnessNode, type WitnessNode } from "../../src/config/witness_node.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { importLogList, refreshLogLists } from "../../src/server/witness/log_lists.ts";
import { serveWitness } from "../../src/server/witness/witness_server.ts";
import { FakeClock } from "../fake_clock.ts";
import { until } from "../gateway/fixture.ts";
import { bls } from "../schemes.ts";
import { served } from "../http/outgoing/fixture.ts";
import { signerOf } from "../witness/fixture.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";

const vkeys = ["one.example", "two.example"].map((name) =>
  encodeVkey({ name, type: NOTE_TYPE.ed25519, publicKey: signerOf(name).publicKey })
);

function listOf(...origins: readonly string[]): string {
  return ["logs/v0", ...origins.map((origin) => `vkey ${vkeys[0]}\norigin ${origin}\nqpd 5`), ""]
    .join("\n");
}

/** A witness with `members` in its configuration, whose logs_file has a folder. */
async function witnessIn(
  folder: string,
  members: Readonly<Record<string, unknown>>,
): Promise<WitnessNode> {
  const { witnessFiles: [file] } = await createNetwork({
    witnesses: 1,
    threshold: 1,
    scheme: "ed25519",
    kind: "remote",
    basePort: 8091,
    out: join(folder, "net"),
  }, bls);
  await Deno.mkdir(join(folder, "lists"));
  const given = JSON.parse(await Deno.readTextFile(file!));
  const all = { ...given, port: 0, logs_file: join(folder, "lists/logs.json"), ...members };
  return parseWitnessNode(JSON.stringify(all), file!);
}

Deno.test("a witness reads its lists at an interval, within max_logs, and keeps logs and keys", () =>
  inFolder(async (folder) => {
    let answer = () => new Response(listOf("a", "b"));
    await served(() => answer(), async (url) => {
      const log_lists = { urls: [url], interval_seconds: 60 };
      const node = await witnessIn(folder, { log_lists, max_logs: 3 });
      const clock = new FakeClock();
      const stop = new AbortController();
      const lines: string[] = [];
      const refreshing = refreshLogLists(node, (line) => lines.push(line), stop.signal, clock);
      const origins = async () =>
        (await readLogsFile(node.logsFile!)).map(({ origin }) => origin).join();
      const next = async (line: RegExp) => {
        const from = lines.length;
        await clock.advance(60_000);
        await until(() => lines.slice(from).some((one) => line.test(one)));
      };
      await until(() => lines.length === 1);
      assert.match(lines[0]!, /2 new logs, 0 new quotas/);
      assert.equal(await origins(), "a,b");

      answer = () => new Response("nonsense");
      await next(/Cannot read log list: the first line/);
      answer = () => new Response("", { status: 500 });
      await next(/answered 500/);
      assert.equal(await origins(), "a,b");

      // Two more are too many; what is there stays.
      answer = () => new Response(listOf("c", "d"));
      await next(/would have 4 logs, and max_logs is 3/);
      assert.equal(await origins(), "a,b");
      answer = () => new Response(listOf("c"));
      await next(/1 new logs/);
      assert.equal(await origins(), "a,b,c");
      answer = () => new Response(listOf("a").replace(vkeys[0]!, vkeys[1]!));
      await next(/refused another key for 1 logs, such as "a"/);
      assert.equal(encodeVkey((await readLogsFile(node.logsFile!))[0]!.keys[0]!), vkeys[0]);
      stop.abort();
      await refreshing;
    });
  }));

Deno.test("a witness reads a list that failed again before its interval has passed", () =>
  inFolder(async (folder) => {
    let answer = () => new Response("", { status: 503 });
    await served(() => answer(), async (url) => {
      const log_lists = { urls: [url], interval_seconds: 604_800 };
      const node = await witnessIn(folder, { log_lists });
      const clock = new FakeClock();
      const stop = new AbortController();
      const lines: string[] = [];
      const refreshing = refreshLogLists(node, (line) => lines.push(line), stop.signal, clock);
      await until(() => lines.length === 1);
      assert.match(lines[0]!, /answered 503/);
      answer = () => new Response(listOf("a"));
      await clock.advance(300_000);
      await until(() => lines.some((line) => /1 new logs/.test(line)));
      stop.abort();
      await refreshing;
    });
  }));

Deno.test("a log with a weak key does not keep the others of its list from being added", () =>
  inFolder(async (folder) => {
    const node = await witnessIn(folder, {});
    const { logsFile } = node;
    // The identity.
    const publicKey = Uint8Array.from({ length: 32 }, (_, i) => i === 0 ? 1 : 0);
    const weak = encodeVkey({ name: "weak.example", type: NOTE_TYPE.ed25519, publicKey });
    const { added, skipped } = await importLogList(
      node,
      logsFile!,
      "list",
      `logs/v0\nvkey ${weak}\nvkey ${vkeys[0]}\n`,
    );
    assert.deepEqual(added, ["one.example"]);
    assert.deepEqual(skipped.map(({ vkey }) => vkey), [weak]);
    assert.match(skipped[0]!.reason, /small order/);
    assert.equal((await readLogsFile(logsFile!)).length, 1);
  }));

Deno.test("a witness that stops does not finish a list", () =>
  inFolder(async (folder) => {
    const node = await witnessIn(folder, {});
    const stopped = AbortSignal.abort();
    await assert.rejects(
      importLogList(node, node.logsFile!, "list", listOf("a"), stopped),
      { name: "AbortError" },
    );
    assert.deepEqual(await readLogsFile(node.logsFile!), []);
  }));

Deno.test("a running witness adds the logs of its lists", () =>
  inFolder(async (folder) => {
    await served(() => new Response(listOf("a")), async (url) => {
      const node = await witnessIn(folder, { log_lists: { urls: [url] } });
      const io = new CapturedIo({ folder });
      const stop = new AbortController();
      const over = serveWitness(node, io, stop.signal);
      await until(() => io.errLines.some((line) => /1 new logs/.test(line)));
      stop.abort();
      await over;
    });
  }));

Deno.test("log_lists needs a logs_file apart from what the operator gives the witness", () =>
  inFolder(async (folder) => {
    const log_lists = { urls: ["https://lists.example/all"] };
    const wrong = [
      { log_lists, logs_file: undefined },
      { log_lists, logs_file: "logs.json" },
      { log_lists, logs_file: "/logs.json" },
      { log_lists, logs_file: "lists/logs.json", succession: "lists/succession.json" },
      {
        log_lists,
        logs_file: "lists/logs.json",
        bastion: { url: "https://bastion.example", cert_file: "b.pem", key_file: "lists/b.key" },
      },
      { log_lists: { urls: [] } },
      { log_lists: { ...log_lists, interval_seconds: 59 } },
      { log_lists: { urls: ["http://lists.example/all"] } },
      { max_logs: 0 },
    ];
    for (const [i, members] of wrong.entries()) {
      const part = join(folder, String(i));
      await Deno.mkdir(part);
      await assert.rejects(witnessIn(part, members), { code: "invalid_configuration" }, String(i));
    }
  }));

/** Witnesses that are not ours cosign what the gateway publishes (`foreign_witnesses.ts`). */

import assert from "node:assert/strict";
import { join } from "node:path";
import { hexOf, utf8 } from "../../src/base/bytes.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { serveMonitor } from "../../src/server/monitor/monitor_server.ts";
import { answerOf, SyntheticLog } from "../logs/publishing/synthetic_log.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";
import { served } from "../http/outgoing/fixture.ts";
import { cosignHeads } from "./foreign_witness_run.ts";
import { ForeignWitness } from "./foreign_witnesses.ts";

for (const name of ["litewitness", "sigsum"] as const) {
  Deno.test(`${name} cosigns each head, through kills of it and restarts of the gateway`, async () => {
    const plan = { heads: 40, gatewayEvery: 15, witnessEvery: 18 };
    const { witnessKills, gatewayStarts, answers } = await cosignHeads(name, plan);
    assert.deepEqual([witnessKills, gatewayStarts], [2, 3]);
    // Each start of the gateway but the first asks for a size that the witness is beyond.
    assert.ok(answers.get("size_conflict")! >= 2);
    assert.equal(answers.get("failed"), undefined);
  });
}

Deno.test("litewitness cosigns, but shows no checkpoint to monitors: a view of it is an outage", () =>
  inFolder(async (folder) => {
    // litewitness requires that the key is named as the log.
    const log = new SyntheticLog("key.example.org");
    log.grow(300);
    await using witness = await ForeignWitness.litewitness(folder, parseVkey(log.vkey));
    const note = await log.checkpoint();
    const body = `old 0\n\n${note}`;
    const cosigned = await fetch(`${witness.url}add-checkpoint`, { method: "POST", body });
    assert.deepEqual([cosigned.status, (await cosigned.text()).startsWith("— ")], [200, true]);
    const hash = hexOf(sha256(utf8(log.origin)));
    const shown = await fetch(`${witness.url}${hash}/checkpoint`);
    await shown.body?.cancel();
    assert.equal(shown.status, 404);
    await served((request) => answerOf(log, request), async (url) => {
      await Deno.writeTextFile(join(folder, "policy"), `log ${log.vkey}\nquorum none\n`);
      const views = [
        { name: "log", url },
        { name: "litewitness", kind: "witness", url: witness.url },
      ];
      const logs = [{ origin: log.origin, policy_file: "policy", views }];
      const config = join(folder, "monitor.json");
      const members = { state_folder: "monitor", grace_seconds: 0, logs };
      await Deno.writeTextFile(config, JSON.stringify(members));
      const io = new CapturedIo({ folder });
      const options = { config, once: true, json: true };
      assert.equal(await serveMonitor(options, io, new AbortController().signal), 3);
      const [alert] = io.outLines.map((line) => JSON.parse(line));
      assert.deepEqual([alert.data.kind, alert.data.view], ["outage", "litewitness"]);
    });
  }));

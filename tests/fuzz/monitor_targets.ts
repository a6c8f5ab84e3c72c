/**
 * The configuration and the stored state of a monitor.
 *
 * @module
 */

import assert from "node:assert/strict";
import { parseMonitorNode } from "../../src/config/monitor_node.ts";
import { Findings } from "../../src/logs/monitor/findings.ts";
import { encodeMonitorState, parseMonitorState } from "../../src/logs/monitor/state.ts";
import { monitorFile } from "../config/monitor_file.ts";
import { SyntheticLog } from "../logs/publishing/synthetic_log.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { ofText, type Target } from "./engine.ts";
import { HASH } from "./valid_inputs.ts";

const log = new SyntheticLog("Any log", new Uint8Array(32).fill(9));
const findings = new Findings([], ["stdout"]);
findings.observe({ kind: "outage", log: "Any log", view: "a" }, 1_800_000_000, "no answer");
findings.observe({ kind: "fork", log: "Any log", view: "b", subject: "x" }, 5, "two", "f.json");
findings.settle(1_800_000_900, 300);
findings.acknowledge(findings.all()[0]!.id, 1_800_000_901, "seen");
const checkpoint = await log.checkpoint();
const state = encodeMonitorState({
  at: 1_800_000_900,
  findings: findings.all(),
  logs: [{
    origin: "Any log",
    checkpoint,
    succession: [...threeEpochs().links],
    next_bundle: 3,
    next_watched: 0,
    views: [
      { name: "a", checkpoint, since: 1, largest: 0 },
      { name: "b", since: 1, largest: 7, pending: checkpoint, forked: "x" },
    ],
    watched: [{ hash: HASH, index: 4, left: 0 }, { hash: "0".repeat(64) }],
  }],
});

export const MONITOR_TARGETS: readonly Target[] = [
  {
    name: "parseMonitorNode",
    covers: ["config/monitor_node.ts#parseMonitorNode"],
    codes: ["malformed_configuration", "invalid_configuration"],
    seeds: [JSON.stringify(monitorFile)],
    read: ofText((text) => {
      const { logs, intervalSeconds } = parseMonitorNode(text, "/etc/monitor.json");
      assert.ok(intervalSeconds >= 1);
      for (const { views } of logs) assert.ok(views.some(({ kind }) => kind === "log"));
    }),
  },
  {
    name: "parseMonitorState",
    covers: ["logs/monitor/state.ts#parseMonitorState"],
    codes: ["store_corrupt", "format_unsupported"],
    seeds: [state],
    read: ofText((text) =>
      assert.deepEqual(
        JSON.parse(encodeMonitorState(parseMonitorState(text, "state.json"))),
        JSON.parse(text),
      )
    ),
  },
];

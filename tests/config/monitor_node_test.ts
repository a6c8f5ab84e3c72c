import assert from "node:assert/strict";
import { parseMonitorNode } from "../../src/config/monitor_node.ts";
import { monitorReach } from "../../src/server/roles/monitor_reach.ts";
import { permissionsOf } from "../../src/server/roles/role_permissions.ts";
import { monitorFile } from "./monitor_file.ts";

function parse(change: (file: typeof monitorFile) => unknown) {
  const file = structuredClone(monitorFile);
  return parseMonitorNode(JSON.stringify(change(file) ?? file), "/etc/monitor.json");
}

Deno.test("parseMonitorNode() reads all members, and defaults for absent ones", () => {
  const node = parse(() => undefined);
  assert.deepEqual([node.stateFolder, node.intervalSeconds, node.graceSeconds], [
    "/etc/state",
    30,
    120,
  ]);
  const [own, foreign] = node.logs;
  assert.deepEqual(own!.trust, { networkFile: "/etc/network.public.json" });
  assert.deepEqual(own!.views.map(({ kind }) => kind), ["log", "log", "witness", "peer"]);
  assert.deepEqual(own!.views[2]!.place, { url: "https://w1.example/monitoring/" });
  assert.deepEqual([foreign!.bundlesPerPoll, foreign!.maxAgeSeconds, foreign!.watch], [
    4,
    undefined,
    [],
  ]);
  const short = parse(({ state_folder, logs }) => ({ state_folder, logs }));
  assert.deepEqual([short.intervalSeconds, short.graceSeconds], [60, 300]);
  assert.ok(Object.isFrozen(short.logs[0]!.views));
});

Deno.test("the example of docs/monitor.md is a configuration", async () => {
  const document = await Deno.readTextFile(new URL("../../docs/monitor.md", import.meta.url));
  const [, example = ""] = /```json\n(.*?)```/s.exec(document) ?? [];
  assert.equal(parseMonitorNode(example, "/etc/monitor.json").logs.length, 2);
});

Deno.test("parseMonitorNode() refuses contradictory members", () => {
  const wrong: readonly ((file: typeof monitorFile) => unknown)[] = [
    (file) => ({ ...file, logs: [] }),
    (file) => ({ ...file, logs: [file.logs[0], file.logs[0]] }),
    (file) => ({ ...file, interval_seconds: 0 }),
    (file) => ({ ...file, webhook: { url: "ftp://x/", secret_file: "s" } }),
    (file) => ({ ...file, webhook: { url: "https://x/" } }),
    ...[
      { origin: "" },
      { policy_file: "p" },
      { network_config: undefined },
      { views: [] },
      { views: [{ name: "w", kind: "witness", url: "https://w/" }] },
      { views: [{ name: "", url: "https://w/" }] },
      { views: [{ name: "a", kind: "mirror", url: "https://w/" }] },
      { views: [{ name: "a" }] },
      { views: [{ name: "a", folder: "f", url: "https://w/" }] },
      { views: [{ name: "l", folder: "f" }, { name: "a", kind: "witness", folder: "f" }] },
      { views: [{ name: "a", url: "https://w/" }, { name: "a", url: "https://v/" }] },
      { network_config: undefined, policy_file: "p" },
      { bundles_per_poll: 0 },
      { bundles_per_poll: 1_025 },
      { watch: [{ hash: "ab".repeat(32) }, { hash: "ab".repeat(32), index: 1 }] },
    ].map((members) => (file: typeof monitorFile) => ({
      ...file,
      logs: [{ ...file.logs[0], ...members }],
    })),
  ];
  for (const [i, change] of wrong.entries()) {
    assert.throws(() => parse(change), { code: "invalid_configuration" }, `case ${i}`);
  }
  assert.throws(() => parse((file) => ({ ...file, x: 1 })), { code: "malformed_configuration" });
});

Deno.test("errors of parseMonitorNode() name the log and the view", () => {
  const cases: readonly (readonly [members: Record<string, unknown>, words: RegExp])[] = [
    [
      { views: [{ name: "mirror", url: "ftp://x/" }] },
      /, in view "mirror", in log "log\.example\/2026"$/,
    ],
    [
      { views: [{ name: "a", url: "https://a/", x: 1 }] },
      /views\[0\]: unknown .*in log "log\.example/,
    ],
    [{ watch: [{ hash: "ab" }] }, /watch\[0\]\.hash: .*in log "log\.example/],
  ];
  for (const [members, message] of cases) {
    const change = (file: typeof monitorFile) => ({
      ...file,
      logs: [{ ...file.logs[0], ...members }],
    });
    assert.throws(() => parse(change), { message });
  }
});

Deno.test("a monitor has permissions only for its views, folder and webhook", () => {
  const permissions = permissionsOf(monitorReach(parse(() => undefined), "/etc/monitor.json"));
  assert.deepEqual(permissions, {
    net: [
      "127.0.0.1:9095",
      "alerts.example:443",
      "log.example.org:80",
      "log.example:443",
      "peer.example:443",
      "w1.example:443",
    ],
    read: [
      "/etc/monitor.json",
      "/etc/network.public.json",
      "/etc/policy.txt",
      "/etc/state",
      "/var/copy",
    ],
    write: ["/etc/state"],
    env: ["COUNTERSIGN_TOKEN_ALERTS", "NO_COLOR"],
    run: false,
    ffi: false,
    sys: [],
    import: false,
  });
});

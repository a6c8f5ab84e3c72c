/** The stores of a gateway in a database whose server is away. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { GatewayRun } from "../../src/server/gateway/gateway_run.ts";
import { openStores } from "../../src/server/gateway/gateway_stores.ts";
import { until } from "../gateway/fixture.ts";
import { KV_TOKEN, KvConnectServer } from "../storage/kv_connect_server.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";

Deno.test("a standby waits for a KV Connect server that is away; another gateway does not start", () =>
  inFolder(async (folder) => {
    await using server = new KvConnectServer();
    const path = join(folder, "token");
    await Deno.writeTextFile(path, `${KV_TOKEN}\n`, { mode: 0o600 });
    await using opened = new AsyncDisposableStack();
    const lines: string[] = [];
    const runOf = (standby: boolean) => ({
      operator: {
        store: { kind: "kv_connect", url: server.url, token: { kind: "file", path }, dataUrls: [] },
      },
      options: { standby },
      paths: { dataFolder: folder },
      io: new CapturedIo({ folder }),
      report: (line: string) => lines.push(line),
      opened,
    } as unknown as GatewayRun);
    await server.cut();
    await assert.rejects(openStores(runOf(false)), { code: "storage_failed" });
    const waiting = openStores(runOf(true));
    await until(() => lines.length > 0);
    assert.match(lines[0]!, /Waiting for the server$/);
    server.restart();
    assert.equal(await (await waiting).hasLog(), false);
    assert.equal(lines.length, 1);
  }));

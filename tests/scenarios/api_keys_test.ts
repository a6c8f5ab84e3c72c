/**
 * A private gateway as its operator runs it: keys from the command line, by one thread and by fronts, on
 * every listener for clients, created and revoked while it runs.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { GatewayClient } from "../../src/client/gateway_client.ts";
import { followEvents } from "../../src/client/event_stream.ts";
import { systemClock } from "../../src/base/clock.ts";
import { until } from "../gateway/fixture.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { IS_LONG } from "../long_runs.ts";
import { inFolder } from "../server/captured_io.ts";
import { ServedNetwork } from "../server/served_network.ts";
import { run, Server } from "./program.ts";

const READY = /^Countersign gateway of \S+ on (http:\S+)$[^]*^ {2}Embedded witnesses/m;

// One thread alone is that of tests/http/api_keys_test.ts.
for (const fronts of IS_LONG ? [0, 1, 3] : [2]) {
  Deno.test(`a private gateway with ${fronts} fronts`, () =>
    inFolder(async (folder) => {
      const network = await ServedNetwork.create(folder, "private.test");
      await network.configure({
        // A key is enough for a socket of the clients' listener, wherever its holder is.
        limits: { trusted_networks: [] },
        api_keys: { file: "api-keys.json", routes: "all" },
      });
      const file = join("private.test", "api-keys.json");
      const apiKey = async (...args: readonly string[]) => {
        const { code, stdout, stderr } = await run(["api-key", ...args, "--file", file], {
          cwd: folder,
        });
        assert.equal(code, 0, stderr);
        return stdout.trim();
      };
      const alice = await apiKey("new", "alice");
      assert.match(alice, /^[A-Za-z0-9_-]{43}$/);
      const { server, match } = await Server.start(
        [
          "serve",
          "--config",
          join("private.test", "network.json"),
          "--port",
          "0",
          "--fronts",
          String(fronts),
          "--operator-port",
          "0",
          "--event-sockets-port",
          "0",
          "--log-level",
          "debug",
          "--log-format",
          "json",
        ],
        READY,
        { cwd: folder },
      );
      await using _ = server;
      const url = match[1]!;
      const socketsUrl = /^ {2}sockets: +(\S+)$/m.exec(server.stdout)![1]!;
      const operatorUrl = /^ {2}operators: (\S+)$/m.exec(server.stdout)![1]!;
      const statusWith = async (key: string | undefined, path = "/v1/config") => {
        const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
        const response = await fetch(url + path, { headers });
        await response.body?.cancel();
        return response.status;
      };

      // Strangers get what a load balancer and a browser need.
      for (const path of ["/health", "/", "/openapi.json"]) {
        assert.equal(await statusWith(undefined, path), 200, path);
      }
      for (const path of ["/v1/config", "/v1/log/sth", "/v1/events", "/checkpoint"]) {
        assert.equal(await statusWith(undefined, path), 401, path);
      }
      // The library, on all kinds of routes.
      const clients = { url: new URL(`${url}/`), clock: systemClock };
      const [hash] = randomHashes(1);
      const stranger = new GatewayClient(clients);
      await assert.rejects(stranger.submit([hash!], 0), { reason: "api_key_required" });
      const gateway = new GatewayClient({ ...clients, apiKey: alice });
      assert.equal((await gateway.submit([hash!], 10))[0]!.hash, hash);
      // A cache between must not give strangers what never changes.
      const tile = async () => {
        const headers = { Authorization: `Bearer ${alice}` };
        const response = await fetch(`${url}/tile/entries/000.p/1`, { headers });
        await response.body?.cancel();
        return response;
      };
      await until(async () => (await tile()).status === 200);
      const caching = (await tile()).headers.get("Cache-Control");
      assert.equal(caching, "private, max-age=31536000, immutable");
      const stop = new AbortController();
      const events = followEvents({
        ...clients,
        apiKey: alice,
        types: [],
        random: Math.random,
        after: "v1.0.0.0.0.0",
        changed: () => {},
        reached: () => {},
      }, stop.signal);
      for await (const event of events) {
        assert.equal(event.type, "attestation.accepted");
        break;
      }
      // WebSockets.
      const open = (base: string, key?: string) =>
        new Promise<WebSocket | undefined>((resolve) => {
          const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
          // deno-lint-ignore no-explicit-any -- Deno's WebSocket takes headers.
          const socket = new WebSocket(`${base}/ws/events`, { headers } as any);
          socket.onopen = () => resolve(socket);
          socket.onerror = () => resolve(undefined);
        });
      const places = [socketsUrl, url.replace("http", "ws")];
      for (const place of places) {
        assert.equal(await open(place), undefined);
        (await open(place, alice))!.close();
      }
      // The command line.
      await Deno.writeTextFile(join(folder, "key"), `${alice}\n`, { mode: 0o600 });
      const command = async (env: Readonly<Record<string, string>>) => {
        const args = ["status", hash!, "--gateway", url, "--output", "json"];
        return await run(args, { cwd: folder, env });
      };
      const refused = await command({});
      assert.equal(refused.code, 1);
      assert.match(refused.stdout, /api_key_required/);
      assert.equal((await command({ COUNTERSIGN_API_KEY: alice })).code, 0);
      assert.equal((await command({ COUNTERSIGN_API_KEY_FILE: "key" })).code, 0);

      // Keys change while it runs, in every front.
      const always = async (key: string, status: number) => {
        for (let i = 0; i < 8; i++) if (await statusWith(key) !== status) return false;
        return true;
      };
      const ci = await apiKey("new", "ci", "--days", "1", "--per-second", "5", "--burst", "10");
      await until(() => always(ci, 200));
      // Open event streams end with the key.
      const stream = await fetch(`${url}/v1/events`, {
        headers: { Authorization: `Bearer ${alice}` },
      });
      const streamEnd = stream.text();
      const closed = await Promise.all(places.map(async (place) => {
        const socket = (await open(place, alice))!;
        const { promise, resolve } = Promise.withResolvers<number>();
        socket.onclose = ({ code }) => resolve(code);
        return { promise };
      }));
      await apiKey("revoke", "alice");
      await until(() => always(alice, 401));
      assert.match(await streamEnd, /event: hello/);
      for (const { promise } of closed) assert.equal(await promise, 3000);
      assert.ok(await always(ci, 200));
      // A file that cannot be read changes nothing.
      await Deno.writeTextFile(join(folder, file), "{");
      await until(() => Promise.resolve(server.stderr.includes("stay in use")));
      assert.ok(await always(ci, 200));

      const metrics = await (await fetch(`${operatorUrl}/metrics`)).text();
      assert.match(metrics, /countersign_api_key_requests_total\{key="alice"\} [1-9]/);
      const said = server.stdout + server.stderr + metrics;
      assert.match(said, /"api_key":"alice"/);
      for (const secret of [alice, ci]) assert.ok(!said.includes(secret));
      assert.equal(await server.stop(), 0);
    }));
}

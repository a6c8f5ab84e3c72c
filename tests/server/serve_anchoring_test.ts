import assert from "node:assert/strict";
import { join } from "node:path";
import { CountersignError } from "../../src/base/errors.ts";
import { freePorts } from "../free_ports.ts";
import { until } from "../gateway/fixture.ts";
import { inFolder } from "./captured_io.ts";
import { batch, jsonOf, ServedNetwork } from "./served_network.ts";

const HASH = "ab".repeat(32);
const CANARY = "canary-0123456789abcdef";
const token = (name: string) => `${CANARY}-${name}`;

/** A configuration in which everything that is secret, or no one else's business, has the canary. */
async function secretive(root: string): Promise<ServedNetwork> {
  const home = await ServedNetwork.create(root, "home.example");
  const peer = await ServedNetwork.create(root, "peer.example");
  const peers = join("peers", CANARY);
  await Deno.mkdir(join(home.folder, peers), { recursive: true });
  await Deno.copyFile(peer.publicFile, join(home.folder, peers, "network.json"));
  for (const name of ["out", "in", "operator"]) {
    await home.write(join(peers, name), `${token(name)}\n`);
  }
  await home.configure({
    operator: { host: "127.0.0.1", port: 0, token_file: join(peers, "operator") },
    federation: {
      enabled: true,
      cross_anchor_threshold: 1,
      peer_networks: [{
        id: "peer.example",
        gateway_url: "https://peer.example/",
        min_witnesses: 2,
        config_file: join(peers, "network.json"),
        token_file: join(peers, "out"),
        federation_url: `http://127.0.0.1:1/${CANARY}`,
        accept_token_file: join(peers, "in"),
        accept_previous_token_env: "COUNTERSIGN_TOKEN_OLD",
        accept_previous_until: 4_000_000_000,
      }],
    },
    anchors: [
      { provider: "rfc3161", name: CANARY, mode: "required", url: `http://127.0.0.1:1/${CANARY}` },
    ],
  });
  return home;
}

const env = { COUNTERSIGN_TOKEN_OLD: token("old") };

/** The body of `response`; of a stream of events, which does not end, its first part. */
async function wordsOf(response: Response): Promise<string> {
  if (response.headers.get("Content-Type") !== "text/event-stream") return await response.text();
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  await reader.cancel();
  return value;
}

Deno.test("no client answer contains a token, an address or a service name", () =>
  inFolder(async (root) => {
    const home = await secretive(root);
    await home.serve(async ({ url, operatorUrl, io }) => {
      await batch(url, HASH);
      await until(() => io.errLines.some((line) => line.includes("peer.example")));
      const { paths } = await jsonOf(url, "/openapi.json");
      const asked: string[] = [];
      for (const template of Object.keys(paths)) {
        const path = template.replace("{hash}", HASH).replace(/\{(tree_size|id)\}/, "1")
          .replace(/\{\w+\}.*/, "0/000");
        const query = template.endsWith("consistency") ? "?first=1&second=1" : "";
        for (const method of ["GET", "POST", "DELETE"]) {
          const response = await fetch(url + path + query, { method });
          const text = JSON.stringify([...response.headers]) + await wordsOf(response);
          assert.ok(!text.includes(CANARY), `${method} ${path}: ${text}`);
          assert.ok(!text.includes("127.0.0.1:1/"), `${method} ${path}`);
          if (response.ok) asked.push(path);
        }
      }
      assert.ok(asked.length >= 12, `only ${asked}`);
      const { federation } = await jsonOf(url, "/v1/network");
      assert.deepEqual(federation.peer_networks, [
        { id: "peer.example", gateway_url: "https://peer.example/", min_witnesses: 2 },
      ]);
      const { peers, anchors, contradictions } = await jsonOf(url, "/v1/status");
      assert.deepEqual(peers, [{ id: "peer.example", failing: true }]);
      assert.deepEqual(anchors, [{ provider: "rfc3161" }]);
      assert.equal(contradictions, 0);
      // The positive control: the operator is told the name that clients are not.
      const headers = { Authorization: `Bearer ${token("operator")}` };
      const metrics = await (await fetch(`${operatorUrl}/metrics`, { headers })).text();
      assert.ok(metrics.includes(`anchor_failing{service="${CANARY}",provider="rfc3161"} 1`));
      assert.ok(metrics.includes('countersign_peer_failing_seconds{peer="peer.example"}'));
      for (const name of ["out", "in", "operator", "old"]) {
        const said = [...io.outLines, ...io.errLines, metrics].join("\n");
        assert.ok(!said.includes(token(name)), `token ${name} is in a line of the log`);
      }
    }, { env });
  }));

Deno.test("unreachable peers and services delay nothing and are reported", () =>
  inFolder(async (root) => {
    const home = await secretive(root);
    await home.serve(async ({ url, operatorUrl, io }) => {
      await batch(url, HASH);
      assert.match(io.stdout, /peers: {5}peer\.example; 1 required of a proof$/m);
      assert.match(io.stdout, /anchors: {3}canary-0123456789abcdef \(required\)$/m);
      const bundle = await jsonOf(url, `/v1/bundle/${HASH}`);
      assert.deepEqual([bundle.cross_anchors, bundle.external_anchors], [[], []]);
      assert.deepEqual(await jsonOf(url, `/v1/anchors/${HASH}`), []);
      const headers = { Authorization: `Bearer ${token("operator")}` };
      assert.equal((await jsonOf(operatorUrl, "/ready", headers)).ready, true, "in good time yet");
    }, { env });
  }));

Deno.test("peers and services that never answer do not delay the stop", () =>
  inFolder(async (root) => {
    const home = await secretive(root);
    const silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const held: Deno.Conn[] = [];
    const holding = (async () => {
      for await (const connection of silent) held.push(connection);
    })();
    const file = join(home.folder, "network.json");
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(
      file,
      text.replaceAll("127.0.0.1:1/", `127.0.0.1:${silent.addr.port}/`),
    );
    await home.serve(async ({ url }) => {
      await batch(url, HASH);
      await until(() => held.length >= 2);
    }, { env });
    silent.close();
    // What was asked ended with the gateway: each connection comes to its end.
    for (const connection of held) {
      await new Response(connection.readable).bytes().catch((error) => {
        assert.ok(error instanceof Deno.errors.ConnectionReset, String(error));
      });
    }
    await holding;
  }));

Deno.test("only the operator listener has operator routes, which need its token", () =>
  inFolder(async (root) => {
    const home = await secretive(root);
    await home.serve(async ({ url, operatorUrl }) => {
      for (const path of ["/ready", "/metrics", "/v1/federation/tree-heads"]) {
        const method = path.startsWith("/v1") ? "POST" : "GET";
        const onClients = await fetch(url + path, { method });
        await onClients.body?.cancel();
        assert.ok([404, 405].includes(onClients.status), `${path}: ${onClients.status}`);
        const withoutToken = await fetch(operatorUrl + path, { method });
        assert.equal((await withoutToken.json()).code, "token_required", path);
        assert.equal(withoutToken.headers.get("Access-Control-Allow-Origin"), null);
        const other = { Authorization: `Bearer ${token("none")}` };
        const refused = await fetch(operatorUrl + path, { method, headers: other });
        assert.equal((await refused.json()).code, "token_refused", path);
      }
      for (const path of ["/health", "/v1/network", "/v1/status", "/v1/log/sth", "/checkpoint"]) {
        const headers = { Authorization: `Bearer ${token("operator")}` };
        assert.equal((await jsonOf(operatorUrl, path, headers)).code, "route_not_found", path);
      }
    }, { env });
  }));

Deno.test("a gateway without peers and services has no operator listener and no anchors.kv", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, "home.example");
    await home.serve(async ({ url, operatorUrl }) => {
      assert.equal(operatorUrl, "");
      await batch(url, HASH);
      assert.equal((await jsonOf(url, "/v1/status")).peers, undefined);
      await assert.rejects(Deno.stat(join(home.folder, "data", "anchors.kv")));
    });
    await home.serve(async ({ operatorUrl }) => {
      await until(async () => (await jsonOf(operatorUrl, "/ready")).ready === true);
    }, { operatorPort: 0 });
  }));

Deno.test("an invalid configuration is rejected before the gateway serves", () =>
  inFolder(async (root) => {
    const home = await secretive(root);
    const refused = async (code: string, words: RegExp, options = {}) => {
      await assert.rejects(
        home.serve(() => Promise.resolve(), { env, ...options }),
        (error) => {
          assert.ok(error instanceof CountersignError, String(error));
          assert.equal(error.code, code, error.message);
          assert.match(error.message, words);
          assert.ok(!error.message.includes(token("in")));
          return true;
        },
      );
    };
    await refused("invalid_configuration", /COUNTERSIGN_TOKEN_OLD/, { env: {} });
    const taken = freePorts(1);
    const holder = Deno.listen({ port: taken, hostname: "127.0.0.1" });
    await refused("address_in_use", new RegExp(String(taken)), { operatorPort: taken });
    await refused("address_in_use", new RegExp(String(taken)), { port: taken });
    holder.close();
    await home.serve(() => Promise.resolve(), { env, operatorPort: taken });
    const other = await ServedNetwork.create(root, "other.example");
    await Deno.copyFile(other.publicFile, join(home.folder, "peers", CANARY, "network.json"));
    await refused("invalid_configuration", /configuration of other\.example/);
    await home.configure({ anchors: [{ provider: "rfc3161", mode: "required" }] });
    await refused("malformed_configuration", /member url/);
  }));

Deno.test("with federation off, the gateway sends no heads and accepts none", () =>
  inFolder(async (root) => {
    const home = await secretive(root);
    const { federation } = JSON.parse(
      await Deno.readTextFile(join(home.folder, "network.json")),
    );
    await home.configure({ federation: { ...federation, enabled: false }, anchors: [] });
    await home.serve(async ({ url, operatorUrl, io }) => {
      await batch(url, HASH);
      assert.equal((await jsonOf(url, "/v1/status")).peers, undefined);
      const response = await fetch(`${operatorUrl}/v1/federation/tree-heads`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token("in")}` },
      });
      assert.equal((await response.json()).code, "route_not_found");
      assert.match(io.stdout, /peers: {5}peer\.example; federation is off$/m);
    });
  }));

Deno.test("an overdue required anchor is reported, and publishing continues", () =>
  inFolder(async (root) => {
    const home = await secretive(root);
    await home.configure({
      federation: { enabled: false, cross_anchor_threshold: 0, peer_networks: [] },
      anchors: [{
        provider: "rfc3161",
        mode: "required",
        url: "http://127.0.0.1:1/",
        interval_seconds: 0,
        max_delay_seconds: 1,
      }],
    });
    await home.serve(async ({ url, operatorUrl }) => {
      const headers = { Authorization: `Bearer ${token("operator")}` };
      const metrics = async () => await (await fetch(`${operatorUrl}/metrics`, { headers })).text();
      assert.match(await metrics(), /^countersign_ready 1$/m);
      await batch(url, HASH);
      await until(async () =>
        (await jsonOf(operatorUrl, "/ready", headers)).reasons[0]?.code === "anchor_overdue"
      );
      assert.match(await metrics(), /^countersign_ready 0$/m);
      assert.match(await metrics(), /^countersign_up 1$/m);
      await batch(url, "cd".repeat(32));
    });
  }));

Deno.test("a missing anchors.kv is reported", () =>
  inFolder(async (root) => {
    const home = await secretive(root);
    const path = join(home.folder, "data", "anchors.kv");
    const isTold = async (): Promise<boolean> => {
      let told = false;
      await home.serve(({ io }) => {
        told = io.errLines.some((line) => /Created ".*anchors\.kv" for an existing log/.test(line));
        return Promise.resolve();
      }, { env });
      return told;
    };
    assert.equal(await isTold(), false, "the log is new as well");
    assert.equal(await isTold(), false, "it is there");
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      await Deno.remove(file).catch(() => {});
    }
    assert.equal(await isTold(), true);
    assert.equal(await isTold(), false, "it was made");
  }));

Deno.test("anchors.kv of another network is rejected", () =>
  inFolder(async (root) => {
    const home = await secretive(root);
    await home.serve(() => Promise.resolve(), { env });
    const path = join(home.folder, "data", "anchors.kv");
    {
      using kv = await Deno.openKv(path);
      await kv.set(["meta"], { format_version: 1, network: "another" });
    }
    await assert.rejects(home.serve(() => Promise.resolve(), { env }), { code: "network_changed" });
  }));

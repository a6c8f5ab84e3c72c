/**
 * What clients of fronts on other machines rely on: API keys and their budgets, tokens, and events.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Client } from "../cli/client_run.ts";
import { withIssuer } from "../cli/served_issuer.ts";
import { freePorts } from "../free_ports.ts";
import { until } from "../gateway/fixture.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { eventually } from "../scenarios/deployment.ts";
import { run, Server } from "../scenarios/program.ts";
import { inFolder } from "../server/captured_io.ts";
import { ServedNetwork } from "../server/served_network.ts";
import { FrontProcesses } from "./front_processes.ts";
import { PostgresServer } from "./postgres_server.ts";

const READY = /^Countersign gateway of \S+ on http:\S+$/m;
const BURST = 40;
const AT_ONCE = 6;
/** In place of the number of a front: the thread of the gateway that answers clients. */
const GATEWAY = -1;
const PLACES = [0, 1, GATEWAY];

/** Two fronts of a gateway with embedded witnesses. */
interface Site {
  readonly folder: string;
  readonly fronts: FrontProcesses;
  /** The status and JSON of an answer of front `front`, or of the {@linkcode GATEWAY}. */
  ask(front: number, path: string, options?: Asked): Promise<Answer>;
}

interface Asked {
  readonly key?: string;
  /** Submitted. */
  readonly body?: unknown;
}

interface Answer {
  readonly status: number;
  readonly json: ReturnType<typeof JSON.parse>;
}

/** `members` are those of `network.json`, `frontMembers` of each `front.json`. */
async function withFronts(
  folder: string,
  { threads, members, frontMembers = {}, prepare = () => Promise.resolve() }: {
    /** `--fronts` of the gateway. */
    readonly threads: number;
    readonly members: Readonly<Record<string, unknown>>;
    readonly frontMembers?: Readonly<Record<string, unknown>>;
    /** Called before anything starts. */
    readonly prepare?: () => Promise<void>;
  },
  use: (site: Site) => Promise<void>,
): Promise<void> {
  await using postgres = await PostgresServer.start();
  const network = await ServedNetwork.create(folder, "net");
  await FrontProcesses.writeToken(folder);
  await network.write("password", postgres.password);
  const port = freePorts(2);
  await network.configure({
    store: postgres.url,
    store_password_file: "password",
    limits: undefined,
    operator: { host: "127.0.0.1", port, token_file: "front-token" },
    ...members,
  });
  await prepare();
  const { server } = await Server.start(
    [
      "serve",
      "--config",
      join("net", "network.json"),
      "--port",
      String(port + 1),
      "--fronts",
      String(threads),
    ],
    READY,
    { cwd: folder },
  );
  await using _ = server;
  const urls = [`http://127.0.0.1:${port}/`];
  await using fronts = await FrontProcesses.start(2, postgres, folder, urls, frontMembers);
  // On a busy machine the lease may end before it is renewed: then all refuse for a moment.
  const ask: Site["ask"] = (front, path, { key, body } = {}) =>
    eventually("an answer of a gateway that has the lease", async () => {
      const origin = front === GATEWAY ? `127.0.0.1:${port + 1}` : originOf(fronts, front);
      const response = await fetch(`http://${origin}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(key !== undefined && { Authorization: `Bearer ${key}` }),
          ...(body !== undefined && { "Content-Type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const { status } = response;
      const json = await response.json();
      return status === 503 && json.code === "standby" ? undefined : { status, json };
    });
  await use({ folder, fronts, ask });
}

function originOf(fronts: FrontProcesses, front: number): string {
  const { hostname, port } = fronts.address(front);
  return `${hostname}:${port}`;
}

/** The data of the first `count` frames of an event stream. */
async function framesOf(
  { fronts }: Site,
  front: number,
  { after, count, key }: {
    readonly after: string;
    readonly count: number;
    readonly key: string;
  },
): Promise<ReturnType<typeof JSON.parse>[]> {
  const { hostname, port } = fronts.address(front);
  let text = "";
  const response = await fetch(`http://${hostname}:${port}/v1/events?after=${after}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  assert.equal(response.status, 200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`The stream ended after ${text}`);
      text += value;
      const frames = text.split("\n\n").slice(0, -1)
        .flatMap((frame) => /^data: ?(.*)$/m.exec(frame)?.[1] ?? []);
      if (frames.length >= count) return frames.slice(0, count).map((json) => JSON.parse(json));
    }
  } finally {
    await reader.cancel();
  }
}

Deno.test("fronts on other machines know API keys, their budgets, and each other's events", () =>
  inFolder(async (folder) => {
    const file = join("net", "api-keys.json");
    const apiKey = async (...args: readonly string[]) => {
      const options = [...args, "--file", file];
      const { code, stdout, stderr } = await run(["api-key", ...options], { cwd: folder });
      assert.equal(code, 0, stderr);
      return stdout.trim();
    };
    const settings = { api_keys: { file: "api-keys.json", routes: "all" } };
    let key = "";
    const poor = new Map<number, string>();
    await withFronts(folder, {
      threads: 1,
      members: settings,
      frontMembers: settings,
      prepare: async () => {
        key = await apiKey("new", "alice", "--per-second", "1000", "--burst", "1000");
        for (const place of PLACES) {
          const budget = ["--per-second", "1", "--burst", String(BURST)];
          poor.set(place, await apiKey("new", `poor${place}`, ...budget));
        }
      },
    }, async (site) => {
      for (const front of [0, 1]) {
        const refused = await site.ask(front, "/v1/config");
        assert.deepEqual([refused.status, refused.json.code], [401, "api_key_required"]);
        assert.equal((await site.ask(front, "/v1/config", { key })).status, 200);
      }

      // A cursor of one front is never ahead of the other one.
      let after = "v1.0.0.0.0.0";
      const rounds = 6;
      for (const [round, hash] of randomHashes(rounds).entries()) {
        const { status } = await site.ask(round, "/v1/attestations", { key, body: { hash } });
        assert.ok([200, 202].includes(status), `${status}`);
        const [hello, event] = await framesOf(site, round, { after, count: 2, key });
        assert.deepEqual([hello.type, hello.cursor], ["hello", after]);
        after = event.id;
        const [resumed] = await framesOf(site, round + 1, { after, count: 1, key });
        assert.deepEqual([resumed.type, resumed.cursor], ["hello", after]);
      }
      const beyond = "v1.9000000.0.0.0.0";
      const frames = await framesOf(site, 0, { after: beyond, count: 2, key });
      assert.equal(frames[1].type, "gap");

      // One budget over both fronts and the threads of the gateway.
      for (const [first, key] of poor) {
        /** How many were accepted until one was refused. Several at once, since a second grants one. */
        const acceptedBy = async (place: number, pauseMs: number) => {
          for (let accepted = 0;; await new Promise((resolve) => setTimeout(resolve, pauseMs))) {
            const answers = await Promise.all(
              randomHashes(AT_ONCE).map((hash) =>
                site.ask(place, "/v1/attestations", { key, body: { hash } })
              ),
            );
            const refused = answers.filter(({ status }) => status === 429).length;
            accepted += AT_ONCE - refused;
            if (refused > 0) return accepted;
          }
        };
        const accepted = await acceptedBy(first, 0);
        assert.ok(accepted >= BURST, `${accepted}`);
        for (const other of PLACES) {
          const more = await acceptedBy(other, 1_000);
          assert.ok(more < BURST / 2, `${other} accepted ${more} more`);
        }
      }

      await apiKey("revoke", "alice");
      for (const front of [0, 1]) {
        await until(async () => (await site.ask(front, "/v1/config", { key })).status === 401);
      }
      assert.equal((await site.ask(0, "/v1/config", { key: poor.get(0)! })).status, 200);
    });
  }));

Deno.test("a token is spent once over fronts on other machines", () =>
  inFolder((folder) =>
    withIssuer(folder, (issuerUrl, issuers) => {
      const members = { admission: { mode: "token_required", issuers } };
      return withFronts(folder, { threads: 0, members }, async (site) => {
        const { hostname, port } = site.fronts.address(0);
        const client = new Client(folder);
        client.gateway = `http://${hostname}:${port}`;
        const fetched = await client.run(["token", "--count", "3", "--issuer", issuerUrl]);
        assert.equal(fetched.code, 0, fetched.stderr);
        const tokens = (await client.supply("net").take(3)).map(({ token }) => token);
        const submit = (front: number, hash: string, issuer_token?: string) =>
          site.ask(front, "/v1/attestations", { body: { hash, issuer_token } });
        const [first, second, third, fourth] = randomHashes(4);
        const missing = await submit(0, first!);
        assert.deepEqual([missing.status, missing.json.code], [401, "token_required"]);
        for (const front of [0, 1]) {
          const { status, json } = await submit(front, [first!, second!][front]!, tokens[front]);
          assert.ok([200, 202].includes(status), JSON.stringify(json));
        }
        // A token that the other front has had redeemed.
        const spent = await submit(1, third!, tokens[0]);
        assert.equal(spent.json.code, "token_spent");
        // At both at once.
        const answers = await Promise.all([
          submit(0, third!, tokens[2]),
          submit(1, fourth!, tokens[2]),
        ]);
        const codes = answers.map(({ status, json }) => status < 300 ? "" : json.code).sort();
        assert.deepEqual(codes, ["", "token_spent"]);
        // A repeat needs none.
        assert.ok((await submit(1, first!)).status < 300);
      });
    })
  ));

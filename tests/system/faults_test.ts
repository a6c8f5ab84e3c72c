/**
 * Faults of docs/faults.md, induced for real: the lines, `/health` and `/ready` of a gateway are those
 * that the document says.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { freePorts } from "../free_ports.ts";
import { type LogLine, LogLines } from "../log_lines.ts";
import { Deployment, eventually } from "../scenarios/deployment.ts";
import { FakeTime } from "./fake_time.ts";
import { runTool } from "./tools.ts";

const PAGE = await Deno.readTextFile(new URL("../../docs/faults.md", import.meta.url));

/** More than the longest time of the document. */
const SIGNS_MS = 100_000;

/** The codes in the columns `/health`, `/ready` and `line` of the row of `fault`. */
function documented(fault: string) {
  const row = PAGE.split("\n").find((line) => line.startsWith(`| ${fault} `));
  assert.ok(row, `docs/faults.md has "${fault}"`);
  const [, , health, ready, line] = row.split("|");
  const codes = (cell = "") => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code!);
  const reasons = ready!.includes("(a warning)") ? "warnings" as const : "reasons" as const;
  return { health: codes(health), ready: codes(ready), reasons, line: codes(line) };
}

/** A network of three witnesses, two of which have to sign, and what an operator sees of its gateway. */
class Site implements AsyncDisposable {
  readonly deployment: Deployment;
  readonly #operatorPort = freePorts(1);
  readonly #test: Deno.TestContext;

  constructor(test: Deno.TestContext, deployment: Deployment) {
    this.#test = test;
    this.deployment = deployment;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.deployment[Symbol.asyncDispose]();
  }

  startGateway(): Promise<void> {
    const operator = ["--operator-port", String(this.#operatorPort)];
    return this.deployment.startGateway("--log-format", "json", ...operator);
  }

  /** Changes members of `network.json`. */
  async configure(change: (network: Record<string, unknown>) => unknown): Promise<void> {
    const file = join("net", "network.json");
    const network = JSON.parse(await this.deployment.readFile(file));
    change(network);
    await this.deployment.writeFile(file, JSON.stringify(network));
  }

  /** Submits a new hash; the status, unless the gateway does not answer. */
  async submit(headers: Record<string, string> = {}): Promise<number | undefined> {
    const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
    const answer = await this.deployment.post("/v1/attestations", { hash }, headers)
      .catch(() => undefined);
    return answer?.status;
  }

  /** Waits until a new hash is signed. */
  async signed(): Promise<void> {
    await eventually("a hash is signed", async () => {
      return await this.submit({ Prefer: "wait=2" }) === 200 || undefined;
    });
  }

  /** Of the published log. */
  async size(): Promise<number> {
    return JSON.parse((await this.deployment.get("/v1/log/sth")).text).tree_head?.tree_size ?? 0;
  }

  async published(size: number): Promise<void> {
    await eventually(
      `a tree head of ${size}`,
      async () => await this.size() >= size || undefined,
    );
  }

  /** Stops and continues processes. */
  signal(name: "SIGSTOP" | "SIGCONT", ...witnesses: readonly number[]): void {
    for (const index of witnesses) this.deployment.witness(index).signal(name);
  }

  get #lines(): readonly LogLine[] {
    return LogLines.parse(this.deployment.gateway.stderr).lines;
  }

  /**
   * Begins a fault, unless it began with the gateway, and waits for a line that its row of the document
   * names, and for one of the states of each column. No line is written twice. Returns the line.
   */
  async induce(fault: string, begin?: () => unknown, about = /(?:)/): Promise<LogLine | undefined> {
    let first: LogLine | undefined;
    await this.#test.step(fault, async () => {
      const { health, ready, reasons, line } = documented(fault);
      const from = begin === undefined ? 0 : this.#lines.length;
      await begin?.();
      await eventually(`the signs of "${fault}"`, async () => {
        await this.submit();
        const begun = this.#lines.slice(from).filter(({ code, level, message }) =>
          level !== "info" && line.includes(code!) && about.test(message)
        );
        if (line.length > 0 && begun.length === 0) return undefined;
        assert.equal(new Set(begun.map(({ message }) => message)).size, begun.length);
        if (health.length > 0 && !health.includes(await this.#health())) return undefined;
        const found = ready.length > 0 ? await this.#ready(reasons) : [];
        if (ready.length > 0 && !found.some((code) => ready.includes(code))) return undefined;
        first = begun[0];
        return true;
      }, SIGNS_MS).catch((error) => {
        throw new Error(`${error.message}: ${JSON.stringify(this.#lines, null, 1)}`);
      });
    });
    return first;
  }

  async #health(): Promise<string> {
    return JSON.parse((await this.deployment.get("/health")).text).status;
  }

  async #ready(member: "reasons" | "warnings"): Promise<readonly string[]> {
    const response = await fetch(`http://127.0.0.1:${this.#operatorPort}/ready`);
    const { [member]: found = [] } = await response.json();
    return (found as { readonly code: string }[]).map(({ code }) => code);
  }
}

/** A URL on which nothing listens. */
function closedUrl(): string {
  return `http://127.0.0.1:${freePorts(1)}/`;
}

async function foreignVkey(): Promise<string> {
  const { publicKey } = await crypto.subtle.generateKey("Ed25519", true, ["sign"]) as CryptoKeyPair;
  return encodeVkey({
    name: "foreign.example/w",
    type: NOTE_TYPE.cosignature,
    publicKey: new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)),
  });
}

Deno.test("faults of services and clients have the signs of docs/faults.md", async (t) => {
  await using site = new Site(t, await Deployment.create("ed25519"));
  const { deployment } = site;
  await site.configure((network) => {
    const [, second] = network.witnesses as { token: string }[];
    second!.token = [...second!.token].reverse().join("");
  });
  const vkey = await foreignVkey();
  await site.configure((network) =>
    Object.assign(network, {
      anchors: [{
        provider: "rfc3161",
        mode: "required",
        url: closedUrl(),
        interval_seconds: 0,
        max_delay_seconds: 1,
      }],
      witnessing: { interval_seconds: 0, witnesses: [{ vkey, url: closedUrl() }] },
      limits: { new_attestations: { per_second: 1, burst: 200 } },
    })
  );
  await Promise.all([0, 1, 2].map((index) => deployment.startWitness(index)));
  await site.startGateway();
  await site.induce("a witness refuses the token");
  await site.induce("a foreign witness does not cosign", undefined, /foreign\.example/);
  await site.induce("an anchor service does not answer");
  await t.step("a client spends its budget", async () => {
    const { line } = documented("a client spends its budget");
    assert.deepEqual(line, []);
    const { hostname, port } = deployment.address;
    const url = `http://${hostname}:${port}/v1/attestations`;
    const ask = (init: RequestInit & { readonly client?: Deno.HttpClient } = {}) => {
      const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
      const headers = { "Content-Type": "application/json", ...init.headers };
      return fetch(url, { ...init, method: "POST", body: JSON.stringify({ hash }), headers });
    };
    const forwarded = { headers: { "X-Forwarded-For": "192.0.2.1" } };
    const statuses = new Map<number, number>();
    for (let i = 0; (statuses.get(429) ?? 0) < 60; i++) {
      assert.ok(i < 2_000, "the budget is spent");
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(forwarded)));
      for (const answer of answers) {
        await answer.body?.cancel();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    }
    // Another client is served meanwhile.
    using client = Deno.createHttpClient({ localAddress: "127.0.0.2" });
    const honest = await ask({ client });
    await honest.body?.cancel();
    assert.ok(honest.ok, `the other client got ${honest.status}`);
    assert.deepEqual([...statuses.keys()].filter((status) => status >= 300), [429]);
    const log = LogLines.parse(deployment.gateway.stderr).lines;
    assert.equal(log.filter(({ message }) => /trusted_proxies/.test(message)).length, 1);
    assert.equal(log.filter(({ code }) => code === "rate_limited").length, 0);
  });
  await deployment.stopGateway();
  const issuers = [{ name: "issuer.example", url: closedUrl(), follow: true }];
  await site.configure((network) => network.admission = { mode: "token_required", issuers });
  await site.startGateway();
  await site.induce("a followed issuer does not answer");
});

Deno.test("faults of witnesses and clocks have the signs of docs/faults.md", async (t) => {
  await using site = new Site(t, await Deployment.create("ed25519"));
  const { deployment } = site;
  const [ours, theirs] = await Promise.all(
    ["gateway", "witness"].map((name) => FakeTime.create(join(deployment.folder, `${name}.time`))),
  );
  await Promise.all([
    deployment.startWitness(0),
    deployment.startWitness(1),
    deployment.startWitness(2, theirs!.wrapper),
  ]);
  deployment.gatewayWrapper = ours!.wrapper;
  await site.startGateway();
  // Each at another witness: a witness that fails again within a minute has no second line.
  await site.induce("a witness does not answer", () => site.signal("SIGSTOP", 1), /w2/);
  await site.induce("too few witnesses for the threshold", () => site.signal("SIGSTOP", 0));
  site.signal("SIGCONT", 0, 1);
  await site.signed();
  await site.induce("a witness's clock is wrong", () => theirs!.set("+2h"), /w3/);
  await theirs!.set("+0");
  await site.induce("the gateway's clock is wrong", () => ours!.set("+25h"));
});

Deno.test("faults of the store and of descriptors have the signs of docs/faults.md", async (t) => {
  await using site = new Site(t, await Deployment.create("ed25519"));
  const { deployment } = site;
  await Promise.all([0, 1, 2].map((index) => deployment.startWitness(index)));
  site.signal("SIGSTOP", 0, 1);
  await site.startGateway();
  await site.induce("a start without the threshold");
  site.signal("SIGCONT", 0, 1);
  await site.signed();

  const held: Deno.Conn[] = [];
  const limit = async (count: number) => {
    const args = ["--pid", String(deployment.gateway.pid), `--nofile=${count}:`];
    assert.equal((await runTool("prlimit", args, { cwd: deployment.folder })).code, 0);
  };
  const { hostname, port } = deployment.address;
  await limit(40);
  await site.induce("no free file descriptor", async () => {
    for (let i = 0; i < 100; i++) {
      // A listener that is opened anew resets the connections of the one before it.
      const connection = await Deno.connect({ hostname, port }).catch(() => undefined);
      if (connection !== undefined) held.push(connection);
    }
  }, /LimitNOFILE/);
  for (const connection of held) connection.close();
  await limit(1_024);
  await site.signed();
  await site.published(1);

  const store = join(deployment.dataFolder, "store.kv");
  await deployment.stopGateway();
  const old = await Deno.readFile(store);
  await site.startGateway();
  const size = await site.size();
  await site.signed();
  await site.published(size + 1);
  await deployment.stopGateway();
  const present = await Deno.readFile(store);
  await Deno.writeFile(store, old);
  await site.startGateway();
  await site.induce("the store is an old copy, or a copy runs");
  await deployment.stopGateway();
  await Deno.writeFile(store, present);
  await site.startGateway();
  const removed = await site.induce(
    "the store's file is deleted or replaced",
    () => Deno.remove(deployment.dataFolder, { recursive: true }),
  );
  assert.doesNotMatch(removed?.message ?? "", /damaged/);
});

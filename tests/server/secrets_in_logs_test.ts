/** No secret of any party reaches a log, however much is logged and whatever goes wrong. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { serveGateway } from "../../src/server/gateway/gateway_server.ts";
import type { ServeOptions } from "../../src/server/roles/role_options.ts";
import { serveWitness } from "../../src/server/witness/witness_server.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { systemClock } from "../../src/base/clock.ts";
import { Log } from "../../src/server/log/log.ts";
import { base64Of, hexOf } from "../../src/base/bytes.ts";
import { parsePem } from "../../src/proof/format/pem.ts";
import { timestampKey, writeTimestampFiles } from "../config/timestamp_files.ts";
import { requestOf } from "../gateway/timestamping/fixture.ts";
import { imprintOf } from "../proof/timestamp/test_authority.ts";
import { until } from "../gateway/fixture.ts";
import { bls } from "../schemes.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";
import { formsOf, secretsIn } from "./secret_forms.ts";
import { batch } from "./served_network.ts";

const HASH = "ab".repeat(32);
const token = (name: string) => `canary-${name}-0123456789abcdef`;
const TOKENS = ["operator", "out", "in", "previous", "wrong", "shown", "issued", "misspelt"];

/** What both networks are made with. */
const PLAN = { basePort: 8091, scheme: "ed25519" } as const;

/** Members of a JSON file, changed. */
// deno-lint-ignore no-explicit-any
async function edit(file: string, change: (members: any) => void): Promise<void> {
  const members = JSON.parse(await Deno.readTextFile(file));
  change(members);
  await Deno.writeTextFile(file, JSON.stringify(members));
}

/** A network of five remote witnesses, what its operators keep secret, and all that is logged. */
class Site implements AsyncDisposable {
  readonly io: CapturedIo;
  readonly secrets: string[] = TOKENS.map(token);
  readonly folder: string;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>[] = [];

  private constructor(folder: string) {
    this.folder = folder;
    this.io = new CapturedIo({ folder, env: { COUNTERSIGN_TOKEN_OLD: token("previous") } });
  }

  /** Three witnesses answer, one wants another token, and one is away. */
  static async create(root: string): Promise<Site> {
    const site = new Site(join(root, "home"));
    const plan = { witnesses: 5, threshold: 3, kind: "remote" } as const;
    const created = await createNetwork(
      { ...PLAN, ...plan, id: "home.example", out: site.folder },
      bls,
    );
    await site.#keep(created.networkFile);
    const urls: string[] = [];
    for (const [i, file] of created.witnessFiles.entries()) {
      await site.#keep(file);
      await edit(file, (node) => {
        node.port = 0;
        if (i === 2) node.token = token("wrong");
      });
      urls.push(i === 3 ? "http://127.0.0.1:1" : await site.#serveWitness(file));
    }
    await site.#federate(root);
    const timestamping = await writeTimestampFiles(site.folder);
    const [key] = parsePem((await timestampKey()).pem);
    // The private integer is in the middle (RFC 5915).
    site.secrets.push(base64Of(key!.bytes), hexOf(key!.bytes.subarray(36, 68)));
    await edit(created.networkFile, (network) => {
      network.timestamping = timestamping;
      for (const [i, witness] of network.witnesses.entries()) witness.url = urls[i];
    });
    return site;
  }

  get networkFile(): string {
    return join(this.folder, "network.json");
  }

  /** Serves with `options` until the site is disposed of; answers the URLs of both listeners. */
  async serve(options: Partial<ServeOptions> = {}): Promise<{ url: string; operatorUrl: string }> {
    const io = this.io;
    const running = serveGateway(
      {
        port: 0,
        eventSocketsPort: 0,
        host: "127.0.0.1",
        insecure: false,
        batchMaxAgeMs: 50,
        config: this.networkFile,
        logFormat: "json",
        logLevel: "debug",
        ...options,
      },
      io,
      this.#stop.signal,
    );
    this.#running.push(running);
    await Promise.race([running, io.printed(/^Countersign gateway/)]);
    return {
      url: / on (http:\S+)$/m.exec(io.stdout.slice(io.stdout.indexOf("Countersign")))?.[1] ?? "",
      operatorUrl: /operators: (http:\S+)/.exec(io.stdout)?.[1] ?? "",
    };
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#running);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #serveWitness(file: string): Promise<string> {
    const node = parseWitnessNode(await Deno.readTextFile(file), file);
    const choice = { logFormat: "json", logLevel: "debug" } as const;
    this.#running.push(serveWitness(node, this.io, this.#stop.signal, choice));
    return (await this.io.printed(new RegExp(`^Witness ${node.id} on (http:\\S+)$`)))[1]!;
  }

  /** The tokens and keys that `file` has or names. */
  async #keep(file: string): Promise<void> {
    const text = await Deno.readTextFile(file);
    for (const [, found] of text.matchAll(/"token": "([^"]+)"/g)) this.secrets.push(found!);
    for (const [, name] of text.matchAll(/"(?:log_)?key_file": "([^"]+)"/g)) {
      const key = (await Deno.readTextFile(join(file, "..", name!))).trim();
      // The base64 may hold the sign that stands between the parts (C2SP signed-note).
      const seed = /^PRIVATE\+KEY\+[^+]+\+[0-9a-f]+\+(.+)$/.exec(key)![1]!;
      this.secrets.push(seed, Uint8Array.fromBase64(seed).subarray(1).toHex());
    }
  }

  async #federate(root: string): Promise<void> {
    const peer = join(root, "peer");
    const plan = { witnesses: 1, threshold: 1, kind: "embedded" } as const;
    await createNetwork({ ...PLAN, ...plan, id: "peer.example", out: peer }, bls);
    await Deno.copyFile(join(peer, "network.public.json"), join(this.folder, "peer.json"));
    for (const name of ["operator", "out", "in"]) {
      await Deno.writeTextFile(join(this.folder, name), token(name), { mode: 0o600 });
    }
    await edit(this.networkFile, (network) => {
      network.operator = { host: "127.0.0.1", port: 0, token_file: "operator" };
      network.federation = {
        enabled: true,
        cross_anchor_threshold: 1,
        peer_networks: [{
          id: "peer.example",
          min_witnesses: 1,
          config_file: "peer.json",
          federation_url: "http://127.0.0.1:1",
          token_file: "out",
          accept_token_file: "in",
          accept_previous_token_env: "COUNTERSIGN_TOKEN_OLD",
          accept_previous_until: 4_000_000_000,
        }],
      };
      network.anchors = [{
        provider: "rfc3161",
        name: "tsa",
        mode: "best_effort",
        url: "http://127.0.0.1:1/",
      }];
    });
  }
}

/** Asks for what succeeds, is refused and fails, with tokens that are right, wrong and misplaced. */
async function askEverything(url: string, operatorUrl: string): Promise<void> {
  const bearer = (name: string) => ({ Authorization: `Bearer ${token(name)}` });
  const json = { "Content-Type": "application/json" };
  const asked: [string, RequestInit][] = [
    [`${url}/v1/attestations`, {
      method: "POST",
      headers: { ...json, ...bearer("shown") },
      body: JSON.stringify({ hash: "cd".repeat(32), issuer_token: token("issued") }),
    }],
    [`${url}/v1/attestations`, {
      method: "POST",
      headers: json,
      body: `{"x": "${token("issued")}`,
    }],
    [`${url}/tsa`, {
      method: "POST",
      headers: { "Content-Type": "application/timestamp-query", ...bearer("shown") },
      body: requestOf(imprintOf(new Uint8Array(32).fill(0xcd))),
    }],
    [`${url}/v1/bundle/${HASH}?token=${token("shown")}`, { headers: bearer("shown") }],
    [`${url}/${token("shown")}`, { headers: bearer("operator") }],
    [`${operatorUrl}/metrics`, { headers: bearer("operator") }],
    [`${operatorUrl}/metrics`, { headers: bearer("shown") }],
    [`${operatorUrl}/ready`, {}],
    [`${operatorUrl}/v1/federation/tree-heads`, {
      method: "POST",
      headers: { ...json, ...bearer("previous") },
      body: JSON.stringify({ token: token("shown") }),
    }],
    [`${operatorUrl}/v1/federation/tree-heads`, { method: "POST", headers: bearer("wrong") }],
  ];
  for (const [address, init] of asked) {
    const text = await (await fetch(address, init)).text();
    // A problem repeats the path that was asked for.
    const others = TOKENS.filter((name) => name !== "shown").map(token);
    assert.deepEqual(secretsIn(text, others), [], `${address} answers ${text}`);
  }
}

Deno.test("no secret appears in a verbose log, after success and after failure", () =>
  inFolder(async (root) => {
    await using site = await Site.create(root);
    const { io, secrets } = site;
    const { url, operatorUrl } = await site.serve();
    await batch(url, HASH);
    await askEverything(url, operatorUrl);
    await until(() => io.errLines.some((line) => line.includes('"peer":"peer.example"')));
    await until(() => io.errLines.some((line) => line.includes('"service":"tsa"')));
    await site.stop();
    const lines = [...io.outLines, ...io.errLines].join("\n");
    // What must have been logged, or this shows nothing: requests with their codes, and witnesses'.
    for (const member of ["token_refused", "token_required", "malformed_json", "/v1/sign"]) {
      assert.ok(io.errLines.some((line) => line.includes(member)), member);
    }
    assert.ok(secrets.length >= TOKENS.length + 4 + 10);
    assert.deepEqual(secretsIn(lines, secrets), []);
    assert.ok(!lines.includes(HASH), "a hash is in the log");
  }));

Deno.test("no message contains a secret of a refused configuration", () =>
  inFolder(async (root) => {
    await using site = await Site.create(root);
    const { io, secrets } = site;
    const whole = await Deno.readTextFile(site.networkFile);
    const misspelt = token("misspelt");
    const damaged = [
      whole.slice(0, whole.indexOf('"token"') + 40),
      whole.replace(/"token":"[^"]+"/, `"token":"${misspelt} "`),
      whole.replace(/"token":"[^"]+"/, `"token":["${misspelt}"]`),
      whole.replace(/"token":"[^"]+"/, `"tokens":"${misspelt}"`),
      whole.replace('"token_file":"operator"', `"token_file":"operator","token":"${misspelt}"`),
      whole.replace('"port":0', `"port":"${misspelt}"`),
    ];
    for (const text of damaged) {
      assert.notEqual(text, whole);
      await Deno.writeTextFile(site.networkFile, text);
      await assert.rejects(site.serve(), (error) => {
        assert.ok(error instanceof CountersignError, String(error));
        assert.deepEqual(secretsIn(error.message, secrets), [], error.message);
        return true;
      });
    }
    await Deno.writeTextFile(site.networkFile, whole);
    await Deno.writeTextFile(join(site.folder, "operator"), `${misspelt} x\n`);
    await assert.rejects(site.serve(), (error) => {
      assert.deepEqual(secretsIn(String(error), secrets), []);
      return true;
    });
    assert.deepEqual(secretsIn(io.errLines.join("\n"), secrets), []);
    await site.stop();
  }));

Deno.test("control: the search finds a secret in every form and log format", () => {
  for (const format of ["text", "pretty", "json"] as const) {
    for (const form of formsOf(token("operator"))) {
      const lines: string[] = [];
      const write = (line: string) => lines.push(line);
      const log = new Log({
        format,
        level: "debug",
        colour: false,
        clock: systemClock,
        write,
      });
      log.report("http")(`Cannot use ${form}`, { level: "debug" });
      assert.deepEqual(secretsIn(lines.join("\n"), [token("operator")]), [token("operator")]);
    }
  }
});

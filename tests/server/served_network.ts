/**
 * Networks with embedded witnesses that `serve` runs in this process, as an operator configured them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { serveGateway } from "../../src/server/gateway/gateway_server.ts";
import type { ServeOptions } from "../../src/server/roles/role_options.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { until } from "../gateway/fixture.ts";
import { bls } from "../schemes.ts";
import { CapturedIo } from "./captured_io.ts";

type Members = Record<string, unknown>;

/** A gateway while it serves. */
export interface Served {
  readonly url: string;
  /** Of the operator listener; empty where there is none. */
  readonly operatorUrl: string;
  readonly io: CapturedIo;
}

/** One network in a folder of its own. */
export class ServedNetwork {
  readonly network: NetworkConfiguration;
  /** Holds `network.json`, `network.public.json` and whatever a test writes there. */
  readonly folder: string;
  readonly #root: string;

  private constructor(root: string, folder: string, network: NetworkConfiguration) {
    this.#root = root;
    this.folder = folder;
    this.network = network;
  }

  static async create(
    root: string,
    id: string,
    scheme: SignatureScheme = "ed25519",
    { mlDsa = false }: { readonly mlDsa?: boolean } = {},
  ): Promise<ServedNetwork> {
    const folder = join(root, id);
    const { network } = await createNetwork({
      witnesses: 3,
      threshold: 2,
      kind: "embedded",
      basePort: 0,
      id,
      scheme,
      mlDsa,
      out: folder,
    }, bls);
    const served = new ServedNetwork(root, folder, network);
    // A test that asks until something holds is no client that has to be stopped.
    await served.configure({ limits: "off" });
    return served;
  }

  get publicFile(): string {
    return join(this.folder, "network.public.json");
  }

  async write(name: string, text: string): Promise<void> {
    await Deno.writeTextFile(join(this.folder, name), text, { mode: 0o600 });
  }

  /** Sets members of `network.json`; those that are `undefined` go. */
  async configure(members: Members): Promise<void> {
    const file = join(this.folder, "network.json");
    const all = { ...JSON.parse(await Deno.readTextFile(file)), ...members };
    await Deno.writeTextFile(file, JSON.stringify(all));
  }

  /** Serves while `use` runs, on free ports; the gateway has to end with exit code `code`, or 0. */
  async serve(
    use: (served: Served) => Promise<void>,
    options: Partial<ServeOptions> & {
      readonly env?: Readonly<Record<string, string>>;
      readonly code?: number;
    } = {},
  ): Promise<void> {
    const { env = {}, code = 0, ...rest } = options;
    const io = new CapturedIo({ folder: this.#root, env });
    const stop = new AbortController();
    const running = serveGateway(
      {
        port: 0,
        host: "127.0.0.1",
        insecure: false,
        batchMaxAgeMs: 50,
        config: join(this.folder, "network.json"),
        ...rest,
      },
      io,
      stop.signal,
    );
    try {
      await Promise.race([running, io.printed(/ on http:\S+/)]);
      await use({
        io,
        url: / on (http:\S+)/.exec(io.stdout)?.[1] ?? "",
        operatorUrl: /operators: (http:\S+)/.exec(io.stdout)?.[1] ?? "",
      });
    } finally {
      stop.abort();
      assert.equal(await running, code, io.errLines.join("\n"));
    }
  }
}

/** Submits `hash` and waits until its bundle is batched. */
export async function batch(url: string, hash: string): Promise<void> {
  const answer = await fetch(`${url}/v1/attestations`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ hash }),
  });
  await answer.body?.cancel();
  await until(async () => (await jsonOf(url, `/v1/attestations/${hash}`)).progress === "batched");
}

/** The JSON of a GET route. */
// deno-lint-ignore no-explicit-any
export async function jsonOf(url: string, path: string, headers = {}): Promise<any> {
  return await (await fetch(url + path, { headers })).json();
}

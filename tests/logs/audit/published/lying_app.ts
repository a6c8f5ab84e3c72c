/**
 * A real gateway behind a proxy that changes some answers.
 *
 * @module
 */

import { FaultLog } from "../../../../src/logs/audit/faults.ts";
import {
  auditPublished,
  type PublishedReport,
} from "../../../../src/logs/audit/published/published_audit.ts";
import type { NetworkConfiguration } from "../../../../src/proof/format/network.ts";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import { gatewayApp } from "../../../../src/http/gateway/gateway_app.ts";
import { GatewayClient } from "../../../../src/client/gateway_client.ts";
import { GatewayRecords } from "../../../../src/logs/audit/published/gateway_records.ts";
import { RemoteLog } from "../../../../src/logs/publishing/remote_log.ts";
import { memoryStore, randomDigests, TestNetwork } from "../../../gateway/fixture.ts";
import { nativeCrypto } from "../../../schemes.ts";
import { served } from "../../../http/outgoing/fixture.ts";
import { publish } from "../stored_copy.ts";

/** Changes the body of an answer. */
export type Lie = (body: Uint8Array<ArrayBuffer>) => BodyInit | Response;

export class LyingApp {
  readonly url: string;
  readonly network: NetworkConfiguration;
  /** By path and query. */
  readonly lies: Map<string, Lie>;
  /** Hex, in the order of the log. */
  readonly hashes: readonly string[];

  constructor(parts: Pick<LyingApp, "url" | "network" | "lies" | "hashes">) {
    this.url = parts.url;
    this.network = parts.network;
    this.lies = parts.lies;
    this.hashes = parts.hashes;
  }

  /** The faults that an audit finds with `lies` in place. */
  async audit(
    lies: readonly (readonly [path: string, lie: Lie])[] = [],
  ): Promise<{ readonly report: PublishedReport; readonly faults: FaultLog }> {
    for (const [path, lie] of lies) this.lies.set(path, lie);
    const faults = new FaultLog();
    const client = new GatewayClient({ url: new URL(this.url) });
    const log = { source: new RemoteLog(client), records: new GatewayRecords(client) };
    const follow = () => Promise.resolve(this.network);
    const context = { follow, crypto: nativeCrypto, faults, onProgress: () => {} };
    const report = await auditPublished({ ...log, ...context });
    this.lies.clear();
    return { report, faults };
  }
}

/** Runs `use` with a gateway that has published batches of `counts` attestations. */
export async function withLyingApp(
  scheme: SignatureScheme,
  counts: readonly number[],
  use: (app: LyingApp) => Promise<void>,
): Promise<void> {
  const test = new TestNetwork(scheme);
  const { network } = test;
  const { gateway } = await test.start(await memoryStore());
  const hashes: string[] = [];
  try {
    for (const count of counts) {
      const digests = randomDigests(count);
      const hex = digests.toHex();
      for (let i = 0; i < count; i++) hashes.push(hex.slice(64 * i, 64 * i + 64));
      await publish(gateway, digests);
    }
    const app = gatewayApp({ service: gateway, verifier: nativeCrypto, report: () => {} });
    const lies = new Map<string, Lie>();
    await served(async (request) => {
      const { pathname, search } = new URL(request.url);
      const lie = lies.get(pathname + search);
      if (lie === undefined) return await app(request);
      // Lies change what is not compressed.
      const headers = new Headers(request.headers);
      headers.delete("Accept-Encoding");
      const answer = await app(new Request(request, { headers }));
      const body = lie(new Uint8Array(await answer.arrayBuffer()));
      if (body instanceof Response) return body;
      const type = answer.headers.get("Content-Type");
      return new Response(body, type === null ? {} : { headers: { "Content-Type": type } });
    }, (url) => use(new LyingApp({ url: `${url}/`, network, lies, hashes })));
  } finally {
    await gateway.stop();
  }
}

/**
 * Peers of a log that goes through successions: gateways that cosign its heads and have theirs cosigned
 * by it, one with the configuration of the first epoch as its pin and one with the present one.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadPinned } from "../../src/config/federation_peers.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { freePorts } from "../free_ports.ts";
import { until } from "../gateway/fixture.ts";
import { bls, nativeCrypto } from "../schemes.ts";
import { batch, jsonOf, type Served, ServedNetwork } from "../server/served_network.ts";

/** Waits for retries after failures, whose pauses grow from one second. */
const PATIENCE_MS = 120_000;
const OPERATOR = { host: "127.0.0.1" };

function tokenOf(sender: string, receiver: string): string {
  return `token-of-${sender}-for-${receiver}`.replaceAll(/\W/g, "-");
}

/** A gateway that pins the log by one file. */
export class PeerReader {
  /** The file that it pins, as a row of the table names it. */
  readonly name: string;
  readonly #file: string;
  readonly #site: ServedNetwork;
  readonly #network: ServedNetwork;
  #stop = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  #served: Served | undefined;

  private constructor(
    name: string,
    file: string,
    site: ServedNetwork,
    network: ServedNetwork,
  ) {
    this.name = name;
    this.#file = file;
    this.#site = site;
    this.#network = network;
  }

  /** Peers that pin `site`, which will answer at `url`, by each of `files`. */
  static async federate(
    root: string,
    site: ServedNetwork,
    url: string,
    files: Readonly<Record<string, string>>,
  ): Promise<PeerReader[]> {
    const siteId = site.network.id;
    const sitePort = freePorts(1);
    const peers: PeerReader[] = [];
    const entries: unknown[] = [];
    for (const [i, [name, file]] of Object.entries(files).entries()) {
      const network = await ServedNetwork.create(root, `peer-${i}.example`);
      const port = freePorts(1);
      const { id } = network.network;
      const federated = async (own: ServedNetwork, peerId: string, peerPort: number) => {
        const sent = `sent-to-${peerId.replaceAll(/\W/g, "-")}`;
        const received = `received-from-${peerId.replaceAll(/\W/g, "-")}`;
        await own.write(sent, tokenOf(own.network.id, peerId));
        await own.write(received, tokenOf(peerId, own.network.id));
        return {
          id: peerId,
          federation_url: `http://127.0.0.1:${peerPort}`,
          token_file: sent,
          accept_token_file: received,
        };
      };
      await Deno.copyFile(network.publicFile, join(site.folder, `${id}.json`));
      entries.push({ ...await federated(site, id, port), config_file: `${id}.json` });
      await network.configure({
        operator: { ...OPERATOR, port },
        federation: {
          enabled: true,
          cross_anchor_threshold: 1,
          peer_networks: [{
            ...await federated(network, siteId, sitePort),
            config_file: "site.json",
            gateway_url: url,
          }],
        },
      });
      peers.push(new PeerReader(name, file, site, network));
    }
    await site.configure({
      operator: { ...OPERATOR, port: sitePort },
      federation: { enabled: true, cross_anchor_threshold: 1, peer_networks: entries },
    });
    return peers;
  }

  /** Starts with the file as it is now; `anew` without what it knew of the log. */
  async start(how?: "anew"): Promise<void> {
    const { folder } = this.#network;
    await Deno.copyFile(this.#file, join(folder, "site.json"));
    if (how === "anew") await Deno.remove(join(folder, "data", "anchors.kv"));
    this.#stop = Promise.withResolvers();
    const started = Promise.withResolvers<void>();
    this.#running = this.#network.serve(async (served) => {
      this.#served = served;
      started.resolve();
      await this.#stop.promise;
    });
    await Promise.race([started.promise, this.#running]);
  }

  async stop(): Promise<void> {
    this.#stop.resolve();
    await this.#running;
  }

  /**
   * Rejects unless the peer cosigns the log's latest head, and the log that of the peer. A log that
   * ended vouches for nothing later.
   */
  async read(url: string, hash: string, isEnded: boolean): Promise<void> {
    const { network: { id } } = this.#network;
    const served = this.#served!;
    const { tree_head: { tree_size: size } } = await jsonOf(url, "/v1/log/sth");
    const isCosigned = (by: string, at: string, from: number) => async () => {
      const { peers } = await jsonOf(at, "/v1/status");
      const peer = peers.find((one: { id: string }) => one.id === by);
      return (peer?.last_cross_anchor?.tree_size ?? 0) >= from;
    };
    const within = (what: string, condition: () => Promise<boolean>) =>
      until(condition, PATIENCE_MS).catch((error) => {
        const { errLines } = served.io;
        throw new Error(`${what}: ${error.message}\n${errLines.slice(-6).join("\n")}`);
      });
    await within("the peer does not cosign", isCosigned(id, url, size));
    if (isEnded) return;
    await batch(served.url, hash);
    const own = (await jsonOf(served.url, "/v1/log/sth")).tree_head.tree_size;
    await within("the peer is not cosigned", isCosigned(this.#site.network.id, served.url, own));
    // Offline, with the configuration that the log publishes now.
    const bundle = parseBundle(await (await fetch(`${served.url}/v1/bundle/${hash}`)).text());
    const present = await (await fetch(`${url}/v1/network`)).text();
    const file = join(this.#network.folder, "present.json");
    await Deno.writeTextFile(file, present);
    const peer = await loadPinned(this.#site.network.id, file, undefined, bls);
    const federation = {
      enabled: true,
      cross_anchor_threshold: 1,
      peer_networks: [{ id: peer.id }],
    };
    const network = { ...this.#network.network, federation };
    const { level } = await verifyBundle(nativeCrypto, { network, peers: [peer] }, bundle);
    assert.equal(level, "federated");
  }
}
